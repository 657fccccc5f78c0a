"""What models, background and worktree hooks say, and what is left in CLAUDE_ENV_FILE: contract 5.7, 5.11 to 5.13."""

from __future__ import annotations

import json
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from server.dialects.claude_code.judging import (
    CONTEXT,
    HTTP,
    TOOL,
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
from tenterhook.dialects.claude_code.env_file import read_variables
from tenterhook.dialects.claude_code.read import read_outcome, refuse
from tenterhook.dialects.claude_code.specs import AskSpec, ShellSpec
from tenterhook.model import Answer, HookDecision, Outcome, PathCheck
from tenterhook_protocol.runs import ContextEffect, Effects

NO = '{"ok": false, "reason": "r"}'
WARNED = [ContextEffect(hook="claude-code:guard", text="r")]
INJECTED = HookDecision(injection="r", effects=Effects(contexts=WARNED))
ENDED = Effects(turn_ends=True, system_messages=WARNED)
KEPT_GOING = HookDecision(decision="continue", reason="r", injection="r", effects=Effects(contexts=WARNED))
DENIED = HookDecision(decision="deny", reason="r")
DENIED_AND_ENDED = HookDecision(decision="deny", reason="r", effects=ENDED)

SAID_NO: list[tuple[str, HookDecision | None, HookDecision | None]] = [
    # event; by default; with continueOnBlock
    ("Stop", KEPT_GOING, KEPT_GOING),
    ("SubagentStop", KEPT_GOING, KEPT_GOING),
    ("PreToolUse", DENIED_AND_ENDED, DENIED),
    ("PostToolUse", HookDecision(effects=ENDED), INJECTED),
    ("PostToolBatch", DENIED_AND_ENDED, DENIED_AND_ENDED),
    ("UserPromptSubmit", DENIED_AND_ENDED, DENIED_AND_ENDED),
    ("UserPromptExpansion", DENIED_AND_ENDED, DENIED_AND_ENDED),
    ("PostToolUseFailure", INJECTED, INJECTED),
    ("TaskCreated", DENIED, DENIED),
    ("TaskCompleted", KEPT_GOING, KEPT_GOING),
    (
        "TeammateIdle",
        HookDecision(effects=Effects(halt=True, stop_reason="r", system_messages=WARNED)),
        KEPT_GOING,
    ),
    ("PermissionRequest", None, None),
    ("PermissionDenied", None, None),
]


@pytest.mark.parametrize(("point", "by_default", "goes_on"), SAID_NO)
def test_a_model_that_says_no(point: str, by_default: HookDecision | None, goes_on: HookDecision | None) -> None:
    prompt = AskSpec(kind="prompt", prompt="?")
    assert read(said(NO), point, spec=prompt) == Answer(status="ok", decision=by_default)
    kept = AskSpec(kind="prompt", prompt="?", continue_on_block=True)
    assert read(said(NO), point, spec=kept).decision == goes_on
    agent = AskSpec(kind="agent", prompt="?")
    assert read(said(NO), point, spec=agent).decision == goes_on, "an agent is as a prompt that continues on block"


@pytest.mark.parametrize("point", ["Stop", "SubagentStop"])
def test_a_condition_that_can_never_be_met_lets_the_turn_stop(point: str) -> None:
    answer = '{"ok": false, "reason": "r", "impossible": true}'
    assert read(said(answer), point, spec=AskSpec(kind="prompt", prompt="?")).decision is None
    assert kind_of(read(said(answer), point, spec=AskSpec(kind="agent", prompt="?"))) == "continue"
    assert kind_of(read(said(answer), "PreToolUse", spec=AskSpec(kind="prompt", prompt="?"))) == "deny"


@pytest.mark.parametrize(
    ("text", "status", "kind"),
    [
        ('{"ok": true}', "ok", None),
        ('```json\n{"ok": false, "reason": "r"}\n```', "ok", "deny"),
        ('{"ok": false}', "ok", "deny"),
        ("Yes.", "badOutput", None),
        ("", "badOutput", None),
        ("{}", "badOutput", None),
        ('{"ok": "no"}', "badOutput", None),
        ('{"decision": "block"}', "badOutput", None),
    ],
)
def test_what_a_model_writes(text: str, status: str, kind: str | None) -> None:
    answer = read(said(text), spec=AskSpec(kind="prompt", prompt="?"))
    assert (answer.status, kind_of(answer)) == (status, kind)
    assert (answer.error is None) is (status == "ok")


def test_a_host_that_cannot_ask_decides_nothing() -> None:
    unable = Outcome(status="notStarted", error="the host answers no host/prompt")
    answer = read(unable, spec=AskSpec(kind="prompt", prompt="?"))
    assert answer == Answer(status="notStarted", error="the host answers no host/prompt")


def later(outcome: Outcome, spec: ShellSpec | None = None) -> Answer:
    return read(outcome, "PostToolUse", background=True, spec=spec)


def test_context_and_message_of_a_background_hook_go_to_the_model_and_decide_nothing() -> None:
    """obra/superpowers#444."""
    stdout = json.dumps(
        {
            "decision": "block",
            "reason": "r",
            "continue": False,
            "systemMessage": "m",
            "hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "c"},
        }
    )
    answer = later(exited(0, stdout))
    told = [ContextEffect(hook="claude-code:guard", text="c\n\nm")]
    assert answer.decision == HookDecision(injection="c\n\nm", effects=Effects(contexts=told))
    assert not answer.wake


@pytest.mark.parametrize(
    ("outcome", "status", "injection"),
    [
        (exited(0, "plain text"), "ok", None),
        (exited(0, '{"systemMessage": 7, "hookSpecificOutput": {"additionalContext": "c"}}'), "ok", "c"),
        (exited(0, 'working\n{"systemMessage": "m"}\n'), "ok", "m"),
        (exited(0, '{"async": true}\n{"systemMessage": "m"}\n'), "ok", "m"),
        (exited(0, "{bad}"), "ok", None),
        (exited(2, "", "no"), "failed", None),
        (exited(1, '{"systemMessage": "m"}'), "ok", "m"),
        (exited(1), "failed", None),
        (Outcome(status="timedOut", error="e"), "timedOut", None),
    ],
)
def test_how_a_background_hook_ends(outcome: Outcome, status: str, injection: str | None) -> None:
    answer = later(outcome)
    assert answer.status == status
    assert (None if answer.decision is None else answer.decision.injection) == injection


@pytest.mark.parametrize(
    ("outcome", "wakes", "injection"),
    [
        (exited(2, "out", "err\n"), True, "err"),
        (exited(2, "out"), True, "out"),
        (exited(0, "out", "err"), False, None),
    ],
)
def test_exit_code_2_of_one_that_wakes_wakes_the_model(outcome: Outcome, wakes: bool, injection: str | None) -> None:  # noqa: FBT001 - a row
    answer = later(outcome, ShellSpec(command="x", wakes=True))
    assert (answer.wake, None if answer.decision is None else answer.decision.injection) == (wakes, injection)
    assert not later(outcome).wake


def test_a_run_that_says_async_and_ends_at_once_decides_nothing() -> None:
    assert read(exited(0, '{"async": true}\n{"decision": "block"}')) == Answer(status="ok")
    assert kind_of(read(exited(2, '{"async": true}', "no"))) == "deny"


@pytest.mark.parametrize(
    ("stdout", "path"),
    [
        ("/w/a\n", "/w/a"),
        ("making it\n\x1b[32m/w/a\x1b[0m\n\n", "/w/a"),
        ("../trees/a", "/p/trees/a"),
        ("a", "/p/sub/a"),
        ("/w/a b", "/w/a b"),
    ],
)
def test_the_last_line_is_where_the_worktree_is(stdout: str, path: str) -> None:
    answer = read(exited(0, stdout), "WorktreeCreate")
    assert answer.decision == HookDecision(effects=Effects(worktree_path=path))
    assert answer.wishes == (PathCheck(path, "/p"),)


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        (exited(0, ""), "named no path"),
        (exited(0, "/w/../a"), "has . or .. in it"),
        (exited(0, "/w/a", stdout_cut=True), "wrote more to stdout than is kept"),
        (exited(1, "/w/a", "disk full"), "exited with code 1: disk full"),
        (exited(2, specific("WorktreeCreate", worktreePath="/w/a")), "exited with code 2"),
        (Outcome(status="timedOut", error="too slow"), "too slow"),
        (Outcome(status="notStarted", error="not there"), "not there"),
    ],
)
def test_any_failure_fails_the_making_of_a_worktree(outcome: Outcome, says: str) -> None:
    answer = read(outcome, "WorktreeCreate")
    failure = effects(answer.decision).worktree_failure
    assert says in str(failure)
    assert says in str(answer.error)
    assert effects(answer.decision).worktree_path is UNSET


