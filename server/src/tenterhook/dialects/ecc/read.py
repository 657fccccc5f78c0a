"""Owns what the outcome of an ECC hook means: an echo of its input is no opinion, all else is Claude Code's to judge.

"Write the original data back to stdout" is ECC's documented way to have no opinion (contract, 0 and 4).
"""

from __future__ import annotations

from typing import cast

import msgspec
from msgspec import structs

from tenterhook.dialects.base import LaunchContext
from tenterhook.dialects.claude_code.read import read_outcome
from tenterhook.dialects.ecc.launch import TOO_LARGE
from tenterhook.dialects.ecc.payload import given, limit_of
from tenterhook.model import Answer, Event, Hook, Outcome

__all__ = ["is_echo", "read_hook"]

_SHORTEST_CUT = 4096
"""Bytes of a cut echo: scripts that end too early lose what a pipe could not take, which is never less."""

_ANSWER_KEYS = frozenset(
    {"continue", "decision", "hookSpecificOutput", "stopReason", "suppressOutput", "systemMessage", "async"}
)


def read_hook(hook: Hook, event: Event, outcome: Outcome, context: LaunchContext) -> Answer:
    """The answer of a run."""
    if outcome.status == "notStarted" and outcome.error == TOO_LARGE:
        outcome = _blocking(hook, context)
    elif outcome.stdout and is_echo(outcome.stdout, bytes(event.payload), context):
        outcome = structs.replace(outcome, stdout=b"", stdout_cut=False)
    answer = read_outcome(hook, event, outcome, context)
    _, complaint = limit_of(context.environment)
    return answer if complaint is None else structs.replace(answer, warnings=(*answer.warnings, complaint))


def is_echo(stdout: bytes, payload: bytes, context: LaunchContext) -> bool:
    """Whether a hook has handed its input on: as it was, with a newline, cut short, or with changes in it.

    A changed input event is no answer: ECC's own chain hands it to the next hook, and the host ignores it.
    """
    said = stdout.strip()
    for text in (payload.strip(), given(payload, context.environment).text.strip()):
        if said == text or (len(said) >= _SHORTEST_CUT and text.startswith(said)):
            return True
    return _is_changed_event(said, payload)


def _is_changed_event(said: bytes, payload: bytes) -> bool:
    if not said.startswith(b"{"):
        return False
    try:
        answer, event = _keys(said), _keys(payload)
    except (msgspec.DecodeError, RecursionError, TypeError):
        return False
    if not event or "tool_input" not in answer or not answer.keys() >= event.keys():
        return False
    return not (answer.keys() - event.keys()) & _ANSWER_KEYS


def _keys(text: bytes) -> dict[str, object]:
    value = msgspec.json.decode(text)
    if not isinstance(value, dict):
        raise TypeError
    return cast("dict[str, object]", value)


def _blocking(hook: Hook, context: LaunchContext) -> Outcome:
    """As if the hook had blocked by its exit code: what that does is the event's own."""
    limit, _ = limit_of(context.environment)
    words = f"[{hook.name}] The input is larger than {limit} bytes, so that it cannot be checked; it is blocked"
    return Outcome(status="failed", exit_code=2, stderr=words.encode())
