"""How answers become one, and how often a turn may be kept going: contract 4.7, section 10."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Raw, UnsetType, structs
from server.dialects.claude_code.judging import answer, effects, hook, join
from tenterhook.dialects.base import Counters, Verdict
from tenterhook.dialects.claude_code.join import begin_anew, join_answers
from tenterhook.model import Answer, HookDecision, Judged
from tenterhook_protocol.claude_events import CLAUDE_EVENTS
from tenterhook_protocol.runs import ContextEffect, DecisionKind, Effects

QUIET = Answer(status="ok")
FAILED = Answer(status="failed", error="e")
HALT = answer(effects=Effects(halt=True, stop_reason="enough"))
M, N = Raw(b'{"command":"m"}'), Raw(b'{"command":"n"}')
DEFERRING = Counters(defers=True)


def says(*texts: str, kind: DecisionKind | None = None, reason: str | UnsetType = UNSET) -> Answer:
    contexts = [ContextEffect(hook="h", text=text) for text in texts]
    return answer(kind, reason=reason, injection="\n\n".join(texts), effects=Effects(contexts=contexts))


def decided(verdict: Verdict) -> DecisionKind | None:
    decision = verdict.decision
    return None if decision is None or decision.decision is UNSET else decision.decision


KINDS: list[tuple[list[DecisionKind], bool, DecisionKind | None]] = [
    (["allow", "ask"], False, "ask"),
    (["ask", "defer"], True, "defer"),
    (["ask", "defer"], False, "ask"),
    (["allow", "deny"], False, "deny"),
    (["deny", "defer"], True, "deny"),
    (["allow", "defer"], True, "defer"),
    (["defer"], False, None),
    (["allow", "allow"], False, "allow"),
    ([], False, None),
]


@pytest.mark.parametrize(("kinds", "defers", "kind"), KINDS)
def test_the_strictest_wins_in_whatever_order(
    kinds: list[DecisionKind],
    defers: bool,  # noqa: FBT001 - a row
    kind: DecisionKind | None,
) -> None:
    """anthropics/claude-code#57800, anthropics/claude-code#39344: rules of the host's own are its own to add."""
    for order in itertools.permutations(kinds):
        answers = [QUIET, *(answer(one) for one in order), FAILED]
        assert decided(join(*answers, counters=Counters(defers=defers))) == kind


def test_a_denial_stands_beside_a_halt() -> None:
    verdict = join(answer("deny", reason="r"), HALT)
    assert verdict.decision == HookDecision(
        decision="deny", reason="r", effects=Effects(halt=True, stop_reason="enough")
    )


@pytest.mark.parametrize("kind", ["allow", "ask", "defer"])
def test_a_halt_outranks_every_other_decision(kind: DecisionKind) -> None:
    verdict = join(answer(kind), HALT, counters=DEFERRING)
    assert decided(verdict) is None
    assert effects(verdict.decision).halt is True
    assert verdict.overruled == {"claude-code:h0": {"decision": "claude-code:h1"}}


def test_a_halt_ends_a_turn_that_another_hook_keeps_going() -> None:
    verdict = join(says("go on", kind="continue", reason="go on"), HALT, point="Stop", counters=Counters(3))
    assert verdict.decision == HookDecision(effects=Effects(halt=True, stop_reason="enough"))
    assert verdict.change is not None
    assert verdict.change(Counters(3)).continuations == 0


def test_a_dropped_defer_is_told() -> None:
    verdict = join(answer("defer"), answer("ask"))
    assert [(notice.code, notice.hook) for notice in verdict.notices] == [("deferDropped", "claude-code:h0")]
    assert join(answer("defer"), counters=DEFERRING).notices == ()


def test_all_reasons_of_the_decision_that_stands_are_told_in_the_order_of_the_plan() -> None:
    """NousResearch/hermes-agent#119893: the second block is not dropped."""
    verdict = join(
        answer("deny", reason="a"),
        answer("ask", reason="not this"),
        answer("deny"),
        answer("deny", reason="b"),
        ranks=(3, 2, 1, 0),
    )
    assert verdict.decision == HookDecision(decision="deny", reason="a\n\nb")
    assert verdict.overruled == {"claude-code:h1": {"decision": "claude-code:h0"}}


