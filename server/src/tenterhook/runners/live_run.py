"""Owns a process that runs: its pipes, its end, its first line; knows neither how it is started nor how it is stopped.

It is driven by callbacks of the loop, and each of its stretches resolves one future.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

from tenterhook_protocol.runs import RunStatus

from tenterhook.model import Outcome, StopReason
from tenterhook.runners.contract import Limits
from tenterhook.runners.exits import Ending
from tenterhook.runners.orphans import adoption
from tenterhook.runners.pipes import Feed, FirstLineIntake, Intake, Pipes
from tenterhook.runners.readiness import Readiness
from tenterhook.runners.signals import signal_name

__all__ = ["Detaches", "End", "LiveRun", "Watch"]

Detaches = Callable[[bytes], float | None]
Watch = Callable[[asyncio.AbstractEventLoop, Ending, Readiness], None]

_unreaped: set[int] = set()
"""Children that were still there when their run was given up; each later end of a run looks after them."""

End = Literal["ended", "timedOut", "stopped", "detached"]


class LiveRun:
    """A process that runs, with its pipes."""

    __slots__ = (
        "_detaches", "_drain", "_drain_timer", "_feed", "_gate", "_loop", "_readiness", "_stderr", "_stdout",
        "deadline", "ending", "over", "time",
    )  # fmt: skip

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        pid: int,
        pipes: Pipes,
        feed: Feed,
        limits: Limits,
        detaches: Detaches | None,
    ) -> None:
        self._loop = loop
        self._readiness = limits.readiness
        self._feed = feed
        self._drain = limits.drain
        self._gate = limits.gate
        self._drain_timer: asyncio.TimerHandle | None = None
        self.over: asyncio.Future[End] = loop.create_future()
        """Resolved when the run has settled by itself, is to be stopped, or goes on in the background."""
        self.time = 0.0
        """Seconds that this stretch of the run may take."""
        self.deadline = 0.0
        """When they are over, in the time of the loop."""
        self._detaches = detaches
        if detaches is None:
            self._stdout = Intake(self._readiness, pipes.stdout, "head", limits.max_output, self._check)
        else:
            self._stdout = FirstLineIntake(
                self._readiness, pipes.stdout, limits.max_output, self._check, self._line_came
            )
        self._stderr = Intake(self._readiness, pipes.stderr, "tail", limits.max_output, self._check)
        self.ending = Ending(pid, self._check)
        self._gate.began()
        adoption.began(pid)

    def begin(self, watch: Watch) -> None:
        """Have the loop serve it.

        Raises:
            OSError: the system cannot watch any more descriptors.
            RuntimeError: it allows no more threads, where one is needed.
        """
        watch(self._loop, self.ending, self._readiness)
        self._stdout.start()
        self._stderr.start()
        self._feed.start()

    def allow(self, seconds: float, since: float) -> None:
        """How long this stretch may take. ``since``: its begin, in the time of the loop."""
        self.time = seconds
        self.deadline = since + seconds

    def go_on(self) -> None:
        """Begin the next stretch, after it was let go into the background."""
        self.over = self._loop.create_future()
        if self._drain_timer is not None:
            self._drain_timer.cancel()  # it may have gone off between the stretches
            self._drain_timer = None
        self._check()

    def time_is_up(self) -> None:
        """It has had its time. One that has exited is in time, though its output may still come."""
        if not self.ending.exited:
            self._settle("timedOut")

    def stopped(self, _: asyncio.Future[StopReason]) -> None:
        """The owner wants an early end."""
        self._settle("stopped")

    def abort(self) -> None:
        """Kill it at once, where it cannot be served."""
        os.killpg(self.ending.pid, signal.SIGKILL)
        os.waitid(os.P_PID, self.ending.pid, os.WEXITED | os.WNOWAIT)
        self.close()

    def close(self) -> None:
        """Take what has come, close all pipes, reap."""
        if self._drain_timer is not None:
            self._drain_timer.cancel()
        self._feed.close()
        for intake in (self._stdout, self._stderr):
            intake.sweep()
            intake.close()
        self.ending.close()
        self.ending.reap()
        if self.ending.code is None and not self.ending.lost:
            # The task was cancelled twice, or it cannot be killed.
            with suppress(ProcessLookupError):
                os.killpg(self.ending.pid, signal.SIGKILL)
            _unreaped.add(self.ending.pid)
        for pid in tuple(_unreaped):
            with suppress(ChildProcessError):
                if os.waitpid(pid, os.WNOHANG) == (0, 0):
                    continue
            _unreaped.discard(pid)
        adoption.ended(self.ending.pid)
        self._gate.ended()

    def held_pipes(self) -> frozenset[str]:
        """Names of the output pipes that somebody may still write to, as in ``Traits``."""
        return frozenset(name for intake in (self._stdout, self._stderr) if (name := intake.name) is not None)

    def judged(self) -> tuple[RunStatus, str | None]:
        """How it ended by itself, and in words where that was not well."""
        code = self.ending.code
        if code == 0:
            return "ok", None
        if code is None:
            return "failed", "has ended, and its exit status is lost: somebody else took it, or SIGCHLD is ignored"
        if code < 0:
            return "signalled", f"was ended by {signal_name(-code)}"
        return "failed", f"exited with code {code}{_MEANINGS.get(code, '')}"

    def outcome(
        self, status: RunStatus, error: str | None, duration: float, warnings: tuple[str, ...], collected: bytes
    ) -> Outcome:
        """Put into one value what became of it."""
        code = self.ending.code
        return Outcome(
            status=status,
            duration=duration,
            exit_code=code if code is not None and code >= 0 else None,
            signal=signal_name(-code) if code is not None and code < 0 else None,
            stdout=self._stdout.kept,
            stderr=self._stderr.kept,
            stdout_cut=self._stdout.cut,
            stderr_cut=self._stderr.cut,
            error=error,
            warnings=warnings,
            collected=collected,
        )

    def _check(self) -> None:
        """Something has ended: the process or an output."""
        if not self.ending.exited or self.over.done():
            return
        if self._stdout.at_end and self._stderr.at_end:
            self._settle("ended")
        elif self._drain_timer is None:
            self._drain_timer = self._loop.call_later(self._drain, self._settle, "ended")

    def _line_came(self, line: bytes) -> bool:
        """The first whole line of stdout. True: it is taken out, for the run goes on in the background."""
        detaches, self._detaches = self._detaches, None
        if detaches is None or self.over.done():
            return False
        seconds = detaches(line)
        if seconds is None:
            return False
        self.allow(seconds, self._loop.time())
        self._settle("detached")
        return True

    def _settle(self, end: End) -> None:
        if not self.over.done():
            self.over.set_result(end)


_MEANINGS = {
    126: ": a command in it may not be executed (check its execute permission)",
    127: ": a command in it was not found (check its PATH; a script that was saved with CRLF "
    "line ends is not found either)",
}
"""What shells mean by their own codes (POSIX, Shell Command Language, 2.8.2)."""