@pytest.mark.parametrize(
    ("body", "path", "says"),
    [
        (specific("WorktreeCreate", worktreePath="/w/a"), "/w/a", ""),
        ("/w/a", None, "no JSON object"),
        ("", None, "named no path"),
        ("{}", None, "named no path"),
        (specific("WorktreeCreate", worktreePath=1), None, "worktreePath must be a text"),
    ],
)
def test_a_server_names_the_worktree_in_its_answer(body: str, path: str | None, says: str) -> None:
    told = effects(read(said(body), "WorktreeCreate", spec=HTTP).decision)
    assert told.worktree_path == (UNSET if path is None else path)
    assert says in str(told.worktree_failure)


def test_a_tool_names_it_as_a_command_does() -> None:
    assert effects(read(said("/w/a"), "WorktreeCreate", spec=TOOL).decision).worktree_path == "/w/a"


def test_a_path_that_turns_out_to_be_none_is_a_failure() -> None:
    answer = refuse(event("WorktreeCreate"), read(exited(0, "/w/a"), "WorktreeCreate"), "/w/a is not there")
    assert answer.decision == HookDecision(effects=Effects(worktree_failure="/w/a is not there"))
    assert (answer.status, answer.wishes) == ("badOutput", ())


def test_a_worktree_is_removed_or_its_hook_failed() -> None:
    what = event("WorktreeRemove", payload={"worktree_path": "/w/a"})
    done = read_outcome(hook(point="WorktreeRemove"), what, exited(0, "text"), CONTEXT)
    assert done.decision == HookDecision(effects=Effects(worktree_path="/w/a"))
    failed = read_outcome(hook(point="WorktreeRemove"), what, exited(1, "", "busy"), CONTEXT)
    assert failed.decision == HookDecision(effects=Effects(worktree_failure="exited with code 1: busy"))
    assert texts(failed.decision) == []


