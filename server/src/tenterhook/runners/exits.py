"""Owns noticing that a child has ended, and its exit status; signals nobody.

A child is not reaped when it ends but when its run is over: until then its pid, and the process group of that
number, cannot become somebody else's, and signals to the group stay safe.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable

from tenterhook.runners.readiness import Readiness

__all__ = ["Ending", "watch_by_pidfd", "watch_by_thread"]


class Ending:
    """The end of one child, before and after it has come."""

    __slots__ = ("_on_exit", "code", "exited", "lost", "pid", "unwatch")

    def __init__(self, pid: int, on_exit: Callable[[], None]) -> None:
        self.pid = pid
        self.exited = False
        self.code: int | None = None
        """Exit code, or the negative number of a signal; known after ``reap``."""
        self.lost = False
        """Somebody else has taken the exit status, or the system was told to forget it."""
        self.unwatch: Callable[[], None] | None = None
        """How to stop watching."""
        self._on_exit = on_exit

    def reap(self) -> None:
        """Take the exit status if the child has ended; nothing happens while it lives."""
        if self.code is not None or self.lost:
            return
        try:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
        except ChildProcessError:
            self.lost = True
        else:
            if pid:
                self.code = os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        """Stop watching."""
        if self.unwatch is not None:
            self.unwatch()
            self.unwatch = None

    def came(self, status: int | None = None) -> None:
        """The child has ended. ``status``: its wait status, where watching meant reaping."""
        self.close()
        if status is not None:
            self.code = os.waitstatus_to_exitcode(status)
        if not self.exited:
            self.exited = True
            on_exit, self._on_exit = self._on_exit, _nobody  # no cycle is to keep a past run
            on_exit()


def watch_by_pidfd(loop: asyncio.AbstractEventLoop, ending: Ending, readiness: Readiness | None = None) -> None:
    """Watch in the loop itself; by a thread where the system denies a pidfd (old kernel, sandbox, no descriptors).

    Args:
        loop: the loop that is told.
        ending: what is watched.
        readiness: what waits in place of the loop.
    """
    readers = loop if readiness is None else readiness
    try:
        fd = os.pidfd_open(ending.pid)
    except OSError:
        watch_by_thread(loop, ending)
        return

    def unwatch() -> None:
        readers.remove_reader(fd)
        os.close(fd)

    ending.unwatch = unwatch
    readers.add_reader(fd, ending.came)


def watch_by_thread(loop: asyncio.AbstractEventLoop, ending: Ending, _: Readiness | None = None) -> None:
    """Watch with a thread that waits."""

    def wait() -> None:
        status = _wait(ending.pid)
        try:
            loop.call_soon_threadsafe(ending.came, status)
        except RuntimeError:
            return  # the loop is closed: nobody asks any more

    threading.Thread(target=wait, name=f"wait-{ending.pid}", daemon=True).start()


def _nobody() -> None:
    pass


def _wait(pid: int) -> int | None:
    """Return when the child has ended: its status where it had to be reaped, else None."""
    try:
        if hasattr(os, "waitid"):
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
            return None
        return os.waitpid(pid, 0)[1]
    except ChildProcessError:
        return None