@pytest.mark.parametrize("ranks", list(itertools.permutations(range(3))))
def test_every_context_is_kept_in_the_order_of_the_plan(ranks: tuple[int, ...]) -> None:
    """microsoft/vscode#293517."""
    verdict = join(says("a"), says("b"), says("c", "d"), point="PostToolUse", ranks=ranks)
    assert verdict.decision is not None
    assert verdict.decision.injection == "a\n\nb\n\nc\n\nd"
    contexts = effects(verdict.decision).contexts
    assert contexts is not UNSET
    assert [one.text for one in contexts] == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("answers", "ranks", "wanted"),
    [
        ((answer(modified_input=M), QUIET), (0, 1), M),
        ((QUIET, answer(modified_input=M)), (1, 0), M),
        ((answer(modified_input=M), answer("allow")), (0, 1), M),
        ((answer("allow", modified_input=M), answer("ask")), (0, 1), M),
        ((answer(modified_input=M), answer(modified_input=N)), (0, 1), N),
        ((answer(modified_input=M), answer(modified_input=N)), (1, 0), M),
        ((answer(modified_input=M), answer("deny")), (0, 1), UNSET),
        ((answer(modified_input=M), answer("defer")), (0, 1), UNSET),
    ],
)
def test_the_input_of_the_last_to_finish_counts(
    answers: tuple[Answer, ...], ranks: tuple[int, ...], wanted: object
) -> None:
    """anthropics/claude-code#15897, anthropics/claude-code#16117, anthropics/claude-code#75915."""
    verdict = join(*answers, ranks=ranks, counters=DEFERRING)
    assert (HookDecision() if verdict.decision is None else verdict.decision).modified_input == wanted


def test_whose_input_and_output_counted_is_told() -> None:
    verdict = join(answer(modified_input=M), answer(modified_input=N), answer("allow"), ranks=(2, 0, 1))
    assert verdict.overruled == {"claude-code:h1": {"modifiedInput": "claude-code:h0"}}
    output = (answer(effects=Effects(updated_tool_output=value)) for value in (M, N))
    verdict = join(*output, point="PostToolUse", ranks=(1, 0))
    assert effects(verdict.decision).updated_tool_output == M
    assert verdict.overruled == {"claude-code:h1": {"updatedToolOutput": "claude-code:h0"}}
    denied = join(answer(modified_input=M), answer("deny"))
    assert denied.overruled == {"claude-code:h0": {"modifiedInput": "claude-code:h1"}}


def test_a_rewrite_that_is_overruled_takes_its_words_for_the_classifier_with_it() -> None:
    verdict = join(
        answer(effects=Effects(updated_tool_output=M, classifier_context="m")),
        answer(effects=Effects(classifier_context="alone")),
        answer(effects=Effects(updated_tool_output=N, classifier_context="n")),
        point="PostToolUse",
        ranks=(2, 1, 0),
    )
    assert effects(verdict.decision).classifier_context == "m\n\nalone"


@pytest.mark.parametrize(
    ("text", "kept"), [("x" * 2001, "x" * 2000), ("😀" * 1001, "😀" * 1000), ("x" * 1999 + "😀", "x" * 1999)]
)
def test_the_classifier_is_told_so_much_and_no_half_characters(text: str, kept: str) -> None:
    verdict = join(answer(effects=Effects(classifier_context=text)), point="PostToolUse")
    assert effects(verdict.decision).classifier_context == kept


@pytest.mark.parametrize("ranks", [(0, 1, 2), (2, 1, 0)])
def test_permission_requests_deny_before_allow(ranks: tuple[int, ...]) -> None:
    allow = answer("allow", modified_input=M, effects=Effects(permission_updates=[N]))
    deny = answer("deny", reason="no", effects=Effects(interrupt=True))
    verdict = join(allow, deny, allow, point="PermissionRequest", ranks=ranks)
    assert verdict.decision == HookDecision(decision="deny", reason="no", effects=Effects(interrupt=True))
    both = join(allow, allow, point="PermissionRequest", ranks=ranks[:2])
    assert both.decision == HookDecision(decision="allow", modified_input=M, effects=Effects(permission_updates=[N, N]))


DECLINE, CANCEL, ACCEPT = (Raw(b'{"action":"%s"}' % word) for word in (b"decline", b"cancel", b"accept"))


@pytest.mark.parametrize(
    ("given_answers", "wanted"),
    [
        ([ACCEPT, DECLINE], DECLINE),
        ([CANCEL, ACCEPT], CANCEL),
        ([CANCEL, DECLINE], CANCEL),
        ([Raw(b'{"action":"accept","content":{"a":1}}'), ACCEPT], Raw(b'{"action":"accept","content":{"a":1}}')),
    ],
)
def test_a_form_is_declined_where_one_hook_declines_it(given_answers: list[Raw], wanted: Raw) -> None:
    verdict = join(*(answer(effects=Effects(elicitation=one)) for one in given_answers), point="Elicitation")
    assert effects(verdict.decision).elicitation == wanted


