"""``tenterhook explain``: the plan in words."""

from __future__ import annotations

import pytest
from server.cli.desk import Desk, entry, hook_file

DECISION = """\
tool.approval.pre  decision point of coding-code, sent by hooks/emitDecision
project {project}

Would run one after another; it ends at the first answer that is not null:
   1  first   decision  sh -c cat
      from project .codingcode/hooks.yaml:7, priority -1
   2  second  decision  sh -c cat
      from project .codingcode/hooks.yaml:2, priority 0

Would not run:
   -  off     decision  sh -c cat
      left out: enabled is false in {project}/.codingcode/hooks.yaml, line 18
      from project .codingcode/hooks.yaml:13
"""

NOTHING = """\
agent.turn.end  observer point of coding-code, sent by hooks/emit
project {project}

No hook would run: nothing happens.
"""


def test_a_decision_point_tells_the_order_the_end_of_the_chain_and_who_is_left_out(desk: Desk) -> None:
    desk.hooks(hook_file(entry("second"), entry("first", more=["priority: -1"]), entry("off", more=["enabled: false"])))
    ended = desk.run("explain", "tool.approval.pre")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == DECISION.format(project=desk.project)


def test_a_point_without_hooks_says_what_that_comes_to(desk: Desk) -> None:
    assert desk.run("explain", "agent.turn.end").out == NOTHING.format(project=desk.project)
    assert "No hook would run: the answer is null, no opinion." in desk.run("explain", "agent.turn.stop").lines


def test_observers_all_run_to_their_end(desk: Desk) -> None:
    at = {"kind": "observer", "point": "agent.turn.end"}
    desk.hooks(hook_file(entry("a", **at), entry("b", **at)))
    wanted = "Would run one after another; each runs to its end, whatever the others do:"
    assert wanted in desk.run("explain", "agent.turn.end").lines


def test_the_payload_decides_whether_a_matcher_is_met(desk: Desk) -> None:
    desk.hooks(hook_file(entry("guard", more=["matcher: bash"])))
    words = ["explain", "tool.approval.pre", "--payload", "-", "--format", "json"]
    met = desk.run(*words, stdin='{"toolName": "bash"}').json
    assert [hook["name"] for stage in met["stages"] for hook in stage["hooks"]] == ["guard"]
    unmet = desk.run(*words, stdin='{"toolName": "read"}').json
    assert unmet["stages"] == []
    assert [one["reason"]["code"] for one in unmet["leftOut"]] == ["noMatch"]


def test_an_unknown_point_is_told_with_the_nearest_one(desk: Desk) -> None:
    ended = desk.run("explain", "tool.aproval.pre")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "tenterhook: unknown point 'tool.aproval.pre'; did you mean 'tool.approval.pre'?\n"


@pytest.mark.parametrize("payload", ["[]", '{"projectPath": 1}', '{"projectPath": "relative"}'])
def test_a_payload_that_cannot_be_is_refused(desk: Desk, payload: str) -> None:
    ended = desk.run("explain", "tool.approval.pre", "--payload", "-", stdin=payload)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("tenterhook: ")
