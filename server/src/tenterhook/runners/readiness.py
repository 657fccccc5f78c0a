"""Owns waiting for many descriptors at the price of one; knows nothing of what is read from them.

A hook has three that somebody waits for: two outputs and its end.
The loop's own way to take one in and to let go of it costs about ten times what the system asks for it.
So they have an epoll of their own, and the loop waits for that alone.
"""

from __future__ import annotations

import asyncio
import select
from collections.abc import Callable
from typing import Any, Protocol

__all__ = ["Readiness", "readiness"]

_AT_ONCE = 64
"""Descriptors served in one turn of the loop: it has others to serve."""


class Readiness(Protocol):
    """Whatever tells when something can be read, or has ended. A loop is one."""

    def add_reader(self, fd: int, callback: Callable[[], Any], /) -> object:
        """Call it in each turn in which the descriptor is ready."""
        ...

    def remove_reader(self, fd: int, /) -> object:
        """Never call it again. Comes before the descriptor is closed."""
        ...


def readiness(*, keeps: bool = False) -> Readiness:
    """The cheapest of this system, for one loop at a time.

    Args:
        keeps: hold on to its own descriptor while there is nothing to wait for, until the loop is closed.
    """
    return _ByEpoll(keeps=keeps) if hasattr(select, "epoll") else _ByLoop()


class _ByLoop:
    """The running loop's own."""

    __slots__ = ()

    def add_reader(self, fd: int, callback: Callable[[], Any], /) -> None:
        asyncio.get_running_loop().add_reader(fd, callback)

    def remove_reader(self, fd: int, /) -> None:
        asyncio.get_running_loop().remove_reader(fd)


class _ByEpoll:
    """One epoll, made for the first descriptor."""

    __slots__ = ("_callbacks", "_epoll", "_keeps", "_loop")

    def __init__(self, *, keeps: bool) -> None:
        self._keeps = keeps
        self._callbacks: dict[int, Callable[[], Any]] = {}
        self._epoll: select.epoll | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def add_reader(self, fd: int, callback: Callable[[], Any], /) -> None:
        epoll = self._epoll
        loop = asyncio.get_running_loop()
        if epoll is None or loop is not self._loop:
            epoll = self._begin(loop)
        try:
            epoll.register(fd, select.EPOLLIN)
        except OSError:
            self._rest()
            raise
        self._callbacks[fd] = callback

    def remove_reader(self, fd: int, /) -> None:
        if self._epoll is not None and self._callbacks.pop(fd, None) is not None:
            self._epoll.unregister(fd)
            self._rest()

    def _rest(self) -> None:
        """Where there is nothing to wait for, give the epoll up."""
        if self._keeps or self._callbacks or self._epoll is None or self._loop is None:
            return
        self._loop.remove_reader(self._epoll.fileno())
        self._epoll.close()
        self._loop = self._epoll = None

    def _begin(self, loop: asyncio.AbstractEventLoop) -> select.epoll:
        epoll = select.epoll()
        try:
            loop.add_reader(epoll.fileno(), self._ready, epoll)
        except OSError:
            epoll.close()
            raise
        self._callbacks = {}  # a loop that has ended calls nobody back
        self._loop, self._epoll = loop, epoll
        return epoll

    def _ready(self, epoll: select.epoll) -> None:
        for fd, _ in epoll.poll(0, _AT_ONCE):  # the list is whole before one of them gives the epoll up
            # One of those before may have removed it. None of them adds another: processes are started by tasks.
            callback = self._callbacks.get(fd)
            if callback is not None:
                callback()
