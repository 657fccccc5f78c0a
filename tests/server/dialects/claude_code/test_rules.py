"""Which hooks do not run because their rule is not met."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from server.dialects.claude_code.rule_parts import doubt, event, hook, left_out, met, raw_event
from tenterhook.dialects.claude_code.rules import rule_out
from tenterhook_protocol.claude_events import CLAUDE_EVENTS


# Section 10 of the reference, "if".
@pytest.mark.parametrize(
    ("rule", "command", "runs"),
    [
        ("Bash(git *)", "FOO=bar git push", True),
        ("Bash(git *)", "npm test && git push", True),
        ("Bash(git *)", "echo $(git log)", True),
        ("Bash(git *)", "echo $(date)", False),
        ("Bash(git *)", "$TOOL git push", True),
        ("Bash(rm *)", "echo $(rm -rf /)", True),
        ("Bash(rm *)", "echo $(date)", False),
        ("Bash(cat *)", "echo before $(date) after", False),
        ("Bash(git push *)", "echo $(date)", True),
        ("Bash(ls *)", "lsof", False),
        ("Bash(ls:*)", "ls -la", True),
        ("Bash", "anything", True),
        ("Bash(*)", "anything", True),
        ("Bash(git *)", "echo 'not closed", True),
        ("Bash(npm test *)", "timeout 30 npm test", True),
        ("Bash(grep *)", "xargs grep pattern", True),
        ("Bash(grep *)", "xargs -n1 grep pattern", False),
    ],
)
def test_a_rule_for_bash_is_met_by_each_single_command(rule: str, command: str, *, runs: bool) -> None:
    assert met(rule, "Bash", {"command": command}) is runs


# anthropics/claude-code#79675: a hook for `git commit` ran for every command with a loop.
@pytest.mark.parametrize(
    ("rule", "command", "runs"),
    [
        ("Bash(git commit *)", "for f in a b; do echo x; done", False),
        ("Bash(git *)", "for f in a b; do echo $f; done", False),
        ("Bash(git commit *)", "for f in a b; do git commit -m x; done", True),
        # Not the loop but the variable meets it: a pattern beyond the program's name is met by what is filled in.
        ("Bash(git commit *)", "for f in a b; do echo $f; done", True),
    ],
)
def test_a_loop_is_read(rule: str, command: str, *, runs: bool) -> None:
    assert met(rule, "Bash", {"command": command}) is runs


@pytest.mark.parametrize(
    ("rule", "tool", "given", "why"),
    [
        ("Bash(git commit *)", "Bash", {"command": "for f in a b; do echo $f; done"}, "what the shell fills in"),
        ("Bash(git *)", "Bash", {"command": "echo 'not closed"}, "the command cannot be read"),
        ("Bash(git *)", "Bash", {"command": "x" * 20_000}, "the command cannot be read"),
        ("Bash(git *)", "Bash", {}, "the command cannot be read"),
        ("Bash(git *)", "Bash", {"command": "$TOOL push"}, "the command cannot be read"),
        ("Bash(git push *)", "Bash", {"command": "git push && echo $(x)"}, None),
        ("Bash(git *)", "Bash", {"command": "ls"}, None),
        ("Bash", "Bash", {}, None),
        ("Edit(src/**)", "Edit", {}, "names no path"),
        ("WebFetch(domain:example.com)", "WebFetch", {}, "names no host"),
        ("Agent(Explore)", "Agent", {}, "does not say what it is for"),
    ],
)
def test_a_rule_that_nobody_can_decide_says_so(rule: str, tool: str, given: dict[str, object], why: str | None) -> None:
    """anthropics/claude-code#79675: the hook runs, which is the documented direction, and is told to be in doubt."""
    told = doubt(rule, event(tool, given))
    assert (told is None) if why is None else (told is not None and why in told and rule in told)


def test_a_substitution_in_a_list_of_commands_is_read() -> None:
    """anthropics/claude-code#84925."""
    assert not met("Bash(ls *)", "Bash", {"command": 'pwd && echo "$(date +%Y)"'})


@pytest.mark.parametrize(
    ("rule", "path", "runs"),
    [
        ("Edit(src/**)", "/p/pkg/src/a.ts", False),
        ("Edit(**/src/**)", "/p/pkg/src/a.ts", True),
        ("Edit(src/**)", "/p/src/a.ts", True),
        ("Edit(src/**)", "src/a.ts", True),
        ("Edit(src/**)", "/p/lib/../src/a.ts", True),
        ("Edit(src/**)", "/p/src/../lib/a.ts", False),
        ("Edit(//p/src/**)", "/p/src/a.ts", True),
        ("Edit(*.ts)", "/p/src/a.ts", True),
    ],
)
@pytest.mark.parametrize("tool", ["Edit", "Write", "MultiEdit"])
def test_a_rule_for_edit_is_met_by_every_tool_that_edits(rule: str, path: str, tool: str, *, runs: bool) -> None:
    assert met(rule, tool, {"file_path": path}) is runs