def tree(path: str) -> Answer:
    return answer(effects=Effects(worktree_path=path))


def no_tree(why: str) -> Answer:
    return answer(effects=Effects(worktree_failure=why), status="failed")


@pytest.mark.parametrize(
    ("answers", "wanted"),
    [
        ((tree("/a"),), Effects(worktree_path="/a")),
        ((tree("/a"), tree("/b")), Effects(worktree_path="/a")),
        ((tree("/a"), no_tree("x"), no_tree("y")), Effects(worktree_failure="x\n\ny")),
        ((Answer(status="detached"),), Effects(worktree_failure="no hook named the path of a worktree")),
    ],
)
def test_worktrees(answers: tuple[Answer, ...], wanted: Effects) -> None:
    assert join(*answers, point="WorktreeCreate", ranks=tuple(range(len(answers)))[::-1]).decision == HookDecision(
        effects=wanted
    )


def test_without_worktree_hooks_the_host_does_it_itself() -> None:
    assert join(point="WorktreeCreate").decision is None
    assert join(point="WorktreeRemove").decision is None


@pytest.mark.parametrize(
    ("given_effects", "wanted"),
    [
        (
            [Effects(watch_paths=["/a", "/b"]), Effects(watch_paths=["/b", "/c"])],
            Effects(watch_paths=["/a", "/b", "/c"]),
        ),
        ([Effects(watch_paths=[])], Effects(watch_paths=[])),
        (
            [Effects(session_title="a"), Effects(session_title="b"), Effects(session_title="")],
            Effects(session_title="b"),
        ),
        (
            [Effects(environment={"A": "1", "B": "1"}), Effects(environment={"B": "2"})],
            Effects(environment={"A": "1", "B": "2"}),
        ),
        ([Effects(retry=True), Effects(retry=False)], Effects(retry=True)),
        (
            [Effects(terminal_sequences=["a"]), Effects(terminal_sequences=["b"])],
            Effects(terminal_sequences=["a", "b"]),
        ),
        (
            [Effects(stop_reason="a", halt=True), Effects(stop_reason="b", halt=True)],
            Effects(stop_reason="a\n\nb", halt=True),
        ),
        ([Effects(custom_instructions="a"), Effects(custom_instructions="b")], Effects(custom_instructions="a\n\nb")),
    ],
)
def test_other_effects_come_together(given_effects: list[Effects], wanted: Effects) -> None:
    verdict = join(
        *(answer(effects=one) for one in given_effects),
        point="SessionStart",
        ranks=tuple(range(len(given_effects)))[::-1],
    )
    assert verdict.decision == HookDecision(effects=wanted)


def test_either_method_learns_the_same() -> None:
    judged = [Judged(hook("h"), answer("deny", reason="r"), 0)]
    assert join_answers("PreToolUse", judged, Counters()).decision == HookDecision(decision="deny", reason="r")


CONTINUE = says("go on", kind="continue", reason="go on")


def a_session(events: list[str], counters: Counters) -> list[DecisionKind | None]:
    """What a session's events come to: ``!`` is a blocked stop, ``.`` a quiet one, names are events without hooks."""
    came: list[DecisionKind | None] = []
    for name in events:
        if name not in "!.":
            counters = begin_anew(name, counters)
            continue
        verdict = join(CONTINUE if name == "!" else QUIET, point="Stop", counters=counters)
        counters = counters if verdict.change is None else verdict.change(counters)
        came.append(decided(verdict))
    return came


GO: list[DecisionKind | None] = ["continue"]


