"""Owns Claude Code as the engine sees it; every question is answered in a room of its own."""

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
    Undecided,
    Verdict,
)
from tenterhook.dialects.claude_code.definitions import definitions
from tenterhook.dialects.claude_code.events import NAME, POINT_TYPES
from tenterhook.dialects.claude_code.head import read_head
from tenterhook.dialects.claude_code.join import begin_anew, join_answers
from tenterhook.dialects.claude_code.launch import launch_hook
from tenterhook.dialects.claude_code.load import load
from tenterhook.dialects.claude_code.raising import SESSION_ENDS, event_of, watched_files
from tenterhook.dialects.claude_code.read import read_outcome, refuse
from tenterhook.dialects.claude_code.rules import rule_out
from tenterhook.dialects.claude_code.sources import sources
from tenterhook.dialects.claude_code.stages import arrange_hooks
from tenterhook.dialects.claude_code.tool_names import match_hook
from tenterhook.model import Answer, Arranged, Event, Hook, Judged, Launch, LeftOut, Mode, Outcome

__all__ = ["CLAUDE_CODE"]


class _ClaudeCode:
    """The rooms behind the one door that all systems have."""

    @property
    def name(self) -> str:
        return NAME

    @property
    def points(self) -> Mapping[str, HookType]:
        return POINT_TYPES

    @property
    def takes_host_points(self) -> bool:
        return False

    @property
    def session_ends(self) -> frozenset[str]:
        return SESSION_ENDS

    def sources(self, project: str, ground: Ground) -> Sequence[Source]:
        return sources(project, ground)

    def load(self, layers: Sequence[Layer], points: Mapping[str, HookType]) -> Loaded:
        return load(layers, points)

    def adopt(self, hooks: Sequence[Hook]) -> Sequence[Hook]:
        return hooks

    def definitions(self, layer: Layer) -> bytes | None:
        return definitions(layer)

    def head(self, point: str, payload: Raw) -> Head:
        return read_head(point, payload)

    def match(self, hook: Hook, mode: Mode, subject: str | None) -> LeftOut | None:
        return match_hook(hook, mode, subject)

    def rule_out(self, hooks: Sequence[Hook], event: Event) -> Mapping[str, LeftOut | Undecided]:
        return rule_out(hooks, event)

    def arrange(self, hooks: tuple[Hook, ...], point: str, mode: Mode) -> Arranged:
        del mode  # both methods run the same hooks
        return arrange_hooks(hooks, point)

    def launch(self, hook: Hook, event: Event, context: LaunchContext) -> Launch:
        return launch_hook(hook, event, context)

    def read(self, hook: Hook, event: Event, outcome: Outcome, context: LaunchContext) -> Answer:
        return read_outcome(hook, event, outcome, context)

    def refused(self, hook: Hook, event: Event, answer: Answer, why: str) -> Answer:
        del hook  # what was refused stands in the answer
        return refuse(event, answer, why)

    def begin(self, point: str, counters: Counters) -> Counters:
        return begin_anew(point, counters)

    def watched(self, hooks: Sequence[Hook]) -> Sequence[str]:
        return watched_files(hooks)

    def raised_by(self, edit: Edit, session: str, base: Raw | None) -> Raised | None:
        return event_of(edit, session, base)

    def join(self, point: str, mode: Mode, answers: Sequence[Judged], counters: Counters) -> Verdict:
        del mode  # both methods learn the same
        return join_answers(point, answers, counters)


CLAUDE_CODE: Dialect = _ClaudeCode()
"""The system that most public hooks are written for."""
