"""Owns one run by way of a worker, and the way back to a process of its own; knows no line and no pipe.

Where a worker cannot answer, the event is run again by itself: a hook may see it twice, and never loses it.
"""

from __future__ import annotations

import asyncio

from msgspec import structs

from tenterhook.model import Outcome, StopReason, WorkerLaunch
from tenterhook.runners.collected import lay_out, take_in
from tenterhook.runners.contract import Limits, reason_of
from tenterhook.runners.process import run_process
from tenterhook.runners.worker.lines import Answer
from tenterhook.runners.worker.pool import Pool
from tenterhook.runners.worker.worker import Lost, Worker

__all__ = ["run_worker"]

_LAST_WORDS = 200
"""Bytes of stderr that a warning shows at most."""


async def run_worker(launch: WorkerLaunch, limits: Limits, stop: asyncio.Future[StopReason]) -> Outcome:
    """Run one event by a worker; see ``Runner``."""
    if stop.done():
        return Outcome(status=reason_of(stop), error="was stopped before it started")
    if not limits.workers:
        return await run_process(launch.one_shot, limits, stop)
    pool = limits.lasting.get("workers")
    if not isinstance(pool, Pool):
        pool = limits.lasting["workers"] = Pool(limits)
    key = (launch.argv, tuple(launch.env), tuple(launch.env.values()), launch.cwd)
    try:
        worker = await pool.take(launch, key)
    except (OSError, ValueError):
        worker = None  # the process of its own says better what is wrong
    if worker is None:
        return await run_process(launch.one_shot, limits, stop)
    if stop.done():
        pool.give_back(worker)
        return Outcome(status=reason_of(stop), error="was stopped before it started")
    collects = launch.one_shot.collects
    warnings = () if collects is None else lay_out(collects)
    started = asyncio.get_running_loop().time()
    try:
        ended, reason = await _ask(worker, launch, stop)
    except asyncio.CancelledError:  # not the way to stop a run, yet nothing of it must outlive it
        await pool.destroy(worker)
        if collects is not None:
            take_in(collects)
        raise
    if isinstance(ended, Answer):
        errors, strays = worker.errors(), worker.warnings()
        pool.give_back(worker, last=ended.last)
        collected, losses = (b"", ()) if collects is None else take_in(collects)
        duration = asyncio.get_running_loop().time() - started
        return _outcome(ended, limits, duration, errors, (*warnings, *strays, *losses), collected)
    errors = worker.errors(to_the_end=True)
    if ended == "refused":
        pool.give_back(worker)
        told = f"the worker did not take this event: {reason}"
        return _with(await run_process(launch.one_shot, limits, stop), told)
    if ended == "lost":
        pool.failed(key)
    await pool.destroy(worker)
    if collects is not None:
        take_in(collects)
    duration = asyncio.get_running_loop().time() - started
    if ended == "timedOut":
        error = f"its worker did not answer within {launch.timeout:g} s and was stopped"
        return Outcome(status="timedOut", duration=duration, error=error, stderr=errors)
    if ended == "stopped":
        return Outcome(status=reason_of(stop), duration=duration, error="was stopped on request, with its worker")
    why = "; ".join([reason, *_last_line(errors)])
    told = f"its worker did not answer ({why}): the event was run again by a process of its own"
    return _with(await run_process(launch.one_shot, limits, stop), told)


async def _ask(worker: Worker, launch: WorkerLaunch, stop: asyncio.Future[StopReason]) -> tuple[Answer | str, str]:
    """The answer; or ``refused``, ``lost``, ``timedOut`` or ``stopped``, with the reason in words."""
    waiting = worker.ask(launch.event, launch.call, launch.timeout)

    def give_up(_: object = None) -> None:
        if not waiting.done():
            waiting.cancel()

    stop.add_done_callback(give_up)
    try:
        answer = await waiting
    except Lost as lost:
        return "lost", str(lost)
    except asyncio.CancelledError:
        if waiting.cancelled() and not _is_cancelled():
            return ("stopped" if stop.done() else "timedOut"), ""
        raise
    finally:
        stop.remove_done_callback(give_up)
    return ("refused", str(answer.error)) if isinstance(answer.error, str) else (answer, "")


def _is_cancelled() -> bool:
    """Whether somebody has cancelled this very task, and not what it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _with(outcome: Outcome, warning: str) -> Outcome:
    return structs.replace(outcome, warnings=(*outcome.warnings, warning))


def _last_line(errors: bytes) -> list[str]:
    """What a program said last is mostly why it ended."""
    lines = errors[-_LAST_WORDS:].decode("utf-8", "replace").split("\n")
    return [f"its last line on stderr was {line.strip()!r}" for line in reversed(lines) if line.strip()][:1]


def _outcome(
    answer: Answer, limits: Limits, duration: float, errors: bytes, warnings: tuple[str, ...], collected: bytes
) -> Outcome:
    stdout, stderr = answer.output, answer.stderr.encode("utf-8", "replace") + errors
    code = answer.exit_code & 255
    return Outcome(
        status="ok" if code == 0 else "failed",
        duration=duration,
        exit_code=code,
        stdout=stdout[: limits.max_output],
        stderr=stderr[-limits.max_output :],
        stdout_cut=len(stdout) > limits.max_output,
        stderr_cut=len(stderr) > limits.max_output,
        error=None if code == 0 else f"exited with code {code}",
        warnings=warnings,
        collected=collected,
    )
