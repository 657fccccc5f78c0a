"""Owns Coding Code as the engine sees it; every question is answered in a room of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Raw
from tenterhook_protocol.points import HookType

from tenterhook.dialects.base import (
    Counters,
    Dialect,
    Edit,
    Ground,
    Head,
    LaunchContext,
    Layer,
    Loaded,
    Raised,
    Source,
    Verdict,
)
from tenterhook.dialects.coding_code.config import load, sources
from tenterhook.dialects.coding_code.definitions import definitions
from tenterhook.dialects.coding_code.head import read_head
from tenterhook.dialects.coding_code.join import begin_anew, join_answers
from tenterhook.dialects.coding_code.launch import launch_hook
from tenterhook.dialects.coding_code.points import NAME, POINT_TYPES
from tenterhook.dialects.coding_code.read import read_outcome
from tenterhook.dialects.coding_code.stages import match_hook, order
from tenterhook.model import Answer, Arranged, Event, Hook, Judged, Launch, LeftOut, Mode, Outcome

__all__ = ["CODING_CODE"]


class _CodingCode:
    """The rooms behind the one door that all systems have."""

    @property
    def name(self) -> str:
        return NAME

    @property
    def points(self) -> Mapping[str, HookType]:
        return POINT_TYPES

    @property
    def takes_host_points(self) -> bool:
        return True

    @property
    def session_ends(self) -> frozenset[str]:
        return frozenset()

    def sources(self, project: str, ground: Ground) -> Sequence[Source]:
        return sources(project, ground.home)

    def load(self, layers: Sequence[Layer], points: Mapping[str, HookType]) -> Loaded:
        return load(layers, points)

    def adopt(self, hooks: Sequence[Hook]) -> Sequence[Hook]:
        return hooks

    def definitions(self, layer: Layer) -> bytes | None:
        return definitions(layer)

    def head(self, point: str, payload: Raw) -> Head:
        del point  # every payload has the same keys
        return read_head(payload)

    def match(self, hook: Hook, mode: Mode, subject: str | None) -> LeftOut | None:
        return match_hook(hook, mode, subject)

    def rule_out(self, hooks: Sequence[Hook], event: Event) -> Mapping[str, LeftOut]:
        del hooks, event  # no hook of this system has a rule
        return {}

    def arrange(self, hooks: tuple[Hook, ...], point: str, mode: Mode) -> Arranged:
        del point  # the order is the same at every point
        return Arranged(order(hooks, mode))

    def launch(self, hook: Hook, event: Event, context: LaunchContext) -> Launch:
        return launch_hook(hook, event, context)

    def read(self, hook: Hook, event: Event, outcome: Outcome, context: LaunchContext) -> Answer:
        del event, context  # the meaning of an outcome is the same at every point
        return read_outcome(hook, outcome)

    def refused(self, hook: Hook, event: Event, answer: Answer, why: str) -> Answer:
        del hook, event, why  # no answer of this system wishes anything
        return answer

    def begin(self, point: str, counters: Counters) -> Counters:
        return begin_anew(point, counters)

    def watched(self, hooks: Sequence[Hook]) -> Sequence[str]:
        del hooks  # no point of this system is about a file
        return ()

    def raised_by(self, edit: Edit, session: str, base: Raw | None) -> Raised | None:
        del edit, session, base
        return None

    def join(self, point: str, mode: Mode, answers: Sequence[Judged], counters: Counters) -> Verdict:
        return join_answers(point, mode, answers, counters)


CODING_CODE: Dialect = _CodingCode()
"""The system of the founding document."""
