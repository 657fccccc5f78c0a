"""Owns which script of its own a command plainly names; looks at no disk, and guesses nothing."""

from __future__ import annotations

import os.path
import re
import shlex
from collections.abc import Mapping, Sequence

from msgspec import Struct

from tenterhook.dialects.claude_code.specs import HandlerSpec, ShellSpec

__all__ = ["Script", "script_of"]

_INTERPRETERS = frozenset(
    {"bash", "bun", "dash", "node", "perl", "php", "python", "python3", "ruby", "sh", "tsx", "zsh"}
)
"""Programs whose first argument is a script. One that takes an option before it is not looked into."""

_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))", re.ASCII)
_SHELL_SYNTAX = re.compile(r"""[;&|<>()`*?\[\]{}#!\\'$\n]|"~""")
"""What makes more of a line than a program and its arguments, once variables are taken out."""


class Script(Struct, frozen=True):
    """A file that a hook cannot do without."""

    path: str
    """Absolute, or below the project."""
    itself: bool
    """It is the program; else an interpreter is given it."""


def script_of(spec: HandlerSpec, home: str | None) -> Script | None:
    """The script, where the command names one by its whole path and nothing in it is left to chance.

    A relative path means another file in every folder that a session may be in, so that nobody can say.

    Args:
        spec: what the handler does.
        home: what ``~`` means to a shell; None: nobody knows.
    """
    if not isinstance(spec, ShellSpec) or (spec.shell == "powershell" and spec.args is None):
        return None
    if "/" not in spec.command and not spec.args:
        return None  # most lines: the rest has its price where a file has ten thousand of them
    words = _words_of_line(spec.command) if spec.args is None else (spec.command, *spec.args)
    if not words or "=" in words[0].partition("/")[0]:
        return None
    itself = "/" in words[0]
    if not itself and (words[0] not in _INTERPRETERS or len(words) < 2):
        return None
    path = _place(words[0 if itself else 1], spec, home)
    return None if path is None else Script(path, itself)


def _words_of_line(line: str) -> Sequence[str] | None:
    """The words of a line that is nothing but a program and its arguments."""
    if _SHELL_SYNTAX.search(_VARIABLE.sub("", line)) is not None:
        return None
    try:
        return shlex.split(line)
    except ValueError:
        return None


def _place(word: str, spec: ShellSpec, home: str | None) -> str | None:
    start, slash, rest = word.partition("/")
    if not slash or _VARIABLE.search(rest) is not None:
        return None
    starts: Mapping[str, str | None] = {
        "CLAUDE_PROJECT_DIR": "",
        "CLAUDE_PLUGIN_ROOT": spec.plugin and spec.plugin.root,
    }
    variable = _VARIABLE.fullmatch(start)
    if not start:
        place: str | None = "/"
    elif start == "~":
        place = home if spec.args is None else None
    elif variable is None or (spec.args is not None and variable[1] is None):
        return None  # with args only the form with braces is filled in
    else:
        place = starts.get(variable[1] or variable[2])
    return None if place is None else os.path.normpath(os.path.join(place, rest))
