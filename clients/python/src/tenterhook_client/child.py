"""Owns the engine's process: start, pipes, last words and end; knows nothing of what goes through its pipes.

stderr is always read, whether anyone listens or not: an engine must never block on it.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import cast

from tenterhook_client.errors import EngineNotFound

__all__ = ["STDERR_TAIL_BYTES", "Child"]

STDERR_TAIL_BYTES = 4096
"""So much of the end of stderr is kept."""

_READ_LIMIT = 1 << 16


class Child(asyncio.SubprocessProtocol):
    """A running engine. It is the ``Outlet`` of its own stdin; ``stdout`` is the other direction."""

    def __init__(self, on_stderr: Callable[[str], object] | None) -> None:
        self.stdout = asyncio.StreamReader(limit=_READ_LIMIT)
        self.exited = asyncio.Event()
        self.stdin_lost = asyncio.Event()
        self._on_stderr = on_stderr
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._tail = bytearray()
        self._stderr_ended = asyncio.Event()
        self._gone = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._transport: asyncio.SubprocessTransport

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None,
        cwd: str | os.PathLike[str] | None,
        on_stderr: Callable[[str], object] | None,
    ) -> Child:
        """Start an engine in a session of its own: a Ctrl-C at the terminal leaves its end to us, and its hooks to it.

        Raises:
            EngineNotFound: The system does not start the command.
        """
        loop = asyncio.get_running_loop()
        try:
            _, child = await loop.subprocess_exec(
                lambda: cls(on_stderr), *command, env=env, cwd=cwd, start_new_session=sys.platform != "win32"
            )
        except OSError as error:
            raise _not_found(command, cwd, error) from error
        return child

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._transport.get_pid()

    @property
    def status(self) -> int | None:
        """Exit status; negative: the number of the signal; None: it lives."""
        return self._transport.get_returncode()

    @property
    def stderr_tail(self) -> str:
        """The last 4 KiB of stderr."""
        return self._tail.decode(errors="replace")

    def write(self, data: bytes, /) -> None:
        """Queue bytes for its stdin."""
        stdin = cast("asyncio.WriteTransport", self._transport.get_pipe_transport(0))
        if not self.stdin_lost.is_set() and not stdin.is_closing():
            stdin.write(data)

    async def drain(self) -> None:
        """Wait until its stdin takes more.

        Raises:
            ConnectionError: It does not read any more.
        """
        await self._room.wait()
        if self.stdin_lost.is_set():
            raise ConnectionError("the engine has closed its stdin")

    def close(self) -> None:
        """Send what is queued, then close its stdin."""
        stdin = self._transport.get_pipe_transport(0)
        if stdin is not None:
            stdin.close()

    async def end(self, seconds: float, grace: float) -> None:
        """See it out: wait for its exit, then TERM, then KILL; returns when it and its pipes are gone.

        Args:
            seconds: How long to wait for it to leave by itself.
            grace: How long to wait between TERM and KILL.
        """
        await _within(self.exited, seconds)
        if not self.exited.is_set():
            self._transport.terminate()
            await _within(self.exited, grace)
        # What stderr still holds; a hook that lives on may keep it open, and is not waited for.
        if self.exited.is_set():
            await _within(self._stderr_ended, 0.2)
        await self.put_down()

    async def put_down(self) -> None:
        """KILL it, if it lives; returns when it and its pipes are gone."""
        if not self.exited.is_set():
            self._transport.kill()
            await self.exited.wait()
        self._transport.close()
        await self._gone.wait()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the loop: it runs."""
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self.stdout.set_transport(cast("asyncio.ReadTransport", self._transport.get_pipe_transport(1)))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Called by the loop: it wrote something."""
        if fd == 1:
            self.stdout.feed_data(data)
            return
        self._tail += data
        del self._tail[:-STDERR_TAIL_BYTES]
        self._tell_stderr(self._decoder.decode(data))

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002 - the loop's signature
        """Called by the loop: a pipe has ended."""
        if fd == 0:
            self.stdin_lost.set()
            self._room.set()
        elif fd == 1:
            self.stdout.feed_eof()
        else:
            self._tell_stderr(self._decoder.decode(b"", final=True))
            self._stderr_ended.set()

    def process_exited(self) -> None:
        """Called by the loop: it is gone."""
        self.exited.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the loop's signature
        """Called by the loop: it is gone, and so are its pipes."""
        self._gone.set()

    def pause_writing(self) -> None:
        """Called by the loop: its stdin is full."""
        self._room.clear()

    def resume_writing(self) -> None:
        """Called by the loop: its stdin takes more."""
        self._room.set()

    def _tell_stderr(self, text: str) -> None:
        if self._on_stderr is not None and text:
            self._on_stderr(text)


async def _within(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return


def _not_found(command: Sequence[str], cwd: str | os.PathLike[str] | None, error: OSError) -> EngineNotFound:
    if cwd is not None and not Path(cwd).is_dir():
        return EngineNotFound(command, f"there is no folder {os.fspath(cwd)}", "Give a cwd that exists.")
    hint = "Install tenterhook where this program can find it, or say which command starts it: command=(...)."
    return EngineNotFound(command, error.strerror or str(error), hint)