@pytest.mark.parametrize(
    ("rule", "tool", "given", "runs"),
    [
        ("Edit(*.ipynb)", "NotebookEdit", {"notebook_path": "/p/a.ipynb"}, True),
        ("Write(src/**)", "Write", {"file_path": "/p/src/a"}, True),
        ("Write(src/**)", "Edit", {"file_path": "/p/src/a"}, False),
        ("Edit(src/**)", "Read", {"file_path": "/p/src/a"}, False),
        ("Read(src/**)", "Grep", {"pattern": "x", "path": "/p/src"}, True),
        ("Read(src/**)", "Glob", {"pattern": "src/**/*.ts"}, True),
        ("Read(src/**)", "Glob", {"pattern": "lib/*"}, False),
        ("Edit(src/**)", "Edit", {}, True),
        ("WebFetch(domain:example.com)", "WebFetch", {"url": "https://EXAMPLE.com./x"}, True),
        ("WebFetch(domain:example.com)", "WebFetch", {"url": "https://example.com@evil.com"}, False),
        ("WebFetch(domain:example.com)", "WebFetch", {"url": "no url"}, True),
        ("Agent(Explore)", "Agent", {"subagent_type": "Explore"}, True),
        ("Task(Explore)", "Agent", {"subagent_type": "Explore"}, True),
        ("Agent(Explore)", "Task", {"subagent_type": "Plan"}, False),
        ("Agent(Explore)", "Agent", {}, True),
        ("Agent(my:reviewer)", "Agent", {"subagent_type": "my:reviewer"}, True),
        ("Agent(model:opus)", "Agent", {"subagent_type": "Plan", "model": "opus"}, True),
        ("Agent(model:opus)", "Agent", {"subagent_type": "Plan", "model": "haiku"}, False),
        ("Agent(model:*)", "Agent", {"subagent_type": "Plan"}, False),
        ("Agent(model:*)", "Agent", {}, False),
        ("Agent(isolation:*)", "Agent", {"isolation": "worktree"}, True),
        ("Bash(run_in_background:true)", "Bash", {"command": "$X", "run_in_background": True}, True),
        ("Bash(run_in_background : true)", "Bash", {"command": "$X"}, False),
        ("Bash(timeout:*)", "Bash", {"command": "ls", "timeout": 5}, False),
        ("Skill(deploy *)", "Skill", {"skill": "deploy"}, False),
        ("Skill(deploy *)", "Skill", {"skill": "deploy", "args": "prod"}, True),
        ("Skill(deploy:*)", "Skill", {"skill": "deploy"}, True),
        ("mcp__m__read(id:7)", "mcp__m__read", {"id": 7}, True),
        ("mcp__m__read(id:7)", "mcp__m__read", {"id": 8}, False),
        ("mcp__m__read(id:*)", "mcp__m__read", {"id": {"nested": 7}}, False),
        ("mcp__m", "mcp__m__read", {}, True),
        ("PowerShell(Get-ChildItem *)", "PowerShell", {"command": "cd x; LS -Force"}, True),
        ("PowerShell(Get-ChildItem *)", "PowerShell", {"command": "cd x"}, False),
        ("Bash(git *)", "PowerShell", {"command": "git push"}, False),
        ("Bash(git *)", "Monitor", {"command": "git push"}, True),
        ("Bash(git *)", "Bash", {}, True),
        ("Bash(git *)", "Bash", {"command": 7}, True),
    ],
)
def test_a_rule_is_met_by_its_own_calls(rule: str, tool: str, given: dict[str, object], *, runs: bool) -> None:
    assert met(rule, tool, given) is runs


@pytest.mark.parametrize(
    ("layer", "path", "runs"),
    [
        ("project", "/p/docs/a", True),
        ("local", "/p/docs/a", True),
        ("project", "/p/.claude/docs/a", False),
        ("user", "/home/u/.claude/docs/a", True),
        ("user", "/p/docs/a", False),
        ("managed", "/p/docs/a", True),
        ("plugin:x", "/plugins/x/docs/a", True),
        ("plugin:x", "/p/docs/a", False),
    ],
)
def test_one_slash_starts_where_the_settings_belong(layer: str, path: str, *, runs: bool) -> None:
    assert met("Edit(/docs/**)", "Edit", {"file_path": path}, cwd="/p/sub", layer=layer) is runs


