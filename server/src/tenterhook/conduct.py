"""Owns walking a plan: launch each hook, run it, read its answer, stop where the stage says so; judges nothing.

Every event has a ``stop``: a future that its owner resolves to end the event's runs early.
The walk then returns when their process trees are gone, and starts nothing more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count

from msgspec import Struct, structs
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.runs import RunStatus

from tenterhook.dialects.base import Dialect, LaunchContext
from tenterhook.later import Stop, Tasks
from tenterhook.model import Answer, Event, Hook, HookRun, HostLaunch, Judged, Launch, Outcome, Sink, Stage
from tenterhook.runners import RUNNERS
from tenterhook.runners.contract import Limits, Runner
from tenterhook.runners.start_gate import Places
from tenterhook.stats import Clockwork
from tenterhook.wishes import fulfil

__all__ = ["Conductor", "Finished", "Surroundings"]

_STDERR_KEPT = 4096


class Finished(Judged, frozen=True, kw_only=True):
    """One hook of a plan: run, stopped before it began, or not reached."""

    event: Event
    outcome: Outcome
    run_id: str = ""
    by: Hook | None = None
    """For one that was not reached: the hook that ended the chain."""

    def record(self, overruled: Mapping[str, str] | None = None) -> HookRun:
        """What the host is told of it. Made only where somebody reads it."""
        hook, event, answer, outcome = self.hook, self.event, self.answer, self.outcome
        doubts = [event.doubts[hook.id]] if hook.id in event.doubts else []
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
            warnings=[*doubts, *outcome.warnings, *answer.warnings] or UNSET,
            decision=UNSET if answer.decision is None else answer.decision,
            by=UNSET if self.by is None else self.by.id,
            overruled=dict(overruled) if overruled else UNSET,
            synthetic=True if answer.synthetic else UNSET,
        )


class Surroundings(Struct, frozen=True, kw_only=True):
    """What all launches of an engine share."""

    environment: Mapping[str, str]
    home: str
    version: str
    token: str
    """Sets this engine's run ids apart from those of every other engine on the machine."""
    scratch: str
    """A folder of this engine for files of its own; it is made when the first is written."""


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
        runners: Mapping[type[Launch], Runner] = RUNNERS,
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
        self._background = Tasks()
        self._closing: asyncio.Future[None] | None = None

    async def walk(self, stages: Sequence[Stage], event: Event, places: Places, stop: Stop) -> list[Finished]:
        """Every hook of the stages in the order of the plan, those not reached included.

        After a stop the hooks that had not begun are missing: nobody reads what a stopped event came to.
        """
        finished: list[Finished] = []
        ended_by: Hook | None = None
        ranks = count()

        async def run(hook: Hook) -> Finished:
            one = await self.run(hook, event, places, stop)
            return structs.replace(one, rank=next(ranks), outcome=_what_is_told(one.outcome))

        for stage in stages:
            if stop.done():
                return finished
            if ended_by is not None:
                finished.extend(_not_reached(hook, event, ended_by) for hook in stage.hooks)
            elif stage.together == "parallel":
                together = await _all_of([asyncio.ensure_future(run(hook)) for hook in stage.hooks], stop)
                finished.extend(together)
                ended_by = next((one.hook for one in together if stage.stops(one.answer)), None)
            else:
                for hook in stage.hooks:
                    if ended_by is not None:
                        finished.append(_not_reached(hook, event, ended_by))
                        continue
                    if stop.done():
                        return finished
                    one = await run(hook)
                    finished.append(one)
                    if stage.stops(one.answer):
                        ended_by = hook
        return finished

    async def run(self, hook: Hook, event: Event, places: Places, stop: Stop) -> Finished:
        """One run of one hook, its whole output included.

        It holds a place of its session until its process tree is gone, or until it goes on in the background.
        One that waits for the host holds none.
        """
        context = self._context()
        launch = self._dialects[hook.system].launch(hook, event, context)
        if hook.background:
            return self._begin_in_background(hook, event, context, launch)
        if isinstance(launch, HostLaunch):
            return await self._run(hook, event, context, launch, stop)
        if not await places.acquire(stop):
            return _not_begun(hook, event)
        try:
            return await self._run(hook, event, context, launch, stop)
        finally:
            places.release()

    def renew(self) -> None:
        """Hook files have been read anew: what lives longer than a run begins anew too."""
        for lasting in self._limits.lasting.values():
            lasting.renew()

    async def close(self) -> None:
        """Stop every run and start none any more. Returns when all process trees are gone."""
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_future()
        for stop in self._live.values():
            _stop(stop)
        if self._live:
            await asyncio.shield(self._closing)
        await self._background.ended()  # one that has just been let go may not be among the living yet
        for lasting in self._limits.lasting.values():
            await lasting.close()

    def _context(self) -> LaunchContext:
        around = self._surroundings
        return LaunchContext(
            run_id=f"{around.token}-{next(self._numbers)}",
            environment=around.environment,
            home=around.home,
            version=around.version,
            scratch=around.scratch,
        )

    async def _run(self, hook: Hook, event: Event, context: LaunchContext, launch: Launch, stop: Stop) -> Finished:
        with self._alive(stop):
            if stop.done():
                return _not_begun(hook, event)
            if self._tell_runs:
                self._sink.run_started(_begun(hook, event, context, "ok").record())
            outcome = await self._runners[type(launch)](launch, self._limits, stop)
        if outcome.rest is not None:
            # What is left of it is read as the answer of a hook that nobody waits for.
            let_go = structs.replace(hook, background=True)
            self._background.begin(self._finish_in_background(let_go, event, context, outcome.rest))
        return self._judge(hook, event, context, outcome)

    def _judge(self, hook: Hook, event: Event, context: LaunchContext, outcome: Outcome) -> Finished:
        dialect = self._dialects[hook.system]
        answer = dialect.read(hook, event, outcome, context)
        if answer.wishes and (refusal := fulfil(answer.wishes)) is not None:
            answer = dialect.refused(hook, event, answer, refusal)
        finished = Finished(hook=hook, event=event, answer=answer, outcome=outcome, run_id=context.run_id)
        if answer.status == "detached":
            return finished
        if answer.status != "cancelled":
            failed = answer.status != "ok"
            self.times.add(hook.id, outcome.duration, failed=failed)
            if failed:
                self._sink.log("warning", f"{hook.id} at {event.point}: {answer.error or answer.status}")
        if self._tell_runs:
            self._sink.run_completed(finished.record())
        return finished

    def _begin_in_background(self, hook: Hook, event: Event, context: LaunchContext, launch: Launch) -> Finished:
        def run(stop: Stop) -> Awaitable[Outcome]:
            return self._runners[type(launch)](launch, self._limits, stop)

        if self._closing is not None:
            return _not_begun(hook, event)
        if self._tell_runs:
            self._sink.run_started(_begun(hook, event, context, "ok").record())
        self._background.begin(self._finish_in_background(hook, event, context, run))
        return _begun(hook, event, context, "detached")

    async def _finish_in_background(
        self, hook: Hook, event: Event, context: LaunchContext, run: Callable[[Stop], Awaitable[Outcome]]
    ) -> None:
        stop: Stop = asyncio.get_running_loop().create_future()
        with self._alive(stop):
            outcome = await run(stop)
            if outcome.rest is not None:  # it lets go of those who wait, and nobody does
                outcome = await outcome.rest(stop)
        finished = self._judge(hook, event, context, outcome)
        decision = finished.answer.decision
        injection = None if decision is None or decision.injection is UNSET else decision.injection
        self._sink.run_detached_completed(finished.record(), injection, wake=finished.answer.wake)

    @contextmanager
    def _alive(self, stop: Stop) -> Generator[None]:
        """While this lasts, ``close`` stops it and waits for it."""
        if self._closing is not None:
            _stop(stop)
        number = next(self._numbers)
        self._live[number] = stop
        try:
            yield
        finally:
            del self._live[number]
            if self._closing is not None and not self._live and not self._closing.done():
                self._closing.set_result(None)


