"""Owns how the answers of an event become one decision, and how often a turn may be kept going; runs nothing."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from tenterhook.dialects.base import Counters, Verdict
from tenterhook.dialects.coding_code.points import TURN_END, TURN_START, TURN_STOP
from tenterhook.model import Judged, Mode, Notice

__all__ = ["DEFAULT_CAP", "begin_anew", "join_answers"]

DEFAULT_CAP = 3
"""Consecutive ``continue`` answers to ``agent.turn.stop`` that stand, where the host says nothing else."""


def begin_anew(point: str, counters: Counters) -> Counters:
    """A turn's start or end lets the count start anew, at the moment it is read."""
    return _zero(counters) if point in {TURN_START, TURN_END} else counters


def join_answers(point: str, mode: Mode, answers: Sequence[Judged], counters: Counters) -> Verdict:
    """The first answer that is not null; observers have none.

    On ``agent.turn.stop`` a ``continue`` beyond the cap becomes null, with a notice, and the count starts anew.
    Any other answer to it, null included, lets the count start anew too.
    """
    if mode == "emit":
        return Verdict(None)
    winner = next(((one.hook, one.answer.decision) for one in answers if one.answer.decision is not None), None)
    decision = None if winner is None else winner[1]
    if point != TURN_STOP:
        return Verdict(decision)
    if winner is None or decision is None or decision.decision != "continue":
        return Verdict(decision, _zero)
    cap = DEFAULT_CAP if counters.cap is None else counters.cap
    if counters.continuations < cap:
        return Verdict(decision, _one_more)
    hook = winner[0]
    message = (
        f"The hook {hook.name!r} wants the turn to continue, and {cap} in a row is the cap (maxStopContinuations); "
        "the turn may stop"
    )
    return Verdict(None, _zero, (Notice(code="stopCapReached", message=message, hook=hook.id),))


def _zero(counters: Counters) -> Counters:
    return structs.replace(counters, continuations=0)


def _one_more(counters: Counters) -> Counters:
    return structs.replace(counters, continuations=counters.continuations + 1)
