"""Owns what the wire asks of its neighbours, the engine and the editor half; knows no implementation of either."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Raw
from tenterhook_protocol import hooks as wire
from tenterhook_protocol.base import Message
from tenterhook_protocol.lifecycle import InitializationOptions
from tenterhook_protocol.points import HookType
from tenterhook_protocol.runs import HookDecision

from tenterhook.editor import EditorPort
from tenterhook.later import Later
from tenterhook.model import Sink

__all__ = ["Ask", "OpenEditor", "OpenService", "ServicePort"]


class ServicePort(Protocol):
    """The engine, as ``tenterhook.service.Service`` and a test's fake have it."""

    @property
    def systems(self) -> Sequence[str]: ...  # noqa: D102 - the real one says what these are
    @property
    def points(self) -> Mapping[str, HookType]: ...  # noqa: D102
    def load(self, project_paths: Sequence[str]) -> None: ...  # noqa: D102
    def emit(self, params: wire.EmitParams) -> wire.EmitResult | Later[wire.EmitResult]: ...  # noqa: D102
    def emit_in_order(self, params: wire.EmitParams) -> Later[None] | None: ...  # noqa: D102
    def decide(  # noqa: D102
        self, params: wire.EmitDecisionParams
    ) -> HookDecision | Later[HookDecision | None] | None: ...
    def reload(self, params: wire.ReloadParams) -> wire.ReloadResult: ...  # noqa: D102
    def list(self, params: wire.ListParams) -> wire.ListResult: ...  # noqa: D102
    def explain(self, params: wire.ExplainParams) -> wire.ExplainResult: ...  # noqa: D102
    def test(self, params: wire.TestParams) -> Later[wire.TestResult]: ...  # noqa: D102
    def stats(self, params: wire.StatsParams, /) -> wire.StatsResult: ...  # noqa: D102
    async def close(self) -> None: ...  # noqa: D102


OpenEditor = Callable[[Callable[[bytes], None], bytes], EditorPort]
"""Makes the editor half of an engine, at its first message: the way out, and the body of ``initialize``."""

Ask = Callable[[str, Message, float], Awaitable[Raw]]
"""Asks the host: method, params, seconds to wait; raises ``RequestFailed``."""

OpenService = Callable[[InitializationOptions, Sink, Ask], tuple[ServicePort, OpenEditor | None]]
"""Makes the engine, at ``initialize``, and what can make its editor half; None: it has none."""