@pytest.mark.parametrize(
    ("counters", "events", "came"),
    [
        (Counters(), ["!"] * 10, GO * 8 + [None] + GO),
        (Counters(cap=2), ["!"] * 4, [*GO * 2, None, *GO]),
        (Counters(cap=2, environment={"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "1"}), ["!"] * 3, [*GO * 2, None]),
        (Counters(environment={"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "1"}), ["!"] * 3, [*GO, None, *GO]),
        (Counters(environment={"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "0"}), ["!"] * 20, GO * 20),
        (Counters(environment={"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "many"}), ["!"] * 9, [*GO * 8, None]),
        (Counters(cap=1), ["!", ".", "!"], [*GO, None, *GO]),
        (Counters(cap=1), ["!", "PreToolUse", "!"], GO * 2),
        (Counters(cap=1), ["!", "PostToolBatch", "!"], GO * 2),
        (Counters(cap=1), ["!", "UserPromptSubmit", "!"], GO * 2),
        (Counters(cap=1), ["!", "SessionStart", "!"], GO * 2),
        (Counters(cap=1), ["!", "Notification", "!"], [*GO, None]),
    ],
)
def test_a_turn_is_kept_going_so_many_times_in_a_row(
    counters: Counters, events: list[str], came: list[DecisionKind | None]
) -> None:
    """anthropics/claude-code#2956, openai/codex#37937."""
    assert a_session(events, counters) == came


@pytest.mark.parametrize("point", ["Stop", "SubagentStop"])
def test_the_cap_tells_the_host_and_leaves_only_what_is_for_the_user(point: str) -> None:
    """anthropics/claude-code#85547."""
    told = says("go on", kind="continue")
    assert told.decision is not None
    message = [ContextEffect(hook="h", text="m")]
    told = structs.replace(
        told,
        decision=structs.replace(
            told.decision, effects=structs.replace(effects(told.decision), system_messages=message)
        ),
    )
    verdict = join(told, point=point, counters=Counters(8))
    assert verdict.decision == HookDecision(effects=Effects(system_messages=message))
    assert [(notice.code, notice.hook) for notice in verdict.notices] == [("stopCapReached", "claude-code:h0")]
    assert join(CONTINUE, point=point, counters=Counters(8)).decision is None


@pytest.mark.parametrize("point", ["TeammateIdle", "TaskCompleted"])
def test_what_is_no_stop_has_no_cap(point: str) -> None:
    verdict = join(CONTINUE, point=point, counters=Counters(8))
    assert (decided(verdict), verdict.change) == ("continue", None)


ANSWERS = st.one_of(
    st.just(QUIET),
    st.just(FAILED),
    st.builds(
        answer,
        st.sampled_from([None, "allow", "ask", "defer"]),
        modified_input=st.sampled_from([UNSET, M, N]),
        injection=st.just(UNSET),
        effects=st.builds(
            Effects,
            halt=st.sampled_from([UNSET, True]),
            retry=st.sampled_from([UNSET, True]),
            session_title=st.sampled_from([UNSET, "a", "b"]),
            updated_tool_output=st.sampled_from([UNSET, M]),
            elicitation=st.sampled_from([UNSET, DECLINE, ACCEPT]),
            watch_paths=st.sampled_from([UNSET, ["/a"], ["/b"]]),
            permission_updates=st.sampled_from([UNSET, [M]]),
        ),
    ),
)
POINTS = st.sampled_from(sorted(CLAUDE_EVENTS))
DECIDING = POINTS.filter(lambda point: point != "WorktreeCreate")
"""There a decision is nothing, and a path everything."""


@given(DECIDING, st.lists(ANSWERS), st.lists(ANSWERS), st.booleans(), st.integers(0, 9))
def test_nothing_weakens_a_denial(
    point: str,
    before: list[Answer],
    after: list[Answer],
    defers: bool,  # noqa: FBT001 - drawn
    count: int,
) -> None:
    verdict = join(
        *before,
        answer("deny", reason="r"),
        *after,
        point=point,
        counters=Counters(count, defers=defers),
    )
    assert verdict.decision is not None
    assert verdict.decision.decision == "deny"
    assert verdict.decision.reason == "r"
    assert verdict.decision.modified_input is UNSET
    assert effects(verdict.decision).permission_updates is UNSET


@given(POINTS, st.data())
def test_who_finished_first_counts_only_where_the_last_to_finish_wins(point: str, data: st.DataObject) -> None:
    answers = data.draw(st.lists(ANSWERS, max_size=5))
    ranks = tuple(data.draw(st.permutations(range(len(answers)))))

    def without_last(verdict: Verdict) -> HookDecision:
        decision = verdict.decision or HookDecision()
        if decision.effects is not UNSET:
            changed = structs.replace(decision.effects, updated_tool_output=UNSET)
            decision = structs.replace(decision, effects=UNSET if changed == Effects() else changed)
        return structs.replace(decision, modified_input=UNSET)

    assert without_last(join(*answers, point=point)) == without_last(join(*answers, point=point, ranks=ranks))
