"""Owns the values that travel from event to decision, and the ports to the outside; does nothing itself.

Where a value goes over the wire as it is (problems, notices, runs, decisions) the protocol's own type is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, Protocol

from msgspec import Raw, Struct
from tenterhook_protocol.hooks import LeftOut, Together
from tenterhook_protocol.problems import Notice, Origin, Problem
from tenterhook_protocol.runs import DecisionKind, HookDecision, HookRun, RunStatus

__all__ = [
    "Answer",
    "CommandSpec",
    "Event",
    "Hook",
    "HookDecision",
    "HookRun",
    "Host",
    "Launch",
    "LeftOut",
    "LogLevel",
    "Mode",
    "Notice",
    "Origin",
    "Outcome",
    "Problem",
    "Sink",
    "Stage",
    "StopReason",
    "SystemName",
]

SystemName = str
"""Name of a hook system: ``coding-code``."""

Mode = Literal["emit", "decide"]
"""Which of the two methods an event came by. Only some systems tell them apart."""

StopReason = Literal["timedOut", "cancelled"]


class CommandSpec(Struct, frozen=True):
    """A program to start without a shell: Coding Code's ``command``, ``args``, ``env``, ``cwd``.

    A value of None in ``env`` removes the variable.
    """

    command: str
    args: tuple[str, ...] = ()
    env: tuple[tuple[str, str | None], ...] = ()
    cwd: str | None = None


class Hook(Struct, frozen=True, kw_only=True):
    """One configured hook after the merge of its layers."""

    id: str
    name: str
    system: SystemName
    point: str
    type: str
    """``observer``, ``decision``, or a handler type of its system."""
    spec: CommandSpec
    timeout: float
    """Seconds from the start of its process."""
    origin: Origin
    fields: Mapping[str, Origin]
    """Where each declared field comes from."""
    description: str | None = None
    matcher: str | None = None
    priority: float = 0
    on_failure: DecisionKind | None = None
    """What a failing decision hook means; None: nothing."""
    enabled: bool = True
    trusted: bool = True
    profiles: tuple[str, ...] = ()
    """Profiles in which it runs; empty: all."""
    left_out: LeftOut | None = None
    """Why it can never run as things are; the plan passes it over."""


class Event(Struct, frozen=True, kw_only=True):
    """One moment that a host told of, with what the engine needs to know of its payload."""

    id: str
    system: SystemName
    point: str
    mode: Mode
    payload: Raw
    """The host's own bytes, handed on unchanged."""
    project: str
    """Real path of the project."""
    session: str | None = None
    subject: str | None = None
    """What matchers are tested against: the tool's name."""
    traceparent: str | None = None


class Launch(Struct, frozen=True, kw_only=True):
    """Everything a runner needs to run one hook once."""

    kind: Literal["process"]
    """Which runner; a key of ``RUNNERS``."""
    argv: tuple[str, ...]
    env: Mapping[str, str]
    """The whole environment. ``TENTERHOOK_RUN_ID`` in it is the mark by which strays are found."""
    cwd: tuple[str, ...]
    """Folders in order of preference: the first that exists is used, any but the first with a warning."""
    stdin: bytes | Raw
    timeout: float
    """Seconds from the start of the process."""
    run_id: str


class Outcome(Struct, frozen=True, kw_only=True):
    """What became of one launch. A runner always returns one, whatever the hook did."""

    status: RunStatus
    """Of the runner's own: ok, failed, signalled, timedOut, cancelled, notStarted."""
    duration: float = 0.0
    """Seconds from the start of the process to the end of the run."""
    exit_code: int | None = None
    signal: str | None = None
    stdout: bytes = b""
    stderr: bytes = b""
    stdout_cut: bool = False
    """More came than the limit keeps; the rest was drained and dropped."""
    stderr_cut: bool = False
    error: str | None = None
    """What went wrong, for every status but ``ok``; for ``notStarted`` also what to do."""
    warnings: tuple[str, ...] = ()


class Answer(Struct, frozen=True, kw_only=True):
    """An outcome as its hook's system reads it."""

    status: RunStatus
    decision: HookDecision | None = None
    """None: no opinion."""
    error: str | None = None
    """What went wrong, in words for the hook's author."""
    synthetic: bool = False
    """The decision is the hook's ``onFailure``, not its own."""


class Stage(Struct, frozen=True):
    """Hooks that run together, and what ends the stage early."""

    hooks: tuple[Hook, ...]
    together: Together
    stops: Callable[[Answer], bool]
    stops_at: str | None = None
    """``stops`` in words, for ``explain``."""


LogLevel = Literal["error", "warning", "info", "log"]


class Sink(Protocol):
    """Where the engine tells what it does. The wire implements it, and so does a test's list."""

    def run_started(self, run: HookRun) -> None:
        """A hook's process is about to start."""
        ...

    def run_completed(self, run: HookRun) -> None:
        """A run is over and its process tree is gone."""
        ...

    def problems_found(self, project: str, problems: list[Problem]) -> None:
        """A project's hook files were read; an empty list says that all is well."""
        ...

    def log(self, level: LogLevel, message: str) -> None:
        """One line for the host's log."""
        ...


class Host(Protocol):
    """What the host can do for a hook that needs its model, agent or tools. No runner of today uses it."""
