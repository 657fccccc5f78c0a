"""Owns when handling of input stops and goes on again; knows no stream and no message."""

from __future__ import annotations

import math
from collections.abc import Callable

__all__ = ["Gate"]


class Gate:
    """Shut while too much waits: events whose hooks run, or output that the host does not read.

    Args:
        on_eased: called each time it opens, or is stuck no more, from within the call that did it.
        max_queued: bytes of messages whose work is not done, at which it shuts.
    """

    def __init__(self, on_eased: Callable[[], object], max_queued: int) -> None:
        self.shut = False
        """Read before each message; everything else happens off the hot road."""
        self.stuck = False
        """Shut, and no message can open it: the host does not read, or all is over."""
        self.max_queued: float = max_queued
        self.queued = 0
        self._output_full = False
        self.closed = False
        self._on_eased = on_eased

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

    def ignore_work(self) -> None:
        """No work begins any more: what is left of it lets nobody wait."""
        self.max_queued = math.inf
        self._judge()

    def close(self) -> None:
        """Shut for good: nothing more is handled."""
        self.closed = self.stuck = self.shut = True

    def _judge(self) -> None:
        was_stuck, was_shut = self.stuck, self.shut
        self.stuck = self.closed or self._output_full
        self.shut = self.stuck or self.queued >= self.max_queued
        if (was_shut and not self.shut) or (was_stuck and not self.stuck):
            self._on_eased()
