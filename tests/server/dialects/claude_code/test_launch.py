"""How a command is started: shell form, exec form, environment, folders."""

from __future__ import annotations

import pytest
from msgspec import Raw, structs
from server.dialects.claude_code.judging import CONTEXT, PLUGIN, context, event, hook
from tenterhook.dialects.base import LaunchContext
from tenterhook.dialects.claude_code.launch import async_seconds, launch_hook
from tenterhook.dialects.claude_code.specs import ShellSpec
from tenterhook.model import Event, ProcessLaunch, RefusedLaunch

WITH_PLUGIN = ShellSpec(command="x", plugin=PLUGIN)


def launched(spec: ShellSpec, where: LaunchContext = CONTEXT, what: Event | None = None) -> ProcessLaunch:
    launch = launch_hook(hook(spec=spec), what or event(), where)
    assert isinstance(launch, ProcessLaunch)
    return launch


@pytest.mark.parametrize(
    ("shell", "started"),
    [
        ("/bin/bash", "/bin/bash"),
        ("/usr/bin/zsh", "/usr/bin/zsh"),
        ("/bin/sh", "/bin/sh"),
        ("/usr/bin/fish", "sh"),
        ("", "sh"),
        (None, "sh"),
    ],
)
def test_a_line_is_run_by_the_users_shell_where_it_is_a_known_one_and_never_as_a_login_shell(
    shell: str | None, started: str
) -> None:
    where = context() if shell is None else context(SHELL=shell)
    assert launched(ShellSpec(command="a && b"), where).argv == (started, "-c", "a && b")


@pytest.mark.parametrize(
    ("spec", "argv"),
    [
        (ShellSpec(command="a", shell="bash"), ("bash", "-c", "a")),
        (
            ShellSpec(command="& ${CLAUDE_PROJECT_DIR}/a.ps1 $CLAUDE_PROJECT_DIR", shell="powershell"),
            (
                "pwsh", "-NoProfile", "-NonInteractive", "-Command",
                "& ${env:CLAUDE_PROJECT_DIR}/a.ps1 $CLAUDE_PROJECT_DIR",
            ),
        ),
        (ShellSpec(command="${CLAUDE_PROJECT_DIR}/a.sh"), ("sh", "-c", "${CLAUDE_PROJECT_DIR}/a.sh")),
    ],
)  # fmt: skip
def test_a_handler_may_name_its_shell_and_its_line_stays_as_it_is(spec: ShellSpec, argv: tuple[str, ...]) -> None:
    assert launched(spec).argv == argv


def test_a_prefix_wraps_the_line_and_neither_a_program_nor_powershell() -> None:
    where = context(CLAUDE_CODE_SHELL_PREFIX="/opt/log it")
    assert launched(ShellSpec(command="echo 'a'"), where).argv == ("sh", "-c", """/opt/log it 'echo '"'"'a'"'"''""")
    assert launched(ShellSpec(command="a", args=("b",)), where).argv == ("a", "b")
    assert launched(ShellSpec(command="a", shell="powershell"), where).argv[-1] == "a"


@pytest.mark.parametrize(
    "word",
    ["$HOME", "*", ";", "`id`", "a b", "\\", "'", '"', "", "$(id)", "${HOME}", "\n", "禁"],
)
def test_arguments_of_a_program_arrive_byte_for_byte(word: str) -> None:
    """anthropics/claude-code#70150: no shell is in between."""
    assert launched(ShellSpec(command="bash", args=(word,))).argv == ("bash", word)


def test_placeholders_in_a_program_are_plain_text_and_filled_in_once() -> None:
    odd = structs.replace(PLUGIN, root="/plugins/${CLAUDE_PROJECT_DIR} $x", options=(("k", "v w"),))
    spec = ShellSpec(
        command="${CLAUDE_PLUGIN_ROOT}/bin/x",
        args=("--at=${CLAUDE_PROJECT_DIR}", "${CLAUDE_PLUGIN_DATA}:${user_config.k}", "$CLAUDE_PROJECT_DIR"),
        plugin=odd,
    )
    assert launched(spec).argv == (
        "/plugins/${CLAUDE_PROJECT_DIR} $x/bin/x",
        "--at=/p",
        "/data/p:v w",
        "$CLAUDE_PROJECT_DIR",
    )


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        (ShellSpec(command="curl -H ${user_config.api_key}", plugin=PLUGIN), "$CLAUDE_PLUGIN_OPTION_API_KEY"),
        (ShellSpec(command="curl ${user_config.k}"), "would be run as shell text"),
        (ShellSpec(command="node x.js", args=()), "write command 'node' and put ['x.js'] into `args`"),
        (ShellSpec(command="x", args=("${user_config.nope}",), plugin=PLUGIN), "there is no such setting"),
        (ShellSpec(command="x", args=("${user_config.nope}",)), "the hook is of no plugin"),
    ],
)
def test_what_cannot_be_started_as_it_is_written_is_refused_with_what_to_do(spec: ShellSpec, says: str) -> None:
    launch = launch_hook(hook(spec=spec), event(), CONTEXT)
    assert isinstance(launch, RefusedLaunch)
    assert says in launch.reason
    assert "s3cret" not in launch.reason


def test_a_path_with_blanks_is_one_program() -> None:
    """anthropics/claude-code#33431: a folder of that kind splits nothing."""
    assert launched(ShellSpec(command="${CLAUDE_PLUGIN_ROOT}/h.sh", args=(), plugin=PLUGIN)).argv == (
        "/plugins/my p/h.sh",
    )


