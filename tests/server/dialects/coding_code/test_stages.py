"""Which hooks run for an event, and in what order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server.dialects.coding_code.parts import CODING_CODE, hook
from tenterhook.model import Answer, Arranged, HookDecision, Mode


@pytest.mark.parametrize(
    ("mode", "kind", "code"),
    [
        ("emit", "observer", None),
        ("decide", "decision", None),
        ("emit", "decision", "methodNotSuited"),
        ("decide", "observer", "methodNotSuited"),
    ],
)
@pytest.mark.parametrize("point", ["tool.approval.pre", "agent.turn.end"])
def test_emit_runs_observers_and_emit_decision_decision_hooks(
    point: str, mode: Mode, kind: str, code: str | None
) -> None:
    left_out = CODING_CODE.match(hook(point=point, type=kind), mode, None)
    assert (None if left_out is None else left_out.code) == code
    assert left_out is None or kind in left_out.message


@pytest.mark.parametrize(
    ("matcher", "subject", "runs"),
    [
        (None, None, True),
        ("", None, True),
        ("*", None, True),
        ("read_file", None, False),
        (".*", None, False),
        (None, "read_file", True),
        ("read_file", "read_file", True),
        ("read_file|write_file", "write_file", True),
        ("read", "read_file", False),
        ("read.*", "read_file", True),
        ("Read_file", "read_file", False),
    ],
)
def test_a_matcher_is_met_by_the_tool_s_name(matcher: str | None, subject: str | None, *, runs: bool) -> None:
    left_out = CODING_CODE.match(hook(matcher=matcher), "decide", subject)
    assert (left_out is None) is runs
    if left_out is not None:
        assert left_out.code == "noMatch"
        assert repr(matcher) in left_out.message


def test_the_method_is_the_first_reason() -> None:
    left_out = CODING_CODE.match(hook(type="observer", matcher="x"), "decide", "y")
    assert left_out is not None
    assert left_out.code == "methodNotSuited"


def test_no_hooks_are_no_stage() -> None:
    assert CODING_CODE.arrange((), "tool.approval.pre", "decide") == Arranged()


def test_decision_hooks_are_one_sequence_that_stops_at_the_first_answer() -> None:
    (stage,) = CODING_CODE.arrange((hook("a"), hook("b")), "tool.approval.pre", "decide").stages
    assert stage.together == "sequence"
    assert stage.stops_at == "the first answer that is not null"
    assert not stage.stops(Answer(status="ok"))
    assert not stage.stops(Answer(status="timedOut", error="e"))
    assert stage.stops(Answer(status="ok", decision=HookDecision(decision="continue")))
    assert stage.stops(Answer(status="failed", decision=HookDecision(decision="deny"), synthetic=True))


def test_observers_are_one_sequence_that_never_stops() -> None:
    (stage,) = CODING_CODE.arrange((hook("a"), hook("b")), "tool.approval.pre", "emit").stages
    assert (stage.together, stage.stops_at) == ("sequence", None)
    assert not stage.stops(Answer(status="failed", error="e"))
    assert not stage.stops(Answer(status="ok", decision=HookDecision(decision="deny")))


@given(st.lists(st.sampled_from([-1.5, 0, 1, 100]), min_size=1, max_size=12), st.sampled_from(["emit", "decide"]))
def test_smaller_priorities_run_first_and_ties_keep_their_order(priorities: list[float], mode: Mode) -> None:
    hooks = tuple(hook(str(index), priority=priority) for index, priority in enumerate(priorities))
    (stage,) = CODING_CODE.arrange(hooks, "tool.approval.pre", mode).stages
    order = [(one.priority, int(one.name)) for one in stage.hooks]
    assert order == sorted(order)
    assert len(order) == len(hooks)
