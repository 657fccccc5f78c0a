"""What a command's exit code and stdout mean together: contract 5.4, 2.3, 5.6, 5.8 and section 10, row by row."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from server.dialects.claude_code.judging import (
    CONTEXT,
    effects,
    event,
    exited,
    hook,
    kind_of,
    read,
    said,
    specific,
    texts,
)
from tenterhook.dialects.claude_code.read import read_outcome
from tenterhook.dialects.claude_code.specs import HandlerSpec, HttpSpec, ShellSpec, ToolSpec
from tenterhook.model import Answer, Outcome
from tenterhook_protocol.claude_events import CLAUDE_EVENTS
from tenterhook_protocol.runs import DecisionKind, RunStatus

DENY = specific(permissionDecision="deny", permissionDecisionReason="x")
ALLOW = specific(permissionDecision="allow", permissionDecisionReason="x")
BLOCKS = ShellSpec(command="guard", blocks_on_failure=True)


def reason_of(answer: Answer) -> str | None:
    decision = answer.decision
    return None if decision is None or decision.reason is UNSET else decision.reason


def injection_of(answer: Answer) -> str | None:
    decision = answer.decision
    return None if decision is None or decision.injection is UNSET else decision.injection


@pytest.mark.parametrize(
    ("code", "stdout", "stderr", "kind", "reason", "status"),
    [
        (0, DENY, "", "deny", "x", "ok"),
        (2, ALLOW, "no", "deny", "no", "ok"),
        (2, '{"hookSpecificOutput": {"permissionDecision": 7}}', "no", "deny", "no", "ok"),
        (1, DENY, "", "deny", "x", "ok"),
        (1, "text", "", None, None, "failed"),
        (0, '["a"]', "", None, None, "ok"),
        (0, "{bad", "", None, None, "ok"),
        (0, "{bad}", "", None, None, "badOutput"),
        (0, '{"decision":"block","reason":"r"}', "", "deny", "r", "ok"),
        # and what the vectors leave out
        (0, '{"decision":"approve","reason":"r"}', "", "allow", "r", "ok"),
        (0, '{"decision":"block"}', "", "deny", "The hook 'guard' blocked it and gave no reason", "ok"),
        (0, json.dumps({"decision": "block", "reason": "r", **json.loads(ALLOW)}), "", "deny", "r", "ok"),
        (0, json.dumps({"decision": "approve", "reason": "r", **json.loads(DENY)}), "", "deny", "x", "ok"),
        (2, DENY, "no", "deny", "x", "ok"),
        (2, "text", "no\n", "deny", "no", "ok"),
        (2, "{bad}", "no", "deny", "no", "ok"),
        (2, "", "", "deny", "The hook 'guard' ended with exit code 2 and wrote nothing to stderr", "ok"),
        (1, "{bad}", "", None, None, "failed"),
        (1, "{}", "", None, None, "failed"),
        (3, '{"decision":"block","reason":"m"}', "", "deny", "m", "ok"),
        (0, specific(permissionDecision="ask", permissionDecisionReason="?"), "", "ask", "?", "ok"),
        (0, specific(permissionDecision="defer", permissionDecisionReason="?"), "", "defer", None, "ok"),
        (0, specific(permissionDecision="block"), "", None, None, "badOutput"),
        (0, '{"decision": "deny"}', "", None, None, "badOutput"),
    ],
)
def test_exit_code_and_stdout_before_a_tool_call(
    code: int, stdout: str, stderr: str, kind: DecisionKind | None, reason: str | None, status: RunStatus
) -> None:
    answer = read(exited(code, stdout, stderr))
    assert (kind_of(answer), reason_of(answer), answer.status) == (kind, reason, status)


@given(
    stdout=st.one_of(
        st.text(),
        st.sampled_from(
            [ALLOW, "{}", '{"continue": true}', specific(updatedInput={"a": 1}), "{bad}", '{"async":true}']
        ),
        st.dictionaries(st.sampled_from(["decision", "reason", "continue", "async"]), st.none() | st.text()).map(
            json.dumps
        ),
    ),
    cut=st.booleans(),
    wants=st.booleans(),
)
def test_nothing_on_stdout_weakens_exit_code_2(stdout: str, cut: bool, wants: bool) -> None:  # noqa: FBT001 - drawn
    """anthropics/claude-code#13756, #26923."""
    outcome = exited(2, stdout.encode("utf-8", "surrogatepass"), "stop", stdout_cut=cut)
    answer = read(outcome, spec=ShellSpec(command="guard", blocks_on_failure=wants))
    assert kind_of(answer) == "deny"
    assert answer.decision is not None
    assert answer.decision.modified_input is UNSET


