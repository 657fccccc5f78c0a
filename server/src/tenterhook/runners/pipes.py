"""Owns the pipes of one process: feeds its stdin, keeps a bounded part of its output; knows nothing of its end.

Readers and writers leave the loop before their descriptor is closed, always: a child that has been started and has
not yet reached its ``exec`` still holds a copy, and a closed descriptor would stay registered through it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Literal

from msgspec import Raw

from tenterhook.runners.readiness import Readiness

__all__ = ["Feed", "FirstLineIntake", "Intake", "Pipes", "pipe_name", "read_once"]

_CHUNK = 1 << 16
"""Bytes for each read: what a pipe holds by default on Linux."""

_SWEEP = 32
"""Reads of the last look into a pipe that somebody may still be writing to."""


class Pipes:
    """Three pipes, all ends close-on-exec.

    Raises:
        OSError: no descriptors are left. None of those opened so far stays open.
    """

    __slots__ = ("stderr", "stdin", "stdout", "theirs")

    def __init__(self) -> None:
        opened: list[int] = []
        try:
            for _ in range(3):
                opened += os.pipe()  # close-on-exec, as every descriptor that Python opens
        except OSError:
            _close_all(opened)
            raise
        their_stdin, self.stdin, self.stdout, their_stdout, self.stderr, their_stderr = opened
        self.theirs = (their_stdin, their_stdout, their_stderr)
        """What the process gets as 0, 1 and 2."""

    def close_theirs(self) -> None:
        """Close the process's ends, once it has its copies."""
        _close_all(self.theirs)

    def discard(self) -> None:
        """Close all but our end of stdin, which the feed closes; for where no process came of it."""
        _close_all((*self.theirs, self.stdout, self.stderr))


class Feed:
    """Writes a payload to a process's stdin and closes it.

    It begins before the process starts: what fits into the pipe, nearly always all, is there at its first read.
    """

    __slots__ = ("_at", "_fd", "_loop", "_payload")

    def __init__(self, loop: asyncio.AbstractEventLoop, fd: int, payload: bytes | Raw) -> None:
        self._loop = loop
        self._fd = fd
        self._payload = memoryview(payload)
        self._at = 0

    def write_ahead(self) -> None:
        """Put what fits into the pipe; close it if that was all. The other end must still be open on our side."""
        os.set_blocking(self._fd, False)
        if self._write() and self._at == len(self._payload):
            os.close(self._fd)
            self._fd = -1

    def start(self) -> None:
        """Have the loop write the rest."""
        if self._fd >= 0:
            self._loop.add_writer(self._fd, self._ready)

    def close(self) -> None:
        """Give up what has not been read."""
        if self._fd >= 0:
            self._loop.remove_writer(self._fd)
            os.close(self._fd)
            self._fd = -1

    def _ready(self) -> None:
        if not self._write() or self._at == len(self._payload):
            self.close()

    def _write(self) -> bool:
        """Write what fits, once: the loop has others to serve. False when nobody will ever read it."""
        try:
            if self._at < len(self._payload):
                self._at += os.write(self._fd, self._payload[self._at :])
        except BlockingIOError:
            return True
        except OSError:
            return False  # a hook need not read its input
        return True


class Intake:
    """Reads one output pipe to its end and keeps at most ``limit`` bytes: the first, or the last."""

    __slots__ = ("_fd", "_keep", "_kept", "_limit", "_on_end", "_readiness", "cut")

    def __init__(
        self,
        readiness: Readiness,
        fd: int,
        keep: Literal["head", "tail"],
        limit: int,
        on_end: Callable[[], None],
    ) -> None:
        self._readiness = readiness
        self._fd = fd
        self._keep = keep
        self._limit = limit
        self._on_end = on_end
        self._kept = bytearray()
        self.cut = False
        """More came than was kept."""

    def start(self) -> None:
        """Have it read when something comes."""
        os.set_blocking(self._fd, False)
        self._readiness.add_reader(self._fd, self._ready)

    @property
    def kept(self) -> bytes:
        """What was kept. A cut tail begins with a whole UTF-8 character."""
        if not (self.cut and self._keep == "tail"):
            return bytes(self._kept)
        start = 0
        while start < min(3, len(self._kept)) and self._kept[start] & 0xC0 == 0x80:
            start += 1
        return bytes(self._kept[start:])

    @property
    def some(self) -> bool:
        """Something was kept."""
        return bool(self._kept)

    def take(self) -> bytes:
        """What was kept, which is not kept any longer."""
        kept = self.kept
        self._kept.clear()
        self.cut = False
        return kept

    @property
    def at_end(self) -> bool:
        """Nothing more will come."""
        return self._fd < 0

    @property
    def name(self) -> str | None:
        """What ``/proc/<pid>/fd`` calls the pipe; None at its end: nobody holds the other side any more."""
        return pipe_name(self._fd) if self._fd >= 0 else None

    def sweep(self) -> None:
        """Take what lies in the pipe now."""
        for _ in range(_SWEEP):
            if self._fd < 0 or not self._read():
                return

    def close(self) -> None:
        """Stop reading."""
        if self._fd >= 0:
            self._readiness.remove_reader(self._fd)
            os.close(self._fd)
            self._fd = -1
            self._on_end = _nobody  # no cycle is to keep the output of a past run

    def _ready(self) -> None:
        on_end = self._on_end
        self._read()
        if self._fd < 0:
            on_end()

    def _read(self) -> bool:
        """Read once; False when nothing was there."""
        chunk = read_once(self._fd)
        if chunk is None:
            return False
        if not chunk:
            self.close()
            return False
        self._take(chunk)
        return True

    def _take(self, chunk: bytes) -> None:
        kept = self._kept
        excess = len(kept) + len(chunk) - self._limit
        if excess <= 0:
            kept += chunk
        elif self._keep == "head":
            self.cut = True
            kept += chunk[: len(chunk) - excess]
        else:
            self.cut = True
            kept += chunk
            del kept[:excess]


class FirstLineIntake(Intake):
    """An intake of the head that tells of its first whole line, as soon as that has come."""

    __slots__ = ("_on_line", "_searched")

    def __init__(
        self,
        readiness: Readiness,
        fd: int,
        limit: int,
        on_end: Callable[[], None],
        on_line: Callable[[bytes], bool],
    ) -> None:
        """``on_line`` is told once, without the line's end; True: the line does not belong to the output."""
        super().__init__(readiness, fd, "head", limit, on_end)
        self._on_line: Callable[[bytes], bool] | None = on_line
        self._searched = 0

    def close(self) -> None:
        """Stop reading."""
        super().close()
        self._on_line = None  # no cycle is to keep the output of a past run

    def _take(self, chunk: bytes) -> None:
        super()._take(chunk)
        on_line = self._on_line
        if on_line is None:
            return
        end = self._kept.find(b"\n", self._searched)
        self._searched = len(self._kept)
        if end < 0:
            return
        self._on_line = None
        if on_line(bytes(self._kept[:end])):
            del self._kept[: end + 1]


def pipe_name(fd: int) -> str:
    """What ``/proc/<pid>/fd`` calls the pipe that is open as this."""
    return f"pipe:[{os.fstat(fd).st_ino}]"


def read_once(fd: int) -> bytes | None:
    """What lies in a pipe that does not block, as far as one read takes it; empty at its end; None: nothing now."""
    try:
        return os.read(fd, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _nobody() -> None:
    pass


def _close_all(fds: tuple[int, ...] | list[int]) -> None:
    for fd in fds:
        os.close(fd)
