"""Owns what the outcome of a hook's run means; knows no other hook of the event.

Exit code 0 and a JSON object with at least one of the four fields is an answer.
Nothing at all, ``null`` and ``{}`` are no opinion, and so is everything that went wrong,
unless the hook's ``onFailure`` gives its failure a meaning.
"""

from __future__ import annotations

from itertools import islice

import msgspec
from msgspec import Raw, UnsetType
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.runs import DecisionKind, RunStatus

from tenterhook.dialects.strict_json import JsonFault, JsonObject, read_object
from tenterhook.model import Answer, Hook, HookDecision, Outcome
from tenterhook.nearest import nearest

__all__ = ["read_outcome"]

_KEYS = ("decision", "reason", "injection", "modifiedInput")

_KEYS_GUESSED = 8
"""Keys of an answer that are compared with those that count."""

_KINDS: dict[str, DecisionKind] = {"allow": "allow", "deny": "deny", "ask": "ask", "continue": "continue"}


def read_outcome(hook: Hook, outcome: Outcome) -> Answer:
    """The answer of a run. What an observer writes to stdout means nothing, and its failure is only told."""
    if outcome.status != "ok":
        return _failure(hook, outcome.status, outcome.error or outcome.status)
    if hook.type != "decision":
        return Answer(status="ok")
    if outcome.stdout_cut:
        error = f"wrote more to stdout than is kept ({len(outcome.stdout)} bytes); an answer is one short JSON object"
        return _failure(hook, "tooLarge", error)
    read = read_object(outcome.stdout)
    decision = read if isinstance(read, JsonFault) else _decision(read)
    if isinstance(decision, JsonFault):
        return _failure(hook, "badOutput", f"gave no answer on stdout: {decision}")
    warnings = _unread(read) if decision is None and isinstance(read, JsonObject) else ()
    return Answer(status="ok", decision=decision, warnings=warnings)


def _failure(hook: Hook, status: RunStatus, error: str) -> Answer:
    """What a failure means. ``error`` goes on where the hook's name leaves off; the runner's own words do so too."""
    # A cancelled run has nobody left to answer, so that its onFailure means nothing.
    if hook.type != "decision" or hook.on_failure is None or status == "cancelled":
        return Answer(status=status, error=error)
    reason = f"The hook {hook.name!r} gave no answer, and its onFailure is {hook.on_failure}: {error}"
    return Answer(
        status=status,
        decision=HookDecision(decision=hook.on_failure, reason=reason),
        error=error,
        synthetic=True,
    )


def _decision(answer: JsonObject) -> HookDecision | None | JsonFault:
    """The four fields; None where there is none of them. Null is as if the field were absent; others are ignored."""
    kind = _kind(answer)
    if isinstance(kind, JsonFault):
        return kind
    reason = _text(answer, "reason")
    if isinstance(reason, JsonFault):
        return reason
    injection = _text(answer, "injection")
    if isinstance(injection, JsonFault):
        return injection
    modified = _object(answer, "modifiedInput")
    if isinstance(modified, JsonFault):
        return modified
    if kind is UNSET and reason is UNSET and injection is UNSET and modified is UNSET:
        return None
    return HookDecision(decision=kind, reason=reason, injection=injection, modified_input=modified)


def _unread(answer: JsonObject) -> tuple[str, ...]:
    """What to tell of an object none of whose keys is read: a slip in ``decision`` would make a guard silent."""
    if not answer.fields or not answer.fields.keys().isdisjoint(_KEYS):
        return ()
    for key in islice(answer.fields, _KEYS_GUESSED):
        near = nearest(key.lower(), map(str.lower, _KEYS))
        if near is not None:
            meant = next(known for known in _KEYS if known.lower() == near)
            return (f"wrote an object with none of the keys that count: did you mean {meant!r} by {key!r}?",)
    first = next(iter(answer.fields))[:40]
    return (f"wrote an object with none of the keys that count ({', '.join(_KEYS)}); its first is {first!r}",)


def _value(answer: JsonObject, key: str) -> Raw | None:
    value = answer.fields.get(key)
    return None if value is None or bytes(value) == b"null" else value


def _text(answer: JsonObject, key: str) -> str | UnsetType | JsonFault:
    value = _value(answer, key)
    if value is None:
        return UNSET
    try:
        return msgspec.json.decode(value, type=str)
    except msgspec.DecodeError:
        return answer.fault(key, f"{key} must be a text")


def _kind(answer: JsonObject) -> DecisionKind | UnsetType | JsonFault:
    word = _text(answer, "decision")
    if not isinstance(word, str):
        return word
    kind = _KINDS.get(word)
    if kind is None:
        near = nearest(word.lower(), _KINDS)
        meant = f"; did you mean {near!r}?" if near else f"; there are {', '.join(_KINDS)}"
        return answer.fault("decision", f"there is no decision {word[:40]!r}{meant}")
    return kind


def _object(answer: JsonObject, key: str) -> Raw | UnsetType | JsonFault:
    value = _value(answer, key)
    if value is None:
        return UNSET
    if not bytes(value).startswith(b"{"):
        return answer.fault(key, f"{key} must be an object")
    # A copy: the slice would keep the whole output alive.
    return value.copy()
