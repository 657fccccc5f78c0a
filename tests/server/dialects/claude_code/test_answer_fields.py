"""What the fields of an answer mean at their events, and where a field that is wrong stands: contract 2.3, 2.4, 5.5."""

from __future__ import annotations

import json

import pytest
from msgspec import UNSET, Raw
from server.dialects.claude_code.judging import CONTEXT, effects, event, exited, hook, kind_of, read, specific, texts
from tenterhook.dialects.claude_code.read import read_outcome, refuse
from tenterhook.model import Answer, HookDecision, Spill
from tenterhook_protocol.claude_events import CLAUDE_EVENTS
from tenterhook_protocol.runs import ContextEffect, DecisionKind, Effects

BLOCK = '{"decision": "block", "reason": "r"}'
INJECTED = HookDecision(injection="r", effects=Effects(contexts=[ContextEffect(hook="claude-code:guard", text="r")]))


def said_by(point: str, subject: str | None = None, **fields: object) -> HookDecision | None:
    answer = read(exited(0, specific(point, **fields)), point, subject)
    assert answer.status == "ok", answer.error
    return answer.decision


def raw(value: object) -> Raw:
    return Raw(json.dumps(value, separators=(",", ":")).encode())


BLOCKED: dict[str, DecisionKind | None] = {
    "PreToolUse": "deny",
    "PostToolBatch": "deny",
    "UserPromptSubmit": "deny",
    "UserPromptExpansion": "deny",
    "Stop": "continue",
    "SubagentStop": "continue",
    "PreCompact": "deny",
    "PreModelSwitch": "deny",
    "TaskCreated": "deny",
    "ConfigChange": "deny",
    "PreSkillShellCommand": "deny",
}


@pytest.mark.parametrize("point", [point for point in CLAUDE_EVENTS if not point.startswith("Worktree")])
def test_decision_block_at_every_event(point: str) -> None:
    answer = read(exited(0, BLOCK), point)
    if point in ("PostToolUse", "PostToolUseFailure"):
        assert answer.decision == INJECTED
    else:
        assert kind_of(answer) == BLOCKED.get(point)
    assert bool(answer.warnings) is not CLAUDE_EVENTS[point].takes_block, "a block that is not read is told"


@pytest.mark.parametrize(
    ("fields", "decision"),
    [
        (
            {"permissionDecision": "allow", "updatedInput": {"command": "ls"}},
            HookDecision(decision="allow", modified_input=Raw(b'{"command": "ls"}')),
        ),
        (
            {"permissionDecision": "ask", "permissionDecisionReason": "why", "updatedInput": {}},
            HookDecision(decision="ask", reason="why", modified_input=raw({})),
        ),
        ({"updatedInput": {"a": 1.0}}, HookDecision(modified_input=Raw(b'{"a": 1.0}'))),
        ({"permissionDecision": "deny", "updatedInput": {}}, HookDecision(decision="deny")),
        (
            {
                "permissionDecision": "defer",
                "permissionDecisionReason": "r",
                "updatedInput": {},
                "additionalContext": "c",
            },
            HookDecision(decision="defer"),
        ),
        ({"permissionDecision": None, "additionalContext": None}, None),
        ({"additionalContext": ""}, None),
    ],
)
def test_permission_and_changed_input(fields: dict[str, object], decision: HookDecision | None) -> None:
    """QwenLM/qwen-code#6321: ask is an answer of its own, and its reason is kept for the dialog."""
    assert said_by("PreToolUse", None, **fields) == decision


REQUESTS: list[tuple[dict[str, object], HookDecision | None]] = [
    ({"behavior": "allow"}, HookDecision(decision="allow")),
    (
        {"behavior": "allow", "updatedInput": {"a": 1}, "updatedPermissions": [{"type": "setMode"}]},
        HookDecision(
            decision="allow",
            modified_input=Raw(b'{"a": 1}'),
            effects=Effects(permission_updates=[Raw(b'{"type": "setMode"}')]),
        ),
    ),
    (
        {"behavior": "deny", "message": "no", "interrupt": True, "updatedInput": {}, "updatedPermissions": [{}]},
        HookDecision(decision="deny", reason="no", effects=Effects(interrupt=True)),
    ),
    ({"message": "no"}, None),
]


