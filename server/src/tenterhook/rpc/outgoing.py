"""Owns the way out: bodies are framed, joined once a loop turn, and written; knows no stream and no method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tenterhook.rpc.pressure import Gate

__all__ = ["HIGH_WATER", "LOW_WATER", "Outgoing", "Writer"]

HIGH_WATER = 1 << 20
"""So many unread bytes, and input is no longer handled."""
LOW_WATER = 1 << 18
"""Few enough to go on."""

_JOIN_AT = 1 << 16
"""A turn that has gathered so much writes before its end."""


class Writer(Protocol):
    """A stream that takes bytes without waiting."""

    backlog: int
    """Bytes that the other side has not taken."""

    def write(self, data: bytes) -> None:
        """Take bytes; never waits, never raises. A broken stream drops them."""
        ...


class Outgoing:
    """Sends bodies. What is sent in one turn of the loop leaves in one write.

    Args:
        soon: runs a function before the loop waits again.
    """

    def __init__(self, writer: Writer, gate: Gate, soon: Callable[[Callable[[], None]], object]) -> None:
        self._writer = writer
        self._gate = gate
        self._soon = soon
        self._parts: list[bytes] = []
        self._size = 0

    def send(self, body: bytes) -> None:
        """Send one body."""
        if not self._parts:
            self._soon(self.flush)
        size = len(body)
        self._parts.append(b"Content-Length: %d\r\n\r\n%b" % (size, body))
        self._size += size
        if self._size >= _JOIN_AT:
            self.flush()

    def flush(self) -> None:
        """Write what has been gathered."""
        if self._parts:
            data = b"".join(self._parts)
            self._parts.clear()
            self._size = 0
            self._writer.write(data)
            if self._writer.backlog >= HIGH_WATER:
                self._gate.output_full()

    def drained(self) -> None:
        """The stream's backlog is below ``LOW_WATER`` again."""
        self._gate.output_drained()
