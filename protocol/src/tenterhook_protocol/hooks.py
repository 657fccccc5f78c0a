"""Owns params and results of the ``hooks/*`` methods; knows nothing of how they are served."""

from __future__ import annotations

from typing import Literal

from tenterhook_protocol.base import UNSET, JsonObject, Message, UnsetType
from tenterhook_protocol.problems import Notice, Origin, Problem
from tenterhook_protocol.runs import Effects, HookDecision, HookRun

__all__ = [
    "AsyncCompletedParams",
    "EmitDecisionParams",
    "EmitParams",
    "EmitResult",
    "ExplainParams",
    "ExplainResult",
    "HookInfo",
    "LeftOut",
    "LeftOutCode",
    "LeftOutHook",
    "ListParams",
    "ListResult",
    "ProblemsParams",
    "ProjectHooks",
    "RaisedParams",
    "ReloadParams",
    "ReloadResult",
    "ReloadedParams",
    "ReloadedProject",
    "StageInfo",
    "StatsParams",
    "StatsResult",
    "TestParams",
    "TestResult",
    "TimeStats",
    "Together",
]

Together = Literal["parallel", "sequence"]

LeftOutCode = Literal[
    "alreadyRan",
    "disabled",
    "disabledById",
    "disabledByProfile",
    "duplicate",
    "invalid",
    "methodNotSuited",
    "noMatch",
    "notTrusted",
    "ruleNotMet",
]


class EmitParams(Message, frozen=True, kw_only=True):
    """Something happened."""

    point: str
    """The point or event."""
    payload: JsonObject
    """The event's data; handed to the hooks unchanged."""
    project_path: str | UnsetType = UNSET
    """The project; absent: the payload's own, or the one its session is bound to."""
    traceparent: str | UnsetType = UNSET
    """W3C trace context; hooks see it as ``TRACEPARENT``."""


class EmitDecisionParams(EmitParams, frozen=True, kw_only=True):
    """Something is about to happen: may it?"""

    trace: bool = False
    """Answer with an object in any case, with all runs and notices."""


class EmitResult(Message, frozen=True, kw_only=True):
    """What running an event's hooks came to."""

    runs: list[HookRun]
    """Every hook of the event and how it ended, in the order of the plan."""
    notices: list[Notice]
    """What the host should know."""
    decision: HookDecision | UnsetType = UNSET
    """The joined answer, where there is one."""
    effects: Effects | UnsetType = UNSET
    """What one system alone can ask for."""


class ReloadParams(Message, frozen=True, kw_only=True):
    """Read hook files again."""

    project_path: str | UnsetType = UNSET
    """The project, loaded if it was not; absent: every loaded one."""


class ReloadedProject(Message, frozen=True, kw_only=True):
    """One project after a reload."""

    project_path: str
    """Real path of the project."""
    hooks: int
    """How many hooks can run."""
    problems: list[Problem]
    """Everything its author has to mend."""


class ReloadResult(Message, frozen=True, kw_only=True):
    """Every project that was read."""

    projects: list[ReloadedProject]
    """In the order in which they were loaded."""


class ListParams(Message, frozen=True, kw_only=True):
    """Which hooks are there?"""

    project_path: str | UnsetType = UNSET
    """The project; absent: every loaded one."""


class LeftOut(Message, frozen=True, kw_only=True):
    """The one reason why a hook does not run."""

    code: LeftOutCode
    """Stable name of this kind of reason."""
    message: str
    """One sentence for a person."""


class HookInfo(Message, frozen=True, kw_only=True):
    """One configured hook."""

    id: str
    """Its id; disabled lists, ``hooks/test`` and runs use it."""
    name: str
    """The name its file gives it."""
    system: str
    """The system it comes from."""
    point: str
    """The point it hangs on."""
    type: str
    """``observer``, ``decision`` or a handler type of its system."""
    description: str | UnsetType = UNSET
    """What its author says of it."""
    command: list[str]
    """Program and arguments."""
    priority: float
    """Its place in the order: smaller runs first."""
    timeout_ms: float
    """How long it may run, in milliseconds."""
    enabled: bool
    """False where its file switches it off."""
    trusted: bool
    """False where its layer is not approved."""
    left_out: LeftOut | UnsetType = UNSET
    """Why it can never run as things are; absent: it can."""
    origin: Origin
    """Where it is defined first."""
    fields: dict[str, Origin]
    """Where each declared field comes from, after the merge."""
    matcher: str | UnsetType = UNSET
    """The tools it is limited to."""
    rule: str | UnsetType = UNSET
    """The condition beyond the matcher that it is limited to: Claude Code's ``if``."""
    profiles: list[str] | UnsetType = UNSET
    """The profiles in which it runs; absent: all."""
    aliases: list[str] | UnsetType = UNSET
    """Further ids by which lists of disabled hooks may name it."""
    worker: bool | UnsetType = UNSET
    """True where a process that lives on may serve it; absent: each event has a process of its own."""


