"""Owns the run of one process, from its start to the end of its tree; knows neither hook systems nor the wire.

A run is driven by callbacks of the loop and resolves one future: no task and no thread for each pipe.
It is over when the process has exited and both outputs have ended, or a short time after the exit where somebody
else (a background child) holds them open: that child delays nothing and may live on.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal, NamedTuple

from tenterhook_protocol.runs import RunStatus

from tenterhook.model import Outcome, ProcessLaunch, StopReason
from tenterhook.runners.contract import Limits
from tenterhook.runners.exits import Ending, watch_by_pidfd, watch_by_thread
from tenterhook.runners.pipes import Feed, Intake, Pipes
from tenterhook.runners.process_tree import TreeEnd, end_tree_by_group, end_tree_by_scan
from tenterhook.runners.signals import signal_name
from tenterhook.runners.start_failure import explain_start_failure

__all__ = ["ANYWHERE", "LINUX", "Ways", "run_process", "ways"]


class Ways(NamedTuple):
    """How this system lets us notice an end, and make one."""

    watch: Callable[[asyncio.AbstractEventLoop, Ending], None]
    end_tree: Callable[[Ending, str, float], Awaitable[TreeEnd]]


LINUX = Ways(watch_by_pidfd, end_tree_by_scan)
ANYWHERE = Ways(watch_by_thread, end_tree_by_group)

ways = LINUX if hasattr(os, "pidfd_open") and os.path.exists("/proc/self/stat") else ANYWHERE
"""Those of this system."""


async def run_process(launch: ProcessLaunch, limits: Limits, stop: asyncio.Future[StopReason]) -> Outcome:
    """Run one process; see ``Runner``."""
    if not stop.done():
        await limits.gate.enter()
    if stop.done():
        return Outcome(status=_reason(stop), error="was stopped before it started")
    cwd, warnings = _choose_folder(launch.cwd)
    if cwd is None:
        return Outcome(status="notStarted", error=warnings[0])
    loop = asyncio.get_running_loop()
    started = loop.time()
    run = _start(loop, launch, limits, cwd)
    if isinstance(run, str):
        return Outcome(status="notStarted", error=run, warnings=warnings)
    tree = TreeEnd()
    end: _End = "ended"
    timer = loop.call_at(started + launch.timeout, run.time_is_up)
    stop.add_done_callback(run.stopped)
    try:
        end = await run.over
        if end != "ended":
            tree = await ways.end_tree(run.ending, launch.run_id, limits.grace)
    except asyncio.CancelledError:
        # Not the way to stop a run, yet its tree must not outlive it.
        await ways.end_tree(run.ending, launch.run_id, 0.0)
        raise
    finally:
        timer.cancel()
        stop.remove_done_callback(run.stopped)
        run.close()
    if end == "ended":
        status, error = run.judged()
    elif end == "timedOut":
        status, error = "timedOut", f"did not end within {launch.timeout:g} s; {_told(tree)}"
    else:
        status = _reason(stop)
        what = "was stopped on request" if status == "cancelled" else "did not end within the time of its event"
        error = f"{what}; {_told(tree)}"
    return run.outcome(status, error, loop.time() - started, warnings)


_End = Literal["ended", "timedOut", "stopped"]


class _Run:
    """A process that runs, with its pipes."""

    __slots__ = ("_drain", "_drain_timer", "_feed", "_loop", "_process", "_stderr", "_stdout", "ending", "over")

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        process: subprocess.Popen[bytes],
        pipes: Pipes,
        feed: Feed,
        limits: Limits,
    ) -> None:
        self._loop = loop
        self._process = process
        self._feed = feed
        self._drain = limits.drain
        self._drain_timer: asyncio.TimerHandle | None = None
        self.over: asyncio.Future[_End] = loop.create_future()
        """Resolved when the run has settled by itself, or is to be stopped."""
        self._stdout = Intake(loop, pipes.stdout, "head", limits.max_output, self._check)
        self._stderr = Intake(loop, pipes.stderr, "tail", limits.max_output, self._check)
        self.ending = Ending(process.pid, self._check)

    def begin(self) -> None:
        """Have the loop serve it.

        Raises:
            OSError: the system cannot watch any more descriptors.
            RuntimeError: it allows no more threads, where one is needed.
        """
        ways.watch(self._loop, self.ending)
        self._stdout.start()
        self._stderr.start()
        self._feed.start()

    def time_is_up(self) -> None:
        """It has had its time. One that has exited is in time, though its output may still come."""
        if not self.ending.exited:
            self._settle("timedOut")

    def stopped(self, _: asyncio.Future[StopReason]) -> None:
        """The owner wants an early end."""
        self._settle("stopped")

    def abort(self) -> None:
        """Kill it at once, where it cannot be served."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
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
        if self.ending.code is not None:
            self._process.returncode = self.ending.code
        elif self.ending.lost:
            self._process.returncode = 0  # for Popen's own book-keeping: there is nothing left to wait for
        else:
            # The task was cancelled twice, or it cannot be killed. ``subprocess`` reaps it at some later start.
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

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

    def outcome(self, status: RunStatus, error: str | None, duration: float, warnings: tuple[str, ...]) -> Outcome:
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
        )

    def _check(self) -> None:
        """Something has ended: the process or an output."""
        if not self.ending.exited or self.over.done():
            return
        if self._stdout.at_end and self._stderr.at_end:
            self._settle("ended")
        elif self._drain_timer is None:
            self._drain_timer = self._loop.call_later(self._drain, self._settle, "ended")

    def _settle(self, end: _End) -> None:
        if not self.over.done():
            self.over.set_result(end)


