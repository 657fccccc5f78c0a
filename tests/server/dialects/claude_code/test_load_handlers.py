"""One handler: its type, its fields, and what they mean together."""

from __future__ import annotations

import json

import pytest
from server.dialects.claude_code.settings_files import (
    ECHO,
    PLUGIN,
    codes,
    layer,
    loaded,
    one,
    plugin_layer,
    problem_of,
    reasons,
    settings,
)
from tenterhook.dialects.claude_code.specs import AskSpec, HttpSpec, PluginRef, ShellSpec, ToolSpec
from tenterhook.model import Hook, Problem, Spec
from tenterhook_protocol.claude_events import CLAUDE_EVENTS

ENTRY = "PreToolUse[0].hooks[0]"
HTTP = {"type": "http", "url": "https://hooks.example/x"}
PROMPT = {"type": "prompt", "prompt": "Is it safe?"}
AGENT = {"type": "agent", "prompt": "Look at it"}
TOOL = {"type": "mcp_tool", "server": "s", "tool": "t"}
ALL = (ECHO, HTTP, PROMPT, AGENT, TOOL)


def handler(event: str = "PreToolUse", /, **fields: object) -> tuple[Hook, tuple[Problem, ...]]:
    found = loaded(settings(fields, event=event))
    return one(found), found.problems


def runs(hook: Hook) -> bool:
    return hook.left_out is None


@pytest.mark.parametrize(
    ("fields", "spec"),
    [
        (ECHO, ShellSpec(command="echo")),
        ({**ECHO, "args": []}, ShellSpec(command="echo", args=())),
        ({**ECHO, "args": ["a b", "$HOME", "*"]}, ShellSpec(command="echo", args=("a b", "$HOME", "*"))),
        ({**ECHO, "shell": "powershell"}, ShellSpec(command="echo", shell="powershell")),
        ({**ECHO, "asyncRewake": True}, ShellSpec(command="echo", wakes=True)),
        ({**ECHO, "onFailure": "block"}, ShellSpec(command="echo", blocks_on_failure=True)),
        ({**ECHO, "onFailure": "continue"}, ShellSpec(command="echo")),
        ({**ECHO, "statusMessage": "Looking"}, ShellSpec(command="echo", status_message="Looking")),
        (PROMPT, AskSpec(kind="prompt", prompt="Is it safe?")),
        (
            {**PROMPT, "model": "m", "continueOnBlock": True},
            AskSpec(kind="prompt", prompt="Is it safe?", model="m", continue_on_block=True),
        ),
        ({**AGENT, "model": "m"}, AskSpec(kind="agent", prompt="Look at it", model="m")),
        (HTTP, HttpSpec(url="https://hooks.example/x")),
        (
            {**HTTP, "headers": {"X-Token": "Bearer $T"}, "allowedEnvVars": ["T"], "onFailure": "block"},
            HttpSpec(
                url="https://hooks.example/x",
                headers=(("X-Token", "Bearer $T"),),
                variables=("T",),
                blocks_on_failure=True,
            ),
        ),
        (TOOL, ToolSpec(server="s", tool="t")),
        (
            {**TOOL, "input": {"path": "${tool_input.file_path}", "n": [1, 2.5, None, {"a": True}]}},
            ToolSpec(server="s", tool="t", input=b'{"path":"${tool_input.file_path}","n":[1,2.5,null,{"a":true}]}'),
        ),
    ],
)
def test_every_field_of_every_type_is_read(fields: dict[str, object], spec: Spec) -> None:
    hook, problems = handler(**fields)
    assert problems == ()
    assert (hook.type, hook.spec, hook.left_out) == (fields["type"], spec, None)


def test_the_fields_that_all_types_share_are_read() -> None:
    for fields in ALL:
        hook, problems = handler(**fields, **{"if": "Bash(git *)", "timeout": 7, "once": True, "statusMessage": "x"})
        assert problems == ()
        assert (hook.rule, hook.timeout, hook.once) == ("Bash(git *)", 7, True)