async def _all_of(tasks: Sequence[asyncio.Future[Finished]], stop: Stop) -> list[Finished]:
    """All results in their order. Where one fails, the others are stopped and waited for first."""
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        if not all(task.done() for task in tasks):
            _stop(stop)
            await asyncio.wait(tasks)
    except asyncio.CancelledError:
        _stop(stop)
        raise
    return [task.result() for task in tasks]


def _stop(stop: Stop) -> None:
    if not stop.done():
        stop.set_result("cancelled")


def _begun(hook: Hook, event: Event, context: LaunchContext, status: RunStatus) -> Finished:
    return Finished(
        hook=hook, event=event, answer=Answer(status=status), outcome=Outcome(status=status), run_id=context.run_id
    )


def _not_begun(hook: Hook, event: Event) -> Finished:
    error = "was stopped before it started"
    outcome = Outcome(status="cancelled", error=error)
    return Finished(hook=hook, event=event, answer=Answer(status="cancelled", error=error), outcome=outcome)


def _not_reached(hook: Hook, event: Event, by: Hook) -> Finished:
    outcome = Outcome(status="notReached")
    return Finished(hook=hook, event=event, answer=Answer(status="notReached"), outcome=outcome, by=by)


def _what_is_told(outcome: Outcome) -> Outcome:
    """Without the bytes that nobody will read: an event may have many hooks, and each may have written much."""
    return structs.replace(outcome, stdout=b"", stderr=outcome.stderr[-_STDERR_KEPT:], rest=None)


def _tail(stderr: bytes) -> str:
    return stderr[-_STDERR_KEPT:].decode("utf-8", "replace")
