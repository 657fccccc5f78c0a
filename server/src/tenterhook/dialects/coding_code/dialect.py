"""Owns Coding Code as the engine sees it; every question is answered in a room of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Raw
from tenterhook_protocol.points import HookType

from tenterhook.dialects.base import Counters, Dialect, Head, LaunchContext, Layer, Loaded, Source, Verdict
from tenterhook.dialects.coding_code.config import load, sources
from tenterhook.dialects.coding_code.head import read_head
from tenterhook.dialects.coding_code.join import after_quiet, join_answers
from tenterhook.dialects.coding_code.launch import launch_hook
from tenterhook.dialects.coding_code.points import NAME, POINT_TYPES
from tenterhook.dialects.coding_code.read import read_outcome
from tenterhook.dialects.coding_code.stages import match_hook, order
from tenterhook.model import Answer, Event, Hook, Launch, LeftOut, Outcome, Stage

__all__ = ["CODING_CODE"]


class _CodingCode:
    """The rooms behind the one door that all systems have."""

    @property
    def name(self) -> str:
        return NAME

    @property
    def points(self) -> Mapping[str, HookType]:
        return POINT_TYPES

    def sources(self, project: str, home: str) -> Sequence[Source]:
        return sources(project, home)

    def load(self, layers: Sequence[Layer], points: Mapping[str, HookType]) -> Loaded:
        return load(layers, points)

    def head(self, payload: Raw) -> Head:
        return read_head(payload)

    def match(self, hook: Hook, event: Event) -> LeftOut | None:
        return match_hook(hook, event)

    def stages(self, hooks: tuple[Hook, ...], event: Event) -> tuple[Stage, ...]:
        return order(hooks, event)

    def launch(self, hook: Hook, event: Event, context: LaunchContext) -> Launch:
        return launch_hook(hook, event, context)

    def read(self, hook: Hook, event: Event, outcome: Outcome) -> Answer:
        del event  # the meaning of an outcome is the same at every point
        return read_outcome(hook, outcome)

    def join(self, point: str, answers: Sequence[tuple[Hook, Answer]], counters: Counters) -> Verdict:
        return join_answers(point, answers, counters)

    def quiet(self, point: str, counters: Counters) -> Counters:
        return after_quiet(point, counters)


CODING_CODE: Dialect = _CodingCode()
"""The system of the founding document."""