def test_context_beside_exit_code_2_is_kept_and_the_block_stands() -> None:
    """anthropics/claude-code#26923."""
    answer = read(exited(2, specific(additionalContext="x"), "stop"))
    assert (kind_of(answer), reason_of(answer), injection_of(answer)) == ("deny", "stop", "x")


EXIT_2: dict[str, tuple[DecisionKind | None, str, RunStatus]] = {
    # decision; where stderr is to be found; status
    "PreToolUse": ("deny", "reason", "ok"),
    "PostToolUse": (None, "model", "ok"),
    "PostToolUseFailure": (None, "model", "ok"),
    "PostToolBatch": ("deny", "reason", "ok"),
    "PermissionRequest": (None, "error", "failed"),
    "PermissionDenied": (None, "error", "failed"),
    "Notification": (None, "error", "failed"),
    "UserPromptSubmit": ("deny", "reason", "ok"),
    "UserPromptExpansion": ("deny", "reason", "ok"),
    "SessionStart": (None, "user", "failed"),
    "Setup": (None, "user", "failed"),
    "SessionEnd": (None, "user", "failed"),
    "Stop": ("continue", "model", "ok"),
    "StopFailure": (None, "error", "failed"),
    "SubagentStart": (None, "user", "failed"),
    "SubagentStop": ("continue", "model", "ok"),
    "PreCompact": ("deny", "reason", "ok"),
    "PostCompact": (None, "user", "failed"),
    "PreModelSwitch": ("deny", "reason", "ok"),
    "PostModelSwitch": (None, "error", "failed"),
    "TeammateIdle": ("continue", "model", "ok"),
    "TaskCreated": ("deny", "reason", "ok"),
    "TaskCompleted": ("continue", "model", "ok"),
    "Elicitation": ("deny", "reason", "ok"),
    "ElicitationResult": ("deny", "reason", "ok"),
    "ConfigChange": ("deny", "reason", "ok"),
    "WorktreeCreate": (None, "worktree", "failed"),
    "WorktreeRemove": (None, "worktree", "failed"),
    "InstructionsLoaded": (None, "error", "failed"),
    "CwdChanged": (None, "user", "failed"),
    "FileChanged": (None, "user", "failed"),
    "DirectoryAdded": (None, "error", "failed"),
    "MessageDisplay": (None, "error", "failed"),
    "PreSkillShellCommand": ("deny", "reason", "ok"),
}


def test_the_table_of_exit_code_2_has_every_event() -> None:
    assert EXIT_2.keys() == CLAUDE_EVENTS.keys()


@pytest.mark.parametrize("point", EXIT_2)
def test_exit_code_2_at_every_event(point: str) -> None:
    kind, where, status = EXIT_2[point]
    answer = read(exited(2, "", "told you"), point)
    assert (kind_of(answer), answer.status) == (kind, status)
    told = effects(answer.decision)
    places = {
        "reason": reason_of(answer),
        "model": injection_of(answer),
        "user": "".join(texts(answer.decision)),
        "error": answer.error,
        "worktree": told.worktree_failure,
    }
    assert "told you" in str(places[where])
    if where == "error":
        assert answer.decision is None


@pytest.mark.parametrize("point", ["Elicitation", "ElicitationResult"])
def test_exit_code_2_declines_and_drops_the_hooks_own_answer(point: str) -> None:
    answer = read(exited(2, specific(point, action="accept", content={"a": 1}), "no"), point)
    assert kind_of(answer) == "deny"
    assert bytes(effects(answer.decision).elicitation or b"") == b'{"action":"decline"}'  # pyright: ignore[reportArgumentType] - Raw is bytes-like