@pytest.mark.parametrize(
    ("content", "variables", "not_understood"),
    [
        ("export A=1\n", {"A": "1"}, 0),
        ("A=1\nA=2", {"A": "2"}, 0),
        ('  export  A=\'a b\' # why\n\n# nothing\nB="x\\"y"', {"A": "a b", "B": 'x"y'}, 0),
        ('export PATH="$PATH:/x"\nP=${PATH}', {"PATH": "/bin:/x", "P": "/bin:/x"}, 0),
        ("A='two\nlines'\r\nB=3", {"A": "two\nlines", "B": "3"}, 0),
        ("A=a\\ b$UNKNOWN'c'\"d\"", {"A": "a bcd"}, 0),
        ("A=", {"A": ""}, 0),
        ('declare -x A="1"\nexport B', {"A": "1"}, 1),
        ("A=$(date)\nB=`date`\nC=1; rm x\nD=ok", {"D": "ok"}, 3),
        ("A='never ended\nB=1", {"B": "1"}, 1),
        ("", {}, 0),
    ],
)
def test_variables_are_read_as_a_shell_would(content: str, variables: dict[str, str], not_understood: int) -> None:
    found, warnings = read_variables(content.encode(), {"PATH": "/bin"})
    assert found == variables
    assert len(warnings) == not_understood


@given(st.dictionaries(st.from_regex(r"[A-Z_][A-Z0-9_]*", fullmatch=True), st.text(st.characters(codec="utf-8"))))
def test_what_is_quoted_for_a_shell_comes_back_as_it_was(variables: dict[str, str]) -> None:
    clean = {name: value.replace("\r\n", "\n").replace("\r", "") for name, value in variables.items()}
    content = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in clean.items())
    assert read_variables(content.encode(), {}) == (clean, ())
