"""Owns how the bytes a server writes become messages; knows no process and no pattern.

The server's own frames are held to the strict form:
``Content-Length`` first or after ``Content-Type``, CRLF line ends, a UTF-8 body that is one JSON document.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

__all__ = ["BadFrame", "FrameReader", "frame"]

HEADER = re.compile(
    rb"(?:Content-Type: [^\r\n]*\r\n)?Content-Length: (\d{1,12})\r\n(?:Content-Type: [^\r\n]*\r\n)?\r\n",
)
LONGEST_HEADER = 8192


class BadFrame(Exception):
    """The server wrote something that is no frame, or a frame whose body is no JSON."""


class FrameReader:
    """Takes bytes as they come and gives whole messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def rest(self) -> bytes:
        """What has come of a frame that is not whole yet."""
        return bytes(self._buffer)

    def feed(self, data: bytes) -> list[Any]:
        """The messages that are whole now.

        Raises:
            BadFrame: the bytes are no frame.
        """
        self._buffer += data
        messages: list[Any] = []
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            header = HEADER.fullmatch(self._buffer, 0, end + 4)
            if header is None:
                raise BadFrame(f"no frame header: {bytes(self._buffer[:200])!r}")
            last = end + 4 + int(header.group(1))
            if len(self._buffer) < last:
                return messages
            body = bytes(self._buffer[end + 4 : last])
            del self._buffer[:last]
            messages.append(_parsed(body))
        if len(self._buffer) > LONGEST_HEADER or (self._buffer and self._buffer[:1] not in b"Cc"):
            raise BadFrame(f"no frame header: {bytes(self._buffer[:200])!r}")
        return messages


def frame(body: bytes, header: str = "Content-Length: ${length}\r\n\r\n") -> bytes:
    """A body with its header; ``${length}`` in the header becomes the number of its bytes."""
    return header.replace("${length}", str(len(body))).encode() + body


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body.decode(), parse_constant=_no_constant, object_pairs_hook=_unique)
    except ValueError as error:
        raise BadFrame(f"the body is no JSON document ({error}): {body[:300]!r}") from error


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is there twice")
    return members
