"""Owns the base protocol's framing, bytes in, bodies and faults out; knows no JSON, no stream and no clock.

The parser is pushed (``feed``) and pulled (``frames``), so that a reader under back-pressure can stop between two
messages of one chunk and go on later.
However the bytes are cut into chunks, the same frames come out.

LSP takes its header rules from HTTP: names in any case, blanks around values.
A lone LF ends a line too, because real clients write it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

__all__ = ["MAX_HEADER_BYTES", "Frame", "Framer", "FramingLost", "TooLong"]

MAX_HEADER_BYTES = 8192
"""Longest header block, its closing empty line included."""

_MAX_DIGITS = 18
"""No real length has more; ``int`` is never asked about thousands of digits."""

_name = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+").fullmatch
_charset = re.compile(rb';[ \t]*charset[ \t]*=[ \t]*"?([^";]*)"?', re.IGNORECASE).search

_LOST_FACTOR = 16
"""A body so many times over the limit is no message any more: framing is lost."""

_plain_header = re.compile(rb"Content-Length: ([0-9]{1,10})\r\n\r\n").match


class TooLong(Struct, frozen=True):
    """A body over the limit. Its bytes are skipped; what follows is good."""

    length: int
    limit: int


class FramingLost(Struct, frozen=True):
    """Where the next message begins cannot be told any more. It is the last frame there is."""

    reason: str


Frame = bytes | TooLong | FramingLost
"""A complete body, or what is wrong with the framing."""


class Framer:
    """Cuts a byte stream into bodies.

    ``max_body`` is the limit of one body in bytes; it may be changed between two frames.
    """

    def __init__(self, max_body: int) -> None:
        self.max_body = max_body
        self._data = b""
        self._at = 0
        self._parts: list[bytes] = []  # the beginning of a body whose end has not come
        self._missing = 0
        self._skipping = 0
        self._lost = False

    def feed(self, chunk: bytes) -> None:
        """Add bytes as they came."""
        rest = self._data[self._at :]
        self._data = rest + chunk if rest else chunk
        self._at = 0

    def frames(self) -> Iterator[Frame]:
        """Every frame that is complete. May be left at any point and called again: nothing is lost."""
        while not self._lost:
            if self._missing or self._skipping:
                body = self._continue()
                if self._missing or self._skipping:
                    return
                if body is not None:
                    yield body
                continue
            data = self._data
            at = self._at
            plain = _plain_header(data, at)
            if plain is not None:
                start = plain.end()
                length = int(plain[1])
            else:
                header = _read_header(data, at)
                if header is None:
                    return
                if isinstance(header, _BadHeader):
                    yield self._lose(header.reason)
                    return
                start, length = header
            end = start + length
            if length > self.max_body:
                yield self._too_long(start, length)
            elif end <= len(data):
                self._at = end
                yield data[start:end]
            else:
                self._at = start
                self._missing = length

    def _continue(self) -> bytes | None:
        """Take bytes for the body that has begun; the body once it is complete, None while it is not, or skipped."""
        here = self._data[self._at : self._at + (self._missing or self._skipping)]
        self._at += len(here)
        if self._skipping:
            self._skipping -= len(here)
            return None
        self._parts.append(here)
        self._missing -= len(here)
        if self._missing:
            return None
        body = b"".join(self._parts)
        self._parts.clear()
        return body

    def _too_long(self, start: int, length: int) -> Frame:
        if length > self.max_body * _LOST_FACTOR:
            return self._lose(f"Content-Length {length} is absurd; the limit is {self.max_body} bytes")
        self._at = start
        self._skipping = length
        return TooLong(length, self.max_body)

    def _lose(self, reason: str) -> FramingLost:
        self._lost = True
        self._data = b""
        self._at = 0
        return FramingLost(reason)


class _BadHeader(Struct, frozen=True):
    """The block cannot be read, and so the length of what follows is not known."""

    reason: str


def _read_header(data: bytes, at: int) -> tuple[int, int] | _BadHeader | None:
    """Read the header block that begins at ``at``.

    Returns:
        Where the body begins and how long it is; what is wrong; or None while the block is not complete.
        A bad line is told of as soon as it is complete, whatever may follow.
    """
    length: int | None = None
    line_start = at
    while True:
        line_end = data.find(b"\n", line_start, at + MAX_HEADER_BYTES)
        if line_end < 0:
            if len(data) - at >= MAX_HEADER_BYTES:
                return _BadHeader(f"the header is longer than {MAX_HEADER_BYTES} bytes")
            return None
        line = data[line_start:line_end].removesuffix(b"\r")
        line_start = line_end + 1
        if not line:
            break
        name, colon, value = line.partition(b":")
        if not colon:
            return _BadHeader("a header line has no colon")
        name = name.strip()
        if not _name(name):
            return _BadHeader("this is no header; each message needs one before its body")
        match name.lower():
            case b"content-length":
                number = _length(value.strip(b" \t"))
                if isinstance(number, _BadHeader):
                    return number
                if length is not None and number != length:
                    return _BadHeader("two Content-Length headers contradict each other")
                length = number
            case b"content-type":
                charset = _charset(value)
                if charset is not None and charset[1].strip().lower() not in (b"utf-8", b"utf8"):
                    return _BadHeader("only UTF-8 is understood")
            case _:
                pass
    if length is None:
        return _BadHeader("the header has no Content-Length")
    return line_start, length


def _length(value: bytes) -> int | _BadHeader:
    if not value.isdigit():
        return _BadHeader("Content-Length is not a number of bytes")
    digits = value.lstrip(b"0")
    if len(digits) > _MAX_DIGITS:
        return _BadHeader("Content-Length is absurd")
    return int(digits or b"0")
