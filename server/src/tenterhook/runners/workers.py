"""Owns the few threads that blocking work is done in; knows nothing of the work.

None is started before there is work, each ends when there has been none for a while, and none keeps the process alive.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

__all__ = ["Workers"]


class Workers:
    """At most ``most`` threads; what comes while all are busy waits in line."""

    def __init__(self, most: int, idle: float, after_idle: Callable[[], None]) -> None:
        """``after_idle`` is called by a thread that has had no work for ``idle`` seconds and is about to end."""
        self._most = most
        self._idle_time = idle
        self._after_idle = after_idle
        self._changed = threading.Condition()
        self._jobs: deque[Callable[[], None]] = deque()
        self._threads = 0
        self._idle = 0

    @property
    def threads(self) -> int:
        """How many there are now."""
        return self._threads

    def do(self, job: Callable[[], None]) -> None:
        """Have a job done, which must not raise.

        Raises:
            RuntimeError: there is no thread to do it, and the system allows none.
        """
        with self._changed:
            self._jobs.append(job)
            if self._idle >= len(self._jobs) or self._threads == self._most:
                self._changed.notify()
                return
            self._threads += 1
            try:
                threading.Thread(target=self._work, name="tenterhook-worker", daemon=True).start()
            except RuntimeError:
                self._threads -= 1
                if not self._threads:
                    self._jobs.pop()
                    raise

    def _work(self) -> None:
        while (job := self._next()) is not None:
            job()
            del job  # it holds a request and its answer
        self._after_idle()

    def _next(self) -> Callable[[], None] | None:
        """The next job; None: the thread has been idle for long enough, and counts no more."""
        with self._changed:
            self._idle += 1
            there = self._changed.wait_for(lambda: self._jobs, self._idle_time)
            self._idle -= 1
            if there:
                return self._jobs.popleft()
            self._threads -= 1
            return None
