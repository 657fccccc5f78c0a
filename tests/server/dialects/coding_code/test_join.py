"""How answers become one decision, and how often a turn may be kept going."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server.dialects.coding_code.parts import CODING_CODE, hook
from tenterhook.dialects.base import Counters, Verdict
from tenterhook.model import Answer, HookDecision, Judged
from tenterhook_protocol.points import POINTS
from tenterhook_protocol.runs import DecisionKind

STOP = "agent.turn.stop"
NULL = Answer(status="ok")
FAILED = Answer(status="failed", error="e")


def answer(kind: DecisionKind) -> Answer:
    return Answer(status="ok", decision=HookDecision(decision=kind))


CONTINUE = answer("continue")


def join(point: str, *answers: Answer, counters: Counters | None = None) -> Verdict:
    judged = [Judged(hook(f"h{index}"), one, index) for index, one in enumerate(answers)]
    return CODING_CODE.join(point, "decide", judged, counters or Counters())


def after(verdict: Verdict, counters: Counters) -> Counters:
    """The session's counters once the event has ended."""
    return counters if verdict.change is None else verdict.change(counters)


@pytest.mark.parametrize("point", POINTS)
def test_the_first_answer_that_is_not_null_is_the_decision(point: str) -> None:
    assert join(point).decision is None
    assert join(point, NULL, FAILED).decision is None
    assert join(point, NULL, FAILED, answer("ask"), answer("deny")).decision == HookDecision(decision="ask")
    only_text = Answer(status="ok", decision=HookDecision(injection="x"))
    assert join(point, only_text).decision == HookDecision(injection="x")


def test_the_answer_of_on_failure_is_an_answer() -> None:
    synthetic = Answer(status="timedOut", decision=HookDecision(decision="deny"), error="e", synthetic=True)
    assert join("tool.approval.pre", synthetic).decision == HookDecision(decision="deny")


def test_continue_elsewhere_is_an_answer_that_counts_nothing() -> None:
    verdict = join("tool.approval.pre", CONTINUE, counters=Counters(2))
    assert verdict == Verdict(HookDecision(decision="continue"))


def decisions(cap: int | None, events: list[str]) -> list[str]:
    """What a session's events come to: point names stand for quiet events."""
    counters = Counters(cap=cap)
    came: list[str] = []
    for name in events:
        if name in POINTS:
            counters = CODING_CODE.begin(name, counters)
            continue
        answers = {"continue": [CONTINUE], "null": [NULL], "none": [], "failed": [FAILED]}
        verdict = join(STOP, *answers.get(name, [answer("deny")]), counters=counters)
        counters = after(verdict, counters)
        came.append("null" if verdict.decision is None else str(verdict.decision.decision))
        if verdict.notices:
            came[-1] = "cap"
    return came


GO = "continue"


@pytest.mark.parametrize(
    ("cap", "events", "came"),
    [
        (None, [GO] * 9, [GO, GO, GO, "cap", GO, GO, GO, "cap", GO]),
        (1, [GO] * 4, [GO, "cap", GO, "cap"]),
        (0, [GO] * 2, ["cap", "cap"]),
        (5, [GO] * 6, [GO] * 5 + ["cap"]),
        *[
            (None, [GO, GO, GO, name, GO], [GO, GO, GO, came, GO])
            for name, came in (("null", "null"), ("none", "null"), ("failed", "null"), ("deny", "deny"))
        ],
        (None, [GO, GO, GO, "agent.turn.start", GO], [GO] * 4),
        (None, [GO, GO, GO, "agent.turn.end", GO], [GO] * 4),
        (None, [GO, GO, GO, "agent.step.before", "tool.execute.before", GO], [GO, GO, GO, "cap"]),
        (None, [GO, GO, GO, STOP, GO], [GO, GO, GO, "cap"]),
    ],
)
def test_continues_in_a_row_stand_up_to_the_cap(cap: int | None, events: list[str], came: list[str]) -> None:
    assert decisions(cap, events) == came


def test_the_cap_is_told_with_the_hook_and_the_number() -> None:
    verdict = join(STOP, NULL, CONTINUE, counters=Counters(3))
    assert verdict.decision is None
    (notice,) = verdict.notices
    assert (notice.code, notice.hook) == ("stopCapReached", "coding-code:h1")
    assert "3 in a row is the cap" in notice.message
    assert after(verdict, Counters(3)) == Counters(0)


def test_the_host_s_cap_survives_every_change_of_the_count() -> None:
    before = Counters(1, 7)
    for verdict in (join(STOP, counters=before), join(STOP, CONTINUE, counters=before)):
        assert after(verdict, before).cap == 7
    assert CODING_CODE.begin("agent.turn.start", before) == Counters(0, 7)


@pytest.mark.parametrize("point", POINTS)
def test_a_turn_s_start_and_end_let_the_count_start_anew_at_the_moment_they_are_read(point: str) -> None:
    left = 0 if point in {"agent.turn.start", "agent.turn.end"} else 2
    assert CODING_CODE.begin(point, Counters(2)).continuations == left
    if point != STOP:
        assert join(point, NULL, counters=Counters(2)).change is None


@pytest.mark.parametrize("point", POINTS)
def test_observers_change_no_count(point: str) -> None:
    assert CODING_CODE.join(point, "emit", [Judged(hook(), NULL, 0)], Counters(2)) == Verdict(None)


def test_a_continue_counts_on_from_where_the_count_stands_when_the_event_ends() -> None:
    assert after(join(STOP, CONTINUE, counters=Counters(2)), Counters(0)) == Counters(1)


@given(st.integers(0, 5), st.lists(st.sampled_from([GO, "null", "deny", "agent.turn.start"]), max_size=40))
def test_no_session_continues_more_often_in_a_row_than_the_cap(cap: int, events: list[str]) -> None:
    in_a_row = 0
    for came in decisions(cap, events):
        in_a_row = in_a_row + 1 if came == GO else 0
        # A turn's start is no answer: at most one more run of the same length may follow it at once.
        assert in_a_row <= cap * (1 + events.count("agent.turn.start"))
