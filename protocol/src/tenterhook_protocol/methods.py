"""Owns the method table: one line a method. Dispatch, schema, TypeScript, spec and clients are derived from it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tenterhook_protocol import hooks, host, lifecycle
from tenterhook_protocol.base import Message
from tenterhook_protocol.runs import HookDecision, HookRun

__all__ = ["METHODS", "PROTOCOL_VERSION", "Direction", "Kind", "Method"]

PROTOCOL_VERSION = "0.1"

Direction = Literal["toEngine", "toHost"]
Kind = Literal["request", "notification", "either"]


class Method(Struct, frozen=True):
    """One method. ``params`` None: it takes none. ``result`` None: it has none, or answers ``null``."""

    name: str
    direction: Direction
    kind: Kind
    params: type[Message] | None
    result: type[Message] | None
    nullable: bool = False
    """The result may be ``null``, with a meaning of its own."""
    since: str = "0.1"


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("initialize", "toEngine", "request", lifecycle.InitializeParams, lifecycle.InitializeResult),
        Method("initialized", "toEngine", "notification", lifecycle.InitializedParams, None),
        Method("shutdown", "toEngine", "request", None, None),
        Method("exit", "toEngine", "notification", None, None),
        Method("$/cancelRequest", "toEngine", "notification", lifecycle.CancelParams, None),
        Method("$/setTrace", "toEngine", "notification", lifecycle.SetTraceParams, None),
        Method("$/progress", "toEngine", "notification", lifecycle.ProgressParams, None),
        Method("hooks/emit", "toEngine", "either", hooks.EmitParams, hooks.EmitResult),
        Method("hooks/emitDecision", "toEngine", "request", hooks.EmitDecisionParams, HookDecision, nullable=True),
        Method("hooks/reload", "toEngine", "request", hooks.ReloadParams, hooks.ReloadResult),
        Method("hooks/list", "toEngine", "request", hooks.ListParams, hooks.ListResult),
        Method("hooks/explain", "toEngine", "request", hooks.ExplainParams, hooks.ExplainResult),
        Method("hooks/test", "toEngine", "request", hooks.TestParams, hooks.TestResult),
        Method("hooks/stats", "toEngine", "request", hooks.StatsParams, hooks.StatsResult),
        Method("hooks/started", "toHost", "notification", HookRun, None),
        Method("hooks/completed", "toHost", "notification", HookRun, None),
        Method("hooks/asyncCompleted", "toHost", "notification", hooks.AsyncCompletedParams, None),
        Method("hooks/raised", "toHost", "notification", hooks.RaisedParams, None),
        Method("hooks/reloaded", "toHost", "notification", hooks.ReloadedParams, None),
        Method("hooks/problems", "toHost", "notification", hooks.ProblemsParams, None),
        Method("host/prompt", "toHost", "request", host.PromptRequest, host.HostAnswer),
        Method("host/agent", "toHost", "request", host.AgentRequest, host.HostAnswer),
        Method("host/callTool", "toHost", "request", host.CallToolRequest, host.CallToolResult),
        Method("host/requestTrust", "toHost", "request", host.TrustRequest, host.TrustAnswer),
        Method("$/logTrace", "toHost", "notification", lifecycle.LogTraceParams, None),
        Method("window/logMessage", "toHost", "notification", lifecycle.LogMessageParams, None),
    )
}
