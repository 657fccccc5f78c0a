"""Owns building our tree out of JSON text in one walk; knows no bytes and no hooks.

Each step is one match of an expression at the place where the walk stands; nothing recurses and nothing backtracks.
Where the expression does not fit there is a comment, a trailing comma, or a fault, and only then is more looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from tenterhook_protocol.problems import Problem

from tenterhook.config.document import Document, Entry, Listing, Mapped, Node, Scalar, Span, excerpt
from tenterhook.config.json_faults import Fault, Wanted, describe_escape, describe_fault
from tenterhook.config.json_text import line_starts, span_at

__all__ = ["MAX_DEPTH", "MAX_VALUES", "GivenUp", "TreeBuilder"]

MAX_DEPTH = 200
"""Lists and objects inside each other."""

MAX_VALUES = 250_000
"""Values in a file."""

_LONGEST_INTEGER = 250
"""Characters. A longer one is read as a float, as every reader with 64-bit floats does, and may be infinite."""

_STRING = r'"([^"\\\x00-\x1f]*+(?:\\[^\x00-\x1f][^"\\\x00-\x1f]*+)*+)"'
_NUMBER = r"(-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][-+]?[0-9]++)?+)(?![\w.+-])"
_KEY = re.compile(rf"[ \t\r\n]*+{_STRING}[ \t\r\n]*+:(?:[ \t\r\n]*+{_STRING}(?:[ \t\r\n]*+(,))?+)?+")
"""A key; with its value where that is a text, and the comma behind it: most of what settings files are made of."""

_VALUE = re.compile(rf"[ \t\r\n]*+(?:{_STRING}|([\[{{])|{_NUMBER}|(true|false|null)(?!\w))")
_NEXT = re.compile(r"[ \t\r\n]*+([,\]}])")
_TEXT = re.compile(_STRING)
_BLANKS = re.compile(r"[ \t\r\n]*+")
_COMMENT = re.compile(r"//[^\r\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORDS = {"true": True, "false": False, "null": None}


class GivenUp(Exception):
    """The rest of the file cannot be used; ``problem`` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class TreeBuilder:
    """Builds the tree of one file."""

    def __init__(self, document: Document, text: str, both_count: Callable[[tuple[str, ...]], bool] | None) -> None:
        self._document = document
        self._text = text
        self._both_count = both_count
        self._starts = line_starts(text)
        self._problems: list[Problem] = []
        self._open: list[_Frame] = []
        self._root: Node | None = None
        self._values = 0
        self._at = 0
        self._line = 1
        self._line_start = 0
        self._next_line = 0
        self._comments: list[int] = []
        self._commas: list[int] = []

    def told(self) -> tuple[Problem, ...]:
        """What is wrong so far, in the order of the file. Habits are told of once, at the first place."""
        problems = list(self._problems)
        if self._comments:
            message = f"JSON has no comments{_more(self._comments)}; they are read over, and other programs may not"
            span = span_at(self._starts, self._comments[0], self._comments[0] + 2)
            hint = 'delete the comment; a key of your own, such as "_comment", is ignored everywhere'
            problems.append(self._document.problem("warning", "json-comment", message, span, hint=hint))
        if self._commas:
            message = f"JSON has no comma before a closing bracket{_more(self._commas)}; it is read over"
            span = span_at(self._starts, self._commas[0])
            problems.append(
                self._document.problem("warning", "json-trailing-comma", message, span, hint="delete the comma")
            )
        return tuple(sorted(problems, key=lambda problem: (problem.line, problem.column)))

    def build(self) -> Node | None:
        """The root; None where the file holds no value at all.

        Raises:
            GivenUp: the text is no JSON, or nesting or size pass all bounds.
        """
        text = self._text
        self._skip()
        if self._at == len(text):
            return None
        self._value()
        while self._open:
            frame = self._open[-1]
            if frame.wants_next:
                self._next(frame)
            elif frame.mapping:
                if self._key(frame):
                    self._value()
            elif not self._ends(frame, "]"):
                self._value()
        self._skip()
        if self._at < len(text):
            raise self._fault("end")
        return self._root

    def _value(self) -> None:
        match = _VALUE.match(self._text, self._at)
        if match is None:
            self._skip()
            match = _VALUE.match(self._text, self._at)
            if match is None:
                raise self._fault("value")
        self._count()
        self._at = match.end()
        kind = match.lastindex
        if kind == 1:
            written = match[1]
            value = written if "\\" not in written else self._unescaped(written, match.start(1))
            self._place(Scalar(value, value, self._span(match.start(1) - 1, self._at)))
        elif kind == 2:
            at = self._at - 1
            if len(self._open) >= MAX_DEPTH:
                self._at = at
                message = f"More than {MAX_DEPTH} lists or objects inside each other"
                raise self._fault("value", Fault("json-too-deep", message, "a settings file needs no more than six"))
            self._move(at)
            self._open.append(_Frame(match[2] == "{", self._line, at - self._line_start + 1))
        elif kind == 3:
            written = match[3]
            self._place(Scalar(_number(written), written, self._span(match.start(3), self._at)))
        else:
            written = match[4]
            self._place(Scalar(_WORDS[written], written, self._span(match.start(4), self._at)))

    def _count(self) -> None:
        self._values += 1
        if self._values > MAX_VALUES:
            message = f"The file holds more than {MAX_VALUES} values"
            raise self._fault("value", Fault("json-too-large", message, "a settings file is short: is this one?"))

    def _next(self, frame: _Frame) -> None:
        match = _NEXT.match(self._text, self._at)
        if match is None:
            self._skip()
            match = _NEXT.match(self._text, self._at)
        sign = "" if match is None else match[1]
        if match is None or (sign != "," and (sign == "}") != frame.mapping):
            self._skip()
            raise self._fault("next")
        self._at = match.end()
        if sign == ",":
            frame.wants_next = False
            frame.comma = self._at - 1
        else:
            self._close(frame)

    def _key(self, frame: _Frame) -> bool:
        """Reads a key, and its value where that is a text. True: the value comes next."""
        match = _KEY.match(self._text, self._at)
        if match is None:
            if self._ends(frame, "}"):
                return False
            match = _TEXT.match(self._text, self._at)
            if match is None:
                raise self._fault("key")
            self._at = match.end()
            self._skip()
            if self._text[self._at : self._at + 1] != ":":
                raise self._fault("colon")
            self._at += 1
        else:
            self._at = match.end()
        start, end = match.span(1)
        written = match[1]
        frame.key = written if "\\" not in written else self._unescaped(written, start)
        frame.key_span = self._span(start - 1, end + 1)
        if match.re is _TEXT or (value := match[2]) is None:
            return True
        self._count()
        start, end = match.span(2)
        if "\\" in value:
            value = self._unescaped(value, start)
        self._place(Scalar(value, value, self._span(start - 1, end + 1)))
        if match.lastindex == 3:
            frame.wants_next = False
            frame.comma = self._at - 1
        return False

    def _ends(self, frame: _Frame, bracket: str) -> bool:
        """Whether the list or object ends here, after its opening bracket or after a comma."""
        if not frame.mapping and (match := _BLANKS.match(self._text, self._at)) is not None:
            sign = self._text[match.end() : match.end() + 1]
            if sign not in {"]", "/"}:
                return False
        self._skip()
        if self._text[self._at : self._at + 1] != bracket:
            return False
        if frame.comma >= 0:
            self._commas.append(frame.comma)
        self._at += 1
        self._close(frame)
        return True

    def _close(self, frame: _Frame) -> None:
        self._open.pop()
        self._move(self._at - 1)
        span = Span(frame.line, frame.column, self._line, self._at - self._line_start + 1)
        if frame.mapping:
            self._place(Mapped(tuple(frame.entries.values()), span, tuple(frame.earlier)))
        else:
            self._place(Listing(tuple(frame.items), span))

    def _place(self, node: Node) -> None:
        if not self._open:
            self._root = node
            return
        frame = self._open[-1]
        frame.wants_next = True
        if not frame.mapping:
            frame.items.append(node)
            return
        key = frame.key
        before = frame.entries.pop(key, None)
        if before is not None:
            frame.earlier.append(before)
            self._tell_of_double(before, frame.key_span)
        frame.entries[key] = Entry(key, frame.key_span, node)

    def _tell_of_double(self, before: Entry, span: Span) -> None:
        path = tuple(frame.key for frame in self._open if frame.mapping)
        at = before.key_span
        places = f"The key {excerpt(before.key)!r} stands here and in line {at.line}, column {at.column}; "
        if self._both_count is not None and self._both_count(path):
            message, severity = f"{places}both count here, and elsewhere only this last one", "warning"
        else:
            message, severity = f"{places}only this last one counts", "error"
        hint = "keep one of the two, with the content of both"
        self._problems.append(self._document.problem(severity, "json-duplicate-key", message, span, hint=hint))

    def _unescaped(self, written: str, start: int) -> str:
        try:
            value = json.loads(f'"{written}"')
        except json.JSONDecodeError as error:
            self._at = start + max(error.pos - 1, 0)
            while self._text[self._at] != "\\":
                self._at -= 1
            raise self._fault("value", describe_escape(self._text, self._at)) from None
        if _SURROGATE.search(value) is None:
            return value
        message = "The text holds half of a surrogate pair; U+FFFD stands in its place"
        span = span_at(self._starts, start - 1, start + len(written) + 1)
        hint = "write the character itself, or both halves"
        self._problems.append(self._document.problem("warning", "json-surrogate", message, span, hint=hint))
        return _SURROGATE.sub("\ufffd", value)

    def _skip(self) -> None:
        """Moves over blanks and comments."""
        text, at = self._text, self._at
        while True:
            blanks = _BLANKS.match(text, at)
            at = at if blanks is None else blanks.end()
            comment = _COMMENT.match(text, at)
            if comment is None:
                self._at = at
                return
            self._comments.append(at)
            at = comment.end()

    def _move(self, position: int) -> None:
        """Notes the line of a position; positions only grow."""
        starts, line = self._starts, self._line
        while line < len(starts) and starts[line] <= position:
            line += 1
        self._line, self._line_start = line, starts[line - 1]
        self._next_line = starts[line] if line < len(starts) else len(self._text) + 1

    def _span(self, start: int, end: int) -> Span:
        # No token has a line break inside.
        if start >= self._next_line:
            self._move(start)
        line, before = self._line, self._line_start - 1
        return Span(line, start - before, line, end - before)

    def _fault(self, wanted: Wanted, fault: Fault | None = None) -> GivenUp:
        frame = self._open[-1] if self._open else None
        opened = "" if frame is None else f"{'object' if frame.mapping else 'list'} that begins in line {frame.line}"
        found = fault or describe_fault(self._text, self._at, wanted, opened)
        at = self._at if found.at is None else found.at
        span = span_at(self._starts, at, at + found.length)
        message = f"{found.message}; nothing of this file is loaded"
        return GivenUp(self._document.problem("error", found.code, message, span, hint=found.hint))


class _Frame:
    """A list or object that is not finished yet."""

    __slots__ = ("column", "comma", "earlier", "entries", "items", "key", "key_span", "line", "mapping", "wants_next")

    def __init__(self, mapping: bool, line: int, column: int) -> None:  # noqa: FBT001 - one caller
        self.mapping = mapping
        self.line = line
        self.column = column
        self.items: list[Node] = []
        self.entries: dict[str, Entry] = {}
        self.earlier: list[Entry] = []
        self.key = ""
        self.key_span = Span(line, column, line, column)
        self.wants_next = False
        self.comma = -1


def _number(written: str) -> int | float:
    # int() refuses over 4300 digits.
    if written.lstrip("-").isdigit() and len(written) <= _LONGEST_INTEGER:
        return int(written)
    return float(written)


def _more(places: list[int]) -> str:
    return "" if len(places) == 1 else f" (and {len(places) - 1} more below)"
