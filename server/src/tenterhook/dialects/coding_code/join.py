"""Owns how the answers of an event become one decision, and how often a turn may be kept going; runs nothing."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from tenterhook.dialects.base import Counters, Verdict
from tenterhook.dialects.coding_code.points import TURN_END, TURN_START, TURN_STOP
from tenterhook.model import Answer, Hook, Notice

__all__ = ["DEFAULT_CAP", "after_quiet", "join_answers"]

DEFAULT_CAP = 3
"""Consecutive ``continue`` answers to ``agent.turn.stop`` that stand, where the host says nothing else."""


def join_answers(point: str, answers: Sequence[tuple[Hook, Answer]], counters: Counters) -> Verdict:
    """The first answer that is not null.

    On ``agent.turn.stop`` a ``continue`` beyond the cap becomes null, with a notice, and the count starts anew.
    Any other answer to it, null included, lets the count start anew too.
    """
    winner = next(((hook, answer.decision) for hook, answer in answers if answer.decision is not None), None)
    decision = None if winner is None else winner[1]
    if point != TURN_STOP:
        return Verdict(decision, after_quiet(point, counters))
    if winner is None or decision is None or decision.decision != "continue":
        return Verdict(decision, _anew(counters))
    cap = DEFAULT_CAP if counters.cap is None else counters.cap
    if counters.continuations < cap:
        return Verdict(decision, structs.replace(counters, continuations=counters.continuations + 1))
    hook = winner[0]
    message = (
        f"The hook {hook.name!r} wants the turn to continue, and {cap} in a row is the cap (maxStopContinuations); "
        "the turn may stop"
    )
    return Verdict(None, _anew(counters), (Notice(code="stopCapReached", message=message, hook=hook.id),))


def after_quiet(point: str, counters: Counters) -> Counters:
    """The counters after an event that asked for no answer: a turn's start or end lets the count start anew."""
    return _anew(counters) if point in {TURN_START, TURN_END} else counters


def _anew(counters: Counters) -> Counters:
    return structs.replace(counters, continuations=0) if counters.continuations else counters
