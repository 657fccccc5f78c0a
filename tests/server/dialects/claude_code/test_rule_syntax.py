"""What a rule says as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenterhook.dialects.claude_code.rule_syntax import Rule, RuleFault, at_home, parse_rule


@pytest.mark.parametrize(
    "text",
    [
        "Bash",
        " Bash ",
        "Bash(*)",
        "Bash(git *)",
        "Bash(echo (a) && b)",
        "Bash(ls:*)",
        "Bash((cd x) && make)",
        "Bash(run_in_background:true)",
        "Edit(src/**)",
        "Read(~/notes)",
        "WebFetch(domain:example.com)",
        "Agent(model:opus)",
        "Task(Explore)",
        "Skill(deploy *)",
        "mcp__memory",
        "mcp__memory__.*",
        "mcp__memory__*",
        "mcp__my-server__read(path:/x)",
        "*",
    ],
)
def test_one_tool_with_or_without_a_specifier_is_a_rule(text: str) -> None:
    assert isinstance(parse_rule(text), Rule)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "one 'Tool'"),
        ("Bash(", "one 'Tool'"),
        ("Bash(git *", "one 'Tool'"),
        ("Bash git", "one 'Tool'"),
        ("(git *)", "one 'Tool'"),
        ("Bash(git *) || Bash(npm *)", "one 'Tool'"),
        ("Bash(git *) && Edit", "one 'Tool'"),
        ("Bash(git *), Edit(src/**)", "one 'Tool'"),
        ("Bash(git *) || mcp__x__y(a:b)", "one 'Tool'"),
        ("Bash|Edit", "one 'Tool'"),
        ("Bash()", "parentheses"),
        ("Bash( )", "parentheses"),
        ("Bash(command:rm *)", "Bash(git push *)"),
        ("Write(file_path:/x)", "Write(src/**)"),
        ("WebFetch(url:https://x)", "domain:example.com"),
        ("WebFetch(https://x.y/)", "domain:example.com"),
        ("WebFetch(domain:)", "host"),
        ("Edit(!src/**)", "'!'"),
        ("Edit([a)", "never match"),
        ("WebSearch(x)", "parameter:value"),
        ("mcp__x__y(z)", "parameter:value"),
        (f"Bash({'x' * 5000})", "longer"),
    ],
)
def test_anything_else_is_none_and_says_what_to_write(text: str, word: str) -> None:
    rule = parse_rule(text)
    assert isinstance(rule, RuleFault)
    assert word in rule.message


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Bash", {"Bash", "Monitor"}),
        ("Edit", {"Edit", "MultiEdit", "NotebookEdit", "Write"}),
        ("Read", {"Glob", "Grep", "LSP", "Read"}),
        ("Write", {"Write"}),
        ("Glob", {"Glob"}),
        ("Task", {"Agent"}),
        ("Agent", {"Agent"}),
        ("PowerShell", {"PowerShell"}),
        ("bash", set[str]()),
        ("mcp__memory", {"mcp__memory__read", "mcp__memory__write"}),
        ("mcp__memory__*", {"mcp__memory__read", "mcp__memory__write"}),
        ("mcp__memory__read", {"mcp__memory__read"}),
        ("mcp__*", {"mcp__memory__read", "mcp__memory__write", "mcp__memory2__read"}),
    ],
)
def test_a_rule_covers_its_tool_and_the_tool_s_family(text: str, meant: set[str]) -> None:
    tools = ("Bash", "Monitor", "Edit", "MultiEdit", "NotebookEdit", "Write", "Glob", "Grep", "LSP", "Read", "Agent")
    mcp = ("mcp__memory__read", "mcp__memory__write", "mcp__memory2__read")
    rule = parse_rule(text)
    assert isinstance(rule, Rule)
    assert {tool for tool in (*tools, *mcp, "PowerShell") if rule.names(tool)} == meant


@pytest.mark.parametrize(
    ("text", "settled"),
    [
        ("Edit(~/notes/**)", "Edit(//home/u/notes/**)"),
        ("Read(~)", "Read(//home/u/)"),
        ("Edit(src/**)", "Edit(src/**)"),
        ("Bash(~/bin/x *)", "Bash(~/bin/x *)"),
        ("Edit", "Edit"),
        ("Edit(", "Edit("),
    ],
)
def test_the_home_folder_is_filled_in_where_a_path_is_meant(text: str, settled: str) -> None:
    assert at_home(text, "/home/u") == settled


@given(
    st.one_of(
        st.text(max_size=40),
        st.tuples(st.sampled_from(["Bash", "Edit", "X"]), st.text(max_size=20)).map(
            lambda parts: f"{parts[0]}({parts[1]})"
        ),
    )
)
def test_no_text_breaks_anything(text: str) -> None:
    assert isinstance(parse_rule(text), Rule | RuleFault)
    at_home(text, "/home/u")