@pytest.mark.parametrize(("key", "background"), [("async", True), ("asyncRewake", True), ("once", False)])
def test_a_hook_that_nobody_waits_for_is_marked(key: str, *, background: bool) -> None:
    hook, _ = handler(**ECHO, **{key: True})
    assert hook.background is background


# Public fault google-gemini/gemini-cli#13155: a capital letter, and nothing ran or was told.
@pytest.mark.parametrize(
    ("kind", "code", "hint"),
    [
        ("Command", "type-unknown", "'command'"),
        ("COMMAND", "type-unknown", "'command'"),
        (" command ", "type-unknown", "'command'"),
        ("comand", "type-unknown", "'command'"),
        ("mcp-tool", "type-unknown", "'mcp_tool'"),
        ("webhook", "type-unknown", "write one of: command, worker, http"),
        ("", "type-unknown", "write one of"),
        (3, "field-type", "write one of"),
        (None, "field-type", "write one of"),
        (["command"], "field-type", "write one of"),
    ],
)
def test_a_type_that_is_none_is_told_with_the_nearest_one(kind: object, code: str, hint: str) -> None:
    hook, problems = handler(type=kind, command="echo")
    assert codes(problems) == [("error", code, ENTRY)]
    assert hint in str(problems[0].hint)
    assert not runs(hook)


@pytest.mark.parametrize(
    ("fields", "code", "hint"),
    [
        ({"command": "echo"}, "field-missing", 'add "type": "command"'),
        ({"url": "https://x"}, "field-missing", 'add "type": "http"'),
        ({"prompt": "x"}, "field-missing", 'add "type": "prompt"'),
        ({"server": "s", "tool": "t"}, "field-missing", 'add "type": "mcp_tool"'),
        ({}, "field-missing", 'add "type": "command"'),
        ({"Type": "command", "command": "echo"}, "field-missing", "write the key as 'type'"),
        ({"type": "command"}, "field-missing", "add 'command'"),
        ({"type": "command", "command": None}, "field-missing", "add 'command'"),
        ({"type": "http"}, "field-missing", "add 'url'"),
        ({"type": "mcp_tool"}, "field-missing", "add 'server', 'tool'"),
        ({"type": "mcp_tool", "server": "s"}, "field-missing", "add 'tool'"),
        ({"type": "command", "command": ""}, "field-empty", "give command a value"),
        ({"type": "command", "command": " \n"}, "field-empty", "give command a value"),
        ({"type": "command", "command": 3}, "field-type", '"command": "3"'),
        ({"type": "command", "command": ["echo"]}, "field-type", '"command": "..."'),
        ({"type": "command", "command": "a\0b"}, "field-character", "delete it"),
        ({**ECHO, "args": "x"}, "field-type", "write a list"),
        ({**ECHO, "args": [1]}, "field-type", "double quotes"),
        ({**ECHO, "args": ["a\0"]}, "field-type", "double quotes"),
        ({**ECHO, "shell": "fish"}, "shell-unknown", '"bash" or "powershell"'),
        ({**ECHO, "if": 3}, "field-type", '"if": "3"'),
        ({**ECHO, "if": ["Bash"]}, "field-type", '"if"'),
        ({**ECHO, "if": ""}, "field-empty", "give if a value"),
        ({**ECHO, "if": "Bash("}, "rule-invalid", "Bash(git push *)"),
        ({**ECHO, "if": "Bash(a) || Edit(b)"}, "rule-invalid", "Bash(git push *)"),
        ({**ECHO, "If": "Bash(git *)"}, "unknown-key", "'if'"),
        ({**PROMPT, "prompt": {}}, "field-type", '"prompt"'),
        ({**HTTP, "url": "ftp://x"}, "url-invalid", "https://host/path"),
        ({**HTTP, "url": "/x"}, "url-invalid", "https://host/path"),
        ({**HTTP, "url": "https://"}, "url-invalid", "https://host/path"),
        ({**HTTP, "url": "https://a b"}, "url-invalid", "https://host/path"),
        ({**HTTP, "headers": []}, "field-type", '"headers"'),
        ({**HTTP, "headers": {"A": 3}}, "field-type", "double quotes"),
        ({**HTTP, "headers": {"A b": "x"}}, "header-invalid", "letters"),
        ({**HTTP, "headers": {"": "x"}}, "header-invalid", "letters"),
        ({**HTTP, "headers": {"A": "x\r\nB: y"}}, "header-invalid", "one line"),
        ({**TOOL, "input": []}, "field-type", '"input"'),
        ({**TOOL, "server": 1}, "field-type", '"server"'),
    ],
)
def test_a_handler_that_cannot_run_as_meant_is_left_out_and_told(
    fields: dict[str, object], code: str, hint: str
) -> None:
    hook, problems = handler(**fields)
    errors = [problem for problem in problems if problem.severity == "error"]
    assert codes(errors) == [("error", code, ENTRY)]
    assert hint in str(errors[0].hint)
    assert hook.left_out is not None
    assert hook.left_out.code == "invalid"


