"""Owns how many processes may start and live at once; knows nothing of what they are.

Both gates are first come, first served, and cost nothing where there is room: no task, no turn of the loop.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque

from tenterhook.model import StopReason

__all__ = ["Places", "StartGate"]

_STARTS_PER_CORE = 4


class StartGate:
    """Lets a few processes start in each turn of the loop, so that a burst does not keep it from reading."""

    def __init__(self, per_turn: int | None = None) -> None:
        self._per_turn = per_turn or _STARTS_PER_CORE * (os.cpu_count() or 1)
        self._left = self._per_turn
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._live = 0
        self._starved: deque[asyncio.Future[bool]] = deque()

    async def enter(self) -> None:
        """Return when a process may be started."""
        loop = asyncio.get_running_loop()
        if self._left == self._per_turn:
            loop.call_soon(self._next_turn, loop)
        if self._left:
            self._left -= 1
            return
        place: asyncio.Future[None] = loop.create_future()
        self._waiting.append(place)
        await place

    def began(self) -> None:
        """A process has started."""
        self._live += 1

    def ended(self) -> None:
        """The run of a process is over, and what it held is free: for the first that waits for that.

        After the last run all go on, for nobody else would wake them.
        """
        self._live -= 1
        while self._starved:
            place = self._starved.popleft()
            if not place.done():
                place.set_result(True)
                if self._live:
                    return

    async def until_one_ends(self, deadline: float, stop: asyncio.Future[StopReason]) -> bool:
        """Wait until another run is over, where the system had nothing left to start one with.

        Args:
            deadline: How long to wait at most, in the time of the loop.
            stop: Ends the wait.

        Returns:
            Whether it is worth another try. False at once where no run lives.
        """
        if not self._live or stop.done():
            return False
        loop = asyncio.get_running_loop()
        place: asyncio.Future[bool] = loop.create_future()
        self._starved.append(place)

        def leave(_: object = None) -> None:
            if not place.done():
                place.set_result(False)

        timer = loop.call_at(deadline, leave)
        stop.add_done_callback(leave)
        try:
            return await place
        finally:
            timer.cancel()
            stop.remove_done_callback(leave)

    def _next_turn(self, loop: asyncio.AbstractEventLoop) -> None:
        self._left = self._per_turn
        while self._waiting and self._left:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                self._left -= 1
        if self._left < self._per_turn:
            loop.call_soon(self._next_turn, loop)


class Places:
    """A fixed number of places, for example for the live processes of one session."""

    def __init__(self, limit: int = 32) -> None:
        self._free = limit
        self._waiting: deque[asyncio.Future[bool]] = deque()

    async def acquire(self, stop: asyncio.Future[StopReason] | None = None) -> bool:
        """Take a place; wait in line where none is free. False: ``stop`` came first, and no place was taken."""
        if self._free > 0:
            self._free -= 1
            return True
        place: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)

        def leave(_: object) -> None:
            if not place.done():
                place.set_result(False)

        if stop is not None:
            stop.add_done_callback(leave)
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.result():
                self.release()  # the place was handed over in the same turn as the cancellation
            raise
        finally:
            if stop is not None:
                stop.remove_done_callback(leave)

    def release(self) -> None:
        """Give a place back: to the first in line, if there is one."""
        while self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(True)
                return
        self._free += 1