class ProjectHooks(Message, frozen=True, kw_only=True):
    """The hooks of one project."""

    project_path: str
    """Real path of the project."""
    hooks: list[HookInfo]
    """In the order in which they would run at each point."""
    problems: list[Problem]
    """Everything its author has to mend."""


class ListResult(Message, frozen=True, kw_only=True):
    """Hooks by project."""

    projects: list[ProjectHooks]
    """In the order in which they were loaded."""


class ExplainParams(Message, frozen=True, kw_only=True):
    """What would this event do? Nothing is run."""

    point: str
    """The point or event."""
    payload: JsonObject | UnsetType = UNSET
    """The event's data; absent: ``{}``."""
    project_path: str | UnsetType = UNSET
    """The project; as for ``hooks/emit``."""


class StageInfo(Message, frozen=True, kw_only=True):
    """Hooks that run together."""

    together: Together
    """All at once, or one after another."""
    stops_at: str | UnsetType = UNSET
    """What ends the stage early, in words; absent: nothing does."""
    hooks: list[HookInfo]
    """In their order."""


class LeftOutHook(Message, frozen=True, kw_only=True):
    """A hook of this point that would not run."""

    hook: HookInfo
    """The hook."""
    reason: LeftOut
    """Why not."""


class ExplainResult(Message, frozen=True, kw_only=True):
    """The plan for an event."""

    point: str
    """The point or event."""
    system: str
    """The system the point belongs to."""
    method: str
    """The method that fits the point: ``hooks/emit`` or ``hooks/emitDecision``."""
    project_path: str | UnsetType = UNSET
    """Real path of the project, where the event has one."""
    stages: list[StageInfo]
    """What would run, in order."""
    left_out: list[LeftOutHook]
    """Every other hook of the point, each with its one reason."""
    notices: list[Notice]
    """What the host should know."""


class TestParams(Message, frozen=True, kw_only=True):
    """Run one hook, whatever its point, matcher or switch say."""

    hook: str
    """Its id, or its name where only one hook has it."""
    payload: JsonObject
    """What it reads from stdin."""
    project_path: str | UnsetType = UNSET
    """The project; absent: the payload's own, or the only loaded one."""


class TestResult(Message, frozen=True, kw_only=True):
    """One run of one hook."""

    run: HookRun
    """How it ended."""
    stdout: str
    """What it wrote to stdout, undecodable bytes replaced."""
    stderr: str
    """What it wrote to stderr, undecodable bytes replaced."""
    answer: HookDecision | None
    """Its answer; ``null``: no opinion."""


class StatsParams(Message, frozen=True, kw_only=True):
    """How has it gone so far?"""


class TimeStats(Message, frozen=True, kw_only=True):
    """Times of one hook or point since the engine started."""

    name: str
    """Id of the hook, or name of the point."""
    count: int
    """How often."""
    failures: int
    """How often it did not end well."""
    p50_ms: float
    """Median of the last 512, in milliseconds."""
    p95_ms: float
    """95th percentile of the last 512, in milliseconds."""
    max_ms: float
    """The longest ever, in milliseconds."""


class StatsResult(Message, frozen=True, kw_only=True):
    """Counts and times since the engine started."""

    points: list[TimeStats]
    """By point; only events that ran a hook."""
    hooks: list[TimeStats]
    """By hook."""
    events: int
    """All events, those without hooks included."""


class AsyncCompletedParams(Message, frozen=True, kw_only=True):
    """A hook that ran in the background has ended."""

    run: HookRun
    """How it ended."""
    context: str | UnsetType = UNSET
    """Text for the model's next turn."""
    wake: bool = False
    """The model should be woken for it."""


class RaisedParams(Message, frozen=True, kw_only=True):
    """The engine raised an event by itself."""

    point: str
    """The event."""
    payload: JsonObject
    """Its data."""
    session_id: str | UnsetType = UNSET
    """The session it was raised for."""
    result: EmitResult
    """What it came to."""


class ReloadedParams(Message, frozen=True, kw_only=True):
    """A project's hooks were read again."""

    project_path: str
    """Real path of the project."""
    hooks: int
    """How many hooks can run."""
    problems: int
    """How many problems its files have."""


class ProblemsParams(Message, frozen=True, kw_only=True):
    """The problems of a project's hook files; an empty list: all is well again."""

    project_path: str
    """Real path of the project."""
    problems: list[Problem]
    """Everything its author has to mend."""
