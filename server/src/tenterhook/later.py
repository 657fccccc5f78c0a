"""Owns work that needs a task: how it is run once and stopped, or kept running; knows neither events nor the wire."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

from tenterhook.model import StopReason

__all__ = ["Later", "Stop", "Tasks"]

Stop = asyncio.Future[StopReason]
"""Resolved by an event's owner to end its runs early."""

T = TypeVar("T")


class Later(Generic[T]):
    """Work that needs a task. It is run once, and may be stopped before that, meanwhile or never."""

    __slots__ = ("_stop", "_stopped", "_work")

    def __init__(self, work: Callable[[Stop], Coroutine[Any, Any, T]]) -> None:
        self._work = work
        self._stop: Stop | None = None
        self._stopped = False

    def run(self) -> Coroutine[Any, Any, T]:
        """The work, to be awaited. Where it is stopped, it ends when the process trees of its hooks are gone."""
        self._stop = asyncio.get_running_loop().create_future()
        if self._stopped:
            self._stop.set_result("cancelled")
        return self._work(self._stop)

    def stop(self) -> None:
        """End its hooks early and start no more. Its result means nothing from now on."""
        self._stopped = True
        if self._stop is not None and not self._stop.done():
            self._stop.set_result("cancelled")


class Tasks:
    """Tasks that nobody waits for: they are kept for as long as they run."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Run it from now on."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def ended(self) -> None:
        """Return when all that run now have ended."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def cancelled(self) -> None:
        """Give up all that run, and return when they have ended."""
        for task in self._tasks:
            task.cancel()
        await self.ended()
