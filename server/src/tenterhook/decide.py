"""Owns turning the answers of an event into its result; pure: how answers are joined is the event's system's own."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.hooks import EmitResult

from tenterhook.dialects.base import Counters, Dialect, Verdict
from tenterhook.model import Answer, Event, Hook, HookDecision, HookRun, Notice

__all__ = ["decide", "decision_of", "result_of"]


def decide(dialect: Dialect, event: Event, answers: Sequence[tuple[Hook, Answer]], counters: Counters) -> Verdict:
    """The event's verdict and its session's new counters. Observers change no counter that a quiet event would not."""
    if event.mode == "decide":
        return dialect.join(event.point, answers, counters)
    return Verdict(None, dialect.quiet(event.point, counters))


def result_of(verdict: Verdict, runs: Sequence[HookRun], notices: Sequence[Notice] = ()) -> EmitResult:
    """What ``hooks/emit`` answers."""
    decision = verdict.decision
    return EmitResult(
        runs=list(runs),
        notices=[*notices, *verdict.notices],
        decision=UNSET if decision is None else decision,
        effects=UNSET if decision is None else decision.effects,
    )


def decision_of(
    verdict: Verdict, runs: Sequence[HookRun], notices: Sequence[Notice] = (), *, trace: bool
) -> HookDecision | None:
    """What ``hooks/emitDecision`` answers: null without an opinion, unless the host wants the trace."""
    if not trace:
        return verdict.decision
    return structs.replace(verdict.decision or HookDecision(), runs=list(runs), notices=[*notices, *verdict.notices])
