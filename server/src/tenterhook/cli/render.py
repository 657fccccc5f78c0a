"""Owns how text reaches a person: colours, wrapping, paths, harmless control characters; knows no command."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from typing import Final, Literal

from rich.console import Console
from rich.text import Text

from tenterhook.cli.inputs import here
from tenterhook.cli.visible import visible
from tenterhook.model import Origin

__all__ = ["Page", "Style", "command_line", "count", "near", "visible", "where"]

Style = Literal["", "bold", "dim", "cyan", "green", "red", "yellow", "bold red", "bold yellow", "bold cyan"]

Part = str | tuple[str, Style]
"""A piece of a line, and how it looks."""

_NARROWEST: Final = 40
_READABLE: Final = 24
"""Columns that a wrapped text needs; with fewer it starts further to the left instead."""


class Page:
    """Lines on stdout. On a terminal they are coloured and wrapped at its width; else they are plain and whole."""

    def __init__(self) -> None:
        if sys.stdout is not None:  # pyright: ignore[reportUnnecessaryComparison] - None where fd 1 is closed
            reconfigure = getattr(sys.stdout, "reconfigure", None)
            if reconfigure is not None:
                # A terminal that cannot show a character gets its number instead of ending the command.
                reconfigure(errors="backslashreplace")
        # Without colours bold and dim are left out too: what is not plain is in the way of whoever asks for that.
        colours = None if os.environ.get("NO_COLOR") else "auto"
        self._console = _Console(highlight=False, markup=False, emoji=False, color_system=colours)
        self._wraps = self._console.is_terminal

    @property
    def width(self) -> int | None:
        """Columns of the terminal; None where lines may be of any length."""
        return max(self._console.width, _NARROWEST) if self._wraps else None

    def line(self, *parts: Part, indent: int = 0, hang: int = 0) -> None:
        """One line; wherever it has to be wrapped, it goes on ``hang`` columns further to the right."""
        text = Text()
        for part in parts:
            words, style = (part, "") if isinstance(part, str) else part
            text.append(visible(words), style)
        if self.width is None:
            lines: Sequence[Text] = [text]
        else:
            hang = hang if self.width - indent - hang >= _READABLE else min(hang, 8)
            lines = self._wrapped(text, self.width - indent, hang)
        for number, one in enumerate(lines):
            margin = indent + hang if number else indent
            self._console.print(Text(" " * margin) + one, soft_wrap=True)

    def gap(self) -> None:
        """An empty line."""
        self._console.print()

    def _wrapped(self, text: Text, width: int, hang: int) -> Sequence[Text]:
        if text.cell_len <= width:
            return [text]
        first = text.wrap(self._console, max(width, _NARROWEST // 2))[0]
        rest = text[len(first.plain) :]
        rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
        return [first, *rest.wrap(self._console, max(width - hang, _NARROWEST // 2))]


class _Console(Console):
    """rich's console, but for its own way to end a process whose output nobody reads."""

    def on_broken_pipe(self) -> None:
        """Leave it to ``settle``."""
        raise BrokenPipeError


def near(path: str) -> str:
    """The path as seen from the current folder, where that is shorter."""
    try:
        relative = os.path.relpath(path, here())
    except ValueError:
        return path
    return relative if len(relative) < len(path) else path


def where(origin: Origin) -> str:
    """Layer, file and line of something configured."""
    return f"{origin.layer} {near(origin.path)}:{origin.line}"


def command_line(command: Sequence[str]) -> str:
    """A program and its arguments as one would type them."""
    return shlex.join(command)


def count(number: int, thing: str) -> str:
    """``1 hook``, ``2 hooks``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
