"""Owns what the engine does for its callers: emit, decide, reload, list, explain, test; knows no wire.

The wire, the command line, a test and an embedding host call it with the same types.
A method answers at once where nothing has to run, and otherwise returns a ``Later``, which is a task's work.
An event takes its table and its session's counters at the moment it is read, not when its work begins.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from itertools import count
from time import perf_counter

from msgspec import Raw, Struct, structs
from tenterhook_protocol import hooks as wire
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.lifecycle import InitializationOptions
from tenterhook_protocol.points import HookType

from tenterhook import __version__, describe
from tenterhook.attendance import Attendance
from tenterhook.conduct import Conductor, Finished, Surroundings
from tenterhook.decide import decision_of, result_of
from tenterhook.dialects.base import Counters, Dialect, Head, Verdict
from tenterhook.doorman import Doorman
from tenterhook.errors import BadParams, EventStopped, RequestFailed
from tenterhook.grounds import limits_of, recipe_of
from tenterhook.later import Later, Stop
from tenterhook.model import Event, HookDecision, HookRun, Launch, Mode, Notice, Person, Sink, Stage
from tenterhook.place import Placing
from tenterhook.plan import left_out, plan
from tenterhook.policy import unknown_ids
from tenterhook.registry import Registry
from tenterhook.runners import RUNNERS
from tenterhook.runners.contract import Runner
from tenterhook.served import serve
from tenterhook.sessions import Session, Sessions
from tenterhook.stats import Clockwork
from tenterhook.tables import Table

__all__ = ["Service"]

_NOTHING = wire.EmitResult(runs=[], notices=[])
_NO_PAYLOAD = Raw(b"{}")
_MOST_TOLD = 100
"""Messages of one kind that a host is told: who names a thousand projects that nobody loaded has a loop."""


class _Read(Struct, frozen=True):
    """An event as it was read: what will run, and the session's counters of that moment."""

    event: Event
    dialect: Dialect
    stages: Sequence[Stage]
    session: Session
    counters: Counters


