"""Owns one worker: its process, its pipes, the one request that it is at work on; restarts nothing.

It is started like every other hook's process, and what it has started ends with it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import suppress

from msgspec import Raw

from tenterhook.model import WorkerLaunch
from tenterhook.runners.contract import Limits
from tenterhook.runners.exits import Ending
from tenterhook.runners.orphans import adoption
from tenterhook.runners.pipes import Intake, Pipes
from tenterhook.runners.process import choose_folder, ways
from tenterhook.runners.spawn import spawn
from tenterhook.runners.worker.lines import Answer, Splitter, decode_answer, encode_request

__all__ = ["MARK", "Lost", "Worker"]

MARK = "TENTERHOOK_RUN_ID"
"""The variable by which what a worker has started is found."""

_CHUNK = 1 << 16
_SPARE = 1 << 16
_ESCAPED = 6
"""A byte of output may take so many in JSON."""
_STRAY_LINES = 100
"""So many lines that are no answers are passed over for one event."""
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Lost(Exception):
    """The worker will not answer: why, in words."""


class Worker:
    """A live worker. It handles one request at a time.

    Raises:
        OSError, ValueError: it cannot be started.
    """

    def __init__(self, launch: WorkerLaunch, limits: Limits) -> None:
        self._loop = asyncio.get_running_loop()
        self._limits = limits
        folder, _ = choose_folder(launch.cwd)
        if folder is None:
            raise FileNotFoundError("there is no folder to start it in")
        self._mark = f"worker-{launch.run_id}"
        self.requests = 0
        self._answer: asyncio.Future[Answer] | None = None
        self._deadline = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._stray: list[str] = []
        self._splitter = Splitter(limits.max_output * _ESCAPED + _SPARE)
        self._unsent = memoryview(b"")
        self._writing = False
        self.why: str | None = None
        """Why it is of no use any more."""
        pipes = Pipes()
        try:
            pid = spawn(launch.argv, {**launch.env, MARK: self._mark}, folder, pipes.theirs)
        except (OSError, ValueError):
            os.close(pipes.stdin)
            pipes.discard()
            raise
        pipes.close_theirs()
        self._stdin, self._stdout = pipes.stdin, pipes.stdout
        self._errors = Intake(self._loop, pipes.stderr, "tail", limits.max_output, _nothing)
        self._gone: asyncio.Future[None] = self._loop.create_future()
        self._ending = Ending(pid, self._exited)
        adoption.began(pid)
        limits.gate.began()
        for fd in (self._stdin, self._stdout):
            os.set_blocking(fd, False)
        self._loop.add_reader(self._stdout, self._read)
        self._errors.start()
        ways.watch(self._loop, self._ending)

    @property
    def memory(self) -> int:
        """Resident bytes; 0 where the system does not say."""
        try:
            with open(f"/proc/{self._ending.pid}/statm", "rb") as file:
                return int(file.read().split()[1]) * _PAGE
        except (OSError, ValueError, IndexError):
            return 0

    def ask(self, event: bytes | Raw, call: Mapping[str, object], timeout: float) -> asyncio.Future[Answer]:
        """Send a request. The future has its answer, raises ``Lost``, or is cancelled when its time is up.

        Await it before the next one.
        """
        self.requests += 1
        self._deadline = self._loop.time() + timeout
        if self._timer is None or self._timer.when() > self._deadline:
            self._set_timer()
        self._stray = []
        self._answer = self._loop.create_future()
        if self.why is not None:
            self._answer.set_exception(Lost(self.why))
        else:
            self._unsent = memoryview(encode_request(self.requests, event, call))
            self._write()
        return self._answer

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(self._deadline, self._time_is_up)

    def _time_is_up(self) -> None:
        """One timer for all requests: most are answered long before, and moving a timer costs more than they do."""
        self._timer = None
        if self._answer is None or self._answer.done():
            return
        if self._loop.time() < self._deadline:
            self._set_timer()
        else:
            self._answer.cancel()

    def warnings(self) -> tuple[str, ...]:
        """What the worker has printed during the last request that was no answer to it."""
        return tuple(self._stray[:3])

    def errors(self) -> bytes:
        """What it has written to stderr since this was asked last.

        What it wrote before an answer is here with it: the loop serves all pipes that are ready before who waits.
        """
        return self._errors.take() if self._errors.some else b""

    async def end(self, *, politely: bool) -> None:
        """End it with all that it has started.

        Args:
            politely: it may end by itself first, for its stdin is at its end.
        """
        self.why = self.why or "it was ended"
        if self._timer is not None:
            self._timer.cancel()
        self._close_stdin()
        try:
            if politely and not self._ending.exited:
                await asyncio.wait({self._gone}, timeout=self._limits.grace)
            held = frozenset(name for name in (_pipe(self._stdout), self._errors.name) if name is not None)
            await ways.end_tree(self._ending, self._mark, held, self._limits.grace)
        finally:
            self._loop.remove_reader(self._stdout)
            os.close(self._stdout)
            self._errors.close()
            self._ending.close()
            self._ending.reap()
            adoption.ended(self._ending.pid)
            self._limits.gate.ended()

    def _write(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._stdin, self._unsent) :]
        except BlockingIOError:
            self._writing = True
            self._loop.add_writer(self._stdin, self._write)
            return
        except OSError:
            self._lose("it reads no more requests")
        self._unsent = memoryview(b"")
        if self._writing and self._stdin >= 0:
            self._loop.remove_writer(self._stdin)
        self._writing = False

    def _read(self) -> None:
        try:
            chunk = os.read(self._stdout, _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            self._loop.remove_reader(self._stdout)
            self._lose("it closed its output")
            return
        for line in self._splitter.feed(chunk):
            self._take(line)
        if self._splitter.too_long:
            self._lose("it printed a line that is longer than any answer may be")

    def _take(self, line: bytes) -> None:
        answer = decode_answer(line)
        waiting = self._answer
        if answer is not None and answer.id == self.requests and waiting is not None and not waiting.done():
            waiting.set_result(answer)
            return
        shown = line[:80].decode("utf-8", "replace")
        what = "a line that is no answer" if answer is None else f"an answer to request {answer.id}, not to this one"
        self._stray.append(f"the worker printed {what}: {shown!r}")
        if len(self._stray) > _STRAY_LINES:
            self._lose(f"it printed {len(self._stray)} lines that are no answers")

    def _exited(self) -> None:
        with suppress(OSError):  # what it said last may still lie in the pipe
            while self._stdout >= 0 and self.why is None and (chunk := os.read(self._stdout, _CHUNK)):
                for line in self._splitter.feed(chunk):
                    self._take(line)
        self._lose("it ended")
        if not self._gone.done():
            self._gone.set_result(None)

    def _lose(self, why: str) -> None:
        self.why = self.why or why
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(Lost(why))
        self._close_stdin()

    def _close_stdin(self) -> None:
        if self._stdin >= 0:
            self._loop.remove_writer(self._stdin)
            os.close(self._stdin)
            self._stdin = -1


def _pipe(fd: int) -> str | None:
    try:
        return f"pipe:[{os.fstat(fd).st_ino}]"
    except OSError:
        return None


def _nothing() -> None:
    pass