def test_changes_of_managed_policy_cannot_be_blocked() -> None:
    for outcome in (exited(2, "", "no"), exited(0, '{"decision": "block", "reason": "no"}')):
        assert kind_of(read(outcome, "ConfigChange", "user_settings")) == "deny"
        assert read(outcome, "ConfigChange", "policy_settings").decision is None


def test_a_batch_that_is_blocked_ends_the_turn_and_its_reason_stays_in_the_conversation() -> None:
    answer = read(exited(2, "", "no"), "PostToolBatch")
    assert effects(answer.decision).turn_ends is True
    assert injection_of(answer) == "no"


@pytest.mark.parametrize(
    "stderr",
    [
        "python3: can't open file '/missing/x.py': [Errno 2] No such file or directory",
        "sh: 0: cannot open /missing/x.sh: No such file",
        "bash: line 1: syntax error near unexpected token `('",
        "usage: guard [-h] --rule RULE\nguard: error: the following arguments are required",
    ],
)
def test_a_block_by_an_interpreter_that_could_not_begin_stands_and_looks_broken(stderr: str) -> None:
    """anthropics/claude-code#80697."""
    answer = read(exited(2, "", stderr), spec=ShellSpec(command="python3 /missing/x.py"))
    assert kind_of(answer) == "deny"
    doubt = answer.warnings[0]
    assert "looks like a broken hook: python3 /missing/x.py said: " in doubt
    first = stderr.partition("\n")[0]
    assert first[:20] in doubt
    assert (reason_of(answer) or "").startswith(first)
    assert "(this block looks like a broken hook: python3 /missing/x.py)" in (reason_of(answer) or "")


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        (
            exited(1, "", "warn\nmore"),
            "Failed with non-blocking status code: warn (exited with code 1; only exit code 2",
        ),
        (exited(1), "Failed with non-blocking status code: No stderr output (exited with code 1; only exit code 2"),
        (exited(127, "", "sh: x: not found"), "Failed with non-blocking status code: sh: x: not found"),
        (Outcome(status="signalled", signal="SIGKILL", error="was ended by SIGKILL"), "was ended by SIGKILL"),
        (Outcome(status="notStarted", error="x is not there"), "x is not there"),
        (Outcome(status="timedOut", error="did not end within 1 s", stdout=DENY.encode()), "did not end within 1 s"),
        (Outcome(status="cancelled", error="was stopped"), "was stopped"),
    ],
)
def test_what_goes_wrong_decides_nothing_and_is_told(outcome: Outcome, says: str) -> None:
    """anthropics/claude-code#4809, anthropics/claude-code#44707, voodootikigod/adlc#549.

    akaszubski/autonomous-dev#1631: a guard that is driven past its time decides nothing, unless ``onFailure`` blocks.
    """
    answer = read(outcome)
    assert (answer.status, answer.decision) == (outcome.status, None)
    assert says in (answer.error or "")


def test_a_verdict_that_was_out_before_a_signal_counts_and_the_run_is_no_success() -> None:
    answer = read(Outcome(status="signalled", signal="SIGPIPE", error="was ended by SIGPIPE", stdout=DENY.encode()))
    assert (answer.status, kind_of(answer)) == ("signalled", "deny")


FAILURES = [
    exited(1, "text", "warn"),
    exited(0, "{bad}"),
    exited(0, '{"decision": 7}'),
    exited(127),
    exited(0, "{" + " " * 50, stdout_cut=True),
    Outcome(status="timedOut", error="did not end within 1 s"),
    Outcome(status="notStarted", error="is not there"),
    Outcome(status="signalled", error="was ended by SIGKILL"),
]


@pytest.mark.parametrize("outcome", FAILURES)
def test_a_failure_blocks_where_on_failure_says_so(outcome: Outcome) -> None:
    answer = read(outcome, spec=BLOCKS)
    assert kind_of(answer) == "deny"
    assert answer.synthetic
    assert answer.status not in ("ok", None)
    assert (reason_of(answer) or "").endswith('blocking because onFailure is "block"')
    assert kind_of(read(outcome)) is None
    after = read(outcome, "PostToolUse", spec=BLOCKS)
    assert "onFailure" in (injection_of(after) or "")
    assert kind_of(after) is None


