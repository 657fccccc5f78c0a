"""Owns the values that travel from event to decision, and the ports to the outside; does nothing itself.

Where a value goes over the wire as it is (problems, notices, runs, decisions) the protocol's own type is used.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Literal, Protocol

from msgspec import Raw, Struct
from tenterhook_protocol.hooks import EmitResult, LeftOut, Together
from tenterhook_protocol.host import (
    AgentRequest,
    CallToolRequest,
    CallToolResult,
    HostAnswer,
    PromptRequest,
    TrustAnswer,
    TrustRequest,
)
from tenterhook_protocol.lifecycle import HostAbilities
from tenterhook_protocol.problems import Notice, Origin, Problem
from tenterhook_protocol.runs import DecisionKind, HookDecision, HookRun, RunStatus

__all__ = [
    "Answer",
    "Arranged",
    "CommandSpec",
    "Event",
    "Hook",
    "HookDecision",
    "HookRun",
    "Host",
    "HostLaunch",
    "HttpLaunch",
    "Judged",
    "Launch",
    "LeftOut",
    "LogLevel",
    "Mode",
    "Notice",
    "Origin",
    "Outcome",
    "PathCheck",
    "Person",
    "Problem",
    "ProcessLaunch",
    "RefusedLaunch",
    "Sink",
    "Spec",
    "Spill",
    "Stage",
    "StopReason",
    "SystemName",
    "Wish",
    "WorkerLaunch",
]

SystemName = str
"""Name of a hook system: ``coding-code``."""

Mode = Literal["emit", "decide"]
"""Which of the two methods an event came by. Only some systems tell them apart."""

StopReason = Literal["timedOut", "cancelled"]


class Spec(Struct, frozen=True):
    """What a hook does when it runs; each system has its own kinds."""

    def words(self) -> tuple[str, ...]:
        """What it does, as a person would write it: program and arguments, or what stands for them."""
        raise NotImplementedError

    def lives_on(self) -> bool:
        """Whether its author wants one process to serve many events."""
        return False


class CommandSpec(Spec, frozen=True):
    """A program to start without a shell: Coding Code's ``command``, ``args``, ``env``, ``cwd``.

    A value of None in ``env`` removes the variable.
    """

    command: str
    args: tuple[str, ...] = ()
    env: tuple[tuple[str, str | None], ...] = ()
    cwd: str | None = None
    worker: bool = False
    """It may live on and serve many events."""

    def words(self) -> tuple[str, ...]:
        """Program and arguments."""
        return (self.command, *self.args)

    def lives_on(self) -> bool:
        """As its file says."""
        return self.worker


class Hook(Struct, frozen=True, kw_only=True):
    """One configured hook after the merge of its layers."""

    id: str
    name: str
    system: SystemName
    point: str
    type: str
    """``observer``, ``decision``, or a handler type of its system."""
    spec: Spec
    timeout: float
    """Seconds from the start of its process."""
    origin: Origin
    fields: Mapping[str, Origin]
    """Where each declared field comes from."""
    description: str | None = None
    matcher: str | None = None
    rule: str | None = None
    """A condition on the payload, beyond the matcher: Claude Code's ``if``."""
    script: str | None = None
    """A file that its command plainly names and cannot do without, absolute or below the project; None: who knows."""
    once: bool = False
    """After a run that ended well it does not run again in its session."""
    background: bool = False
    """Nobody waits for it, and its answer decides nothing."""
    priority: float = 0
    on_failure: DecisionKind | None = None
    """What a failing decision hook means; None: nothing."""
    enabled: bool = True
    trusted: bool = True
    profiles: tuple[str, ...] = ()
    """Profiles in which it runs; empty: all."""
    aliases: tuple[str, ...] = ()
    """Further ids by which lists of disabled hooks may name it."""
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
    continuations: int = 0
    """How many times in a row its session's wish to stop had been overruled when it was read."""
    doubts: Mapping[str, str] = {}
    """By id: the hooks that run because nobody can tell whether their ``rule`` is met, and why nobody can."""


class Launch(Struct, frozen=True, kw_only=True):
    """Everything a runner needs to run one hook once. Each kind has its runner in ``RUNNERS``."""

    timeout: float
    """Seconds from its start."""
    run_id: str


