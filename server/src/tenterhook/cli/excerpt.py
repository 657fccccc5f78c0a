"""Owns cutting the marked piece out of a hook file for a person to see; knows neither colours nor commands."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence

from msgspec import Struct
from rich.cells import cell_len
from tenterhook_protocol.problems import Problem

from tenterhook.cli.visible import visible
from tenterhook.config.files import read_layer
from tenterhook.config.layers import Source

__all__ = ["Excerpt", "excerpt", "lines_of"]


class Excerpt(Struct, frozen=True):
    """One line of a file, and the mark below it."""

    number: str
    """Number of the line."""
    before: str
    marked: str
    after: str
    offset: int
    """Columns of the terminal from the start of the line to the mark."""
    length: int
    """Columns of the mark; at least 1."""


def lines_of(path: str) -> Sequence[str]:
    """The lines of a hook file as its reader counts them; none where it cannot be read."""
    content = read_layer(Source(layer="", path=path)).content
    if content is None:
        return ()
    encoding = "utf-16" if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    return re.split("\r\n|\r|\n", content.decode(encoding, "replace"))


def excerpt(problem: Problem, lines: Sequence[str], width: int) -> Excerpt | None:
    """What a problem is about, at most ``width`` columns of it; None where the file has no such line."""
    if not 1 <= problem.line <= len(lines) or not lines[problem.line - 1].strip():
        return None
    line = lines[problem.line - 1]
    start = min(problem.column - 1, len(line))
    end = problem.end_column - 1 if problem.end_line == problem.line else len(line.rstrip())
    end = min(max(end, start), len(line))
    before, marked, after = (visible(part) for part in (line[:start], line[start:end], line[end:]))
    if cell_len(before) > width // 2:
        before = "..." + _tail(before, width // 2 - 3)
    marked = _head(marked, width - cell_len(before))
    after = _head(after.rstrip(), width - cell_len(before) - cell_len(marked))
    return Excerpt(str(problem.line), before, marked, after, cell_len(before), max(cell_len(marked), 1))


def _head(text: str, width: int) -> str:
    if cell_len(text) <= width:
        return text
    text = text[: max(width - 3, 0)]
    while cell_len(text) > max(width - 3, 0):
        text = text[:-1]
    return f"{text}..."


def _tail(text: str, width: int) -> str:
    text = text[-width:]
    while text and cell_len(text) > width:
        text = text[1:]
    return text
