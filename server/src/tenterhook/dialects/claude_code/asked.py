"""Owns what the answer of a model or an agent means (contract, 5.11 and 5.12); asks nobody."""

from __future__ import annotations

import re

from msgspec import structs
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.claude_controls import ClaudeEvent
from tenterhook_protocol.runs import ContextEffect, Effects, HookDecision

from tenterhook.dialects.claude_code.caps import Caps
from tenterhook.dialects.claude_code.meaning import decision_of
from tenterhook.dialects.claude_code.output import Output
from tenterhook.dialects.claude_code.shapes import Shape, values_of
from tenterhook.dialects.claude_code.specs import AskSpec
from tenterhook.dialects.strict_json import JsonFault, read_object
from tenterhook.model import Answer, Event, Hook

__all__ = ["read_asked"]

_SHAPE: Shape = {"ok": "flag", "reason": "text", "impossible": "flag"}
_FENCED = re.compile(rb"\s*```(?:json)?\s*\n(.*?)\n?```\s*", re.DOTALL)

_NO_EFFECT = frozenset({"PermissionRequest", "PermissionDenied"})
_TELLS_THE_MODEL = frozenset({"PostToolUseFailure", "TaskCreated", "TaskCompleted"})
"""The model gets the reason and goes on, whatever ``continueOnBlock`` says."""
_STOPS = frozenset({"Stop", "SubagentStop"})
_ENDS_THE_TURN = frozenset({"PostToolBatch", "UserPromptSubmit", "UserPromptExpansion"})
"""The turn ends, whatever ``continueOnBlock`` says."""


def read_asked(hook: Hook, spec: AskSpec, event: Event, known: ClaudeEvent, text: bytes, caps: Caps) -> Answer | str:
    """The answer; a text says why it is none."""
    fenced = _FENCED.fullmatch(text)
    read = read_object(text if fenced is None else fenced[1])
    if isinstance(read, JsonFault):
        return f"the {spec.kind} did not answer with a JSON object: {read}"
    found, faults = values_of(read, _SHAPE, "")
    if faults:
        return f"the {spec.kind} gave no usable answer: {faults[0]}"
    ok = found.get("ok")
    if ok is None:
        return f'the {spec.kind} gave no usable answer: there is no "ok" in it'
    if ok is True or event.point in _NO_EFFECT:
        return Answer(status="ok")
    if spec.kind == "prompt" and found.get("impossible") is True and event.point in _STOPS:
        return Answer(status="ok", warnings=("the condition can never be met; the turn may stop",))
    reason = str(found.get("reason") or "") or f"The hook {hook.name!r} said no and gave no reason"
    return Answer(status="ok", decision=_no(hook, spec, event, known, reason, caps))


def _no(hook: Hook, spec: AskSpec, event: Event, known: ClaudeEvent, reason: str, caps: Caps) -> HookDecision | None:
    point = event.point
    goes_on = spec.kind == "agent" or spec.continue_on_block
    if point == "TeammateIdle" and not goes_on:
        warning = ContextEffect(hook=hook.id, text=reason)
        return HookDecision(effects=Effects(halt=True, stop_reason=reason, system_messages=[warning]))
    decision, _ = decision_of(hook, event, known, Output(), caps, blocked=reason)
    if decision is None or point in _STOPS | _TELLS_THE_MODEL or point == "TeammateIdle":
        return decision
    if goes_on and point not in _ENDS_THE_TURN:
        return decision
    effects = Effects() if decision.effects is UNSET else decision.effects
    effects = structs.replace(
        effects,
        turn_ends=True,
        contexts=UNSET,
        system_messages=[ContextEffect(hook=hook.id, text=reason)],
    )
    return structs.replace(decision, injection=UNSET, effects=effects)
