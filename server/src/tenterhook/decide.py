"""Owns turning the answers of an event into its result; pure: how answers are joined is the event's system's own."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.hooks import EmitResult

from tenterhook.dialects.base import Verdict
from tenterhook.model import HookDecision, HookRun

__all__ = ["decision_of", "result_of"]


def result_of(verdict: Verdict, runs: Sequence[HookRun]) -> EmitResult:
    """What ``hooks/emit`` answers."""
    decision = verdict.decision
    return EmitResult(
        runs=list(runs),
        notices=list(verdict.notices),
        decision=UNSET if decision is None else decision,
        effects=UNSET if decision is None else decision.effects,
    )


def decision_of(verdict: Verdict, runs: Sequence[HookRun], *, trace: bool) -> HookDecision | None:
    """What ``hooks/emitDecision`` answers: null without an opinion, unless the host wants the trace."""
    if not trace:
        return verdict.decision
    return structs.replace(verdict.decision or HookDecision(), runs=list(runs), notices=list(verdict.notices))