def test_the_environment_says_what_the_contract_says() -> None:
    inherited = {
        "PATH": "/bin",
        "OTEL_EXPORTER_OTLP_HEADERS": "secret",
        "BASH_ENV": "/home/u/.profile",
        "CLAUDE_ENV_FILE": "/old",
        "CLAUDE_PLUGIN_ROOT": "/other",
        "CLAUDE_PLUGIN_OPTION_X": "1",
        "ANTHROPIC_API_KEY": "k",
        "TENTERHOOK_RUN_ID": "r0",
    }
    what = event(payload={"effort": {"level": "high"}}, traceparent="00-1")
    assert launched(ShellSpec(command="x"), context(**inherited), what).env == {
        "PATH": "/bin",
        "ANTHROPIC_API_KEY": "k",
        "CLAUDECODE": "1",
        "CLAUDE_CODE_CHILD_SESSION": "1",
        "CLAUDE_CODE_SESSION_ID": "s1",
        "CLAUDE_EFFORT": "high",
        "CLAUDE_PROJECT_DIR": "/p",
        "TENTERHOOK_POINT": "PreToolUse",
        "TENTERHOOK_EVENT_ID": "e1",
        "TENTERHOOK_RUN_ID": "r1",
        "TENTERHOOK_PROJECT_DIR": "/p",
        "TENTERHOOK_VERSION": "9.9",
        "TRACEPARENT": "00-1",
    }


def test_a_plugins_hook_knows_its_plugin_and_the_users_settings_for_it() -> None:
    env = launched(WITH_PLUGIN).env
    assert {name: value for name, value in env.items() if "PLUGIN" in name} == {
        "CLAUDE_PLUGIN_ROOT": "/plugins/my p",
        "CLAUDE_PLUGIN_DATA": "/data/p",
        "CLAUDE_PLUGIN_OPTION_API_KEY": "s3cret",
        "CLAUDE_PLUGIN_OPTION_MODE": "fast",
    }


def test_credentials_are_taken_away_where_the_user_wants_it() -> None:
    where = context(CLAUDE_CODE_SUBPROCESS_ENV_SCRUB="1", ANTHROPIC_API_KEY="k", AWS_SECRET_ACCESS_KEY="s", HOME="/h")
    env = launched(ShellSpec(command="x"), where).env
    assert "ANTHROPIC_API_KEY" not in env
    assert "AWS_SECRET_ACCESS_KEY" not in env
    assert env["HOME"] == "/h"


@pytest.mark.parametrize("point", ["Stop", "SubagentStop", "PreToolUse", "SessionEnd"])
def test_two_events_are_told_how_often_a_stop_was_overruled(point: str) -> None:
    what = structs.replace(event(point), continuations=3)
    env = launched(ShellSpec(command="x"), CONTEXT, what).env
    assert env.get("TENTERHOOK_CONTINUATIONS") == ("3" if point in {"Stop", "SubagentStop"} else None)


@pytest.mark.parametrize("point", ["SessionStart", "Setup", "CwdChanged", "FileChanged", "PreToolUse", "Stop"])
def test_four_events_have_a_file_for_variables(point: str) -> None:
    launch = launch_hook(hook(point=point), event(point), CONTEXT)
    assert isinstance(launch, ProcessLaunch)
    expected = None if point in ("PreToolUse", "Stop") else "/tmp/x/r1/environment.sh"
    assert launch.collects == expected
    assert launch.env.get("CLAUDE_ENV_FILE") == expected


@pytest.mark.parametrize(
    ("payload", "folders"),
    [
        ({"cwd": "/p/sub"}, ("/p/sub", "/p", "/home/u", "/tmp")),
        ({"cwd": "/p"}, ("/p", "/home/u", "/tmp")),
        ({"cwd": "sub"}, ("/p", "/home/u", "/tmp")),
        ({"cwd": 7}, ("/p", "/home/u", "/tmp")),
    ],
)
def test_a_hook_stands_in_the_sessions_folder_or_in_the_next_that_is_there(
    payload: dict[str, object], folders: tuple[str, ...]
) -> None:
    """anthropics/claude-code#67147: a folder that is gone takes no hook with it."""
    assert launched(ShellSpec(command="x"), CONTEXT, event(payload=payload)).cwd == folders


def test_the_payload_is_one_line_on_stdin() -> None:
    what = structs.replace(event(), payload=Raw(b'{"z": 1.10, "hook_event_name": "PreToolUse"}'))
    launch = launched(ShellSpec(command="x"), CONTEXT, what)
    assert launch.stdin == b'{"z": 1.10, "hook_event_name": "PreToolUse"}\n'


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        (b'{"async": true}', 600.0),
        (b'\xef\xbb\xbf{"async":true,"asyncTimeout":15000}\r\n', 15.0),
        (b'{"asyncTimeout": null, "async": true}', 600.0),
        (b'{"async": true, "asyncTimeout": 0}', 600.0),
        (b'{"async": false}', None),
        (b'{"async": "true"}', None),
        (b'{"decision": "block"}', None),
        (b"async", None),
        (b'{"async": true', None),
        (b"", None),
    ],
)
def test_a_first_line_lets_the_run_go_on_in_the_background(line: bytes, seconds: float | None) -> None:
    assert async_seconds(line, 600.0) == seconds


def test_only_a_hook_that_somebody_waits_for_can_be_let_go() -> None:
    waits = launched(ShellSpec(command="x"))
    assert waits.detaches is not None
    assert waits.detaches(b'{"async":true}') == 600.0
    nobody = launch_hook(hook(background=True), event(), CONTEXT)
    assert isinstance(nobody, ProcessLaunch)
    assert nobody.detaches is None
