"""Owns walking a plan: launch each hook, run it, read its answer, stop where the stage says so; judges nothing.

Every event has a ``stop``: a future that its owner resolves to end the event's runs early.
The walk then returns when their process trees are gone, and starts nothing more.
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

__all__ = ["Conductor", "Finished", "Stop", "Surroundings"]

Stop = asyncio.Future[StopReason]
"""Resolved by an event's owner to end its runs early."""

_STDERR_KEPT = 4096


class Finished(Struct, frozen=True):
    """One hook of a plan: run, stopped before it began, or not reached."""

    hook: Hook
    event: Event
    answer: Answer
    outcome: Outcome
    run_id: str = ""
    by: Hook | None = None
    """For one that was not reached: the hook that ended the chain."""

    def record(self) -> HookRun:
        """What the host is told of it. Made only where somebody reads it."""
        hook, event, answer, outcome = self.hook, self.event, self.answer, self.outcome
        return HookRun(
            run_id=self.run_id,
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
            by=UNSET if self.by is None else self.by.id,
            synthetic=True if answer.synthetic else UNSET,
        )


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
        self._live: dict[int, Stop] = {}
        self._closing: asyncio.Future[None] | None = None

    async def walk(self, stages: Sequence[Stage], event: Event, places: Places, stop: Stop) -> list[Finished]:
        """Every hook of the stages in the order of the plan, those not reached included.

        After a stop the hooks that had not begun are missing: nobody reads what a stopped event came to.
        """
        finished: list[Finished] = []
        ended_by: Hook | None = None
        for stage in stages:
            if stop.done():
                return finished
            if ended_by is not None:
                finished.extend(_not_reached(hook, event, ended_by) for hook in stage.hooks)
            elif stage.together == "parallel":
                finished.extend(await asyncio.gather(*(self.run(hook, event, places, stop) for hook in stage.hooks)))
                ended_by = next((one.hook for one in finished if stage.stops(one.answer)), None)
            else:
                for hook in stage.hooks:
                    if ended_by is not None:
                        finished.append(_not_reached(hook, event, ended_by))
                        continue
                    if stop.done():
                        return finished
                    one = await self.run(hook, event, places, stop)
                    finished.append(one)
                    if stage.stops(one.answer):
                        ended_by = hook
        return finished

    async def run(self, hook: Hook, event: Event, places: Places, stop: Stop) -> Finished:
        """One run of one hook, in a place of its session that is free again when its process tree is gone."""
        await places.acquire()
        number = next(self._numbers)
        if self._closing is not None:
            _stop(stop)
        self._live[number] = stop
        try:
            if stop.done():
                return _not_begun(hook, event)
            return await self._run(f"{self._surroundings.token}-{number}", hook, event, stop)
        finally:
            places.release()
            del self._live[number]
            if self._closing is not None and not self._live and not self._closing.done():
                self._closing.set_result(None)

    async def close(self) -> None:
        """Stop every run and start none any more. Returns when all process trees are gone."""
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_future()
        for stop in self._live.values():
            _stop(stop)
        if self._live:
            await asyncio.shield(self._closing)

    async def _run(self, run_id: str, hook: Hook, event: Event, stop: Stop) -> Finished:
        dialect = self._dialects[hook.system]
        context = LaunchContext(
            run_id=run_id,
            environment=self._surroundings.environment,
            home=self._surroundings.home,
            version=self._surroundings.version,
        )
        if self._tell_runs:
            self._sink.run_started(Finished(hook, event, _BEGUN, Outcome(status="ok"), run_id).record())
        launch = dialect.launch(hook, event, context)
        outcome = await self._runners[launch.kind](launch, self._limits, stop)
        answer = dialect.read(hook, event, outcome)
        finished = Finished(hook, event, answer, outcome, run_id)
        if answer.status != "cancelled":
            failed = answer.status not in {"ok", "detached"}
            self.times.add(hook.id, outcome.duration, failed=failed)
            if failed:
                self._sink.log("warning", f"{hook.id} at {event.point}: {answer.error or answer.status}")
        if self._tell_runs:
            self._sink.run_completed(finished.record())
        return finished


_BEGUN = Answer(status="ok")


def _stop(stop: Stop) -> None:
    if not stop.done():
        stop.set_result("cancelled")


def _not_begun(hook: Hook, event: Event) -> Finished:
    error = "was stopped before it started"
    return Finished(hook, event, Answer(status="cancelled", error=error), Outcome(status="cancelled", error=error))


def _not_reached(hook: Hook, event: Event, by: Hook) -> Finished:
    return Finished(hook, event, Answer(status="notReached"), Outcome(status="notReached"), by=by)


def _tail(stderr: bytes) -> str:
    return stderr[-_STDERR_KEPT:].decode("utf-8", "replace")