@pytest.mark.parametrize(("fields", "decision"), REQUESTS)
def test_the_answer_to_a_permission_request(fields: dict[str, object], decision: HookDecision | None) -> None:
    assert said_by("PermissionRequest", "Bash", decision=fields) == decision


@pytest.mark.parametrize(
    ("point", "subject", "fields", "wanted"),
    [
        ("PostToolUse", "Bash", {"updatedToolOutput": [1]}, Effects(updated_tool_output=raw([1]))),
        ("PostToolUse", "mcp__a__b", {"updatedMCPToolOutput": "x"}, Effects(updated_tool_output=raw("x"))),
        ("PostToolUse", "Bash", {"updatedMCPToolOutput": "x"}, None),
        ("PostToolUse", "Bash", {"classifierContext": "c"}, Effects(classifier_context="c")),
        ("PermissionDenied", "Bash", {"retry": True}, Effects(retry=True)),
        ("PermissionDenied", "Bash", {"retry": False}, None),
        ("UserPromptSubmit", None, {"sessionTitle": "t"}, Effects(session_title="t")),
        ("UserPromptSubmit", None, {"suppressOriginalPrompt": True}, Effects(suppress_original_prompt=True)),
        ("SessionStart", "startup", {"sessionTitle": "t"}, Effects(session_title="t")),
        ("SessionStart", "compact", {"sessionTitle": "t"}, None),
        ("SessionStart", "startup", {"initialUserMessage": "go"}, Effects(initial_user_message="go")),
        ("SessionStart", "startup", {"reloadSkills": True}, Effects(reload_skills=True)),
        ("SessionStart", "startup", {"watchPaths": ["/a", "b"]}, Effects(watch_paths=["/a"])),
        ("FileChanged", ".env", {"watchPaths": []}, Effects(watch_paths=[])),
        ("CwdChanged", None, {"watchPaths": ["/a"]}, Effects(watch_paths=["/a"])),
        ("MessageDisplay", None, {"displayContent": "d"}, Effects(display_text="d")),
        (
            "PreCompact",
            "auto",
            {"newCustomInstructions": "i", "displayMessage": "m"},
            Effects(custom_instructions="i", display_text="m"),
        ),
        ("Elicitation", "s", {"action": "decline", "content": {}}, Effects(elicitation=raw({"action": "decline"}))),
        ("Notification", "idle_prompt", {"additionalContext": "c"}, None),
        ("Setup", "init", {"additionalContext": "c"}, None),
    ],
)
def test_what_only_some_events_read(
    point: str, subject: str | None, fields: dict[str, object], wanted: Effects | None
) -> None:
    assert said_by(point, subject, **fields) == (None if wanted is None else HookDecision(effects=wanted))


def test_an_accepted_form_carries_its_content() -> None:
    decision = said_by("ElicitationResult", "s", action="accept", content={"name": "x"})
    elicitation = effects(decision).elicitation
    assert elicitation is not UNSET
    assert json.loads(bytes(elicitation)) == {"action": "accept", "content": {"name": "x"}}


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"permissionDecision": "deny"}, "deny"),
        ({"permissionDecision": "ask"}, "deny"),
        ({"permissionDecision": "defer"}, "deny"),
        ({"updatedInput": {"command": "ls"}}, "deny"),
        ({"permissionDecision": "allow", "updatedInput": {}}, "deny"),
    ],
)
def test_a_skills_command_runs_only_where_no_hook_minds(fields: dict[str, object], kind: str) -> None:
    decision = said_by("PreSkillShellCommand", "Bash", **fields)
    assert decision is not None
    assert decision.decision == kind
    assert decision.modified_input is UNSET
    assert said_by("PreSkillShellCommand", "Bash", permissionDecision="allow") is None, "allow adds nothing"


@pytest.mark.parametrize("point", ["Stop", "SubagentStop"])
def test_context_at_a_stop_keeps_the_turn_going(point: str) -> None:
    decision = said_by(point, additionalContext="look again")
    assert decision is not None
    assert (decision.decision, decision.injection) == ("continue", "look again")


