"""Owns the run of one process, from its start to the end of its tree; knows neither hook systems nor the wire.

No task and no thread is made for a run.
It is over when the process has exited and both outputs have ended, or a short time after the exit where somebody
else (a background child) holds them open: that child delays nothing and may live on.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from functools import partial
from typing import NamedTuple

from tenterhook.model import Outcome, ProcessLaunch, StopReason
from tenterhook.runners.collected import lay_out, take_in
from tenterhook.runners.contract import Limits, reason_of
from tenterhook.runners.exits import Ending, watch_by_pidfd, watch_by_thread
from tenterhook.runners.live_run import End, LiveRun, Watch
from tenterhook.runners.pipes import Feed, Pipes
from tenterhook.runners.process_tree import TreeEnd, end_tree_by_group, end_tree_by_scan
from tenterhook.runners.spawn import spawn
from tenterhook.runners.start_failure import explain_start_failure, is_exhaustion

__all__ = ["ANYWHERE", "LINUX", "Ways", "choose_folder", "run_process", "ways"]


class Ways(NamedTuple):
    """How this system lets us notice an end, and make one."""

    watch: Watch
    end_tree: Callable[[Ending, str, frozenset[str], float], Awaitable[TreeEnd]]


LINUX = Ways(watch_by_pidfd, end_tree_by_scan)
ANYWHERE = Ways(watch_by_thread, end_tree_by_group)

ways = LINUX if hasattr(os, "pidfd_open") and os.path.exists("/proc/self/stat") else ANYWHERE
"""Those of this system."""


async def run_process(launch: ProcessLaunch, limits: Limits, stop: asyncio.Future[StopReason]) -> Outcome:
    """Run one process; see ``Runner``."""
    if not stop.done():
        await limits.gate.enter()
    if stop.done():
        return Outcome(status=reason_of(stop), error="was stopped before it started")
    cwd, warnings = choose_folder(launch.cwd)
    if cwd is None:
        return Outcome(status="notStarted", error=warnings[0])
    if launch.collects is not None:
        warnings += lay_out(launch.collects)
    started = asyncio.get_running_loop().time()
    run = _start(launch, limits, cwd)
    while isinstance(run, _Exhausted) and await limits.gate.until_one_ends(started + launch.timeout, stop):
        run = _start(launch, limits, cwd)
    if isinstance(run, str):
        if launch.collects is not None:
            take_in(launch.collects)
        if stop.done():
            return Outcome(status=reason_of(stop), error="was stopped before it started")
        return Outcome(status="notStarted", error=run, warnings=warnings)
    run.allow(launch.timeout, started)
    return await _see_through(run, _Task(launch, limits, started, warnings), stop)


class _Exhausted(str):
    """Why a process could not be started, where the end of another run may help."""

    __slots__ = ()


class _Task(NamedTuple):
    """What a run was asked for."""

    launch: ProcessLaunch
    limits: Limits
    started: float
    warnings: tuple[str, ...]


async def _see_through(run: LiveRun, task: _Task, stop: asyncio.Future[StopReason]) -> Outcome:
    """Wait for the end of this stretch of a run: of the whole of it, or of what goes before or comes after it detaches.

    Its tree is ended where that has to be.
    """
    loop = asyncio.get_running_loop()
    tree = TreeEnd()
    end: End = "ended"
    launch = task.launch
    collected = b""
    losses: tuple[str, ...] = ()
    timer = loop.call_at(run.deadline, run.time_is_up)
    stop.add_done_callback(run.stopped)
    try:
        end = await run.over
        if end in ("timedOut", "stopped"):
            tree = await ways.end_tree(run.ending, launch.run_id, run.held_pipes(), task.limits.grace)
    except asyncio.CancelledError:
        # Not the way to stop a run, yet its tree must not outlive it.
        end = "stopped"
        await ways.end_tree(run.ending, launch.run_id, run.held_pipes(), 0.0)
        raise
    finally:
        timer.cancel()
        stop.remove_done_callback(run.stopped)
        if end != "detached":
            run.close()
            if launch.collects is not None:
                collected, losses = take_in(launch.collects)
    duration = loop.time() - task.started
    if end == "detached":
        run.go_on()
        return Outcome(
            status="detached", duration=duration, warnings=task.warnings, rest=partial(_see_through, run, task)
        )
    if end == "ended":
        status, error = run.judged()
    elif end == "timedOut":
        status, error = "timedOut", f"did not end within {run.time:g} s; {_told(tree)}"
    else:
        status = reason_of(stop)
        what = "was stopped on request" if status == "cancelled" else "did not end within the time of its event"
        error = f"{what}; {_told(tree)}"
    return run.outcome(status, error, duration, task.warnings + losses, collected)


def _start(launch: ProcessLaunch, limits: Limits, cwd: str) -> LiveRun | str:
    """Start the process; a text says why it could not be started."""
    if not launch.argv or not launch.argv[0]:
        return "there is no program to start: the command is empty"
    try:
        pipes = Pipes()
    except OSError as failure:
        return _Exhausted(explain_start_failure(failure, launch.argv, launch.env, cwd))
    loop = asyncio.get_running_loop()
    feed = Feed(loop, pipes.stdin, launch.stdin)
    feed.write_ahead()
    try:
        pid = spawn(launch.argv, launch.env, cwd, pipes.theirs)
    except (OSError, ValueError) as failure:
        feed.close()
        pipes.discard()
        told = explain_start_failure(failure, launch.argv, launch.env, cwd)
        return _Exhausted(told) if is_exhaustion(failure) else told
    pipes.close_theirs()
    run = LiveRun(loop, pid, pipes, feed, limits, launch.detaches)
    try:
        run.begin(ways.watch)
    except (OSError, RuntimeError) as failure:
        run.abort()
        return f"{launch.argv[0]} was started and killed at once, for the engine could not watch it: {failure}"
    return run


def choose_folder(folders: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
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


def _told(tree: TreeEnd) -> str:
    if tree.left:
        pids = ", ".join(map(str, tree.left))
        return f"not all of its processes could be killed, and some may still be there (pid {pids})"
    return "its process tree was killed after the grace time" if tree.forced else "its process tree was stopped"
