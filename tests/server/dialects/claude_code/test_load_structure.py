"""The structure of a settings file: events, groups, handlers, and what stands where it should not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server.dialects.claude_code.settings_files import (
    ECHO,
    codes,
    layer,
    loaded,
    one,
    plugin_layer,
    problem_of,
    settings,
)
from tenterhook.dialects.claude_code.specs import ShellSpec
from tenterhook.model import Origin
from tenterhook_protocol.claude_events import CLAUDE_EVENTS

PUBLISHED_EXAMPLE = """\
{
  "hooks": {
    "PostToolUse": [
      {
        "matcher": "Edit|Write",
        "hooks": [
          { "type": "command", "command": "npx prettier --write .", "timeout": 10 },
          { "type": "command", "command": "echo done" }
        ]
      }
    ],
    "Stop": [{ "hooks": [{ "type": "prompt", "prompt": "Is it done? $ARGUMENTS" }] }]
  }
}
"""


def test_a_file_as_published_is_read_as_it_stands() -> None:
    found = loaded(PUBLISHED_EXAMPLE)
    assert found.problems == ()
    first, second, stop = found.hooks
    assert first.id == "claude-code:user:PostToolUse[0].hooks[0]"
    assert (first.name, first.system, first.point) == ("PostToolUse[0].hooks[0]", "claude-code", "PostToolUse")
    assert (first.type, first.matcher, first.timeout) == ("command", "Edit|Write", 10)
    assert first.spec == ShellSpec(command="npx prettier --write .")
    assert first.origin == Origin(layer="user", path="/user/settings.json", line=7, column=11)
    assert first.fields["matcher"] == Origin(layer="user", path="/user/settings.json", line=5, column=9)
    assert list(first.fields) == ["type", "command", "timeout", "matcher"]
    assert (second.id, second.timeout) == ("claude-code:user:PostToolUse[0].hooks[1]", 600)
    assert (stop.point, stop.type, stop.timeout, stop.matcher) == ("Stop", "prompt", 30, None)
    assert all(hook.left_out is None for hook in found.hooks)


@pytest.mark.parametrize("event", CLAUDE_EVENTS)
def test_every_event_is_known(event: str) -> None:
    hook = one(loaded(settings(ECHO, event=event)))
    assert (hook.point, hook.left_out) == (event, None)


@pytest.mark.parametrize(
    "content", ["{}", '{"hooks": {}}', '{"hooks": {"Stop": []}}', '{"model": "x", "env": {"A": "b"}}']
)
def test_a_file_without_hooks_is_no_problem(content: str) -> None:
    found = loaded(content)
    assert (found.hooks, found.problems, found.broken) == ((), (), frozenset())


# Public faults stablyai/orca#15548 (an unknown event took the whole file down) and gsd-build/get-shit-done#1295.
@pytest.mark.parametrize(
    ("event", "hint"),
    [
        ("PreToolCall", "'PreToolUse'"),
        ("pretooluse", "'PreToolUse'"),
        ("Pre_Tool_Use", "'PreToolUse'"),
        ("BeforeTool", "'PreToolUse'"),
        ("AfterAgent", "'Stop'"),
        ("SubAgentStop", "'SubagentStop'"),
        ("Xyzzy", "the events are PreToolUse"),
        ("", "the events are PreToolUse"),
    ],
)
def test_an_unknown_event_is_kept_inert_and_the_rest_loads(event: str, hint: str) -> None:
    found = loaded({"hooks": {event: [{"hooks": [ECHO]}], "Stop": [{"hooks": [ECHO]}]}})
    problem = problem_of(found)
    assert (problem.severity, problem.code, problem.entry) == ("warning", "event-unknown", event)
    assert hint in str(problem.hint)
    inert, stop = found.hooks
    assert inert.point == event
    assert inert.left_out is not None
    assert inert.left_out.code == "invalid"
    assert stop.left_out is None


# Public fault Chemaclass/agnostic-ai#762: flat entries were thrown away without a word.
def test_a_handler_without_its_group_is_told_with_the_right_shape() -> None:
    found = loaded({"hooks": {"Stop": [{**ECHO, "matcher": "Bash"}, {"hooks": [ECHO]}]}})
    problem = problem_of(found)
    assert (problem.code, problem.entry, problem.line, problem.column) == ("group-flat", "Stop[0]", 1, 21)
    assert '"hooks": [{"type": "command"' in str(problem.hint)
    flat, whole = found.hooks
    assert flat.left_out is not None
    assert (flat.left_out.code, whole.left_out) == ("invalid", None)


@pytest.mark.parametrize(
    ("content", "severity", "code", "entry", "column"),
    [
        ("[]", "error", "root-type", "", 1),
        ('"x"', "error", "root-type", "", 1),
        ("null", "error", "root-type", "", 1),
        ('{"hooks": []}', "error", "hooks-type", "", 11),
        ('{"hooks": null}', "error", "hooks-type", "", 11),
        ('{"hooks": {"Stop": {"hooks": []}}}', "error", "event-type", "Stop", 20),
        ('{"hooks": {"Stop": "echo"}}', "error", "event-type", "Stop", 20),
        ('{"hooks": {"Stop": null}}', "warning", "field-null", "Stop", 12),
        ('{"hooks": {"Stop": ["echo"]}}', "error", "group-type", "Stop[0]", 21),
        ('{"hooks": {"Stop": [[]]}}', "error", "group-type", "Stop[0]", 21),
        ('{"hooks": {"Stop": [{}]}}', "error", "group-without-hooks", "Stop[0]", 21),
        ('{"hooks": {"Stop": [{"Hooks": []}]}}', "error", "group-without-hooks", "Stop[0]", 21),
        ('{"hooks": {"Stop": [{"hooks": {"type": "command"}}]}}', "error", "hooks-type", "Stop[0]", 31),
        ('{"hooks": {"Stop": [{"hooks": ["echo hi"]}]}}', "error", "handler-type", "Stop[0].hooks[0]", 32),
        ('{"hooks": {"Stop": [{"hooks": [null]}]}}', "error", "handler-type", "Stop[0].hooks[0]", 32),
        ('{"Stop": [{"hooks": []}]}', "error", "event-outside-hooks", "Stop", 2),
        ('{"Hooks": {}}', "error", "unknown-key", "", 2),
        ('{"hook": {}}', "error", "unknown-key", "", 2),
        ('{"Hooks": "off"}', "warning", "unknown-key", "", 2),
        ('{"disableAllHook": true}', "warning", "unknown-key", "", 2),
    ],
)
def test_a_wrong_shape_is_told_where_it_stands(content: str, severity: str, code: str, entry: str, column: int) -> None:
    found = loaded(content)
    assert codes(found.problems) == [(severity, code, entry)]
    assert (found.problems[0].line, found.problems[0].column) == (1, column)
    assert found.problems[0].hint
    assert found.hooks == ()


@pytest.mark.parametrize(
    "bad",
    [
        "x",
        None,
        [],
        {},
        {"matcher": 3, "hooks": [ECHO]},
        {"hooks": 7},
        {"hooks": ["x", {"type": "Command"}]},
        ECHO,
        {"matcher": "(", "hooks": [ECHO]},
    ],
)
def test_one_bad_entry_takes_no_other_down(bad: object) -> None:
    good = {"matcher": "Bash", "hooks": [ECHO]}
    found = loaded({"hooks": {"PreToolUse": [good, bad, good], "Stop": [{"hooks": [ECHO]}]}})
    running = [hook.id for hook in found.hooks if hook.left_out is None]
    assert running == [
        "claude-code:user:PreToolUse[0].hooks[0]",
        "claude-code:user:PreToolUse[2].hooks[0]",
        "claude-code:user:Stop[0].hooks[0]",
    ]
    assert found.problems
    assert all(str(problem.entry).startswith("PreToolUse[1]") for problem in found.problems)


@pytest.mark.parametrize(
    ("matcher", "hint"),
    [
        (["Bash", "Edit"], '"matcher": "Bash|Edit"'),
        (3, "double quotes"),
        (True, "double quotes"),
        ({"tool": "Bash"}, "double quotes"),
    ],
)
def test_a_matcher_of_a_wrong_type_never_widens_what_a_hook_does(matcher: object, hint: str) -> None:
    # Public fault microsoft/vscode#332988: the matcher was thrown away, and the hook ran for every tool.
    found = loaded(settings(ECHO, matcher=matcher))
    problem = problem_of(found)
    assert (problem.severity, problem.code, problem.entry) == ("error", "field-type", "PreToolUse[0]")
    assert hint in str(problem.hint)
    left_out = one(found).left_out
    assert left_out is not None
    assert left_out.code == "invalid"


@pytest.mark.parametrize("matcher", ["(", "[a", "*.py", "(?<=a)(?P<x>b)", "x" * 5000])
def test_a_matcher_that_is_no_pattern_is_a_problem_and_matches_nothing(matcher: str) -> None:
    found = loaded(settings(ECHO, matcher=matcher))
    assert codes(found.problems) == [("error", "matcher-invalid", "PreToolUse[0]")]
    assert one(found).left_out is not None


@pytest.mark.parametrize("matcher", ["", "*", "Bash", "Edit|Write", "Edit, Write", "mcp__.*", "^Edit$"])
def test_a_matcher_is_kept_as_written(matcher: str) -> None:
    found = loaded(settings(ECHO, matcher=matcher))
    assert (found.problems, one(found).matcher) == ((), matcher)


@pytest.mark.parametrize("matcher", ["(", 3, ["a"], None])
def test_a_matcher_of_an_event_without_one_is_passed_over_in_silence(matcher: object) -> None:
    found = loaded(settings(ECHO, event="Stop", matcher=matcher))
    assert (found.problems, one(found).left_out) == ((), None)


def test_a_matcher_of_null_means_everything_and_is_told() -> None:
    found = loaded(settings(ECHO, matcher=None))
    assert codes(found.problems) == [("warning", "field-null", "PreToolUse[0]")]
    assert (one(found).matcher, one(found).left_out) == (None, None)


@pytest.mark.parametrize(
    ("key", "severity", "code", "runs"),
    [
        ("Matcher", "error", "unknown-key", False),
        ("mathcer", "error", "unknown-key", False),
        ("if", "error", "key-of-handler", False),
        ("onFailure", "warning", "key-of-handler", True),
        ("timeout", "warning", "key-of-handler", True),
    ],
)
def test_a_key_that_does_not_count_on_a_group_is_told_and_a_restriction_keeps_it_from_running(
    key: str, severity: str, code: str, *, runs: bool
) -> None:
    found = loaded(settings(ECHO, **{key: "block"}))
    assert codes(found.problems) == [(severity, code, "PreToolUse[0]")]
    assert (one(found).left_out is None) is runs


def test_keys_of_a_groups_author_are_tolerated() -> None:
    found = loaded(settings(ECHO, comment="why", name="x", modules=[]))
    assert (found.problems, one(found).left_out) == ((), None)


def test_an_event_that_stands_twice_counts_twice_and_is_told() -> None:
    block = json.dumps([{"hooks": [ECHO]}])
    found = loaded(f'{{"hooks": {{"Stop": {block}, "PreCompact": {block}, "Stop": {block}}}}}')
    (problem,) = found.problems
    assert (problem.severity, problem.code) == ("warning", "json-duplicate-key")
    assert "both count here" in problem.message
    assert [hook.id for hook in found.hooks] == [
        "claude-code:user:Stop[0].hooks[0]",
        "claude-code:user:PreCompact[0].hooks[0]",
        "claude-code:user:Stop[1].hooks[0]",
    ]


def test_hooks_that_stand_twice_count_twice() -> None:
    part = json.dumps({"Stop": [{"hooks": [ECHO]}]})
    found = loaded(f'{{"hooks": {part}, "hooks": {part}}}')
    assert [hook.name for hook in found.hooks] == ["Stop[0].hooks[0]", "Stop[1].hooks[0]"]


def test_any_other_key_that_stands_twice_counts_once() -> None:
    found = loaded('{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a", "command": "b"}]}]}}')
    assert problem_of(found).severity == "error"
    assert one(found).spec == ShellSpec(command="b")


@pytest.mark.parametrize("content", [b"{", b"", b"\xff", b"[" * 300, b"hooks:\n- x\n"])
def test_a_file_that_is_no_json_is_broken_and_takes_no_other_down(content: bytes) -> None:
    # Public fault anthropics/claude-code#64699: a half-written file switched every hook off.
    found = loaded(layer("project", content), layer("user", settings(ECHO)))
    assert found.broken == {"project"}
    assert {problem.path for problem in found.problems} == {"/project/settings.json"}
    assert one(found).id == "claude-code:user:PreToolUse[0].hooks[0]"


def test_comments_and_trailing_commas_cost_a_warning_and_no_hook() -> None:
    # Public fault raymondchins/agentmap#19.
    found = loaded('{ // mine\n "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a",},]}]}}')
    assert [problem.code for problem in found.problems] == ["json-comment", "json-trailing-comma"]
    assert one(found).left_out is None


def test_an_id_of_its_own_names_a_hook_and_a_group_can_name_its_handlers() -> None:
    found = loaded(
        {
            "hooks": {
                "Stop": [
                    {"hooks": [{**ECHO, "id": "a"}, ECHO]},
                    {"id": "b", "description": "why", "hooks": [ECHO]},
                    {"id": "c", "hooks": [ECHO, {**ECHO, "id": "d"}]},
                ]
            }
        }
    )
    assert found.problems == ()
    assert [(hook.id, hook.name) for hook in found.hooks] == [
        ("claude-code:a", "a"),
        ("claude-code:user:Stop[0].hooks[1]", "Stop[0].hooks[1]"),
        ("claude-code:b", "b"),
        ("claude-code:c.hooks[0]", "c.hooks[0]"),
        ("claude-code:d", "d"),
    ]
    assert found.hooks[2].description == "why"


def test_a_plugins_id_is_the_prefix_of_its_hooks_ids() -> None:
    found = loaded(plugin_layer({"hooks": {"Stop": [{"id": "stop:check", "hooks": [ECHO]}, {"hooks": [ECHO]}]}}))
    assert [hook.id for hook in found.hooks] == [
        "tools@market:stop:check",
        "claude-code:plugin:tools@market:Stop[1].hooks[0]",
    ]


def test_an_id_that_is_taken_is_told_and_what_came_with_a_project_yields() -> None:
    named = settings({**ECHO, "id": "a"})
    found = loaded(layer("project", named), layer("user", named))
    project, user = found.hooks
    assert (project.id, user.id) == ("claude-code:project:PreToolUse[0].hooks[0]", "claude-code:a")
    assert codes(found.problems) == [("warning", "id-twice", "PreToolUse[0].hooks[0]")]
    assert found.problems[0].path == "/project/settings.json"


SHAPES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 90_000) | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["hooks", "matcher", "type", "command", "if", "timeout", "args", "url", "headers", "Stop", "x"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)
EVENTS = st.dictionaries(st.sampled_from(["PreToolUse", "SessionEnd", "Stop", "Nope"]), SHAPES | st.lists(SHAPES))


@given(SHAPES | st.fixed_dictionaries({"hooks": EVENTS}), SHAPES)
def test_no_file_at_all_makes_loading_fail_or_hides_a_hook_that_is_well(content: object, other: object) -> None:
    found = loaded(
        layer("managed", settings(ECHO)), layer("user", json.dumps(content)), plugin_layer(json.dumps({"hooks": other}))
    )
    first = found.hooks[0]
    assert (first.id, first.left_out) == ("claude-code:managed:PreToolUse[0].hooks[0]", None)
    assert len({hook.id for hook in found.hooks}) == len(found.hooks)
    assert all(hook.timeout > 0 for hook in found.hooks)
    for hook in found.hooks:
        if hook.left_out is not None and hook.left_out.code == "invalid":
            assert any(problem.path == hook.origin.path for problem in found.problems)
