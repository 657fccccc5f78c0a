"""Owns the workers of an engine: which there are, who may use one, when one has served long enough; asks none.

A worker that fails is not started again at once: until its time has come, its events go to processes of their own.
"""

from __future__ import annotations

import asyncio

from tenterhook.later import Tasks
from tenterhook.model import WorkerLaunch
from tenterhook.runners.contract import Limits
from tenterhook.runners.worker.worker import Worker

__all__ = ["Key", "Pool"]

Key = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Argv, names and values of the environment and folders: what makes two launches ask the same worker."""

_EACH = 2
"""Workers for the same launch. Who finds none free goes to a process of their own and waits for nobody."""
_ALL = 16
_IDLE = 600.0
"""Seconds without a request after which a worker is ended, at the latest in half as many more."""
_REQUESTS = 10_000
"""Requests after which a worker is ended, whatever it has gathered."""
_MEMORY = 512 * 1024 * 1024
_WEIGHED_EVERY = 64
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 60.0


class _Trouble:
    """How often in a row a worker has failed, and when it may be tried again."""

    __slots__ = ("failures", "until")

    def __init__(self) -> None:
        self.failures = 0
        self.until = 0.0


class Pool:
    """The workers of one engine."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._idle: dict[Worker, tuple[Key, float]] = {}
        """Since when, in the time of the loop; the longest unused first."""
        self._sweeper: asyncio.TimerHandle | None = None
        self._busy: dict[Worker, Key] = {}
        self._starting: list[Key] = []
        self._troubles: dict[Key, _Trouble] = {}
        self._endings = Tasks()
        self._closed = False

    @property
    def idle(self) -> list[Worker]:
        """Those that wait for a request."""
        return list(self._idle)

    async def take(self, launch: WorkerLaunch, key: Key) -> Worker | None:
        """A worker that is free, a new one where there may be another; None: there is none for this launch now.

        Raises:
            OSError, ValueError: a new one cannot be started.
        """
        worker = self._free(key) or await self._another(launch, key)
        if worker is not None:
            self._busy[worker] = key
            self._limits.gate.began()  # one that waits for a request is no run that will end
        return worker

    def give_back(self, worker: Worker, *, last: bool = False) -> None:
        """It has answered. ``last``: it has said that it ends now."""
        key = self._busy.pop(worker)
        self._limits.gate.ended()
        if self._troubles:
            self._troubles.pop(key, None)
        over = last or self._closed or worker.retires or worker.why is not None
        if over or worker.requests >= _REQUESTS or self._heavy(worker):
            self._endings.begin(worker.end(politely=True))
            return
        self._idle[worker] = key, self._loop.time()
        if self._sweeper is None:
            self._sweeper = self._loop.call_later(_IDLE, self._sweep)

    async def destroy(self, worker: Worker) -> None:
        """It has not answered. Returns when all that it has started is gone."""
        try:
            await worker.end(politely=False)
        finally:
            del self._busy[worker]
            self._limits.gate.ended()

    def failed(self, key: Key) -> None:
        """One could not be started, or died over a request: the next try comes later each time."""
        trouble = self._troubles.setdefault(key, _Trouble())
        trouble.failures += 1
        pause = min(_FIRST_PAUSE * 2 ** (trouble.failures - 1), _LONGEST_PAUSE)
        trouble.until = self._loop.time() + pause

    def renew(self) -> None:
        """Every request from now on is for a new worker, for what they have loaded may be out of date."""
        self._troubles.clear()
        for worker in self._busy:
            worker.retires = True
        for worker in list(self._idle):
            self._dismiss(worker)

    async def close(self) -> None:
        """End them all; those that are at work are ended by who uses them."""
        self._closed = True
        if self._sweeper is not None:
            self._sweeper.cancel()
        for worker in list(self._idle):
            self._dismiss(worker)
        await self._endings.ended()

    def _free(self, key: Key) -> Worker | None:
        """The one that was used last; those whose program has been edited are let go."""
        for worker, (its_key, _) in reversed(list(self._idle.items())):
            if its_key == key:
                if not worker.sources.changed:
                    del self._idle[worker]
                    return worker
                self._dismiss(worker)
        return None

    async def _another(self, launch: WorkerLaunch, key: Key) -> Worker | None:
        trouble = self._troubles.get(key)
        if self._closed or (trouble is not None and self._loop.time() < trouble.until):
            return None
        at_work = [*self._busy.values(), *self._starting]
        if at_work.count(key) >= _EACH or len(at_work) >= _ALL:
            return None
        if len(self._idle) + len(at_work) >= _ALL:
            self._dismiss(next(iter(self._idle)))
        self._starting.append(key)
        try:
            await self._limits.gate.enter()
            return Worker(launch, self._limits, self._lost)
        except (OSError, ValueError):
            self.failed(key)
            raise
        finally:
            self._starting.remove(key)

    def _lost(self, worker: Worker) -> None:
        """One that is at work is ended by who uses it."""
        if worker in self._idle:
            self._dismiss(worker)

    def _sweep(self) -> None:
        """End those that have had no request for long."""
        self._sweeper = None
        long_ago = self._loop.time() - _IDLE
        for worker, (_, since) in list(self._idle.items()):
            if since <= long_ago:
                self._dismiss(worker)
        if self._idle:
            self._sweeper = self._loop.call_later(_IDLE / 2, self._sweep)

    def _heavy(self, worker: Worker) -> bool:
        return worker.requests % _WEIGHED_EVERY == 0 and worker.memory > _MEMORY

    def _dismiss(self, worker: Worker) -> None:
        del self._idle[worker]
        self._endings.begin(worker.end(politely=True))
