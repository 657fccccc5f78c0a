"""Owns what the outcome of one run means at its event (contract, 5.4 to 5.13); knows no other hook of the event.

Exit code 2 blocks, whatever stdout says; an answer object counts whatever the exit code is; everything else that went
wrong is a failure that decides nothing, unless the handler's ``onFailure`` says that it blocks.
Settled here: ``hookSpecificOutput`` without ``hookEventName`` counts, with a warning, as dropping a deny silently is
worse (jikig-ai/soleur#4567); an object without any field that is known, beside another exit code than 0, is a failure.
"""

from __future__ import annotations

import re

from msgspec import structs
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.claude_controls import ClaudeEvent
from tenterhook_protocol.claude_events import CLAUDE_EVENTS
from tenterhook_protocol.runs import ContextEffect, Effects, HookDecision, RunStatus

from tenterhook.dialects.base import LaunchContext
from tenterhook.dialects.claude_code.asked import read_asked
from tenterhook.dialects.claude_code.caps import Caps, without_files
from tenterhook.dialects.claude_code.env_file import read_variables
from tenterhook.dialects.claude_code.later import read_later, without_async_line
from tenterhook.dialects.claude_code.meaning import decision_of, text_for_the_model, what_a_block_does
from tenterhook.dialects.claude_code.output import Output, Plain, read_stdout, same_answer
from tenterhook.dialects.claude_code.specs import AskSpec, HandlerSpec, HttpSpec, ShellSpec, ToolSpec
from tenterhook.dialects.claude_code.worktrees import CREATE, REMOVE, failed_worktree, read_worktree
from tenterhook.dialects.strict_json import JsonFault
from tenterhook.model import Answer, Event, Hook, Outcome

__all__ = ["read_outcome", "refuse"]

_NOT_BLOCKING = frozenset({"none", "notice"})
_WORKTREES = frozenset({CREATE, REMOVE})

_BROKEN = re.compile(
    r"can't open file|cannot open |No such file or directory|[Ss]yntax error|command not found|^usage: ", re.MULTILINE
)
"""What interpreters say who cannot even begin: python, dash and bash then end with 2, the code of a block."""


def read_outcome(hook: Hook, event: Event, outcome: Outcome, context: LaunchContext) -> Answer:
    """The answer of a run."""
    if outcome.status in ("cancelled", "detached"):
        return Answer(status=outcome.status, error=outcome.error)
    known = CLAUDE_EVENTS[event.point]
    caps = Caps(context)
    rest = without_async_line(outcome.stdout) if isinstance(hook.spec, ShellSpec) else None
    if hook.background or (rest is not None and outcome.exit_code != 2):
        return read_later(hook, known, outcome, caps)
    if event.point in _WORKTREES:
        return read_worktree(hook, event, known, outcome, context)
    answer = _Reading(hook, event, known, outcome, caps).answer()
    if outcome.collected:
        answer = _with_variables(answer, outcome.collected, context)
    return structs.replace(answer, wishes=tuple(caps.spills)) if caps.spills else answer


def refuse(event: Event, answer: Answer, why: str) -> Answer:
    """The answer once the world has refused its wish: a path that is none, or a file that could not be written."""
    return failed_worktree(answer, why) if event.point in _WORKTREES else without_files(answer, why)


