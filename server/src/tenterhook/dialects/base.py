"""Owns what every hook system answers to the engine; knows no system.

Everything here is pure: no clock, no files, no environment, no await.
``load`` gets the bytes of its files, ``launch`` gets the environment, both as values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Raw, Struct
from tenterhook_protocol.points import HookType

from tenterhook.config.layers import Layer, Source
from tenterhook.model import Answer, Event, Hook, HookDecision, Launch, LeftOut, Notice, Outcome, Problem, Stage

__all__ = ["Counters", "Dialect", "Head", "LaunchContext", "Layer", "Loaded", "Source", "Verdict"]


class Loaded(Struct, frozen=True, kw_only=True):
    """A system's hooks for one project."""

    hooks: tuple[Hook, ...]
    """Every configured hook, those left out included, in the order of files and positions."""
    problems: tuple[Problem, ...]
    broken: frozenset[str] = frozenset()
    """Layers whose bytes could not be parsed at all."""


class Head(Struct, frozen=True):
    """What the engine reads of a payload."""

    project: str | None = None
    session: str | None = None
    subject: str | None = None
    """What matchers are tested against."""


class LaunchContext(Struct, frozen=True, kw_only=True):
    """What a launch needs beyond hook and event."""

    run_id: str
    environment: Mapping[str, str]
    """The engine's own environment."""
    home: str
    version: str


class Counters(Struct, frozen=True):
    """A session's memory as one event sees it: that of the moment the event was read."""

    continuations: int = 0
    """Consecutive ``continue`` answers to a wish to stop."""
    cap: int | None = None
    """The host's ``maxStopContinuations``; None: the system's own."""


class Verdict(Struct, frozen=True):
    """One event's joined answer and the session's new counters."""

    decision: HookDecision | None
    counters: Counters
    notices: tuple[Notice, ...] = ()


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

    def sources(self, project: str, home: str) -> Sequence[Source]:
        """The files that count for a project, strongest layer last. Paths are real paths."""
        ...

    def load(self, layers: Sequence[Layer], points: Mapping[str, HookType]) -> Loaded:
        """Read, judge and merge. ``points`` are all points of this engine, the host's own included."""
        ...

    def head(self, payload: Raw) -> Head:
        """What the engine reads of a payload.

        Raises:
            BadParams: a key that the engine reads has a value of a wrong type.
        """
        ...

    def match(self, hook: Hook, event: Event) -> LeftOut | None:
        """Why this hook of the event's point does not run for this event; None: it runs."""
        ...

    def stages(self, hooks: tuple[Hook, ...], event: Event) -> tuple[Stage, ...]:
        """In which stages the matching hooks run. They come in the order of files and positions."""
        ...

    def launch(self, hook: Hook, event: Event, context: LaunchContext) -> Launch:
        """How to run it."""
        ...

    def read(self, hook: Hook, event: Event, outcome: Outcome) -> Answer:
        """What its outcome means."""
        ...

    def join(self, point: str, answers: Sequence[tuple[Hook, Answer]], counters: Counters) -> Verdict:
        """One decision out of all answers, which come in configuration order."""
        ...

    def quiet(self, point: str, counters: Counters) -> Counters:
        """The session's counters after an event that ran no hook (a turn's start or end may reset them)."""
        ...
