"""Owns what the hooks that make and remove worktrees say; makes and removes nothing, and looks at no disk."""

from __future__ import annotations

import os.path
import re

import msgspec
from msgspec import Raw, Struct, structs
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.claude_controls import ClaudeEvent
from tenterhook_protocol.runs import Effects, HookDecision, RunStatus

from tenterhook.dialects.base import LaunchContext
from tenterhook.dialects.claude_code.output import Output, Plain, read_stdout
from tenterhook.dialects.claude_code.specs import HttpSpec
from tenterhook.dialects.claude_code.surroundings import folders_of
from tenterhook.model import Answer, Event, Hook, Outcome, PathCheck

__all__ = ["CREATE", "REMOVE", "failed_worktree", "read_worktree", "silent_worktree"]

CREATE = "WorktreeCreate"
REMOVE = "WorktreeRemove"

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


class _Named(Struct, frozen=True):
    worktree_path: Raw = Raw(b"null")


_named = msgspec.json.Decoder(_Named)


def read_worktree(hook: Hook, event: Event, known: ClaudeEvent, outcome: Outcome, context: LaunchContext) -> Answer:
    """Where the worktree is, or why there is none: any failure is one, and no answer object rescues it (5.13)."""
    if outcome.status != "ok":
        error = outcome.error or outcome.status
        stderr = outcome.stderr.decode("utf-8", "replace").strip()
        return _failure(outcome.status, f"{error}: {stderr}" if stderr else error)
    if event.point == REMOVE:
        return Answer(status="ok", decision=HookDecision(effects=Effects(worktree_path=_removed(event))))
    if outcome.stdout_cut:
        return _failure("tooLarge", "wrote more to stdout than is kept, so that its last line is not known")
    path = _from_object(outcome.stdout, known) if isinstance(hook.spec, HttpSpec) else _last_line(outcome.stdout)
    if isinstance(path, Answer):
        return path
    if not path:
        return _failure("badOutput", "ended well and named no path; it has to print the path of the worktree")
    if os.path.isabs(path):
        if {".", ".."} & set(path.split("/")):
            return _failure("badOutput", f"the path {path} has . or .. in it")
    else:
        path = os.path.normpath(os.path.join(folders_of(event, context)[0], path))
    return Answer(
        status="ok",
        decision=HookDecision(effects=Effects(worktree_path=path)),
        wishes=(PathCheck(path, event.project),),
    )


def failed_worktree(answer: Answer, why: str) -> Answer:
    """The answer once the path has turned out to be of no use."""
    failure = _failure("badOutput", why)
    return structs.replace(failure, warnings=answer.warnings)


def silent_worktree() -> HookDecision:
    """What hooks come to that are there and name no path."""
    return HookDecision(effects=Effects(worktree_failure="no hook named the path of a worktree"))


def _failure(status: RunStatus, error: str) -> Answer:
    return Answer(status=status, decision=HookDecision(effects=Effects(worktree_failure=error)), error=error)


def _last_line(stdout: bytes) -> str:
    lines = (_ANSI.sub("", line).strip() for line in stdout.decode("utf-8", "replace").splitlines())
    return next((line for line in reversed(list(lines)) if line), "")


def _from_object(body: bytes, known: ClaudeEvent) -> str | None | Answer:
    output = read_stdout(body, known)
    if isinstance(output, Output):
        return output.get("worktreePath", str)
    why = "the answer is no JSON object" if isinstance(output, Plain) else str(output)
    return _failure("badOutput", why) if body.strip() else None


def _removed(event: Event) -> str | msgspec.UnsetType:
    """The path that the payload names: the host knows by it that a hook has seen to it."""
    try:
        named = bytes(_named.decode(event.payload).worktree_path)
    except (msgspec.DecodeError, RecursionError):
        return UNSET
    return msgspec.json.decode(named, type=str) if named.startswith(b'"') else UNSET