class _Reading:
    """One outcome with everything that its meaning depends on."""

    def __init__(self, hook: Hook, event: Event, known: ClaudeEvent, outcome: Outcome, caps: Caps) -> None:
        self.hook = hook
        self.event = event
        self.known = known
        self.outcome = outcome
        self.caps = caps
        self.block = what_a_block_does(known, event)
        self.stderr = outcome.stderr.decode("utf-8", "replace").strip()

    def answer(self) -> Answer:
        spec, outcome = self.hook.spec, self.outcome
        if outcome.exit_code == 2 and outcome.status == "failed" and isinstance(spec, ShellSpec):
            return self._exit_two()
        if outcome.status in ("timedOut", "notStarted"):
            return self._failure(outcome.status, outcome.error or outcome.status)
        said = self._said()
        if isinstance(said, Output) and (outcome.status == "ok" or (isinstance(spec, ShellSpec) and said.fields)):
            return self._fields(said)
        if outcome.status != "ok":
            return self._failure(outcome.status, self._in_words())
        if isinstance(said, JsonFault):
            return self._failure("badOutput", f"gave no usable answer on stdout: {said}")
        if self._cut_object():
            return self._failure("tooLarge", f"wrote more to stdout than is kept ({len(outcome.stdout)} bytes)")
        if isinstance(spec, AskSpec):
            read = read_asked(self.hook, spec, self.event, self.known, outcome.stdout, self.caps)
            return self._failure("badOutput", read) if isinstance(read, str) else read
        return self._plain(said) if isinstance(said, Plain) else self._fields(said)

    def _said(self) -> Output | Plain | JsonFault:
        """What stdout is. The text of a model is judged elsewhere, and a cut object is none."""
        if isinstance(self.hook.spec, AskSpec) or self._cut_object():
            return Plain("")
        if same_answer(self.outcome.stdout, bytes(self.event.payload)):
            return Output(warnings=("printed what it was given; that is no opinion",))
        return read_stdout(self.outcome.stdout, self.known)

    def _cut_object(self) -> bool:
        """Whether an object was cut, or what could have become one: nobody knows what comes after a lot of blanks."""
        start = self.outcome.stdout.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
        return self.outcome.stdout_cut and (start in (b"", b"{") or isinstance(self.hook.spec, HttpSpec))

    def _exit_two(self) -> Answer:
        """A block where the event has one; no field weakens it, and what stdout lacks is only told."""
        said = self._said()
        warnings: tuple[str, ...] = ()
        if isinstance(said, JsonFault):
            warnings = (f"gave no usable answer on stdout: {said}",)
        output = said if isinstance(said, Output) else Output()
        if self.block in _NOT_BLOCKING:
            error = f"exited with code 2, which blocks nothing at {self.known.name}"
            answer = self._fields(output) if output.fields else Answer(status="failed")
            answer = structs.replace(answer, status="failed", error=f"{error}: {self.stderr}" if self.stderr else error)
            return self._told_to_user(answer, self.stderr) if self.block == "notice" else answer
        reason = self.stderr or f"The hook {self.hook.name!r} ended with exit code 2 and wrote nothing to stderr"
        broken = _BROKEN.search(self.stderr)
        if broken is not None:
            line = next((line for line in self.stderr.splitlines() if _BROKEN.search(line)), self.stderr)
            doubt = f"this block looks like a broken hook: {' '.join(self.hook.spec.words())[:200]}"
            warnings = (*warnings, f"{doubt} said: {line[:200]}")
            reason = f"{reason}\n({doubt})"
        return self._fields(output, blocked=reason, warnings=warnings)

    def _fields(self, output: Output, *, blocked: str | None = None, warnings: tuple[str, ...] = ()) -> Answer:
        spec = self.hook.spec
        if isinstance(spec, ToolSpec) and blocked is None and self._is_strict() and _says_nothing(output):
            return self._failure("badOutput", "the tool's answer has no field of a hook's answer that decides anything")
        decision, more = decision_of(self.hook, self.event, self.known, output, self.caps, blocked=blocked)
        status: RunStatus = "ok"
        error: str | None = None
        if self.outcome.status == "signalled":  # never a success, though what it had said counts
            status, error = "signalled", self.outcome.error
        return Answer(status=status, decision=decision, error=error, warnings=(*warnings, *output.warnings, *more))

    def _plain(self, said: Plain) -> Answer:
        if not said.text:
            return Answer(status="ok")
        if isinstance(self.hook.spec, HttpSpec):
            return self._failure("badOutput", "answered with text that is no JSON object")
        if isinstance(self.hook.spec, ToolSpec) and self._is_strict() and self.known.name != "PreCompact":
            return self._failure("badOutput", "the tool answered with text that is no JSON object")
        if self.known.plain_text != "context":
            return Answer(status="ok", warnings=said.warnings)
        decision = text_for_the_model(self.hook, self.caps.text("stdout", said.text))
        return Answer(status="ok", decision=decision, warnings=said.warnings)

    def _in_words(self) -> str:
        """What a run that did not end well says, with the first line of its stderr."""
        error = self.outcome.error or self.outcome.status
        first = self.stderr.split("\n", 1)[0]
        if self.outcome.exit_code is None:
            return f"{error}: {first}" if first else error
        hint = "" if self.block in _NOT_BLOCKING else "; only exit code 2 blocks"
        return f"Failed with non-blocking status code: {first or 'No stderr output'} ({error}{hint})"

    def _failure(self, status: RunStatus, error: str) -> Answer:
        """What a failure means: by itself nothing."""
        if self._blocks_on_failure():
            reason = f'The hook {self.hook.name!r} failed: {error}; blocking because onFailure is "block"'
        elif status == "timedOut" and self.known.timeout_blocks:
            reason = f"The hook {self.hook.name!r} was too slow, which blocks {self.known.name}: {error}"
        else:
            answer = Answer(status=status, error=error)
            told = self.known.name == "FileChanged" or (self.known.name == "UserPromptSubmit" and status == "timedOut")
            return self._told_to_user(answer, f"The hook {self.hook.name!r} failed: {error}") if told else answer
        if self.block in _NOT_BLOCKING:
            answer = Answer(status=status, error=error)
            return self._told_to_user(answer, reason) if self.block == "notice" else answer
        decision, _ = decision_of(self.hook, self.event, self.known, Output(), self.caps, blocked=reason)
        return Answer(status=status, decision=decision, error=error, synthetic=True)

    def _blocks_on_failure(self) -> bool:
        """Not where the block would keep something going, which a broken hook would do for ever."""
        spec = self.hook.spec
        wants = self.hook.on_failure == "deny" or (isinstance(spec, HandlerSpec) and spec.blocks_on_failure)
        if isinstance(spec, ToolSpec) and self.known.name in ("Setup", "SessionStart"):
            return False
        return wants and self.block != "continue"

    def _is_strict(self) -> bool:
        """Whether a tool's answer has to be a hook's answer: where ``onFailure: block`` could stop something."""
        return self._blocks_on_failure() and self.known.blocks and self.block not in _NOT_BLOCKING

    def _told_to_user(self, answer: Answer, text: str) -> Answer:
        if not text:
            return answer
        message = ContextEffect(hook=self.hook.id, text=self.caps.text("failure", text))
        decision = answer.decision or HookDecision()
        effects = Effects() if decision.effects is UNSET else decision.effects
        messages = [*([] if effects.system_messages is UNSET else effects.system_messages), message]
        decision = structs.replace(decision, effects=structs.replace(effects, system_messages=messages))
        return structs.replace(answer, decision=decision)


def _says_nothing(output: Output) -> bool:
    """``{}`` is an opinion of none; an object with other keys alone, or only a reason, is a mistake."""
    return output.fields == frozenset(("reason",)) or (not output.fields and bool(output.warnings))


def _with_variables(answer: Answer, content: bytes, context: LaunchContext) -> Answer:
    found, warnings = read_variables(content, context.environment)
    answer = structs.replace(answer, warnings=(*answer.warnings, *warnings))
    if not found:
        return answer
    decision = answer.decision or HookDecision()
    effects = Effects() if decision.effects is UNSET else decision.effects
    return structs.replace(
        answer, decision=structs.replace(decision, effects=structs.replace(effects, environment=found))
    )
