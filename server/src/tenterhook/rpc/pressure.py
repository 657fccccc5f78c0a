"""Owns when handling of input stops and goes on again; knows no stream and no message."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Gate"]


class Gate:
    """Shut while too much waits: events whose hooks run, or output that the host does not read.

    Args:
        on_open: called each time it opens again, from within the call that opened it.
        max_queued: bytes of messages whose work is not done, at which it shuts.
    """

    def __init__(self, on_open: Callable[[], object], max_queued: int) -> None:
        self.shut = False
        """Read before each message; everything else happens off the hot road."""
        self.max_queued = max_queued
        self.queued = 0
        self._output_full = False
        self.closed = False
        self._on_open = on_open

    def work_began(self, size: int) -> None:
        """A message of so many bytes waits for its work."""
        self.queued += size
        self._judge()

    def work_ended(self, size: int) -> None:
        """Its work is done, and its bytes are free."""
        self.queued -= size
        self._judge()

    def output_full(self) -> None:
        """The host does not read."""
        self._output_full = True
        self._judge()

    def output_drained(self) -> None:
        """The host has read."""
        self._output_full = False
        self._judge()

    def close(self) -> None:
        """Shut for good: nothing more is handled."""
        self.closed = True
        self.shut = True

    def _judge(self) -> None:
        was_shut = self.shut
        self.shut = self.closed or self._output_full or self.queued >= self.max_queued
        if was_shut and not self.shut:
            self._on_open()