@pytest.mark.parametrize(
    ("fields", "severity", "code"),
    [
        ({**ECHO, "async": "true"}, "error", "field-type"),
        ({**ECHO, "once": 1}, "error", "field-type"),
        ({**ECHO, "statusMessage": 3}, "warning", "field-type"),
        ({**ECHO, "id": 3}, "warning", "field-type"),
        ({**ECHO, "onFailure": "deny"}, "warning", "on-failure-unknown"),
        ({**ECHO, "timeout": None}, "warning", "field-null"),
        ({**ECHO, "comand": "x"}, None, None),
        ({**ECHO, "onfailure": "block"}, "warning", "unknown-key"),
        ({**ECHO, "status_message": "x"}, "warning", "unknown-key"),
        ({**ECHO, "tiemout": 3}, "warning", "unknown-key"),
        ({**ECHO, "timeoutMs": 3}, "warning", "unknown-key"),
        ({**ECHO, "url": "https://x"}, "warning", "key-of-other-type"),
        ({**ECHO, "continueOnBlock": True}, "warning", "key-of-other-type"),
        ({**PROMPT, "async": True}, "warning", "key-of-other-type"),
        ({**PROMPT, "onFailure": "block"}, "warning", "key-of-other-type"),
        ({**AGENT, "continueOnBlock": True}, "warning", "key-of-other-type"),
        ({**PROMPT, "model": 3}, "warning", "field-type"),
        ({**HTTP, "allowedEnvVars": "T"}, "error", "field-type"),
        ({**HTTP, "allowedEnvVars": ["T", 3]}, "error", "field-type"),
        ({**ECHO, "args": [], "shell": "bash"}, "warning", "shell-unused"),
        ({**ECHO, "command": "npm run x", "args": []}, "warning", "command-with-blank"),
        ({**ECHO, "async": True, "onFailure": "block"}, "warning", "on-failure-unused"),
        ({**HTTP, "headers": {"A": "Bearer ${T}"}}, "warning", "header-variable"),
        ({**ECHO, "comment": "why", "note": 1, "internalKey": {}, "enabled": True}, None, None),
    ],
)
def test_what_does_not_count_is_told_and_the_handler_runs(
    fields: dict[str, object], severity: str | None, code: str | None
) -> None:
    hook, problems = handler(**fields)
    assert codes(problems) == ([] if code is None else [(severity, code, ENTRY)])
    assert runs(hook)


@pytest.mark.parametrize(
    ("written", "key"), [("Command", "command"), ("commnad", "command"), ("cmd", None), ("comment", None)]
)
def test_a_misspelt_key_is_told_with_the_nearest_name(written: str, key: str | None) -> None:
    hook, problems = handler(**{"type": "command", written: "echo"})
    assert not runs(hook)
    assert codes(problems)[0] == ("error", "field-missing", ENTRY)
    assert [str(problem.hint) for problem in problems[1:]] == ([] if key is None else [f"did you mean {key!r}?"])


@pytest.mark.parametrize("value", ["deny", "Block", True, 3, {}])
def test_an_on_failure_that_is_not_understood_counts_as_block(value: object) -> None:
    hook, _ = handler(**ECHO, onFailure=value)
    assert isinstance(hook.spec, ShellSpec)
    assert hook.spec.blocks_on_failure


