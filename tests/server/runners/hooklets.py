"""Owns small hooks for the tests of runners, and the ways to watch them without a clock."""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Raw
from tenterhook.model import Outcome, ProcessLaunch, StopReason
from tenterhook.runners import Limits, run_process

__all__ = [
    "PATIENT",
    "Post",
    "is_alive",
    "launch",
    "marked",
    "no_children",
    "open_descriptors",
    "python",
    "run",
    "shell",
    "wait_for_end",
]

PATIENT = Limits(max_output=1 << 25, grace=60.0, drain=60.0)
"""No wait of these limits may run out in a good test."""

_GUARD = 60.0
"""Seconds after which a hanging test fails."""

_numbers = itertools.count(1)


def launch(
    *argv: str,
    stdin: bytes | Raw = b"",
    timeout: float = 600.0,
    cwd: tuple[str, ...] = ("/",),
    env: Mapping[str, str] | None = None,
) -> ProcessLaunch:
    """A launch with a mark of its own."""
    run_id = f"run-{os.getpid()}-{next(_numbers)}"
    return ProcessLaunch(
        argv=argv,
        env={"PATH": os.environ["PATH"], "TENTERHOOK_RUN_ID": run_id, **(env or {})},
        cwd=cwd,
        stdin=stdin,
        timeout=timeout,
        run_id=run_id,
    )


def shell(
    script: str, *, stdin: bytes = b"", timeout: float = 600.0, env: Mapping[str, str] | None = None
) -> ProcessLaunch:
    """A launch of a shell script."""
    return launch("/bin/sh", "-c", script, stdin=stdin, timeout=timeout, env=env)


def python(code: str, *, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> ProcessLaunch:
    """A launch of a Python script."""
    return launch(sys.executable, "-I", "-S", "-c", code, stdin=stdin, env=env)


async def run(what: ProcessLaunch, limits: Limits = PATIENT, stop: asyncio.Future[StopReason] | None = None) -> Outcome:
    """Run it; a hanging runner fails the test."""
    async with asyncio.timeout(_GUARD):
        return await run_process(what, limits, stop or asyncio.get_running_loop().create_future())


class Post:
    """A named pipe by which hooks and tests tell each other where they are, line by line."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = str(path)
        self._fd = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self._buffer = b""

    async def line(self) -> str:
        """The next line that a hook writes."""
        while b"\n" not in self._buffer:
            await _readable(self._fd)
            self._buffer += os.read(self._fd, 4096)
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line.decode()

    async def pids(self, count: int) -> list[int]:
        """As many pids, one a line."""
        return [int(await self.line()) for _ in range(count)]

    def write(self, text: str) -> None:
        """Let hooks that read from it go on."""
        os.write(self._fd, text.encode())

    def close(self) -> None:
        """Close our end."""
        os.close(self._fd)


async def wait_for_end(pid: int) -> None:
    """Return when that process has ended."""
    fd = os.pidfd_open(pid)
    try:
        await _readable(fd)
    finally:
        os.close(fd)


async def _readable(fd: int) -> None:
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(fd, ready.set)
    try:
        async with asyncio.timeout(_GUARD):
            await ready.wait()
    finally:
        loop.remove_reader(fd)


def is_alive(pid: int) -> bool:
    """Whether it is there, and no zombie. A main thread that has ended leaves a living process with other threads."""
    try:
        content = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    fields = content.rpartition(")")[2].split()
    return fields[0] not in ("Z", "X") or int(fields[17]) > 1


def marked(run_id: str) -> list[int]:
    """Pids of all living processes with the mark of that run."""
    found: list[int] = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                environ = (folder / "environ").read_bytes()
            except OSError:
                continue
            if f"TENTERHOOK_RUN_ID={run_id}".encode() in environ.split(b"\0") and is_alive(int(folder.name)):
                found.append(int(folder.name))
    return found


def open_descriptors() -> list[str]:
    """The descriptors of this process, and what they are."""
    found: list[str] = []
    for name in os.listdir("/proc/self/fd"):
        try:
            found.append(f"{name}: {os.readlink(f'/proc/self/fd/{name}')}")
        except OSError:
            continue
    return sorted(found)


def no_children() -> bool:
    """Whether this process has no children, zombies included."""
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return True
    return False
