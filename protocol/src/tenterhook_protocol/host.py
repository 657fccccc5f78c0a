"""Owns what the engine asks of its host: a model, an agent, a tool, a person; knows no hook."""

from __future__ import annotations

from tenterhook_protocol.base import UNSET, JsonObject, JsonValue, Message, UnsetType

__all__ = [
    "AgentRequest",
    "CallToolRequest",
    "CallToolResult",
    "HostAnswer",
    "PromptRequest",
    "TrustAnswer",
    "TrustRequest",
]


class PromptRequest(Message, frozen=True, kw_only=True):
    """Ask the host's model once."""

    run_id: str
    """The run that asks."""
    prompt: str
    """What to ask."""
    model: str | UnsetType = UNSET
    """Which model; absent: the host's small fast one."""
    timeout_ms: float
    """How long the engine waits."""


class AgentRequest(PromptRequest, frozen=True, kw_only=True):
    """Let an agent of the host find the answer."""


class HostAnswer(Message, frozen=True, kw_only=True):
    """What the model or agent said."""

    text: str
    """Its whole answer."""


class CallToolRequest(Message, frozen=True, kw_only=True):
    """Call a tool of a server that the host is connected to."""

    run_id: str
    """The run that asks."""
    server: str
    """Name of the server."""
    tool: str
    """Name of the tool."""
    input: JsonObject
    """Arguments of the call."""
    timeout_ms: float
    """How long the engine waits."""


class CallToolResult(Message, frozen=True, kw_only=True):
    """What the tool returned."""

    text: str
    """Its text content."""
    is_error: bool = False
    """The tool says that it failed."""
    content: list[JsonValue] | UnsetType = UNSET
    """The content blocks as they came."""


class TrustRequest(Message, frozen=True, kw_only=True):
    """Ask a person whether a project's hooks may run."""

    project_path: str
    """Real path of the project."""
    digest: str
    """Digest over the layer's definitions."""
    commands: list[str]
    """What would run."""


class TrustAnswer(Message, frozen=True, kw_only=True):
    """What the person said."""

    approved: bool
    """True: the hooks may run until they change."""