@pytest.mark.parametrize("outcome", FAILURES)
@pytest.mark.parametrize("point", ["Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"])
def test_a_broken_hook_keeps_nothing_going(outcome: Outcome, point: str) -> None:
    """openai/codex#37937: infrastructure failure is no block."""
    assert kind_of(read(outcome, point, spec=BLOCKS)) is None


def test_nothing_that_went_well_is_a_failure_for_on_failure() -> None:
    for stdout in ("", "{}", "text", ALLOW, '{"continue": true}'):
        assert not read(exited(0, stdout), spec=BLOCKS).synthetic


def test_being_too_slow_blocks_a_model_switch_and_is_told_of_a_prompt() -> None:
    slow = Outcome(status="timedOut", error="did not end within 30 s")
    switch = read(slow, "PreModelSwitch")
    assert (kind_of(switch), switch.synthetic, switch.status) == ("deny", True, "timedOut")
    prompt = read(slow, "UserPromptSubmit")
    assert kind_of(prompt) is None
    assert "did not end within 30 s" in texts(prompt.decision)[0]


@pytest.mark.parametrize("outcome", FAILURES)
def test_a_file_changed_hook_that_fails_is_told_to_the_user(outcome: Outcome) -> None:
    assert len(texts(read(outcome, "FileChanged").decision)) == 1


CONTEXT_EVENTS = ["SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostModelSwitch"]


@pytest.mark.parametrize("point", [point for point in CLAUDE_EVENTS if not point.startswith("Worktree")])
def test_plain_text_is_for_the_model_at_four_events_and_nothing_elsewhere(point: str) -> None:
    """alexgreensh/token-optimizer#76."""
    answer = read(exited(0, "backfill: 3\n"), point)
    assert injection_of(answer) == ("backfill: 3" if point in CONTEXT_EVENTS else None)
    assert (answer.status, kind_of(answer)) == ("ok", None)


@pytest.mark.parametrize("point", [point for point in CLAUDE_EVENTS if not point.startswith("Worktree")])
@pytest.mark.parametrize("stdout", ["", " \n\t", "\ufeff", "{}", '{"continue": true}', '{"suppressOutput": true}'])
def test_nothing_and_an_empty_object_are_no_opinion_at_every_event(point: str, stdout: str) -> None:
    """sirmalloc/ccstatusline#364; warpdotdev/claude-code-warp#84; anthropics/claude-code#43906.

    thedotmack/claude-mem#1291: ``continue: true`` keeps nothing going. rullerzhou-afk/clawd-on-desk#638: a lone mark.
    """
    assert read(exited(0, stdout), point) == Answer(status="ok")


@pytest.mark.parametrize("point", [point for point in CLAUDE_EVENTS if not point.startswith("Worktree")])
def test_an_echo_of_the_event_is_no_opinion_at_every_event(point: str) -> None:
    """affaan-m/ECC#2239: never an error, never context; nothing inside it is read."""
    payload = {
        "tool_input": {"decision": "block", "permissionDecision": "deny"},
        "reason": "other",
        "prompt": "p",
        "action": "decline",
    }
    what = event(point, payload=payload)
    for stdout in (bytes(what.payload), bytes(what.payload) + b"\n", b" " + bytes(what.payload).replace(b": ", b":")):
        answer = read_outcome(hook(point=point), what, exited(0, stdout), CONTEXT)
        assert (answer.status, answer.decision) == ("ok", None)
        assert len(answer.warnings) == 1


@pytest.mark.parametrize(
    ("stdout", "says"),
    [
        ('{"systemMessage": "aaaa', "it was cut"),
        ("Welcome back!\n{}", "'Welcome back!'"),
    ],
)
def test_text_that_was_to_be_an_object_is_neutral_and_told(stdout: str, says: str) -> None:
    """affaan-m/ECC#2222, affaan-m/ECC#2924, anthropics/claude-code#21992."""
    answer = read(exited(0, stdout))
    assert (answer.status, answer.decision) == ("ok", None)
    assert says in answer.warnings[0]