_MEANINGS = {
    126: ": a command in it may not be executed (check its execute permission)",
    127: ": a command in it was not found (check its PATH)",
}
"""What shells mean by their own codes (POSIX, Shell Command Language, 2.8.2)."""


def _start(loop: asyncio.AbstractEventLoop, launch: ProcessLaunch, limits: Limits, cwd: str) -> _Run | str:
    """Start the process; a text says why it could not be started."""
    if not launch.argv or not launch.argv[0]:
        return "there is no program to start: the command is empty"
    try:
        pipes = Pipes()
    except OSError as failure:
        return explain_start_failure(failure, launch.argv, launch.env, cwd)
    feed = Feed(loop, pipes.stdin, launch.stdin)
    feed.write_ahead()
    stdin, stdout, stderr = pipes.theirs
    try:
        process = subprocess.Popen(
            launch.argv,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env=launch.env,
            cwd=cwd,
            close_fds=False,
            process_group=0,
        )
    except (OSError, ValueError, subprocess.SubprocessError) as failure:
        feed.close()
        pipes.discard()
        return explain_start_failure(failure, launch.argv, launch.env, cwd)
    pipes.close_theirs()
    run = _Run(loop, process, pipes, feed, limits)
    try:
        run.begin()
    except (OSError, RuntimeError) as failure:
        run.abort()
        return f"{launch.argv[0]} was started and killed at once, for the engine could not watch it: {failure}"
    return run


def _choose_folder(folders: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """The first folder that can be used, and a warning where it is not the first of all."""
    for folder in folders:
        if _may_enter(folder):
            if folder == folders[0]:
                return folder, ()
            return folder, (f"the folder {folders[0]} is not there or may not be entered: it ran in {folder}",)
    listed = ", ".join(folders) or "none was named"
    return None, (f"there is no folder to start it in ({listed}): create one of them",)


def _may_enter(folder: str) -> bool:
    try:
        return folder != "" and os.access(f"{folder}/", os.X_OK)  # with the slash, only a folder will do
    except ValueError:
        return False  # no name that a folder can have


def _reason(stop: asyncio.Future[StopReason]) -> StopReason:
    return "cancelled" if stop.cancelled() or stop.exception() is not None else stop.result()


def _told(tree: TreeEnd) -> str:
    if tree.left:
        pids = ", ".join(map(str, tree.left))
        return f"not all of its processes could be killed, and some may still be there (pid {pids})"
    return "its process tree was killed after the grace time" if tree.forced else "its process tree was stopped"
