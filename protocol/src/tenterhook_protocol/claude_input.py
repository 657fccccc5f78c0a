"""Owns what the payloads of Claude Code's events share (source: its published type declarations); knows no event.

Values from a fixed list are plain strings here: the system adds values, and hosts of their own kind have others.
"""

from __future__ import annotations

from tenterhook_protocol.base import UNSET, JsonValue, Open, UnsetType

__all__ = ["AgentInput", "BackgroundTask", "ClaudeInput", "Effort", "McpServer", "SessionCron", "ToolEvent"]


class Effort(Open, frozen=True, kw_only=True):
    """How hard the model is asked to think."""

    level: str
    """``low`` to ``max``."""


class ClaudeInput(Open, frozen=True, kw_only=True):
    """What every payload carries. Everything but the place and the session may be absent."""

    session_id: str
    """The session."""
    transcript_path: str
    """The session's transcript, one JSON value a line. It may lag behind the event."""
    cwd: str
    """The current folder; it follows worktrees and ``cd``."""
    hook_event_name: str | UnsetType = UNSET
    """The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused."""
    projectPath: str | UnsetType = UNSET  # noqa: N815 - the engine's own key, the same for all systems
    """Absolute path of the project, where a host wants to say it here and not in the request."""
    prompt_id: str | UnsetType = UNSET
    """The user input that the event belongs to; absent before the first one."""
    permission_mode: str | UnsetType = UNSET
    """``default``, ``acceptEdits``, ``bypassPermissions``, ``plan``, ``dontAsk`` or ``auto``."""
    effort: Effort | UnsetType = UNSET
    """How hard the model is asked to think, where it can be told."""
    scratchpad_dir: str | UnsetType = UNSET
    """A folder for the session's scratch files."""


class AgentInput(ClaudeInput, frozen=True, kw_only=True):
    """What the payloads share that may come from a subagent or not."""

    agent_id: str | UnsetType = UNSET
    """The subagent, where the event comes from one."""
    agent_type: str | UnsetType = UNSET
    """The kind of agent: of the subagent, or of the session where it runs as one."""


class McpServer(Open, frozen=True, kw_only=True):
    """The MCP server that a tool belongs to."""

    name: str
    """Name of the server."""
    source: str
    """Where it is configured: ``user``, ``project``, ``plugin``, ``sdk`` and others."""


class ToolEvent(AgentInput, frozen=True, kw_only=True):
    """What the payloads that name a tool share."""

    tool_name: str
    """Name of the tool; ``mcp__<server>__<tool>`` for one of an MCP server."""
    tool_input: JsonValue
    """Arguments of the call."""
    mcp_server: McpServer | UnsetType = UNSET
    """The MCP server that the tool belongs to."""


class BackgroundTask(Open, frozen=True, kw_only=True):
    """Something that still runs while the session is about to stop."""

    id: str
    """The task."""
    type: str
    """What kind of task it is."""
    status: str
    """How far it is."""
    description: str
    """What it does; long ones are cut."""
    command: str | UnsetType = UNSET
    """The command of a shell task."""
    agent_type: str | UnsetType = UNSET
    """The kind of a subagent task."""
    server: str | UnsetType = UNSET
    """The MCP server of a monitor or MCP task."""
    tool: str | UnsetType = UNSET
    """The tool of a monitor or MCP task."""
    name: str | UnsetType = UNSET
    """The name of a workflow."""


class SessionCron(Open, frozen=True, kw_only=True):
    """A prompt that the session repeats."""

    id: str
    """The entry."""
    schedule: str
    """When, as a cron expression."""
    recurring: bool
    """False: only once."""
    prompt: str
    """What is asked; long ones are cut."""