class Service:
    """One engine.

    Args:
        options: what the host asked for at ``initialize``.
        sink: where runs, problems and log lines are told.
        environment: the engine's own environment; hooks get theirs on top of it.
        runners: how launches are run, by kind; tests bring their own.
        person: who can be asked whether a project's hooks may run; None: nobody.

    Raises:
        BadParams: an option has a value that nothing can be made of.
    """

    def __init__(
        self,
        options: InitializationOptions,
        sink: Sink,
        environment: Mapping[str, str],
        runners: Mapping[type[Launch], Runner] = RUNNERS,
        person: Person | None = None,
    ) -> None:
        self._sink = sink
        self._served, complaints = serve(options)
        self._system_of = self._served.system_of
        self._ends = frozenset(end for dialect in self._served.dialects.values() for end in dialect.session_ends)
        recipe, more = recipe_of(options, environment, self._served)
        for complaint in (*complaints, *more):
            sink.log("warning", complaint)
        self.registry = Registry(recipe)
        home = recipe.ground.home
        cap = None if options.max_stop_continuations is UNSET else options.max_stop_continuations
        counters = Counters(cap=cap, defers=options.host.defer, environment=environment)
        self.sessions = Sessions(options.max_hooks_per_session, counters)
        self._placing = Placing(self.registry, self.sessions)
        self._token = os.urandom(6).hex()
        scratch = os.path.join(environment.get("TMPDIR") or "/tmp", f"tenterhook-{self._token}")  # noqa: S108 - 0700, by a name nobody can guess
        self._conductor = Conductor(
            self._served.dialects,
            Surroundings(environment=environment, home=home, version=__version__, token=self._token, scratch=scratch),
            limits_of(options, environment),
            sink,
            tell_runs=options.hook_events,
            runners=runners,
        )
        asks, store = person if options.host.request_trust else None, recipe.trust.store
        self._doorman = None if asks is None or store is None else Doorman(asks, store, sink, self.load_again)
        self.attendance = Attendance()
        self._numbers = count(1)
        self._point_times = Clockwork()
        self._events = 0
        self._told: dict[str, set[str]] = {}

    @property
    def systems(self) -> Sequence[str]:
        """The systems whose hooks are served."""
        return tuple(self._served.dialects)

    @property
    def points(self) -> Mapping[str, HookType]:
        """Every point that may be emitted, and the type of hook that suits it."""
        return self._served.points

    def load_again(self, path: str) -> None:
        """Read a project's files again because the engine itself has a reason to, and tell of it."""
        table = self._load(path)
        self._sink.reloaded(table.project, table.running, len(table.problems))

    def load(self, project_paths: Sequence[str]) -> None:
        """Read the files of several projects, and tell of their problems.

        Raises:
            BadParams: a path is not absolute.
        """
        for path in project_paths:
            self._load(path)
        if project_paths:
            hooks = (hook for table in self.registry.tables for hook in table.hooks)
            for unknown in unknown_ids(self.registry.recipe.policy.disabled, hooks):
                self._tell_once("disabledHooks", unknown, f"the disabled id {unknown!r} names no hook")

    def emit(self, params: wire.EmitParams) -> wire.EmitResult | Later[wire.EmitResult]:
        """Run the event's observers.

        Raises:
            UnknownPoint: nobody knows the point.
            BadParams: the payload is no object, or a key that the engine reads has a value of a wrong type.
        """
        read = self._read(params, "emit")
        if isinstance(read, _Read):
            return Later(lambda stop: self._emit(read, stop))
        return _NOTHING if read is None else wire.EmitResult(runs=[], notices=[read])

    def emit_in_order(self, params: wire.EmitParams) -> Later[None] | None:
        """The same for a notification: after those of its session that were read before it.

        Raises:
            UnknownPoint, BadParams: as for ``emit``.
        """
        read = self._read(params, "emit")
        if not isinstance(read, _Read):
            self._tell_of(read)
            return None
        turn = read.session.lane.turn()

        async def work(stop: Stop) -> None:
            try:
                await turn.begin(stop)
                await self._emit(read, stop)
            finally:
                turn.end()

        return Later(work)

    def decide(self, params: wire.EmitDecisionParams) -> HookDecision | Later[HookDecision | None] | None:
        """Run the event's decision hooks and join their answers. None: no opinion.

        Raises:
            UnknownPoint, BadParams: as for ``emit``.
        """
        read = self._read(params, "decide")
        if isinstance(read, _Read):
            return Later(lambda stop: self._decide(read, stop, trace=params.trace))
        if params.trace:
            return HookDecision(runs=[], notices=[] if read is None else [read])
        self._tell_of(read)
        return None

    def reload(self, params: wire.ReloadParams) -> wire.ReloadResult:
        """Read hook files again and swap the tables; events under way keep those they began with.

        Raises:
            BadParams: the path is not absolute.
        """
        if params.project_path is UNSET:
            tables = [self._load(table.project) for table in self.registry.tables]
        else:
            tables = [self._load(params.project_path)]
        self._conductor.renew()
        return wire.ReloadResult(projects=[describe.reloaded_project(table) for table in tables])

    def list(self, params: wire.ListParams) -> wire.ListResult:
        """Every hook of one project or of all, with why some can never run."""
        if params.project_path is UNSET:
            tables = self.registry.tables
        else:
            table = self.registry.find(params.project_path)
            tables = () if table is None else (table,)
        return wire.ListResult(projects=[describe.project_hooks(table) for table in tables])

    def explain(self, params: wire.ExplainParams) -> wire.ExplainResult:
        """The plan for an event, by the road that ``emit`` takes; nothing is run and nothing remembered.

        Raises:
            UnknownPoint, BadParams: as for ``emit``.
        """
        dialect = self._served.dialect_of(params.point)
        payload = _NO_PAYLOAD if params.payload is UNSET else params.payload
        head = dialect.head(params.point, payload)
        table, notice = self._placing.look(None if params.project_path is UNSET else params.project_path, head)
        event = self._event(params.point, dialect, payload, head, table, self._mode(self.points[params.point]))
        arranged = plan(table, event, dialect)
        return describe.planned(event, arranged, left_out(table, event, dialect, arranged), notice)

    def test(self, params: wire.TestParams) -> Later[wire.TestResult]:
        """Run one hook once, whatever its point, matcher or switch say.

        Raises:
            UnknownHook: no loaded project has it, or its name fits several.
            RequestFailed: its file is not approved.
        """
        project = None if params.project_path is UNSET else params.project_path
        if project is None:
            project = self.project_of(params.payload)
        table, hook = self.registry.find_hook(params.hook, project)
        if not hook.trusted:
            why = "its file is not approved" if hook.left_out is None else hook.left_out.message
            raise RequestFailed(f"{hook.id} is not run: {why}")
        dialect = self._served.dialects[hook.system]
        head = dialect.head(hook.point, params.payload)
        session = self.sessions.get(f"\0{table.project}")
        event = self._event(hook.point, dialect, params.payload, head, table, self._mode(hook.type))

        async def work(stop: Stop) -> wire.TestResult:
            finished = await self._conductor.run(hook, event, session.places, stop)
            if stop.done():
                raise EventStopped(f"the test of {hook.id} was stopped before it had ended")
            return describe.tested(finished)

        return Later(work)

    def stats(self, _params: wire.StatsParams) -> wire.StatsResult:
        """Counts and times since the engine started."""
        return wire.StatsResult(
            points=self._point_times.report(), hooks=self._conductor.times.report(), events=self._events
        )

    async def close(self) -> None:
        """Stop every run; returns when all process trees are gone."""
        await self.attendance.close()
        if self._doorman is not None:
            await self._doorman.close()
        await self._conductor.close()

    def _read(self, params: wire.EmitParams, mode: Mode) -> _Read | Notice | None:
        self._events += 1
        point = params.point
        dialect = self._system_of.get(point) or self._served.dialect_of(point)
        head = dialect.head(point, params.payload)
        named = params.project_path
        table, session, notice = self._placing.read(None if named is UNSET else named, head)
        if head.cwd != session.cwd:
            self.attendance.follow(session, head, params.payload)
        counters = session.counters
        if counters.continuations:  # else there is nothing to begin anew
            counters = session.counters = dialect.begin(point, counters)
        if point in table.runnable:
            traceparent = None if params.traceparent is UNSET else _checked(params.traceparent)
            event = self._event(point, dialect, params.payload, head, table, mode, traceparent)
            arranged = plan(table, event, dialect, session.ran)
            if arranged.stages:
                session.open += 1
                if arranged.doubts or counters.continuations:
                    event = structs.replace(event, doubts=arranged.doubts, continuations=counters.continuations)
                return _Read(event, dialect, arranged.stages, session, counters)
        if point in self._ends:
            self.attendance.forget(session)
        if counters.continuations:
            _change(session, dialect.join(point, mode, (), counters))
        return notice

    async def _emit(self, read: _Read, stop: Stop) -> wire.EmitResult:
        finished, verdict = await self._handle(read, stop)
        return result_of(verdict, _records(finished, verdict))

    async def _decide(self, read: _Read, stop: Stop, *, trace: bool) -> HookDecision | None:
        finished, verdict = await self._handle(read, stop)
        if not trace:
            for notice in verdict.notices:
                self._sink.log("warning", notice.message)
        return decision_of(verdict, _records(finished, verdict) if trace else (), trace=trace)

    async def _handle(self, read: _Read, stop: Stop) -> tuple[Sequence[Finished], Verdict]:
        start = perf_counter()
        session, event = read.session, read.event
        try:
            finished = await self._conductor.walk(read.stages, event, session.places, stop)
        finally:
            session.open -= 1
        if stop.done():
            raise EventStopped(f"{event.point} was stopped before all its hooks had ended")
        verdict = read.dialect.join(event.point, event.mode, finished, read.counters)
        _change(session, verdict)
        if event.point in self._ends:
            self.attendance.forget(session)
        elif verdict.decision is not None and verdict.decision.effects is not UNSET:
            paths = verdict.decision.effects.watch_paths
            if paths is not UNSET:
                self.attendance.watch(session, paths)
        session.ran.update(one.hook.id for one in finished if one.hook.once and one.answer.status == "ok")
        failed = any(one.answer.status not in _ENDED_WELL for one in finished)
        self._point_times.add(event.point, perf_counter() - start, failed=failed)
        return finished, verdict

    def _event(
        self,
        point: str,
        dialect: Dialect,
        payload: Raw,
        head: Head,
        table: Table,
        mode: Mode,
        traceparent: str | None = None,
    ) -> Event:
        return Event(
            id=f"{self._token}-e{next(self._numbers)}",
            system=dialect.name,
            point=point,
            mode=mode,
            payload=payload if head.payload is None else head.payload,
            project=table.project,
            session=head.session,
            subject=head.subject,
            traceparent=traceparent,
        )

    def _mode(self, hook_type: str) -> Mode:
        return "emit" if hook_type == "observer" else "decide"

    def _load(self, path: str) -> Table:
        if not os.path.isabs(path):
            raise BadParams(f"projectPath must be an absolute path, not {path!r}")
        table = self.registry.load(path)
        if not os.path.isdir(table.project):
            self._tell_once("projectMissing", path, f"the project {path} is no folder: no hook file of it can be read")
        for complaint in table.complaints:
            self._tell_once("approvals", complaint, complaint)
        if self._doorman is not None:
            self._doorman.table_loaded(table)
        self.attendance.attention()
        self._conductor.times.forget({hook.id for known in self.registry.tables for hook in known.hooks})
        self._sink.problems_found(table.project, list(table.problems))
        return table

    def project_of(self, payload: Raw) -> str | None:
        """The project that a payload names by itself, as the first system says that can read it."""
        heads = (dialect.head("", payload) for dialect in self._served.dialects.values())
        return next((head.project for head in heads if head.project is not None), None)

    def _tell_of(self, notice: Notice | None) -> None:
        if notice is not None:
            project = "" if notice.project_path is UNSET else notice.project_path
            self._tell_once(notice.code, project, notice.message)

    def _tell_once(self, cause: str, about: str, message: str) -> None:
        told = self._told.setdefault(cause, set())
        if about not in told and len(told) < _MOST_TOLD:
            told.add(about)
            last = len(told) == _MOST_TOLD
            self._sink.log("warning", f"{message}; more of this kind are not told" if last else message)


def _change(session: Session, verdict: Verdict) -> None:
    if verdict.change is not None:
        session.counters = verdict.change(session.counters)


def _records(finished: Sequence[Finished], verdict: Verdict) -> list[HookRun]:
    return [one.record(verdict.overruled.get(one.hook.id)) for one in finished]


def _checked(traceparent: str) -> str:
    """It goes into the hooks' environment, so it must be what it says: W3C Trace Context, section 3.2."""
    if re.fullmatch(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]{0,256})?", traceparent) is None:
        raise BadParams("traceparent must be a W3C trace context such as 00-<32 hex digits>-<16 hex digits>-01")
    return traceparent


_ENDED_WELL = frozenset({"ok", "detached", "notReached"})
