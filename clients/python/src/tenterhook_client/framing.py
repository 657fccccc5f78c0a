"""Owns the frames of the LSP base protocol: bytes in, bodies out; knows nothing of what a body says.

Patient where LSP implementations differ: header names in any case, blanks around values, LF alone as line end,
other ``Content-`` headers before or after. Strict where guessing would lose the frame: a stray ``DEBUG: ready`` on the
engine's stdout looks like a header, and taking it for one would mean to wait for ever.
"""

from __future__ import annotations

import asyncio

__all__ = ["MAX_HEADER_BYTES", "FramingLost", "frame", "read_frame"]

MAX_HEADER_BYTES = 8192
"""A longer header block is no header."""


class FramingLost(Exception):
    """What came is no frame, and where the next one begins cannot be known."""


def frame(body: bytes) -> bytes:
    """One message as it goes over the wire."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


async def read_frame(inlet: asyncio.StreamReader, max_bytes: int) -> bytes | None:
    """Read the next body.

    Args:
        inlet: Where the frames come from.
        max_bytes: The longest body that is taken.

    Returns:
        The body; None where the stream ends between two frames.

    Raises:
        FramingLost: The stream holds something else than a frame, or ends inside one.
    """
    length: int | None = None
    seen = 0
    while True:
        line = await _read_line(inlet, started=seen > 0)
        if line is None:
            return None
        seen += len(line)
        if seen > MAX_HEADER_BYTES:
            raise FramingLost(f"a header block is longer than {MAX_HEADER_BYTES} bytes")
        text = line.strip(b"\r\n")
        if text:
            length = _length(text, length)
        elif length is None:
            raise FramingLost("a header block has no Content-Length")
        else:
            break
    if length > max_bytes:
        raise FramingLost(f"a message of {length} bytes is longer than the {max_bytes} that are taken")
    try:
        return await inlet.readexactly(length)
    except asyncio.IncompleteReadError as short:
        raise FramingLost(f"the stream ended after {len(short.partial)} of {length} bytes of a message") from None


async def _read_line(inlet: asyncio.StreamReader, *, started: bool) -> bytes | None:
    try:
        line = await inlet.readuntil(b"\n")
    except asyncio.IncompleteReadError as short:
        if short.partial or started:
            raise FramingLost(f"the stream ended inside a header: {_quote(short.partial)}") from None
        return None
    except asyncio.LimitOverrunError:
        raise FramingLost(f"a header line is longer than {MAX_HEADER_BYTES} bytes") from None
    return line


def _length(line: bytes, known: int | None) -> int | None:
    name, colon, value = line.partition(b":")
    name = name.strip().lower()
    if not colon or not name.startswith(b"content-"):
        raise FramingLost(f"a line that is no header: {_quote(line)}")
    if name != b"content-length":
        return known
    digits = value.strip()
    if not digits.isdigit() or len(digits) > 18:
        raise FramingLost(f"a Content-Length that is no length: {_quote(digits)}")
    length = int(digits)
    if known is not None and known != length:
        raise FramingLost(f"two lengths for one message: {known} and {length}")
    return length


def _quote(data: bytes) -> str:
    return repr(data[:80].decode(errors="replace"))
