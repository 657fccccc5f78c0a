"""Owns what every hook system answers to the engine; knows no system.

Everything here is pure: no clock, no files, no environment, no await.
``load`` gets the bytes of its files, ``launch`` gets the environment, both as values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Raw, Struct
from tenterhook_protocol.lifecycle import PluginFolder
from tenterhook_protocol.points import HookType

from tenterhook.config.layers import Layer, Source
from tenterhook.model import (
    Answer,
    Arranged,
    Event,
    Hook,
    HookDecision,
    Judged,
    Launch,
    LeftOut,
    Mode,
    Notice,
    Outcome,
    Problem,
)

__all__ = [
    "Control",
    "Counters",
    "Dialect",
    "Edit",
    "Ground",
    "Head",
    "LaunchContext",
    "Layer",
    "Loaded",
    "Raised",
    "Source",
    "Undecided",
    "Verdict",
]


class Ground(Struct, frozen=True, kw_only=True):
    """Where an engine's files lie, whatever the project."""

    home: str
    """Real path of the user's home folder."""
    environment: Mapping[str, str] = {}
    plugins: tuple[PluginFolder, ...] = ()
    settings: bytes | None = None
    """A settings object of the command-line layer."""
    managed: str | None = None
    """Where managed settings lie; None: the system's own place."""


class Control(Struct, frozen=True, kw_only=True):
    """What a user's own file says of the control plane: its section ``tenterhook``."""

    profile: str | None = None
    """A known one, lower case; None: it says nothing."""
    disabled: Mapping[str, Problem] = {}
    """By id, lower case: what is to be told where no hook has it."""
    enabled: bool | None = None
    """The master switch; None: it says nothing."""
    path: str = ""
    """The file."""


class Loaded(Struct, frozen=True, kw_only=True):
    """A system's hooks for one project."""

    hooks: tuple[Hook, ...]
    """Every configured hook, those left out included, in the order of files and positions."""
    problems: tuple[Problem, ...]
    broken: frozenset[str] = frozenset()
    """Layers whose bytes could not be parsed at all."""
    control: Control | None = None
    """What the user's own file says of the control plane; a project's file has no say in it."""


class Head(Struct, frozen=True):
    """What the engine reads of a payload."""

    project: str | None = None
    session: str | None = None
    subject: str | None = None
    """What matchers are tested against."""
    cwd: str | None = None
    """The folder the session is in; the nearest loaded folder above it is the last place to look for the project."""
    payload: Raw | None = None
    """The payload as hooks get it, where something had to be added; None: the host's own bytes."""


class LaunchContext(Struct, frozen=True, kw_only=True):
    """What a launch needs beyond hook and event."""

    run_id: str
    environment: Mapping[str, str]
    """The engine's own environment."""
    home: str
    version: str
    scratch: str
    """A folder of this engine for files of its own; it is made when the first is written."""


class Counters(Struct, frozen=True):
    """A session's memory as one event sees it: that of the moment the event was read."""

    continuations: int = 0
    """Consecutive ``continue`` answers to a wish to stop."""
    cap: int | None = None
    """The host's ``maxStopContinuations``; None: the system's own."""
    environment: Mapping[str, str] = {}
    """The engine's own environment: a system may let its user set the cap there."""
    defers: bool = False
    """Whether the host understands the decision ``defer``."""


class Verdict(Struct, frozen=True):
    """One event's joined answer, and what it does to the session's counters."""

    decision: HookDecision | None
    change: Callable[[Counters], Counters] | None = None
    """What becomes of the session's counters; done to those of the moment when the event ends. None: nothing."""
    notices: tuple[Notice, ...] = ()
    overruled: Mapping[str, Mapping[str, str]] = {}
    """By the id of a hook whose value did not count: the field, and the id of the hook whose value did."""


class Edit(Struct, frozen=True, kw_only=True):
    """A file that is watched has changed."""

    path: str
    kind: Literal["add", "change", "unlink"]
    layer: str | None = None
    """The layer whose file it is; None: it is watched because hooks or their answers name it."""
    written: float | None = None
    """When its content was written, in seconds since the epoch; None: not known."""


