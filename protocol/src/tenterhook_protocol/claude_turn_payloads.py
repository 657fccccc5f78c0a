"""Owns the payloads of Claude Code's events inside a turn: prompts, tools, permissions, stops, agents and tasks.

Source: the published type declarations, and the founding table for keys that they have dropped.
It knows neither what a hook can answer nor how it is matched.
"""

from __future__ import annotations

from tenterhook_protocol.base import UNSET, JsonObject, JsonValue, Open, UnsetType
from tenterhook_protocol.claude_input import AgentInput, BackgroundTask, ClaudeInput, SessionCron, ToolEvent

__all__ = [
    "BatchedToolCall",
    "MessageDisplay",
    "PermissionDenied",
    "PermissionRequest",
    "PostToolBatch",
    "PostToolUse",
    "PostToolUseFailure",
    "PreSkillShellCommand",
    "PreToolUse",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "TaskCompleted",
    "TaskCreated",
    "TeammateIdle",
    "UserPromptExpansion",
    "UserPromptSubmit",
]


class PreToolUse(ToolEvent, frozen=True, kw_only=True):
    """A tool call has been built and is about to be judged."""

    tool_use_id: str
    """The call."""


class PostToolUse(ToolEvent, frozen=True, kw_only=True):
    """A tool has run."""

    tool_response: JsonValue
    """What the tool returned, as it returned it."""
    tool_use_id: str
    """The call."""
    duration_ms: float | UnsetType = UNSET
    """How long it ran, in milliseconds."""


class PostToolUseFailure(ToolEvent, frozen=True, kw_only=True):
    """A tool that was started has failed."""

    tool_use_id: str
    """The call."""
    error: str
    """What went wrong; a shell's begins with ``Exit code N``."""
    is_interrupt: bool | UnsetType = UNSET
    """Whether the user interrupted it."""
    duration_ms: float | UnsetType = UNSET
    """How long it ran, in milliseconds."""


class BatchedToolCall(Open, frozen=True, kw_only=True):
    """One call of a batch."""

    tool_name: str
    """Name of the tool."""
    tool_input: JsonValue
    """Arguments of the call."""
    tool_use_id: str
    """The call."""
    tool_response: JsonValue | UnsetType = UNSET
    """What the model will see of the result: a text, or content blocks."""


class PostToolBatch(AgentInput, frozen=True, kw_only=True):
    """All calls that were made together are over, and the model is about to be asked again."""

    tool_calls: list[BatchedToolCall]
    """The calls."""


class UserPromptSubmit(AgentInput, frozen=True, kw_only=True):
    """A prompt is about to be worked on."""

    prompt: str
    """What was asked."""
    source: str | UnsetType = UNSET
    """``user``, ``sdk``, ``system``, ``loop_wakeup``, ``schedule_wakeup`` or ``poll_event``."""
    session_title: str | UnsetType = UNSET
    """The session's present title."""


class UserPromptExpansion(AgentInput, frozen=True, kw_only=True):
    """A command that the user has typed is about to become a prompt."""

    expansion_type: str
    """``slash_command`` or ``mcp_prompt``."""
    command_name: str
    """Name of the command."""
    command_args: str
    """What was typed after it."""
    command_source: str | UnsetType = UNSET
    """Where the command comes from."""
    prompt: str
    """What was typed."""


class PermissionRequest(ToolEvent, frozen=True, kw_only=True):
    """The user is about to be asked whether a tool may run, or it is about to be denied as nobody can be asked."""

    permission_suggestions: list[JsonObject] | UnsetType = UNSET
    """Changes to the permission rules that the user would be offered."""


class PermissionDenied(ToolEvent, frozen=True, kw_only=True):
    """A tool call was denied without asking the user."""

    tool_use_id: str
    """The call."""
    reason: str
    """Why."""


class Stop(AgentInput, frozen=True, kw_only=True):
    """The main agent has finished its turn and is about to stop."""

    stop_hook_active: bool
    """Whether the turn already goes on because a hook wanted it to."""
    last_assistant_message: str | UnsetType = UNSET
    """The last text of the model."""
    background_tasks: list[BackgroundTask] | UnsetType = UNSET
    """What still runs in the background."""
    session_crons: list[SessionCron] | UnsetType = UNSET
    """Prompts that the session repeats."""


class StopFailure(AgentInput, frozen=True, kw_only=True):
    """A turn has ended in an error."""

    error: str
    """``rate_limit``, ``overloaded``, ``server_error``, ``unknown`` and others."""
    error_details: str | UnsetType = UNSET
    """More about it."""
    last_assistant_message: str | UnsetType = UNSET
    """The error as the user saw it."""


class SubagentStart(ClaudeInput, frozen=True, kw_only=True):
    """A subagent is about to begin."""

    agent_id: str
    """The subagent."""
    agent_type: str
    """Its kind."""


class SubagentStop(ClaudeInput, frozen=True, kw_only=True):
    """A subagent has finished and is about to stop."""

    stop_hook_active: bool
    """Whether it already goes on because a hook wanted it to."""
    agent_id: str
    """The subagent."""
    agent_transcript_path: str
    """The subagent's own transcript."""
    agent_type: str
    """Its kind."""
    last_assistant_message: str | UnsetType = UNSET
    """The last text of the subagent."""
    background_tasks: list[BackgroundTask] | UnsetType = UNSET
    """What still runs in the background of the session."""
    session_crons: list[SessionCron] | UnsetType = UNSET
    """Prompts that the session repeats."""


class TeammateIdle(AgentInput, frozen=True, kw_only=True):
    """A teammate is about to have nothing to do."""

    teammate_name: str
    """The teammate."""
    team_name: str
    """Its team."""


class TaskCreated(AgentInput, frozen=True, kw_only=True):
    """A task is about to be created."""

    task_id: str
    """The task."""
    task_subject: str
    """Its title."""
    task_description: str | UnsetType = UNSET
    """What is to be done."""
    teammate_name: str | UnsetType = UNSET
    """The teammate that creates it."""
    team_name: str | UnsetType = UNSET
    """Its team."""


class TaskCompleted(AgentInput, frozen=True, kw_only=True):
    """A task is about to count as done."""

    task_id: str
    """The task."""
    task_subject: str
    """Its title."""
    task_description: str | UnsetType = UNSET
    """What was to be done."""
    teammate_name: str | UnsetType = UNSET
    """The teammate that completes it."""
    team_name: str | UnsetType = UNSET
    """Its team."""


class MessageDisplay(AgentInput, frozen=True, kw_only=True):
    """A part of the model's text is about to be shown."""

    turn_id: str
    """The turn."""
    message_id: str
    """The message."""
    index: int
    """Number of the part in its message, from 0."""
    final: bool
    """Whether it is the last part."""
    delta: str
    """The text of the part."""


class PreSkillShellCommand(ToolEvent, frozen=True, kw_only=True):
    """A shell command that stands in the text of a skill or command is about to run."""

    tool_use_id: str
    """The call; the transcript does not have it."""
    command_name: str
    """The skill or command."""
    command_source: str | UnsetType = UNSET
    """Where the skill or command comes from."""
    invoked_by: str
    """``user``, ``claude`` or ``other``."""
