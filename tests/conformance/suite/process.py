"""Owns one server process and its three pipes; knows no case and no pattern.

All pipes are served in one place, ``pump``: what waits to be written is written, what was written is read.
So a server that does not read cannot hang the suite, and one that floods stderr is not hung by it.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from .frames import FrameReader
from .strays import alive

__all__ = ["HostKind", "Server"]

HostKind = Literal["parent", "other", "none"]
"""``parent``: a process of its own spawns the server; ``other``: one that is no relative; both can be killed."""

PARENT = """
import os, subprocess, sys
server = subprocess.Popen(sys.argv[2:])
os.write(int(sys.argv[1]), str(server.pid).encode())
os.close(int(sys.argv[1]))
sys.exit(server.wait())
"""
OTHER = "import sys; sys.stdin.read()"
STDERR_KEPT = 65536


class Server:
    """A server under test. ``messages`` holds what it sent and nobody has taken yet."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path,
        env: dict[str, str],
        host: HostKind = "none",
        stdin_file: Path | None = None,
    ) -> None:
        self.messages: deque[Any] = deque()
        self.stderr = bytearray()
        self.reading = True
        self.stdout_ended = False
        self._unsent = bytearray()
        self._frames = FrameReader()
        self._host_killed = False
        self._other: subprocess.Popen[bytes] | None = None
        if host == "other":
            self._other = subprocess.Popen([sys.executable, "-S", "-c", OTHER], stdin=subprocess.PIPE)
        told, tell = os.pipe()
        argv = [sys.executable, "-S", "-c", PARENT, str(tell), *command] if host == "parent" else list(command)
        stdin = stdin_file.open("rb") if stdin_file else subprocess.PIPE
        self._process = subprocess.Popen(
            argv,
            cwd=cwd,
            env=env,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[tell] if host == "parent" else [],
        )
        if stdin_file and not isinstance(stdin, int):
            stdin.close()
        os.close(tell)
        self.pid = int(os.read(told, 32) or 0) if host == "parent" else self._process.pid
        os.close(told)
        self._host = self._process if host == "parent" else self._other
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe:
                os.set_blocking(pipe.fileno(), False)

    @property
    def host_pid(self) -> int:
        """Process id of the host that ``kill_host`` ends; 0: there is none."""
        return self._host.pid if self._host else 0

    @property
    def rest(self) -> bytes:
        """Bytes of a frame that never became whole."""
        return self._frames.rest

    def send(self, data: bytes) -> None:
        """Queue bytes for the server's stdin."""
        self._unsent += data

    def close_stdin(self) -> None:
        """Close the server's stdin; what is still unsent is lost."""
        self._unsent.clear()
        if self._process.stdin:
            with suppress(OSError):
                self._process.stdin.close()

    def close_stdout(self) -> None:
        """Close the reading end of the server's stdout."""
        self.stdout_ended = True
        if self._process.stdout:
            self._process.stdout.close()

    def signal(self, name: str) -> None:
        """Send a signal to the server alone."""
        os.kill(self.pid, getattr(signal, name))

    def kill_host(self) -> None:
        """Kill the host process; the server's pipes stay open."""
        if self._host:
            self._host_killed = True
            self._host.kill()
            self._host.wait()

    def exited(self) -> bool:
        """Whether the server has ended."""
        if self._host_killed and self._host is self._process:
            return not alive(self.pid)
        return self._process.poll() is not None

    def exit_code(self) -> int | None:
        """The status as a shell tells it (128 + signal); None: it runs, or nobody can know."""
        if self._host_killed and self._host is self._process:
            return None
        code = self._process.poll()
        return 128 - code if code is not None and code < 0 else code

    def wait_for(self, ready: Callable[[], bool], seconds: float) -> bool:
        """Serve the pipes until ``ready`` says so; False: the time is up."""
        end = time.monotonic() + seconds
        while not ready():
            left = end - time.monotonic()
            if left <= 0:
                return False
            self.pump(min(left, 0.01))
        return True

    @property
    def unsent(self) -> int:
        """How many bytes wait to be written."""
        return len(self._unsent)

    def all_sent(self) -> bool:
        """Whether nothing waits to be written."""
        return not self._unsent

    def pump(self, seconds: float) -> None:
        """Serve the pipes once, waiting at most so long for something to do.

        Raises:
            BadFrame: the server wrote something that is no message.
        """
        poll = select.poll()
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        if self._unsent and stdin and not stdin.closed:
            poll.register(stdin, select.POLLOUT)
        if stdout and not stdout.closed and self.reading and not self.stdout_ended:
            poll.register(stdout, select.POLLIN)
        if stderr and not stderr.closed:
            poll.register(stderr, select.POLLIN)
        for fd, _ in poll.poll(max(0, seconds) * 1000):
            if stdin and not stdin.closed and fd == stdin.fileno():
                self._write(fd)
            elif stderr and not stderr.closed and fd == stderr.fileno():
                data = _read(fd)
                self.stderr += data or b""
                del self.stderr[:-STDERR_KEPT]
                if data == b"":
                    stderr.close()
            else:
                data = _read(fd)
                self.stdout_ended = data == b""
                self.messages.extend(self._frames.feed(data or b""))

    def end(self) -> None:
        """Kill what runs and close what is open."""
        for process in (self._process, self._other):
            if process is None:
                continue
            if process.poll() is None:
                process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe:
                    with suppress(OSError):
                        pipe.close()
        if self._host_killed and self.pid and alive(self.pid):
            with suppress(OSError):
                os.kill(self.pid, signal.SIGKILL)

    def _write(self, fd: int) -> None:
        try:
            written = os.write(fd, self._unsent[:65536])
        except BlockingIOError:
            return
        except BrokenPipeError:
            written = len(self._unsent)
        del self._unsent[:written]


def _read(fd: int) -> bytes | None:
    try:
        return os.read(fd, 262144)
    except BlockingIOError:
        return None