CUT = [
    (ShellSpec(command="x"), ALLOW, "tooLarge"),
    (ShellSpec(command="x"), " \n" * 100, "tooLarge"),
    (ShellSpec(command="x"), "\ufeff ", "tooLarge"),
    (ShellSpec(command="x"), "text", "ok"),
    (ToolSpec(server="s", tool="t"), " ", "tooLarge"),
    (HttpSpec(url="https://x"), " ", "tooLarge"),
    (HttpSpec(url="https://x"), "<html>", "tooLarge"),
]


@pytest.mark.parametrize(("spec", "start", "status"), CUT)
def test_an_answer_that_is_cut_by_the_limit_is_not_read_nor_taken_for_none(
    spec: HandlerSpec, start: str, status: str
) -> None:
    """openai/codex#35712: after the blanks there may have been a denial, so that it is a failure."""
    answer = read(exited(0, start, stdout_cut=True), spec=spec)
    assert (answer.status, answer.decision) == (status, None)


@pytest.mark.parametrize("spec", [HttpSpec(url="https://x"), HttpSpec(url="https://x", blocks_on_failure=True)])
@pytest.mark.parametrize(
    ("outcome", "status", "kind"),
    [
        (said(""), "ok", None),
        (said("{}"), "ok", None),
        (said(DENY), "ok", "deny"),
        (said("text"), "badOutput", None),
        (said('["a"]'), "badOutput", None),
        (said('{"decision": 7}'), "badOutput", None),
        (Outcome(status="failed", error="answered with status 500", stdout=DENY.encode()), "failed", None),
        (Outcome(status="timedOut", error="too slow"), "timedOut", None),
    ],
)
def test_what_a_server_answers(spec: HttpSpec, outcome: Outcome, status: RunStatus, kind: DecisionKind | None) -> None:
    answer = read(outcome, spec=spec)
    expected = "deny" if spec.blocks_on_failure and status != "ok" else kind
    assert (answer.status, kind_of(answer)) == (status, expected)
    at_start = read(outcome, "SessionStart", spec=spec)
    assert injection_of(at_start) is None, "its text is never context"


@pytest.mark.parametrize(
    ("text", "plainly", "strictly"),
    [
        ("", "ok", "ok"),
        ("{}", "ok", "ok"),
        (DENY, "ok", "ok"),
        ("text", "ok", "badOutput"),
        ('{"other": 1}', "ok", "badOutput"),
        ('{"reason": "r"}', "ok", "badOutput"),
        ('{"decision": 7}', "badOutput", "badOutput"),
    ],
)
def test_what_a_tool_answers(text: str, plainly: RunStatus, strictly: RunStatus) -> None:
    assert read(said(text), spec=ToolSpec(server="s", tool="t")).status == plainly
    strict = ToolSpec(server="s", tool="t", blocks_on_failure=True)
    answer = read(said(text), spec=strict)
    assert (answer.status, answer.synthetic) == (strictly, strictly != "ok")
    if text not in (DENY, '{"decision": 7}'):
        assert read(said(text), "Notification", spec=strict).status == "ok", "its block would stop nothing"


def test_a_tool_answers_as_a_command_prints() -> None:
    tool = ToolSpec(server="s", tool="t")
    assert kind_of(read(said(DENY), spec=tool)) == "deny"
    assert injection_of(read(said("hello"), "SessionStart", spec=tool)) == "hello"
    failed = Outcome(status="failed", error="the tool says that it failed", stdout=DENY.encode())
    assert (read(failed, spec=tool).status, kind_of(read(failed, spec=tool))) == ("failed", None)
    assert read(said("sum it up"), "PreCompact", spec=ToolSpec(server="s", tool="t", blocks_on_failure=True)) == Answer(
        status="ok"
    )


@pytest.mark.parametrize("point", ["Setup", "SessionStart"])
def test_a_tool_that_is_not_connected_yet_tells_nobody_of_on_failure(point: str) -> None:
    answer = read(
        Outcome(status="failed", error="not connected"),
        point,
        spec=ToolSpec(server="s", tool="t", blocks_on_failure=True),
    )
    assert answer == Answer(status="failed", error="not connected")
