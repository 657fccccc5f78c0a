"""Which values a matcher means."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server.dialects.claude_code.rule_parts import hook
from tenterhook.dialects.claude_code.tool_names import (
    FORMER_NAMES,
    canonical,
    match_hook,
    matcher_for,
    spellings,
    watched_names,
)
from tenterhook.dialects.matching import OUT_OF_TIME
from tenterhook.model import Mode

# matcher, event, value, met: section 10 of the reference, and what follows from 4.1 and 4.2.
MATCHES = [
    (None, "PreToolUse", "Bash", True),
    ("", "PreToolUse", "Bash", True),
    ("*", "PreToolUse", "Bash", True),
    ("Bash", "PreToolUse", "Bash", True),
    ("Bash", "PreToolUse", "BashOutput", False),
    ("Bash", "PreToolUse", "bash", False),
    ("Edit|Write", "PreToolUse", "Write", True),
    ("Edit, Write", "PreToolUse", "Write", True),
    ("Edit.*", "PreToolUse", "NotebookEdit", True),
    ("^Edit$", "PreToolUse", "NotebookEdit", False),
    ("mcp__memory", "PreToolUse", "mcp__memory__create_entities", False),
    ("mcp__memory__.*", "PreToolUse", "mcp__memory__create_entities", True),
    ("code-reviewer", "SubagentStart", "senior-code-reviewer", False),
    ("^my-plugin:reviewer$", "SubagentStart", "my-plugin:reviewer", True),
    ("Task", "PreToolUse", "Agent", True),
    ("Agent", "PreToolUse", "Task", True),
    ("Task, Bash", "PreToolUse", "Agent", True),
    ("^Task$", "PreToolUse", "Agent", True),
    ("^Kill", "PostToolUse", "TaskStop", True),
    ("KillShell", "PermissionRequest", "KillBash", True),
    ("^Agent", "PermissionDenied", "Task", True),
    ("Task", "PreToolUse", "TaskStop", False),
    ("Task", "SubagentStart", "Agent", False),
    (".envrc|.env", "FileChanged", ".env", True),
    (".env", "FileChanged", "xenv", True),
    ("Makefile|x", "FileChanged", "Makefile", True),
    ("Make", "FileChanged", "Makefile", False),
    ("my-file", "FileChanged", "old-my-file.txt", True),
    ("rate_limit|overloaded", "StopFailure", "overloaded", True),
    ("rate_limit, overloaded", "StopFailure", "overloaded", False),
    ("rate_limit, overloaded", "StopFailure", "rate_limit, overloaded", True),
    ("claude-opus-4-6|claude-opus-5", "PreModelSwitch", "claude-opus-5", True),
    (".*opus.*", "PreModelSwitch", "claude-opus-5", True),
    ("anything", "Stop", None, True),
    ("anything", "CwdChanged", "other", True),
    ("(", "UserPromptSubmit", None, True),
    ("Bash", "PreToolUse", None, False),
    ("(", "PreToolUse", "(", False),
]


@pytest.mark.parametrize(("matcher", "point", "value", "runs"), MATCHES)
@pytest.mark.parametrize("mode", ["emit", "decide"])
def test_a_matcher_is_met_by_its_event_s_value(
    matcher: str | None, point: str, value: str | None, mode: Mode, *, runs: bool
) -> None:
    left_out = match_hook(hook(matcher=matcher, point=point), mode, value)
    assert (left_out is None) is runs
    if left_out is not None:
        assert left_out.code == "noMatch"
        assert repr(matcher) in left_out.message


# zernie/vigiles#132: a checker judged matchers by their shape. This is the measured table.
@pytest.mark.parametrize(
    ("matcher", "meant"),
    [
        ("Write", {"Write"}),
        ("Writ", set[str]()),
        ("rit.", {"Write", "TodoWrite"}),
        ("W(rit)e", {"Write", "TodoWrite"}),
        ("mcp__.*", {"mcp__some_server__list"}),
        ("mcp__[^_]+__[^_]+", set[str]()),
    ],
)
def test_plain_words_are_whole_names_and_patterns_match_anywhere(matcher: str, meant: set[str]) -> None:
    tools = ("Write", "TodoWrite", "mcp__some_server__list")
    assert {tool for tool in tools if match_hook(hook(matcher=matcher), "decide", tool) is None} == meant


def test_a_matcher_that_is_left_out_says_what_it_was_tested_against() -> None:
    tool = match_hook(hook(matcher="Edit"), "decide", "Bash")
    source = match_hook(hook(matcher="resume", point="SessionStart"), "emit", "startup")
    nothing = match_hook(hook(matcher="Edit"), "decide", None)
    assert tool is not None
    assert "the tool is 'Bash'" in tool.message
    assert source is not None
    assert "the source is 'startup'" in source.message
    assert nothing is not None
    assert "names no tool" in nothing.message


def test_a_matcher_that_takes_too_long_is_not_met_and_says_so() -> None:
    left_out = match_hook(hook(matcher="^(a|aa)+$"), "decide", "a" * 100 + "!")
    assert left_out is not None
    assert left_out.code == "noMatch"
    assert OUT_OF_TIME in left_out.message


@pytest.mark.parametrize(("old", "new"), FORMER_NAMES.items())
def test_a_former_name_and_the_name_of_today_are_one_tool(old: str, new: str) -> None:
    assert canonical(old) == canonical(new) == new
    assert spellings(old) == spellings(new)
    assert spellings(old)[0] == new
    assert old in spellings(new)


def test_an_unknown_tool_has_one_name() -> None:
    assert spellings("mcp__x__y") == ("mcp__x__y",)


@pytest.mark.parametrize("event", ["FileChanged", "StopFailure"])
@pytest.mark.parametrize("text", ["a(", "a)(b", "[", "a, (b"])
def test_an_invalid_pattern_is_an_error_there_too(event: str, text: str) -> None:
    assert matcher_for(event, text).error is not None


@pytest.mark.parametrize(
    ("matcher", "names"),
    [
        (None, ()),
        ("", ()),
        ("|", ()),
        ("*", ("*",)),
        (".envrc|.env", (".envrc", ".env")),
        (".*\\.py", (".*\\.py",)),
        ("a, b| c", ("a, b", " c")),
        ("a|b|a", ("a", "b")),
    ],
)
def test_every_part_between_bars_is_a_file_to_watch(matcher: str | None, names: tuple[str, ...]) -> None:
    assert watched_names(matcher) == names


_NAME = st.text(string.ascii_letters + string.digits + "_-", min_size=1, max_size=8)


@given(st.lists(_NAME, min_size=1, max_size=5), _NAME, st.sampled_from(["|", ",", ", ", " | "]))
def test_a_list_means_its_names_and_no_others(names: list[str], other: str, separator: str) -> None:
    listed = hook(matcher=separator.join(names), point="SubagentStart")
    assert all(match_hook(listed, "emit", name) is None for name in names)
    assert (match_hook(listed, "emit", other) is None) is (other in names)


@given(st.lists(st.sampled_from([*FORMER_NAMES, *FORMER_NAMES.values(), "Bash"]), min_size=1, max_size=3))
def test_a_list_of_tools_means_the_same_under_all_their_names(names: list[str]) -> None:
    written = hook(matcher="|".join(names))
    updated = hook(matcher="|".join(map(canonical, names)))
    for tool in (*FORMER_NAMES, *FORMER_NAMES.values(), "Bash", "Read"):
        assert (match_hook(written, "decide", tool) is None) is (match_hook(updated, "decide", tool) is None)


@given(st.text(max_size=60), st.text(max_size=20), st.sampled_from(["PreToolUse", "FileChanged", "Stop", "Unheard"]))
def test_no_matcher_breaks_anything(matcher: str, value: str, point: str) -> None:
    match_hook(hook(matcher=matcher, point=point), "decide", value)
    watched_names(matcher)
