"""Owns when the process has to end: signals, the death of the host; knows no message and ends nothing itself."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from functools import partial

__all__ = ["Lifetime"]

_STATUS = {signal.SIGTERM: 143, signal.SIGINT: 130}
"""128 + the signal, as a shell would tell it."""


class Lifetime:
    """Waits for the first cause to end.

    Args:
        loop: the loop that is or will be running. Nothing is watched before ``start``.
        look_every: seconds between two looks at a process where the system has no pidfd.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, look_every: float = 1.0) -> None:
        self._loop = loop
        self._look_every = look_every
        self._watched: set[int] = set()

    def start(self, on_signal: Callable[[int, str], None], on_death: Callable[[str], None]) -> None:
        """Take SIGTERM and SIGINT as a wish to end in order, and watch whoever spawned the engine.

        Args:
            on_signal: told the exit status and the reason.
            on_death: told the reason when the host, or the parent, has died.
        """
        self._on_death = on_death
        for number, status in _STATUS.items():
            self._loop.add_signal_handler(number, on_signal, status, f"{number.name} came")
        parent = os.getppid()
        if parent > 1:  # 1 and 0 are no host: it is gone, or outside of this container
            self._watch(parent, "the parent process died", lambda: os.getppid() == parent)

    def watch_process(self, pid: int) -> None:
        """End when this process has died; at once where it is dead."""
        if pid > 1 and pid not in self._watched:
            self._watch(pid, f"the host's process {pid} died", partial(_is_alive, pid))

    def _watch(self, pid: int, reason: str, is_alive: Callable[[], bool]) -> None:
        self._watched.add(pid)
        try:
            fd = os.pidfd_open(pid)
        except (ProcessLookupError, OverflowError):
            self._loop.call_soon(self._on_death, reason)
        except (AttributeError, OSError):
            self._look(reason, is_alive)
        else:
            if is_alive():
                self._loop.add_reader(fd, self._died, fd, reason)
            else:
                os.close(fd)
                self._loop.call_soon(self._on_death, reason)

    def _look(self, reason: str, is_alive: Callable[[], bool]) -> None:
        if is_alive():
            self._loop.call_later(self._look_every, self._look, reason, is_alive)
        else:
            self._on_death(reason)

    def _died(self, fd: int, reason: str) -> None:
        self._loop.remove_reader(fd)
        os.close(fd)
        self._on_death(reason)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