@pytest.mark.parametrize("point", [point for point in CLAUDE_EVENTS if not point.startswith("Worktree")])
def test_halt_and_messages_where_they_are_honoured(point: str) -> None:
    answer = read(exited(0, '{"continue": false, "stopReason": "s", "systemMessage": "m"}'), point, "slash_command")
    rules = CLAUDE_EVENTS[point].universal
    told = effects(answer.decision)
    assert told.halt is (True if rules.halt else UNSET)
    assert told.stop_reason == ("s" if rules.halt else UNSET)
    assert texts(answer.decision) == (["m"] if rules.messages == "user" else [])
    injected = answer.decision is not None and answer.decision.injection == "m"
    assert injected is (rules.messages == "model")


def test_a_repository_root_that_was_registered_tells_the_model_nothing() -> None:
    stdout = '{"systemMessage": "m"}'
    assert read(exited(0, stdout), "DirectoryAdded", "register_repo_root").decision is None


@pytest.mark.parametrize(
    ("sequence", "passes"),
    [
        ("\x07", True),
        ("\x1b]0;title\x07", True),
        ("\x1b]9;done\x1b\\\x1b]777;notify;a;b\x07", True),
        ("\x1b]52;c;aGk=\x07", False),
        ("\x1b]0;a\x07x", False),
        ("\x1b[2J", False),
        ("\x1b]0;a\x1b]52;c;x\x07", False),
        ("\x1b]0;never ended", False),
    ],
)
@pytest.mark.parametrize("point", ["Notification", "StopFailure", "Stop"])
def test_only_harmless_sequences_reach_the_terminal(sequence: str, passes: bool, point: str) -> None:  # noqa: FBT001 - a row
    answer = read(exited(0, json.dumps({"terminalSequence": sequence})), point)
    assert effects(answer.decision).terminal_sequences == ([sequence] if passes else UNSET)
    assert bool(answer.warnings) is not passes


def test_a_deny_that_names_no_event_counts_with_a_warning() -> None:
    """jikig-ai/soleur#4567."""
    stdout = '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"r"}}'
    answer = read(exited(0, stdout))
    assert answer.decision == HookDecision(decision="deny", reason="r")
    assert '"hookEventName": "PreToolUse"' in answer.warnings[0]


def test_an_answer_for_another_event_is_a_failure() -> None:
    """The other half of jikig-ai/soleur#4567."""
    answer = read(exited(0, specific("PostToolUse", permissionDecision="deny")))
    assert (answer.status, answer.decision) == ("badOutput", None)
    assert "'PostToolUse'" in (answer.error or "")


def test_a_subagents_own_stop_hook_may_call_its_event_stop() -> None:
    assert kind_of(read(exited(0, specific("Stop", additionalContext="x")), "SubagentStop")) == "continue"


def test_fields_that_nobody_knows_are_tolerated() -> None:
    """thedotmack/claude-mem#2844."""
    stdout = json.dumps({"continue": False, "futureField": [1], "hookSpecificOutput": {"more": 1}})
    answer = read(exited(0, stdout), "PostToolUse")
    assert (answer.status, effects(answer.decision).halt) == ("ok", True)


@pytest.mark.parametrize(
    ("stdout", "says"),
    [
        ('{"permissionDecision": "deny"}', "permissionDecision outside hookSpecificOutput is not read"),
        ('{"foo": 1}', "an object without any output field"),
        (specific(retry=True), "PreToolUse does not read hookSpecificOutput.retry"),
    ],
)
def test_fields_in_the_wrong_place_are_told(stdout: str, says: str) -> None:
    """github/copilot-cli#3874."""
    answer = read(exited(0, stdout))
    assert (answer.status, answer.decision) == ("ok", None)
    assert any(says in warning for warning in answer.warnings)


