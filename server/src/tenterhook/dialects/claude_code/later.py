"""Owns what a hook that ran in the background has to say when it ends; it decides nothing any more."""

from __future__ import annotations

from tenterhook_protocol.claude_controls import ClaudeEvent

from tenterhook.dialects.claude_code.caps import Caps
from tenterhook.dialects.claude_code.launch import async_seconds
from tenterhook.dialects.claude_code.meaning import text_for_the_model
from tenterhook.dialects.claude_code.output import Output, read_output
from tenterhook.dialects.claude_code.specs import ShellSpec
from tenterhook.dialects.strict_json import JsonObject, read_object
from tenterhook.model import Answer, Hook, Outcome

__all__ = ["read_later", "without_async_line"]


def read_later(hook: Hook, known: ClaudeEvent, outcome: Outcome, caps: Caps) -> Answer:
    """Its context and its message go to the model at the next turn; a field of a wrong type is dropped by itself.

    Exit code 2 of an ``asyncRewake`` hook wakes the model with what stderr says, or stdout where that is empty.
    """
    stderr = outcome.stderr.decode("utf-8", "replace").strip()
    if outcome.exit_code == 2 and isinstance(hook.spec, ShellSpec) and hook.spec.wakes:
        text = stderr or outcome.stdout.decode("utf-8", "replace").strip()
        text = text or f"The hook {hook.name!r} has ended with exit code 2"
        decision = text_for_the_model(hook, caps.text("wake", text))
        return Answer(status="ok", decision=decision, wake=True, wishes=tuple(caps.spills))
    output, warnings = _answer_in(outcome, known)
    if outcome.status not in ("ok", "failed") or (outcome.status == "failed" and output is None):
        first = f": {stderr.splitlines()[0]}" if stderr else ""
        return Answer(status=outcome.status, error=f"{outcome.error or outcome.status}{first}", warnings=warnings)
    context = None if output is None else output.get("additionalContext", str)
    message = None if output is None else output.system_message
    texts = [
        caps.text(name, text) for name, text in (("additional-context", context), ("system-message", message)) if text
    ]
    if not texts:
        return Answer(status="ok", warnings=warnings)
    decision = text_for_the_model(hook, "\n\n".join(texts))
    return Answer(status="ok", decision=decision, warnings=warnings, wishes=tuple(caps.spills))


def without_async_line(stdout: bytes) -> bytes | None:
    """What follows ``{"async": true}`` in the first line; None where the first line is another."""
    first, _, rest = stdout.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")
    return None if async_seconds(first, 1.0) is None else rest


def _answer_in(outcome: Outcome, known: ClaudeEvent) -> tuple[Output | None, tuple[str, ...]]:
    """All of stdout where it is an answer object, else the first line that is one."""
    if outcome.stdout_cut:
        return None, ()
    rest = without_async_line(outcome.stdout)
    stdout = outcome.stdout if rest is None else rest
    for candidate in (stdout, *stdout.splitlines()):
        if not candidate.removeprefix(b"\xef\xbb\xbf").strip().startswith(b"{"):
            continue
        found = read_object(candidate)
        if isinstance(found, JsonObject):
            output, faults = read_output(found, known)
            return output, (*output.warnings, *map(str, faults))
    return None, ()