@pytest.mark.parametrize(
    ("event", "fields", "blocks"),
    [
        ("PreToolUse", ECHO, True),
        ("Stop", ECHO, False),
        ("SubagentStop", HTTP, False),
        ("TaskCompleted", ECHO, False),
        ("TeammateIdle", ECHO, False),
        ("SessionStart", ECHO, True),
        ("SessionStart", TOOL, False),
        ("Setup", TOOL, False),
    ],
)
def test_on_failure_is_ignored_where_it_is_published_to_be(
    event: str, fields: dict[str, object], *, blocks: bool
) -> None:
    hook, problems = handler(event, **fields, onFailure="block")
    assert isinstance(hook.spec, (ShellSpec, HttpSpec, ToolSpec))
    assert hook.spec.blocks_on_failure is blocks
    assert [problem.code for problem in problems] == ([] if blocks else ["on-failure-unused"])


@pytest.mark.parametrize(
    ("written", "timeout", "code"),
    [
        (10, 10, None),
        (0.5, 0.5, None),
        (3600, 3600, None),
        (1234, 1234, None),
        ("30", 30, "field-numeric-text"),
        (" 1.5 ", 1.5, "field-numeric-text"),
        (5000, 5000, "timeout-in-milliseconds"),
        (60_000, 60_000, "timeout-in-milliseconds"),
        (600_000, 86_400, "timeout-in-milliseconds"),
        (1e300, 86_400, "timeout-too-long"),
        (0, 600, "field-type"),
        (-1, 600, "field-type"),
        ("30s", 600, "field-type"),
        ("nan", 600, "field-type"),
        (True, 600, "field-type"),
        ([3], 600, "field-type"),
    ],
)
def test_a_timeout_is_a_number_of_seconds(written: object, timeout: float, code: str | None) -> None:
    hook, problems = handler(**ECHO, timeout=written)
    assert hook.timeout == timeout
    assert [problem.code for problem in problems] == ([] if code is None else [code])
    assert runs(hook)


def test_milliseconds_are_told_with_the_seconds_that_were_probably_meant() -> None:
    _, (problem,) = handler(**ECHO, timeout=5000)
    assert "did you mean 5?" in str(problem.hint)


@pytest.mark.parametrize(
    ("event", "fields", "timeout"),
    [
        ("PreToolUse", ECHO, 600),
        ("UserPromptSubmit", ECHO, 30),
        ("MessageDisplay", ECHO, 10),
        ("PreModelSwitch", ECHO, 30),
        ("PreToolUse", PROMPT, 30),
        ("PreToolUse", AGENT, 60),
        ("PreToolUse", HTTP, 600),
    ],
)
def test_a_handler_without_a_timeout_has_that_of_its_event_or_type(
    event: str, fields: dict[str, object], timeout: float
) -> None:
    assert handler(event, **fields)[0].timeout == timeout


@pytest.mark.parametrize("event", CLAUDE_EVENTS)
@pytest.mark.parametrize("fields", ALL, ids=lambda fields: fields["type"])
def test_each_type_is_either_run_or_refused_at_load(event: str, fields: dict[str, str]) -> None:
    # Public fault anthropics/claude-code#32977: one event ran http hooks, another one skipped them in silence.
    hook, problems = handler(event, **fields)
    allowed = fields["type"] in CLAUDE_EVENTS[event].types
    assert runs(hook) is allowed
    assert [problem.code for problem in problems] == ([] if allowed else ["type-not-for-event"])


@pytest.mark.parametrize("event", CLAUDE_EVENTS)
def test_a_rule_at_an_event_that_looks_at_none_never_runs_and_is_told(event: str) -> None:
    hook, problems = handler(event, **ECHO, **{"if": "Bash(git *)"})
    looks = CLAUDE_EVENTS[event].takes_rule
    assert (hook.left_out.code if hook.left_out else None) == (None if looks else "ruleNotMet")
    assert [problem.code for problem in problems] == ([] if looks else ["rule-never-met"])


