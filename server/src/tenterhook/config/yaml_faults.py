"""Owns the words for text that is no YAML: what is wrong, where, and what to do; knows no hooks and parses nothing.

The parser's own messages name grammar rules. Here they are turned into what a person can mend.
"""

from __future__ import annotations

import re
import sys
from typing import Protocol

from msgspec import Struct

from tenterhook.config.document import Span

__all__ = ["Mark", "SyntaxFault", "describe_escape", "describe_fault"]


class Mark(Protocol):
    """A place as the parser tells it. Line and column start at 0."""

    @property
    def line(self) -> int:
        """Line, from 0."""
        ...

    @property
    def column(self) -> int:
        """Column in code points, from 0."""
        ...


class SyntaxFault(Struct, frozen=True):
    """One fault, ready to be told."""

    code: str
    message: str
    hint: str
    span: Span


_INDENT = "entries of one list or mapping begin in the same column: check the indentation"

_KNOWN: tuple[tuple[str, str, str], ...] = (
    (
        "mapping values are not allowed",
        "A ': ' stands where no value can begin",
        "put the whole value in quotes, or check the indentation",
    ),
    ("',' or ']'", "The list that begins in line {start} is not closed", "add the missing comma, or the closing ']'"),
    (
        "',' or '}'",
        "The mapping that begins in line {start} is not closed",
        "add the missing comma, or the closing '}'",
    ),
    ("expected ':'", "A key without ': ' after it", "write `key: value`; put a longer text in quotes"),
    ("expected key", "This line does not fit what begins in line {start}", _INDENT),
    ("'-' indicator", "This line does not fit the list that begins in line {start}", _INDENT),
    ("<block", "This line does not fit what begins in line {start}", _INDENT),
    ("<document start>", "Something follows the end of the document", _INDENT),
    (
        "Unicode character escape",
        "A backslash sequence for a character that there is not, such as half of a surrogate pair",
        "write the character itself, or \\U with its eight digits",
    ),
    ("escape", "A backslash sequence that YAML does not know", "write \\\\ for a backslash, or use single quotes"),
    ("nesting depth", "Lists or mappings are nested too deeply", "a hook file needs no more than four levels"),
)
"""What the parser says, what it means, and what to do. The first that fits counts."""


def describe_fault(problem: str, place: Mark | None, context: str, start: Mark | None, text: str) -> SyntaxFault:
    """What the parser complains of, for the author of the file.

    Args:
        problem: the parser's complaint.
        place: where it gave up.
        context: what it was reading.
        start: where that begins.
        text: the whole file.
    """
    line, column = (place.line, place.column) if place is not None else (0, 0)
    lines = re.split("\r\n|\r|\n", text)
    if line >= len(lines):  # the parser counts one line more at the end of a file
        line, column = len(lines) - 1, len(lines[-1])
    here = lines[line]
    if "\t" in here[: len(here) - len(here.lstrip(" \t"))]:
        at = here.index("\t")
        return SyntaxFault(
            "yaml-tab",
            _ended("This line is indented with a tab, which YAML does not allow"),
            "indent with spaces",
            Span(line + 1, at + 1, line + 1, at + 2),
        )
    if start is not None and "quoted scalar" in context and "end of stream" in problem:
        line, column = start.line, start.column
        message, hint = "The quoted text that begins here has no closing quote", "add the closing quote"
    elif start is not None and "expected ':'" in problem:
        line, column = start.line, start.column
        message, hint = _known(problem, start)
    elif "cannot start any token" in problem and column < len(here):
        message, hint = f"A value cannot begin with {here[column]!r}", "put the value in quotes"
    else:
        message, hint = _known(problem, start)
    end = max(column + 1, len(lines[line].rstrip()))
    return SyntaxFault("yaml-syntax", _ended(message), hint, Span(line + 1, column + 1, line + 1, end + 1))


def describe_escape(text: str) -> SyntaxFault:
    """The first escape in the file that names no character."""
    found = next((each for each in _ESCAPE.finditer(text) if int(each[1], 16) > sys.maxunicode), None)
    start = 0 if found is None else found.start()
    before = re.split("\r\n|\r|\n", text[:start])
    line, column = len(before), len(before[-1]) + 1
    message, hint = _known("Unicode character escape", None)
    return SyntaxFault("yaml-syntax", _ended(message), hint, Span(line, column, line, column + 10))


_ESCAPE = re.compile(r"\\U([0-9A-Fa-f]{8})")


def _known(problem: str, start: Mark | None) -> tuple[str, str]:
    for words, message, hint in _KNOWN:
        if words in problem and (start is not None or "{start}" not in message):
            return message.replace("{start}", str(start.line + 1) if start is not None else ""), hint
    return f"This is not YAML ({problem})", "check quotes and indentation near this place"


def _ended(message: str) -> str:
    return f"{message}; nothing of this file is loaded"