@pytest.mark.parametrize(
    ("point", "stdout", "error"),
    [
        ("Stop", '{"continue": "no"}', 'line 1, column 14: continue must be true or false, at `"no"}`'),
        ("Stop", '{\n  "decision": "blok"\n}', "line 2, column 15: decision must be one of approve, block, not 'blok'"),
        ("Stop", '{"reason": 1}', "line 1, column 12: reason must be a text"),
        ("Stop", '{"hookSpecificOutput": []}', "line 1, column 24: hookSpecificOutput must be an object"),
        ("Stop", '{"continue": true,}', "line 1, column 19: "),
        ("Stop", '{"a": 1}\n{"b": 2}', "line 2, column 1: more text follows the JSON object"),
        ("Stop", '{"a": 1, "a": 2}', "line 1, column 10: the key 'a' stands twice"),
        (
            "PreToolUse",
            '{"hookSpecificOutput": {"updatedInput": []}}',
            "line 1, column 41: hookSpecificOutput.updatedInput must be an object",
        ),
        (
            "PreToolUse",
            '{\n "hookSpecificOutput": {\n  "permissionDecision": "denied"}}',
            "line 3, column 25: hookSpecificOutput.permissionDecision must be one of allow, deny, ask, defer, not 'den",
        ),
        (
            "PermissionRequest",
            '{"hookSpecificOutput": {"decision": {"behavior": "ask"}}}',
            "line 1, column 50: hookSpecificOutput.decision.behavior must be one of allow, deny",
        ),
        ("PreModelSwitch", specific("PreModelSwitch", permissionDecision="defer"), "one of allow, deny, ask, not"),
        ("SessionStart", specific("SessionStart", watchPaths=[1]), "watchPaths must be a list of texts"),
    ],
)
def test_an_error_says_where_it_is(point: str, stdout: str, error: str) -> None:
    answer = read(exited(0, stdout), point)
    assert (answer.status, answer.decision) == ("badOutput", None)
    assert error in (answer.error or "")


LONG = "x" * 10_001


@pytest.mark.parametrize(
    ("point", "stdout", "name"),
    [
        ("PreToolUse", specific(additionalContext=LONG), "additional-context"),
        ("PreToolUse", json.dumps({"systemMessage": LONG}), "system-message"),
        ("SessionStart", specific("SessionStart", initialUserMessage=LONG), "initial-user-message"),
        ("SessionStart", LONG, "stdout"),
    ],
)
def test_a_text_that_is_too_long_goes_to_a_file(point: str, stdout: str, name: str) -> None:
    answer = read(exited(0, stdout), point)
    path = f"/tmp/x/r1/{name}.txt"
    assert answer.wishes == (Spill(path, LONG),)
    told = effects(answer.decision)
    short = f"[10001 characters; the whole text is in {path}]\n\n{'x' * 2000}"
    shown = [told.initial_user_message, *texts(answer.decision)]
    if told.contexts is not UNSET:
        shown += [one.text for one in told.contexts]
    assert short in shown
    lost = refuse(event(point), answer, "the disk is full")
    assert (lost.wishes, lost.warnings[-1]) == ((), "the disk is full")
    assert path not in repr(lost.decision)
    assert "x" * 2000 in repr(lost.decision)


def test_a_text_of_just_the_limit_stays_as_it_is() -> None:
    answer = read(exited(0, specific(additionalContext=LONG[1:])))
    assert answer.wishes == ()
    assert answer.decision is not None
    assert answer.decision.injection == LONG[1:]


def test_variables_that_a_hook_leaves_come_with_its_answer() -> None:
    left = exited(0, "hello", collected=b"export A='1 2'\nB=\"$A/$HOME\"\nset -e\n")
    answer = read_outcome(hook(point="SessionStart"), event("SessionStart", "startup"), left, CONTEXT)
    assert effects(answer.decision).environment == {"A": "1 2", "B": "1 2/"}
    assert answer.decision is not None
    assert answer.decision.injection == "hello"
    assert "line 3" in answer.warnings[-1]
    alone = read(exited(1, "", "x", collected=b"A=1"), "Setup")
    assert (alone.status, effects(alone.decision).environment) == ("failed", {"A": "1"})


def test_the_fields_of_a_run_that_is_cancelled_or_let_go_are_not_read() -> None:
    cancelled = exited(0, BLOCK, status="cancelled", error="was stopped")
    assert read(cancelled) == Answer(status="cancelled", error="was stopped")
    assert read(exited(0, BLOCK, status="detached")) == Answer(status="detached")
