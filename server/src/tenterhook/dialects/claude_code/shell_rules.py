"""Owns when a rule's pattern means a shell command; knows neither payloads nor hooks, and reads no command itself."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tenterhook.dialects.claude_code.bash_commands import read_bash
from tenterhook.dialects.claude_code.powershell_commands import cmdlet, read_powershell
from tenterhook.dialects.claude_code.shell_commands import Commands
from tenterhook.dialects.claude_code.wildcards import Wildcard, wildcard

__all__ = ["Shell", "ShellPattern", "read_commands", "shell_pattern"]

Shell = Literal["Bash", "PowerShell"]


class ShellPattern(Struct, frozen=True):
    """A rule's specifier for a shell tool."""

    wildcard: Wildcard
    bare: str | None
    """What a single star at the end, behind a blank, leaves: ``ls *`` means ``ls`` too."""
    beyond_the_name: bool
    """It says more than which program: what the shell fills in could be what it says (reference 4.4)."""

    def means(self, commands: Commands) -> bool:
        """Whether one of the commands is meant for certain."""
        return any(text == self.bare or self.wildcard.matches(text) for text in commands.texts)

    def could_mean(self, commands: Commands) -> bool:
        """Whether what nobody can read in them may be meant."""
        return not commands.known or (self.beyond_the_name and commands.substitutes)


def shell_pattern(specifier: str, shell: Shell) -> ShellPattern:
    """A pattern for commands: ``*`` anywhere, ``:*`` at the end for a blank and a star."""
    text = specifier.strip()
    if text.endswith(":*"):
        text = f"{text[:-2]} *"
    if shell == "PowerShell":
        text = cmdlet(text)
    bare = text[:-2] if text.endswith(" *") and text.count("*") == 1 else None
    name = text[:-1].rstrip() if text.endswith("*") else text
    return ShellPattern(
        wildcard=wildcard("*" if bare == "" else text),
        bare=bare,
        beyond_the_name=bool(name) and ("*" in name or len(name.split()) > 1),
    )


def read_commands(command: str, shell: Shell) -> Commands:
    """The single commands of a shell command."""
    return read_bash(command) if shell == "Bash" else read_powershell(command)
