"""Owns the tree that every hook file is read into: plain values, each with its place; knows no file format.

A format's reader (``yaml_reader``) turns bytes into a ``Document``.
It never fails: what is wrong with the bytes is a list of problems beside the value.
Places are 1-based lines and 1-based columns in Unicode code points, as compilers print them.
"""

from __future__ import annotations

from msgspec import Struct
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.problems import Origin, Problem, Severity

__all__ = [
    "Document",
    "Entry",
    "Listing",
    "Mapped",
    "Node",
    "Scalar",
    "Span",
    "described",
    "excerpt",
    "plain",
    "problem_at",
]

_EXCERPT = 60
"""Characters of a file that a problem quotes at the most."""


class Span(Struct, frozen=True):
    """Where something stands: from line and column up to, and without, the end."""

    line: int
    column: int
    end_line: int
    end_column: int


class Scalar(Struct, frozen=True):
    """A string, number, boolean or null, and the text it was written as (quotes removed)."""

    value: str | int | float | bool | None
    text: str
    span: Span


class Listing(Struct, frozen=True):
    """A list."""

    items: tuple[Node, ...]
    span: Span


class Entry(Struct, frozen=True):
    """One key of a mapping with its value."""

    key: str
    key_span: Span
    value: Node


class Mapped(Struct, frozen=True):
    """A mapping. Keys of ``entries`` are unique: the reader has told of duplicates, and the last one is there."""

    entries: tuple[Entry, ...]
    span: Span
    earlier: tuple[Entry, ...] = ()
    """Entries whose key stands once more further down, in the order of the file. Only the JSON reader keeps them."""

    def get(self, key: str) -> Entry | None:
        """The entry of that key, if there is one."""
        for entry in self.entries:
            if entry.key == key:
                return entry
        return None


Node = Scalar | Listing | Mapped


class Document(Struct, frozen=True, kw_only=True):
    """One file, read. ``root`` is None where it is empty, or broken beyond use (``broken``)."""

    path: str
    layer: str
    root: Node | None
    problems: tuple[Problem, ...] = ()
    broken: bool = False
    """The bytes could not be parsed at all: a reload keeps the last good layer."""

    def origin(self, span: Span) -> Origin:
        """The origin of something in this file."""
        return Origin(layer=self.layer, path=self.path, line=span.line, column=span.column)

    def problem(
        self,
        severity: Severity,
        code: str,
        message: str,
        span: Span,
        *,
        entry: str | None = None,
        hint: str | None = None,
    ) -> Problem:
        """A problem in this file."""
        return Problem(
            severity=severity,
            code=code,
            message=message,
            path=self.path,
            line=span.line,
            column=span.column,
            end_line=span.end_line,
            end_column=span.end_column,
            entry=UNSET if entry is None else entry,
            hint=UNSET if hint is None else hint,
        )


def excerpt(text: str) -> str:
    """A text of a file, short enough to be quoted in a problem."""
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"


def described(node: Node, mapping: str) -> str:
    """A value in words: ``the number 12``, ``a list``. ``mapping`` is what its format calls one."""
    if isinstance(node, Listing):
        return "a list"
    if isinstance(node, Mapped):
        return mapping
    if isinstance(node.value, str):
        return f"the text {excerpt(node.value)!r}"
    if isinstance(node.value, bool) or node.value is None:
        return node.text or "empty"
    return f"the number {excerpt(node.text)}"


def plain(node: Node) -> object:
    """The value without its places. The depth of a tree is its reader's to bound."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Listing):
        return [plain(item) for item in node.items]
    return {entry.key: plain(entry.value) for entry in node.entries}


def problem_at(
    origin: Origin, severity: Severity, code: str, message: str, *, entry: str, hint: str | None = None, width: int = 0
) -> Problem:
    """A problem of something whose place is all that is left of its file; so many characters are marked."""
    return Problem(
        severity=severity,
        code=code,
        message=message,
        path=origin.path,
        line=origin.line,
        column=origin.column,
        end_line=origin.line,
        end_column=origin.column + width,
        entry=entry,
        hint=UNSET if hint is None else hint,
    )
