"""How commands end when a signal comes or nobody reads. Each is a process of its own, ended by events alone."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from server.cli.desk import entry, hook_file

HOLD = "exec 3>alive; echo started >&3; sleep 60 & wait"
"""Two processes that hold the pipe ``alive`` open as long as one of them lives."""


def start(root: Path, words: Sequence[str], stdout: int, **environment: str) -> subprocess.Popen[bytes]:
    kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}}
    return subprocess.Popen(
        [sys.executable, "-m", "tenterhook", *words],
        cwd=root,
        env={**kept, "HOME": str(root / "home"), "TERM": "xterm", **environment},
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".codingcode").mkdir()
    long = " ".join(["a description that is too long for one line of a terminal"] * 3)
    hooks = hook_file(entry("hold", HOLD, more=[f"description: {long}"]), "  - name: broken\n    pirority: 1\n")
    (tmp_path / ".codingcode" / "hooks.yaml").write_text(hooks)
    (tmp_path / "payload.json").write_text("{}")
    os.mkfifo(tmp_path / "alive")
    return tmp_path


@pytest.mark.parametrize("words", [("test", "hold"), ("emit", "tool.approval.pre")], ids=["test", "emit"])
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=["INT", "TERM", "HUP"]
)
def test_a_signal_ends_the_hooks_whole_tree_and_then_the_command(
    root: Path, words: tuple[str, ...], number: signal.Signals, code: int
) -> None:
    with start(root, [*words, "--payload", "payload.json"], subprocess.PIPE) as process:
        with open(root / "alive", "rb") as alive:
            assert alive.readline() == b"started\n"
            process.send_signal(number)
            assert alive.read() == b""  # the end comes when the last process of the tree is gone
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (code, b"")
    assert b"Traceback" not in err


COMMANDS = {
    "list": ["list"],
    "list-json": ["list", "--format", "json"],
    "check": ["check"],
    "explain": ["explain", "tool.approval.pre"],
    "emit": ["emit", "agent.turn.end", "--payload", "payload.json"],
}


@pytest.mark.parametrize("case", COMMANDS)
def test_a_command_that_nobody_reads_ends_quietly(root: Path, case: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with start(root, COMMANDS[case], writer) as process:
        os.close(writer)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 141
    assert b"Broken pipe" not in err
    assert b"Traceback" not in err


def test_a_closed_stdout_is_no_fault(root: Path) -> None:
    ended = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m tenterhook list >&-"],
        cwd=root,
        env={**os.environ, "HOME": str(root / "home")},
        stderr=subprocess.PIPE,
        check=False,
        timeout=30,
    )
    assert ended.returncode == 0
    assert b"Traceback" not in ended.stderr


def on_a_terminal(root: Path, words: Sequence[str], width: int, **environment: str) -> str:
    """What a command writes to a terminal."""
    ours, theirs = pty.openpty()
    with start(root, words, theirs, COLUMNS=str(width), **environment) as process:
        os.close(theirs)
        shown = bytearray()
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:
            pass  # how Linux tells that the last writer has closed a terminal
        os.close(ours)
        process.communicate(timeout=30)
    return shown.decode()


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("command", ["list", "check", "explain"])
def test_a_terminal_gets_lines_that_fit_and_colours_unless_it_wants_none(root: Path, command: str, width: int) -> None:
    assert "\x1b[" in on_a_terminal(root, COMMANDS[command], width)
    plain = on_a_terminal(root, COMMANDS[command], width, NO_COLOR="1")
    assert "\x1b" not in plain
    assert max(map(len, plain.split("\r\n"))) <= width
