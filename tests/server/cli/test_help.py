"""What the command line says about itself."""

from __future__ import annotations

import pytest
from server.cli.desk import Desk
from tenterhook import __version__

COMMANDS = ["check", "list", "explain", "test", "emit", "serve", "trust", "demo"]


def test_the_help_names_every_command(desk: Desk) -> None:
    ended = desk.run("--help")
    assert ended.code == 0
    listed = [line.split()[0] for line in ended.out.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()]
    assert listed == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_every_command_has_help_that_fits_80_columns(desk: Desk, command: str, option: str) -> None:
    ended = desk.run(command, option)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.lower().startswith(f"usage: tenterhook {command}")
    assert max(map(len, ended.lines)) <= 80
    assert "\b" not in ended.out


@pytest.mark.parametrize("command", ["check", "list", "explain", "test", "emit"])
def test_the_help_has_an_example(desk: Desk, command: str) -> None:
    examples = desk.run(command, "--help").out.partition("examples:\n")[2]
    assert f"tenterhook {command}" in examples


def test_the_version_is_told(desk: Desk) -> None:
    assert desk.run("--version").out == f"tenterhook {__version__}\n"


def test_both_grammars_of_emit_know_the_same_options(desk: Desk) -> None:
    """``emit`` is parsed without typer; typer's declaration serves the shell's completion."""
    from tenterhook.cli.app import app  # noqa: PLC0415 - typer, only here
    from typer.main import get_command  # noqa: PLC0415 - as above

    group = get_command(app)
    declared = group.commands["emit"]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType] - a group
    options = {name for one in declared.params for name in one.opts if name.startswith("--")}  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - as above
    usage = desk.run("emit", "--help").out
    assert options == {word for word in usage.split() if word.startswith("--") and word.isascii()} - {"--help"}


MISTAKES = {
    "no-such-command": (["chekc"], "No such command 'chekc'. Did you mean 'check'?"),
    "no-point": (["explain"], "Missing argument 'POINT'"),
    "no-payload": (["test", "x"], "Missing option '--payload'"),
    "no-payload-for-emit": (["emit", "x"], "the following arguments are required: --payload"),
    "an-option-nobody-has": (["emit", "x", "--payload", "-", "--loud"], "unrecognized arguments: --loud"),
    "a-format-nobody-has": (["list", "--format", "xml"], "--format"),
    "serve-takes-nothing": (["serve", "--port", "1"], "serve takes no '--port 1'"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_told_on_stderr_and_exits_2(desk: Desk, case: str) -> None:
    words, told = MISTAKES[case]
    ended = desk.run(*words)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err
    assert "Traceback" not in ended.err