class ProcessLaunch(Launch, frozen=True, kw_only=True):
    """A process to start."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    """The whole environment. ``TENTERHOOK_RUN_ID`` in it is the mark by which strays are found."""
    cwd: tuple[str, ...]
    """Folders in order of preference: the first that exists is used, any but the first with a warning."""
    stdin: bytes | Raw
    collects: str | None = None
    """A file that is made empty before the start, and whose content is in the outcome: ``CLAUDE_ENV_FILE``."""
    detaches: Callable[[bytes], float | None] | None = None
    """Told of the first whole line of stdout: a number lets the run go on in the background for so many seconds."""


class HttpLaunch(Launch, frozen=True, kw_only=True):
    """A request to send."""

    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes | Raw
    allowed_urls: tuple[str, ...] | None = None
    """Patterns with ``*``; None: every URL that is allowed at all."""
    warnings: tuple[str, ...] = ()
    """What went wrong while it was put together; the outcome carries them."""


class HostLaunch(Launch, frozen=True, kw_only=True):
    """Something to ask the host: its model, an agent of its, or a tool it is connected to."""

    request: PromptRequest | AgentRequest | CallToolRequest


class WorkerLaunch(Launch, frozen=True, kw_only=True):
    """A request to a process that lives on: it is started at its first request and serves those that follow.

    Launches with the same ``argv``, ``env`` and ``cwd`` are for the same worker.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    """The worker's whole environment, so nothing of one event may be in it."""
    cwd: tuple[str, ...]
    """Folders in order of preference, as for a process."""
    event: bytes | Raw
    """The payload, one JSON object."""
    call: Mapping[str, object] = {}
    """What this request says beside the payload, as JSON values: environment, folder, script."""
    one_shot: ProcessLaunch
    """The same hook as a process of its own: what runs where no worker can."""


class RefusedLaunch(Launch, frozen=True, kw_only=True):
    """Nothing can be started as the hook is written: its outcome is ``notStarted``."""

    reason: str
    """What is wrong with it, and what to do."""


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
    collected: bytes = b""
    """The content of the file that the launch named."""
    rest: Callable[[asyncio.Future[StopReason]], Awaitable[Outcome]] | None = None
    """For ``detached``: sees the run to its end in the background. It has to be called at once, with a stop of its own:
    that of the event no longer concerns it."""


class Spill(Struct, frozen=True):
    """A text that is too long for the host: it is written to a file, and the answer names the file."""

    path: str
    text: str


class PathCheck(Struct, frozen=True):
    """A folder that an answer names and that must be there: enterable, and reached without a link below ``root``."""

    path: str
    root: str | None = None


Wish = Spill | PathCheck
"""What an answer wants done in the world. Who reads answers is pure; the conductor does it."""


class Answer(Struct, frozen=True, kw_only=True):
    """An outcome as its hook's system reads it."""

    status: RunStatus
    decision: HookDecision | None = None
    """None: no opinion."""
    error: str | None = None
    """What went wrong, in words for the hook's author."""
    synthetic: bool = False
    """The decision is the hook's ``onFailure``, not its own."""
    warnings: tuple[str, ...] = ()
    """What its author should know though it counts."""
    wishes: tuple[Wish, ...] = ()
    wake: bool = False
    """For a hook that ran in the background: the model should be woken."""


class Judged(Struct, frozen=True):
    """A hook with its answer. ``rank``: the how-manieth of its event to end, from 0; those not reached have none."""

    hook: Hook
    answer: Answer
    rank: int = -1


class Arranged(Struct, frozen=True):
    """The stages of an event, and the matching hooks that run in none of them."""

    stages: tuple[Stage, ...] = ()
    left_out: tuple[tuple[Hook, LeftOut], ...] = ()
    doubts: Mapping[str, str] = {}
    """As the event has them."""


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

    def run_detached_completed(self, run: HookRun, context: str | None, *, wake: bool) -> None:
        """A run in the background is over."""
        ...

    def event_raised(self, point: str, payload: Raw, session: str | None, result: EmitResult) -> None:
        """The engine raised an event by itself, for one session, and its hooks have ended."""
        ...

    def reloaded(self, project: str, hooks: int, problems: int) -> None:
        """The engine read a project's files again by itself; so many of its hooks can run."""
        ...

    def problems_found(self, project: str, problems: list[Problem]) -> None:
        """A project's hook files were read; an empty list says that all is well."""
        ...

    def log(self, level: LogLevel, message: str) -> None:
        """One line for the host's log."""
        ...


class Host(Protocol):
    """What the host can do for a hook that needs its model, agent or tools."""

    @property
    def abilities(self) -> HostAbilities:
        """What it said at ``initialize``."""
        ...

    async def ask(self, request: PromptRequest | AgentRequest | CallToolRequest) -> HostAnswer | CallToolResult:
        """Ask it.

        Raises:
            RequestFailed: it answered with an error, or not in time.
        """
        ...


class Person(Protocol):
    """Whoever sits before the host, and can be asked."""

    async def ask_trust(self, request: TrustRequest) -> TrustAnswer:
        """Ask whether a project's hooks may run.

        Raises:
            RequestFailed: the host cannot ask anybody, answered with an error, or not in time.
        """
        ...
