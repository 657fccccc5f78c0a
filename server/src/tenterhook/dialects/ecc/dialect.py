"""Owns ECC as the engine sees it: a way to launch and to read hooks that Claude Code's loader has found.

It has no points and no files of its own, and is no second judge: what it does not launch or read is Claude Code's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

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
from tenterhook.dialects.claude_code.dialect import CLAUDE_CODE
from tenterhook.dialects.ecc.adopting import adopt
from tenterhook.dialects.ecc.launch import launch_hook
from tenterhook.dialects.ecc.read import read_hook
from tenterhook.dialects.ecc.specs import NAME, EccSpec
from tenterhook.model import Answer, Arranged, Event, Hook, Judged, Launch, LeftOut, Mode, Outcome

__all__ = ["ECC"]


class _Ecc:
    @property
    def name(self) -> str:
        return NAME

    @property
    def points(self) -> Mapping[str, HookType]:
        return {}

    @property
    def takes_host_points(self) -> bool:
        return False

    @property
    def session_ends(self) -> frozenset[str]:
        return frozenset()

    def sources(self, project: str, ground: Ground) -> Sequence[Source]:
        del project, ground
        return ()

    def load(self, layers: Sequence[Layer], points: Mapping[str, HookType]) -> Loaded:
        del layers, points
        return Loaded(hooks=(), problems=())

    def adopt(self, hooks: Sequence[Hook]) -> Sequence[Hook]:
        return adopt(hooks)

    def definitions(self, layer: Layer) -> bytes | None:
        del layer

    def head(self, point: str, payload: Raw) -> Head:
        return CLAUDE_CODE.head(point, payload)

    def match(self, hook: Hook, mode: Mode, subject: str | None) -> LeftOut | None:
        return CLAUDE_CODE.match(hook, mode, subject)

    def rule_out(self, hooks: Sequence[Hook], event: Event) -> Mapping[str, LeftOut | Undecided]:
        return CLAUDE_CODE.rule_out(hooks, event)

    def arrange(self, hooks: tuple[Hook, ...], point: str, mode: Mode) -> Arranged:
        return CLAUDE_CODE.arrange(hooks, point, mode)

    def launch(self, hook: Hook, event: Event, context: LaunchContext) -> Launch:
        return launch_hook(hook, cast("EccSpec", hook.spec), event, context)  # it is what `adopt` has made

    def read(self, hook: Hook, event: Event, outcome: Outcome, context: LaunchContext) -> Answer:
        return read_hook(hook, event, outcome, context)

    def refused(self, hook: Hook, event: Event, answer: Answer, why: str) -> Answer:
        return CLAUDE_CODE.refused(hook, event, answer, why)

    def begin(self, point: str, counters: Counters) -> Counters:
        del point
        return counters

    def watched(self, hooks: Sequence[Hook]) -> Sequence[str]:
        return CLAUDE_CODE.watched(hooks)

    def raised_by(self, edit: Edit, session: str, base: Raw | None) -> Raised | None:
        del edit, session, base

    def join(self, point: str, mode: Mode, answers: Sequence[Judged], counters: Counters) -> Verdict:
        return CLAUDE_CODE.join(point, mode, answers, counters)


ECC: Dialect = _Ecc()
"""The hook runtime of the plugin ECC."""
