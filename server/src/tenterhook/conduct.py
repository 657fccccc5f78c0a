"""Owns walking a plan: launch each hook, run it, read its answer, stop where the stage says so; judges nothing.

A run belongs to the engine and not to the request that asked for it:
a cancelled request is left at once, while its runs are stopped and their process trees cleared away behind it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import count

from msgspec import Struct
from tenterhook_protocol.base import UNSET

from tenterhook.dialects.base import Dialect, LaunchContext
from tenterhook.model import Answer, Event, Hook, HookRun, Outcome, Sink, Stage, StopReason
from tenterhook.runners import RUNNERS
from tenterhook.runners.contract import Limits, Runner
from tenterhook.runners.start_gate import Places
from tenterhook.stats import Clockwork

__all__ = ["Conductor", "Finished", "Surroundings"]

_STDERR_KEPT = 4096


class Finished(Struct, frozen=True):
    """One hook of a plan, run or not reached."""

    hook: Hook
    run: HookRun
    answer: Answer
    outcome: Outcome


class Surroundings(Struct, frozen=True, kw_only=True):
    """What all launches of an engine share."""

    environment: Mapping[str, str]
    home: str
    version: str
    token: str
    """Sets this engine's run ids apart from those of every other engine on the machine."""


class Conductor:
    """Runs hooks, and knows every run that is under way."""

    def __init__(
        self,
        dialects: Mapping[str, Dialect],
        surroundings: Surroundings,
        limits: Limits,
        sink: Sink,
        *,
        tell_runs: bool,
        runners: Mapping[str, Runner] = RUNNERS,
    ) -> None:
        self.times = Clockwork()
        self._dialects = dialects
        self._surroundings = surroundings
        self._limits = limits
        self._sink = sink
        self._tell_runs = tell_runs
        self._runners = runners
        self._numbers = count(1)
        self._live: dict[asyncio.Task[Finished], asyncio.Future[StopReason]] = {}

    async def walk(self, stages: Sequence[Stage], event: Event, places: Places) -> list[Finished]:
        """Every hook of the stages in configuration order, those not reached included."""
        finished: list[Finished] = []
        ended_by: Hook | None = None
        for stage in stages:
            if ended_by is not None:
                finished.extend(_not_reached(hook, event, ended_by) for hook in stage.hooks)
            elif stage.together == "parallel":
                finished.extend(await asyncio.gather(*(self.run(hook, event, places) for hook in stage.hooks)))
                ended_by = next((one.hook for one in finished if stage.stops(one.answer)), None)
            else:
                for hook in stage.hooks:
                    if ended_by is not None:
                        finished.append(_not_reached(hook, event, ended_by))
                        continue
                    one = await self.run(hook, event, places)
                    finished.append(one)
                    if stage.stops(one.answer):
                        ended_by = hook
        return finished

    async def run(self, hook: Hook, event: Event, places: Places) -> Finished:
        """One run of one hook. Cancelling it stops the run; its place is freed when its process tree is gone."""
        await places.acquire()
        stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._run(hook, event, places, stop))
        self._live[task] = stop
        task.add_done_callback(self._live.pop)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            _stop(stop)
            raise

    async def close(self) -> None:
        """Stop every run. Returns when all their process trees are gone."""
        while self._live:
            for stop in self._live.values():
                _stop(stop)
            await asyncio.wait(tuple(self._live))

    async def _run(self, hook: Hook, event: Event, places: Places, stop: asyncio.Future[StopReason]) -> Finished:
        dialect = self._dialects[hook.system]
        run_id = f"{self._surroundings.token}-{next(self._numbers)}"
        context = LaunchContext(
            run_id=run_id,
            environment=self._surroundings.environment,
            home=self._surroundings.home,
            version=self._surroundings.version,
        )
        try:
            if self._tell_runs:
                self._sink.run_started(_record(run_id, hook, event, _STARTED, _STARTED_ANSWER))
            launch = dialect.launch(hook, event, context)
            outcome = await self._runners[launch.kind](launch, self._limits, stop)
        finally:
            places.release()
        answer = dialect.read(hook, event, outcome)
        run = _record(run_id, hook, event, outcome, answer)
        failed = answer.status not in {"ok", "detached"}
        self.times.add(hook.id, outcome.duration, failed=failed)
        if failed and answer.status != "cancelled":
            self._sink.log("warning", f"{hook.id} at {event.point}: {answer.error or answer.status}")
        if self._tell_runs:
            self._sink.run_completed(run)
        return Finished(hook, run, answer, outcome)


_STARTED = Outcome(status="ok")
_STARTED_ANSWER = Answer(status="ok")


def _stop(stop: asyncio.Future[StopReason]) -> None:
    if not stop.done():
        stop.set_result("cancelled")


def _not_reached(hook: Hook, event: Event, by: Hook) -> Finished:
    outcome = Outcome(status="notReached")
    answer = Answer(status="notReached")
    return Finished(hook, _record("", hook, event, outcome, answer, by=by), answer, outcome)


def _record(
    run_id: str, hook: Hook, event: Event, outcome: Outcome, answer: Answer, *, by: Hook | None = None
) -> HookRun:
    return HookRun(
        run_id=run_id,
        event_id=event.id,
        hook=hook.id,
        name=hook.name,
        point=event.point,
        project_path=event.project,
        session_id=UNSET if event.session is None else event.session,
        origin=hook.origin,
        status=answer.status,
        duration_ms=round(outcome.duration * 1000, 3),
        exit_code=UNSET if outcome.exit_code is None else outcome.exit_code,
        signal=UNSET if outcome.signal is None else outcome.signal,
        error=UNSET if answer.error is None else answer.error,
        stderr=_tail(outcome.stderr) or UNSET,
        warnings=list(outcome.warnings) or UNSET,
        decision=UNSET if answer.decision is None else answer.decision,
        by=UNSET if by is None else by.id,
        synthetic=True if answer.synthetic else UNSET,
    )


def _tail(stderr: bytes) -> str:
    return stderr[-_STDERR_KEPT:].decode("utf-8", "replace")
