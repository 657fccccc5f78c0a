"""Owns one worker: its process, its pipes, the one request that it is at work on; restarts nothing.

It is started like every other hook's process, and what it has started ends with it.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Mapping

from msgspec import Raw

from tenterhook.model import WorkerLaunch
from tenterhook.runners.contract import Limits
from tenterhook.runners.exits import Ending
from tenterhook.runners.orphans import adoption
from tenterhook.runners.pipes import Intake, Pipes, pipe_name, read_once
from tenterhook.runners.process import choose_folder, ways
from tenterhook.runners.spawn import spawn
from tenterhook.runners.worker.lines import Answer, Splitter, decode_answer, encode_request
from tenterhook.runners.worker.sources import Sources

__all__ = ["MARK", "Lost", "Worker"]

MARK = "TENTERHOOK_RUN_ID"
"""The variable by which what a worker has started is found."""

_SPARE = 1 << 16
_ESCAPED = 6
"""A byte of output may take so many in JSON."""
_STRAY_LINES = 100
"""So many lines that are no answers are passed over for one event."""
_LAST_READS = 32
"""As much as a pipe holds, and no more where somebody else still writes to it."""
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Lost(Exception):
    """The worker will not answer: why, in words."""


class Worker:
    """A live worker. It handles one request at a time."""

    def __init__(self, launch: WorkerLaunch, limits: Limits, on_loss: Callable[[Worker], None]) -> None:
        """Start it.

        Args:
            launch: the first request that it is wanted for; it is not asked yet.
            limits: what it may use.
            on_loss: told once, when it is of no use any more, also while nobody asks it anything.

        Raises:
            OSError, ValueError: it cannot be started.
        """
        self._loop = asyncio.get_running_loop()
        self._on_loss = on_loss
        self._limits = limits
        folder, _ = choose_folder(launch.cwd)
        if folder is None:
            raise FileNotFoundError("there is no folder to start it in")
        self._mark = f"worker-{launch.run_id}"
        self.requests = 0
        self.retires = False
        """It is to be asked nothing more after the request that it is at work on."""
        self._answer: asyncio.Future[Answer] | None = None
        self._deadline = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._stray: list[str] = []
        self._splitter = Splitter(limits.max_output * _ESCAPED + _SPARE)
        self._unsent = memoryview(b"")
        self._writing = False
        self.why: str | None = None
        """Why it is of no use any more."""
        self.sources = Sources(launch.argv, folder)
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
        try:
            ways.watch(self._loop, self._ending, limits.readiness)
        except RuntimeError as failure:  # no thread is left to watch it with
            os.killpg(pid, signal.SIGKILL)
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
            self._close()
            raise OSError(f"it cannot be watched: {failure}") from failure
        for fd in (self._stdin, self._stdout):
            os.set_blocking(fd, False)
        self._loop.add_reader(self._stdout, self._read)
        self._errors.start()

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

    def errors(self, *, to_the_end: bool = False) -> bytes:
        """What it has written to stderr since this was asked last.

        What it wrote before an answer is here with it: the loop serves all pipes that are ready before who waits.

        Args:
            to_the_end: look into the pipe once more, where there was no answer.
        """
        if to_the_end:
            self._errors.sweep()
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
            held = frozenset(name for name in (pipe_name(self._stdout), self._errors.name) if name is not None)
            await ways.end_tree(self._ending, self._mark, held, self._limits.grace)
        finally:
            self._close()

    def _close(self) -> None:
        self._close_stdin()
        self._loop.remove_reader(self._stdout)
        os.close(self._stdout)
        self._errors.close()
        self._ending.close()
        self._ending.reap()
        adoption.ended(self._ending.pid)

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

    def _read(self) -> bool:
        """Read once; False when there was nothing, or nothing that counts any more."""
        chunk = read_once(self._stdout)
        if chunk is None:
            return False
        if not chunk:
            self._lose("it closed its output")
            return False
        for line in self._splitter.feed(chunk):
            self._take(line)
        if self._splitter.too_long:
            self._lose("it printed a line that is longer than any answer may be")
        return self.why is None

    def _take(self, line: bytes) -> None:
        answer = decode_answer(line)
        waiting = self._answer
        if answer is not None and answer.id == self.requests and waiting is not None and not waiting.done():
            waiting.set_result(answer)
            return
        if len(self._stray) > _STRAY_LINES:
            self._lose(f"it printed {len(self._stray)} lines that are no answers")
            return
        shown = line[:80].decode("utf-8", "replace")
        what = "a line that is no answer" if answer is None else f"an answer to request {answer.id}, not to this one"
        self._stray.append(f"the worker printed {what}: {shown!r}")

    def _exited(self) -> None:
        for _ in range(_LAST_READS):  # what it said last may still lie in the pipe
            if self.why is not None or not self._read():
                break
        self._lose("it ended")
        if not self._gone.done():
            self._gone.set_result(None)

    def _lose(self, why: str) -> None:
        """It is read no more: whatever it goes on to print stays in the pipe."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(Lost(why))
        self._loop.remove_reader(self._stdout)
        self._close_stdin()
        if self.why is None:
            self.why = why
            self._on_loss(self)

    def _close_stdin(self) -> None:
        if self._stdin >= 0:
            self._loop.remove_writer(self._stdin)
            os.close(self._stdin)
            self._stdin = -1


def _nothing() -> None:
    pass
