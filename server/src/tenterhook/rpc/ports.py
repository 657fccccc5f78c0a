"""Owns what the wire asks of its neighbours, the engine and the editor half; knows no implementation of either."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from tenterhook_protocol import hooks as wire
from tenterhook_protocol.lifecycle import InitializationOptions
from tenterhook_protocol.points import HookType
from tenterhook_protocol.runs import HookDecision

from tenterhook.model import Sink
from tenterhook.service import Later

__all__ = ["EditorPort", "OpenEditor", "OpenService", "ServicePort"]


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


class EditorPort(Protocol):
    """The editor half. It answers its requests itself, through the ``send`` it was opened with."""

    def handle(self, body: bytes) -> None:
        """Take one message."""
        ...


OpenService = Callable[[InitializationOptions, Sink], ServicePort]
"""Makes the engine, at ``initialize``."""

OpenEditor = Callable[[ServicePort, Callable[[bytes], None], bytes], EditorPort]
"""Makes the editor half, at its first message: the engine, the way out, and the body of ``initialize``."""