def test_a_relative_pattern_starts_in_the_folder_of_the_session() -> None:
    assert met("Edit(src/**)", "Edit", {"file_path": "/p/sub/src/a"}, cwd="/p/sub")
    assert not met("Edit(src/**)", "Edit", {"file_path": "/p/src/a"}, cwd="/p/sub")


def test_a_home_folder_that_nobody_knows_decides_nothing() -> None:
    assert met("Edit(~/a)", "Edit", {"file_path": "/elsewhere"})


_TAKING = {"PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"}


@pytest.mark.parametrize("point", [*CLAUDE_EVENTS, "Unheard"])
def test_a_rule_runs_only_where_rules_are_looked_at(point: str) -> None:
    reason = left_out("Bash(git *)", event("Bash", {"command": "git push"}, point=point))
    if point in _TAKING:
        assert reason is None
    elif point != "PreSkillShellCommand":  # not published
        assert reason is not None
        assert reason.code == "ruleNotMet"
        assert point in reason.message


def test_a_text_that_is_no_rule_keeps_its_hook_from_running() -> None:
    reason = left_out("Bash(git *) || Edit", event("Bash", {"command": "git push"}))
    assert reason is not None
    assert reason.code == "invalid"


@pytest.mark.parametrize(
    ("rule", "tool", "given", "words"),
    [
        ("Edit", "Bash", {}, "the tool is 'Bash'"),
        ("Bash(git *)", "Bash", {"command": "ls"}, "none of the commands"),
        ("Edit(src/**)", "Edit", {"file_path": "/q/a"}, "the path is '/q/a'"),
        ("WebFetch(domain:a.b)", "WebFetch", {"url": "http://c.d"}, "the host is 'c.d'"),
        ("Agent(Plan)", "Agent", {"subagent_type": "Explore"}, "the call is for 'Explore'"),
        ("mcp__m__x(id:7)", "mcp__m__x", {"id": 8}, "'id' is another"),
        ("mcp__m__x(id:7)", "mcp__m__x", {}, "has no 'id'"),
    ],
)
def test_a_rule_that_is_not_met_says_why(rule: str, tool: str, given: dict[str, object], words: str) -> None:
    reason = left_out(rule, event(tool, given))
    assert reason is not None
    assert rule in reason.message
    assert words in reason.message


def test_each_hook_is_judged_by_its_own_rule() -> None:
    hooks = [hook("Bash(git *)", name="a"), hook("Bash(ls *)", name="b"), hook("Edit", name="c")]
    assert set(rule_out(hooks, event("Bash", {"command": "git push"}))) == {"claude-code:b", "claude-code:c"}


@pytest.mark.parametrize(
    ("payload", "subject", "runs"),
    [
        (b"[]", "Bash", True),
        (b'{"tool_name":"Bash"}', None, True),
        (b'{"tool_name":"Bash","tool_input":7}', None, True),
        (b'{"tool_name":"Bash","tool_input":null}', None, True),
        (b'{"tool_name":7,"tool_input":{"command":"ls"}}', None, False),
        (b'{"tool_name":"Edit","tool_input":7}', None, False),
        (b"{}", None, False),
    ],
)
def test_a_payload_that_says_too_little_meets_the_rules_for_its_tool(
    payload: bytes, subject: str | None, *, runs: bool
) -> None:
    assert (left_out("Bash(git *)", raw_event(payload, subject=subject)) is None) is runs


@pytest.mark.parametrize("size", [1_000_000])
def test_a_huge_command_meets_its_rules(size: int) -> None:
    assert met("Bash(git *)", "Bash", {"command": "a;" * (size // 2)})
    assert met("PowerShell(git *)", "PowerShell", {"command": "a;" * (size // 2)})


_RULES = [
    "Bash(git *)",
    "Bash(git push *)",
    "Edit(src/**)",
    "Read(~/x)",
    "WebFetch(domain:*.x.y)",
    "Agent(a:b)",
    "mcp__m",
]
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
_GIVEN = st.dictionaries(st.sampled_from(["command", "file_path", "url", "path", "a", "subagent_type"]), _JSON)


@given(st.sampled_from(["Bash", "Edit", "Grep", "WebFetch", "Agent", "mcp__m__x", "PowerShell"]), _GIVEN, _JSON)
def test_no_call_breaks_anything(tool: str, given: dict[str, object], cwd: object) -> None:
    payload = msgspec.json.encode({"tool_name": tool, "tool_input": given, "cwd": cwd})
    rule_out([hook(rule, name=str(at)) for at, rule in enumerate(_RULES)], raw_event(payload))