def test_the_home_folder_in_a_rule_is_filled_in_when_settings_are_read() -> None:
    hook, _ = handler(**ECHO, **{"if": "Edit(~/notes/**)"})
    assert hook.rule == "Edit(//home/u/notes/**)"


def test_every_problem_of_a_handler_names_file_line_column_and_entry() -> None:
    text = json.dumps({"hooks": {"PreToolUse": [{"hooks": [ECHO, {**ECHO, "timeout": "x", "If": "y"}]}]}}, indent=1)
    found = loaded(layer("project", text))
    lines = text.splitlines()
    assert codes(found.problems) == [
        ("error", "field-type", "PreToolUse[0].hooks[1]"),
        ("error", "unknown-key", "PreToolUse[0].hooks[1]"),
    ]
    for problem, written in zip(found.problems, ['"x"', '"If"'], strict=True):
        assert problem.path == "/project/settings.json"
        assert lines[problem.line - 1][problem.column - 1 : problem.end_column - 1] == written


# Public fault anthropics/claude-code#33431: a plugin's folder with a blank in its path.
@pytest.mark.parametrize(
    ("root", "command", "told"),
    [
        ("/My Plugins/p", "bash ${CLAUDE_PLUGIN_ROOT}/h.sh", True),
        ("/My Plugins/p", "bash $CLAUDE_PLUGIN_ROOT/h.sh", True),
        ("/My Plugins/p", 'bash "${CLAUDE_PLUGIN_ROOT}/h.sh"', False),
        ("/My Plugins/p", 'bash "${CLAUDE_PLUGIN_ROOT}"/h.sh', False),
        ("/p$x", "bash ${CLAUDE_PLUGIN_ROOT}/h.sh", True),
        ("/p*", "bash ${CLAUDE_PLUGIN_ROOT}/h.sh", True),
        ("/插件/p", "bash ${CLAUDE_PLUGIN_ROOT}/h.sh", False),
        ("/plugins/p", "bash ${CLAUDE_PLUGIN_ROOT}/h.sh", False),
    ],
)
def test_a_plugins_path_that_the_shell_would_take_apart_is_told(root: str, command: str, *, told: bool) -> None:
    ref = PluginRef("p", root, "/data")
    found = loaded(plugin_layer(settings({"type": "command", "command": command}), ref))
    assert [problem.code for problem in found.problems] == (["unquoted-path"] if told else [])
    assert runs(one(found))


def test_a_plugins_options_never_reach_a_shells_source() -> None:
    command = {"type": "command", "command": "curl ${user_config.url}"}
    found = loaded(plugin_layer(settings(command, {**command, "args": []})))
    assert [problem.code for problem in found.problems] == ["option-in-shell", "command-with-blank"]
    assert list(reasons(found).values()) == ["invalid", None]


def test_a_handler_carries_the_plugin_it_comes_from() -> None:
    # Public fault anthropics/claude-code#29724: the same command in two plugins is two hooks.
    other = PluginRef("more@market", "/plugins/more", "/data/more")
    found = loaded(plugin_layer(settings(ECHO)), plugin_layer(settings(ECHO), other))
    assert [hook.spec for hook in found.hooks] == [
        ShellSpec(command="echo", plugin=PLUGIN),
        ShellSpec(command="echo", plugin=other),
    ]


def test_a_command_is_never_rewritten() -> None:
    # Public fault dyoshikawa/rulesync#1228.
    command = "  echo \"$X\"; ./a.sh\n'${CLAUDE_PROJECT_DIR}'/b && true "
    assert handler(type="command", command=command)[0].spec == ShellSpec(command=command)


def test_the_same_command_at_two_events_is_two_hooks() -> None:
    # Public fault Yeachan-Heo/oh-my-claudecode#3640.
    found = loaded({"hooks": {"PreToolUse": [{"hooks": [ECHO]}], "PostToolUse": [{"hooks": [ECHO]}]}})
    assert list(reasons(found).values()) == [None, None]


def test_an_unknown_type_alone_is_one_problem() -> None:
    assert problem_of(loaded(settings({"type": "webhook", "to": "x"}))).code == "type-unknown"
