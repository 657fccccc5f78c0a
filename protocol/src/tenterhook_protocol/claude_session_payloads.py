"""Owns the payloads of Claude Code's events around turns: session, model, MCP questions, files, folders, worktrees.

Source: the published type declarations, and the founding table for keys that they have dropped.
It knows neither what a hook can answer nor how it is matched.
"""

from __future__ import annotations

from tenterhook_protocol.base import UNSET, JsonObject, UnsetType
from tenterhook_protocol.claude_input import AgentInput

__all__ = [
    "ConfigChange",
    "CwdChanged",
    "DirectoryAdded",
    "Elicitation",
    "ElicitationResult",
    "FileChanged",
    "InstructionsLoaded",
    "Notification",
    "PostCompact",
    "PostModelSwitch",
    "PreCompact",
    "PreModelSwitch",
    "SessionEnd",
    "SessionStart",
    "Setup",
    "WorktreeCreate",
    "WorktreeRemove",
]


class Notification(AgentInput, frozen=True, kw_only=True):
    """The user is about to be notified."""

    message: str
    """The text."""
    title: str | UnsetType = UNSET
    """Its heading."""
    notification_type: str
    """``permission_prompt``, ``idle_prompt``, ``auth_success``, ``agent_completed`` and others."""


class SessionStart(AgentInput, frozen=True, kw_only=True):
    """A session has begun, or goes on after a resume, a clear, a compaction or a fork."""

    source: str
    """``startup``, ``resume``, ``clear``, ``compact`` or ``fork``."""
    model: str | UnsetType = UNSET
    """The model."""
    session_title: str | UnsetType = UNSET
    """The session's present title."""
    seconds_since_last_response: float | UnsetType = UNSET
    """On resume and fork: how long ago the model last answered."""
    context_tokens: float | UnsetType = UNSET
    """On resume and fork: how large the context is."""
    prompt_cache_likely_expired: bool | UnsetType = UNSET
    """On resume and fork: whether the context has to be paid for anew."""
    estimated_cache_write_usd: float | UnsetType = UNSET
    """On resume and fork: what that would cost, in US dollars."""


class SessionEnd(AgentInput, frozen=True, kw_only=True):
    """A session is ending."""

    reason: str
    """``clear``, ``resume``, ``logout``, ``prompt_input_exit`` or ``other``."""


class Setup(AgentInput, frozen=True, kw_only=True):
    """The host was started to set a project up, or to maintain it."""

    trigger: str
    """``init`` or ``maintenance``."""


class PreCompact(AgentInput, frozen=True, kw_only=True):
    """The context is about to be compacted."""

    trigger: str
    """``manual`` or ``auto``."""
    custom_instructions: str | None
    """What the user wants kept; null where nothing was said."""


class PostCompact(AgentInput, frozen=True, kw_only=True):
    """The context has been compacted."""

    trigger: str
    """``manual`` or ``auto``."""
    compact_summary: str
    """What is left of it."""


class PreModelSwitch(AgentInput, frozen=True, kw_only=True):
    """The session is about to get another model, as the user or a program wants."""

    from_model: str
    """The present model."""
    to_model: str
    """The next model."""
    requested_model: str | None
    """What was asked for; null where nothing was named."""
    source: str
    """``command``, ``picker`` or ``sdk``."""
    context_tokens: float
    """How large the context is."""
    prompt_cache_warm: bool
    """Whether the present model still has the context at hand."""
    cache_ttl: str
    """``5m`` or ``1h``."""
    estimated_cache_write_usd: float
    """What it costs to give the next model the context, in US dollars."""
    pricing: str
    """Where the price comes from: ``configured``, ``catalog`` or ``default``."""


class PostModelSwitch(AgentInput, frozen=True, kw_only=True):
    """The session has got another model, for whatever reason."""

    from_model: str
    """The former model."""
    to_model: str
    """The present model."""
    requested_model: str | None
    """What was asked for; null where nothing was named."""
    source: str
    """``command``, ``picker``, ``sdk``, ``auto`` or ``resume``."""
    context_tokens: float
    """How large the context is."""
    prompt_cache_warm: bool
    """Whether the former model still has the context at hand."""
    cache_ttl: str
    """``5m`` or ``1h``."""
    estimated_cache_write_usd: float
    """What it costs to give the present model the context, in US dollars."""
    pricing: str
    """Where the price comes from: ``configured``, ``catalog`` or ``default``."""


class Elicitation(AgentInput, frozen=True, kw_only=True):
    """An MCP server wants to ask the user something."""

    mcp_server_name: str
    """The server."""
    message: str
    """What it asks."""
    mode: str | UnsetType = UNSET
    """``form`` or ``url``."""
    url: str | UnsetType = UNSET
    """The page to open."""
    elicitation_id: str | UnsetType = UNSET
    """The question."""
    requested_schema: JsonObject | UnsetType = UNSET
    """The schema of the answer."""


class ElicitationResult(AgentInput, frozen=True, kw_only=True):
    """The user has answered an MCP server, and the answer is about to go out."""

    mcp_server_name: str
    """The server."""
    elicitation_id: str | UnsetType = UNSET
    """The question."""
    mode: str | UnsetType = UNSET
    """``form`` or ``url``."""
    action: str
    """``accept``, ``decline`` or ``cancel``."""
    content: JsonObject | UnsetType = UNSET
    """What was filled in."""


class ConfigChange(AgentInput, frozen=True, kw_only=True):
    """A settings or skill file has changed on the disk."""

    source: str
    """``user_settings``, ``project_settings``, ``local_settings``, ``policy_settings`` or ``skills``."""
    file_path: str | UnsetType = UNSET
    """The file."""


class WorktreeCreate(AgentInput, frozen=True, kw_only=True):
    """A worktree is needed; the hook makes it."""

    name: str
    """A short name for it."""


class WorktreeRemove(AgentInput, frozen=True, kw_only=True):
    """A worktree is no longer needed; the hook removes it."""

    worktree_path: str
    """Where it lies."""


class InstructionsLoaded(AgentInput, frozen=True, kw_only=True):
    """A file with instructions has come into the context."""

    file_path: str
    """The file."""
    memory_type: str
    """``User``, ``Project``, ``Local`` or ``Managed``."""
    load_reason: str
    """``session_start``, ``nested_traversal``, ``path_glob_match``, ``include`` or ``compact``."""
    globs: list[str] | UnsetType = UNSET
    """The paths it applies to."""
    trigger_file_path: str | UnsetType = UNSET
    """The file that made it count."""
    parent_file_path: str | UnsetType = UNSET
    """The file that includes it."""


class CwdChanged(AgentInput, frozen=True, kw_only=True):
    """The session is in another folder now."""

    old_cwd: str
    """The former folder."""
    new_cwd: str
    """The present folder."""


class FileChanged(AgentInput, frozen=True, kw_only=True):
    """A watched file has changed."""

    file_path: str
    """The file, as an absolute path."""
    event: str
    """``change``, ``add`` or ``unlink``."""


class DirectoryAdded(AgentInput, frozen=True, kw_only=True):
    """The session may now work in one more folder."""

    directory: str
    """The folder, as an absolute path."""
    source: str
    """``slash_command`` or ``register_repo_root``."""
