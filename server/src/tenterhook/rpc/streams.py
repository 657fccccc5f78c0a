"""Owns the two streams of the process: pipes and sockets by readiness, all else by a thread; knows no message.

asyncio's own pipe transports are not used: they read into a buffer that is too large for the allocator to keep,
and take input on a socket that serves both ways for the end of output.
"""

from __future__ import annotations

import asyncio
import os
import select
import stat
import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol

from tenterhook.rpc.outgoing import LOW_WATER

__all__ = ["InputStream", "OutputStream", "open_input"]

_READ_SIZE = 1 << 16


class InputStream(Protocol):
    """Where bytes come from. It does not read before ``start``."""

    def start(self, on_bytes: Callable[[bytes], None], on_end: Callable[[], None]) -> None: ...  # noqa: D102
    def pause(self) -> None: ...  # noqa: D102
    def resume(self) -> None: ...  # noqa: D102


def open_input(fd: int, loop: asyncio.AbstractEventLoop) -> InputStream:
    """The stream that suits a descriptor."""
    return _PolledInput(fd, loop) if _can_poll(fd) else _ThreadInput(fd, loop)


def _can_poll(fd: int) -> bool:
    """Whether the loop can wait for it. Terminals are left alone: others share their blocking mode."""
    try:
        mode = os.fstat(fd).st_mode
    except OSError:
        return False
    return os.name == "posix" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


class _PolledInput:
    """A pipe or socket."""

    def __init__(self, fd: int, loop: asyncio.AbstractEventLoop) -> None:
        self._fd = fd
        self._loop = loop
        self._reading = False
        self._over = False

    def start(self, on_bytes: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        os.set_blocking(self._fd, False)
        self._on_bytes = on_bytes
        self._on_end = on_end
        self.resume()

    def pause(self) -> None:
        if self._reading:
            self._reading = False
            self._loop.remove_reader(self._fd)

    def resume(self) -> None:
        if not self._reading and not self._over:
            self._reading = True
            self._loop.add_reader(self._fd, self._ready)

    def _ready(self) -> None:
        try:
            data = os.read(self._fd, _READ_SIZE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if data:
            self._on_bytes(data)
        else:
            self.pause()
            self._over = True
            self._on_end()


class _ThreadInput:
    """Anything else: a file, a terminal, or a pipe where the loop cannot wait for one."""

    def __init__(self, fd: int, loop: asyncio.AbstractEventLoop) -> None:
        self._fd = fd
        self._loop = loop
        self._wanted = threading.Event()

    def start(self, on_bytes: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self._on_bytes = on_bytes
        self._on_end = on_end
        self._wanted.set()
        threading.Thread(target=self._read, name="input", daemon=True).start()

    def pause(self) -> None:
        self._wanted.clear()

    def resume(self) -> None:
        self._wanted.set()

    def _read(self) -> None:
        """Read a chunk, hand it over, and wait until it has been handled; so there is never more than one."""
        handled = threading.Event()
        while True:
            self._wanted.wait()
            try:
                data = os.read(self._fd, _READ_SIZE)
            except OSError:
                data = b""
            handled.clear()
            try:
                self._loop.call_soon_threadsafe(self._hand_over, data, handled)
            except RuntimeError:
                return  # the loop is closed
            if not data:
                return
            handled.wait()

    def _hand_over(self, data: bytes, handled: threading.Event) -> None:
        try:
            if data:
                self._on_bytes(data)
            else:
                self._on_end()
        finally:
            handled.set()


class OutputStream:
    """Where bytes go. What a pipe or socket does not take at once is kept, and counted in ``backlog``.

    ``watched_input`` is the input's descriptor: where both are one socket, readable input is no end of output.
    """

    def __init__(self, fd: int, loop: asyncio.AbstractEventLoop, watched_input: int) -> None:
        self.backlog = 0
        self._fd = fd
        self._loop = loop
        self._chunks: deque[memoryview] = deque()
        self._broken = False
        self._polled = _can_poll(fd)
        self._watched = self._polled and not _same_file(fd, watched_input)
        self._idle = asyncio.Event()
        self._idle.set()

    def start(self, on_drained: Callable[[], None], on_broken: Callable[[], None]) -> None:
        """Tell of the way out: when the backlog is small again, and once when nobody reads any more."""
        self._on_drained = on_drained
        self._on_broken = on_broken
        if self._polled:
            os.set_blocking(self._fd, False)
        if self._watched:
            self._loop.add_reader(self._fd, self._look)

    def write(self, data: bytes) -> None:
        """Take bytes; never waits on a pipe or socket, never raises."""
        if self._broken:
            return
        rest = memoryview(data)
        if not self._chunks:
            rest = rest[self._try(rest) :]
        if rest and not self._broken:
            if not self._chunks:
                self._idle.clear()
                self._loop.add_writer(self._fd, self._ready)
            self._chunks.append(rest)
            self.backlog += len(rest)

    async def flushed(self, deadline: float) -> None:
        """Wait until everything is written, nobody reads any more, or so many seconds have passed."""
        try:
            await asyncio.wait_for(self._idle.wait(), deadline)
        except TimeoutError:
            return

    def restore(self) -> None:
        """Leave the descriptor as it was found: whoever shares it may want it to block."""
        if self._polled:
            os.set_blocking(self._fd, True)

    def _try(self, data: memoryview) -> int:
        written = 0
        while written < len(data):
            try:
                written += os.write(self._fd, data[written:])
            except InterruptedError:
                continue
            except BlockingIOError:
                break
            except OSError:
                self._break()
                break
            if self._polled:
                break
        return written

    def _ready(self) -> None:
        high = self.backlog > LOW_WATER
        first = self._chunks.popleft()
        written = self._try(first)
        if self._broken:
            return
        self.backlog -= written
        if written < len(first):
            self._chunks.appendleft(first[written:])
        elif not self._chunks:
            self._loop.remove_writer(self._fd)
            self._idle.set()
        if high and self.backlog <= LOW_WATER:
            self._on_drained()

    def _look(self) -> None:
        """The descriptor has something to say: the other end is closed, or, on a socket, has sent something."""
        poll = select.poll()
        poll.register(self._fd, 0)
        if poll.poll(0):
            self._break()
            return
        try:
            if os.read(self._fd, _READ_SIZE):
                return
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            pass
        self._break()

    def _break(self) -> None:
        if self._broken:
            return
        self._broken = True
        self._chunks.clear()
        self.backlog = 0
        if self._polled:
            self._loop.remove_writer(self._fd)
            self._loop.remove_reader(self._fd)
        self._idle.set()
        self._on_broken()


def _same_file(one: int, other: int) -> bool:
    try:
        return os.path.samestat(os.fstat(one), os.fstat(other))
    except OSError:
        return False