class Raised(Struct, frozen=True):
    """An event of the engine's own."""

    point: str
    payload: Raw


class Undecided(Struct, frozen=True):
    """Nobody can tell whether a hook's rule is met."""

    why: str
    """In words for its author."""


class Dialect(Protocol):
    """One hook system."""

    @property
    def name(self) -> str:
        """Its name, and the prefix of its hooks' ids."""
        ...

    @property
    def points(self) -> Mapping[str, HookType]:
        """Its points, and which method suits each: observer ``hooks/emit``, decision ``hooks/emitDecision``."""
        ...

    @property
    def takes_host_points(self) -> bool:
        """Whether its files may name points that a host has added."""
        ...

    @property
    def session_ends(self) -> frozenset[str]:
        """Points after which a session is over: nothing is watched for it any more."""
        ...

    def sources(self, project: str, ground: Ground) -> Sequence[Source]:
        """The files that count for a project, in the order in which ``load`` wants them. Paths are real paths."""
        ...

    def load(self, layers: Sequence[Layer], points: Mapping[str, HookType]) -> Loaded:
        """Read, judge and merge. ``points`` are all points of this engine, the host's own included."""
        ...

    def adopt(self, hooks: Sequence[Hook]) -> Sequence[Hook]:
        """The hooks of all systems, with those taken over that this system knows better how to run.

        One that is taken over keeps its place, its point and its origin. One may become several.
        """
        ...

    def definitions(self, layer: Layer) -> bytes | None:
        """What of a project's layer its user has to approve: the same bytes as long as it says the same.

        None: it says nothing that counts, or cannot be read.
        """
        ...

    def head(self, point: str, payload: Raw) -> Head:
        """What the engine reads of a payload.

        Raises:
            BadParams: a key that the engine reads has a value of a wrong type.
        """
        ...

    def match(self, hook: Hook, mode: Mode, subject: str | None) -> LeftOut | None:
        """Why a hook of the point does not run for events of this mode and subject; None: it runs.

        The engine remembers what it says: nothing else of the event may count.
        """
        ...

    def rule_out(self, hooks: Sequence[Hook], event: Event) -> Mapping[str, LeftOut | Undecided]:
        """By id: which of these hooks do not run because their ``rule`` is not met, and of which nobody can tell.

        All of them have a rule. One of which nobody can tell runs.
        """
        ...

    def arrange(self, hooks: tuple[Hook, ...], point: str, mode: Mode) -> Arranged:
        """In which stages the matching hooks run. They come in the order of files and positions.

        The engine remembers what it says: nothing else of the event may count.
        """
        ...

    def launch(self, hook: Hook, event: Event, context: LaunchContext) -> Launch:
        """How to run it."""
        ...

    def read(self, hook: Hook, event: Event, outcome: Outcome, context: LaunchContext) -> Answer:
        """What its outcome means."""
        ...

    def refused(self, hook: Hook, event: Event, answer: Answer, why: str) -> Answer:
        """What an answer means after the world has refused its wish."""
        ...

    def begin(self, point: str, counters: Counters) -> Counters:
        """The session's counters once an event of this point has been read, whatever its hooks will say."""
        ...

    def watched(self, hooks: Sequence[Hook]) -> Sequence[str]:
        """The files that hooks want watched: absolute paths, or names in the folder of a session."""
        ...

    def raised_by(self, edit: Edit, session: str, base: Raw | None) -> Raised | None:
        """The event that a change of a file is to a session; None: it is none.

        Args:
            edit: what has changed.
            session: the session's id.
            base: a payload of that session, whose keys that every event has are taken over.
        """
        ...

    def join(self, point: str, mode: Mode, answers: Sequence[Judged], counters: Counters) -> Verdict:
        """One decision out of all answers, which come in the order of the plan. There may be none.

        ``counters`` are those of the moment when the event was read.
        """
        ...
