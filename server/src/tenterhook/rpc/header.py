"""Owns how one header block is read; knows nothing of bodies and keeps no state.

LSP takes its header rules from HTTP: names in any case, blanks around values.
A lone LF ends a line too, because real clients write it.
"""

from __future__ import annotations

import re

from msgspec import Struct

__all__ = ["MAX_HEADER_BYTES", "BadHeader", "read_header"]

MAX_HEADER_BYTES = 8192
"""Longest header block, its closing empty line included."""

_MAX_DIGITS = 18
"""No real length has more; ``int`` is never asked about thousands of digits."""

_name = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+").fullmatch
_charset = re.compile(rb';[ \t]*charset[ \t]*=[ \t]*"?([^";]*)"?', re.IGNORECASE).search


class BadHeader(Struct, frozen=True):
    """The block cannot be read, and so the length of what follows is not known."""

    reason: str


def read_header(data: bytes, at: int) -> tuple[int, int] | BadHeader | None:
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
                return BadHeader(f"the header is longer than {MAX_HEADER_BYTES} bytes")
            return None
        line = data[line_start:line_end].removesuffix(b"\r")
        line_start = line_end + 1
        if not line:
            break
        name, colon, value = line.partition(b":")
        if not colon:
            return BadHeader("a header line has no colon")
        name = name.strip()
        if not _name(name):
            return BadHeader("this is no header; each message needs one before its body")
        match name.lower():
            case b"content-length":
                number = _length(value.strip(b" \t"))
                if isinstance(number, BadHeader):
                    return number
                if length is not None and number != length:
                    return BadHeader("two Content-Length headers contradict each other")
                length = number
            case b"content-type":
                charset = _charset(value)
                if charset is not None and charset[1].strip().lower() not in (b"utf-8", b"utf8"):
                    return BadHeader("only UTF-8 is understood")
            case _:
                pass
    if length is None:
        return BadHeader("the header has no Content-Length")
    return line_start, length


def _length(value: bytes) -> int | BadHeader:
    if not value.isdigit():
        return BadHeader("Content-Length is not a number of bytes")
    digits = value.lstrip(b"0")
    if len(digits) > _MAX_DIGITS:
        return BadHeader("Content-Length is absurd")
    return int(digits or b"0")
