"""Owns the messages that open, steer and close a connection (LSP's own shapes); knows nothing of hooks' content."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from tenterhook_protocol.base import UNSET, JsonObject, JsonValue, Message, UnsetType
from tenterhook_protocol.jsonrpc import RequestId
from tenterhook_protocol.points import HookType

__all__ = [
    "PROFILES",
    "CancelParams",
    "ClientInfo",
    "ExtraPoint",
    "HookCapabilities",
    "HostAbilities",
    "InitializationOptions",
    "InitializeParams",
    "InitializeResult",
    "InitializedParams",
    "LogMessageParams",
    "LogTraceParams",
    "PluginFolder",
    "ProgressParams",
    "ServerCapabilities",
    "ServerExperimental",
    "ServerInfo",
    "SetTraceParams",
    "TextDocumentSync",
    "TraceValue",
    "TrustMode",
    "WorkspaceFolder",
]

TraceValue = Literal["off", "messages", "verbose"]
TrustMode = Literal["all", "pinned", "user"]

PROFILES = ("minimal", "standard", "strict")
"""The control plane's profiles. One of them is in force; a hook may name those that it runs in."""


class ClientInfo(Message, frozen=True, kw_only=True):
    """Who spawned the engine."""

    name: str
    """Name of the host."""
    version: str | UnsetType = UNSET
    """Version of the host."""


class WorkspaceFolder(Message, frozen=True, kw_only=True):
    """A folder that is open in the host."""

    uri: str
    """``file:`` URI of the folder."""
    name: str
    """What the user calls it."""


class ExtraPoint(Message, frozen=True, kw_only=True):
    """A point that this host emits beyond the known ones."""

    name: str
    """Name of the point."""
    type: HookType
    """The type of hook that suits it."""


class PluginFolder(Message, frozen=True, kw_only=True):
    """A plugin whose ``hooks/hooks.json`` counts."""

    id: str
    """Id of the plugin; prefix of its hooks' ids."""
    root: str
    """Absolute path of its folder."""
    data_dir: str | UnsetType = UNSET
    """Absolute path where it keeps its data."""
    options: JsonObject | UnsetType = UNSET
    """The user's settings for it."""


class HostAbilities(Message, frozen=True, kw_only=True):
    """What the host can do for a hook. Absent is false."""

    prompt: bool = False
    """It answers ``host/prompt``."""
    agent: bool = False
    """It answers ``host/agent``."""
    call_tool: bool = False
    """It answers ``host/callTool``."""
    request_trust: bool = False
    """It answers ``host/requestTrust``."""
    defer: bool = False
    """It understands the decision ``defer``."""


class InitializationOptions(Message, frozen=True, kw_only=True):
    """How the host wants the engine to work. Every key is optional."""

    project_paths: list[str] = []
    """Absolute paths of projects to load at once; ``workspaceFolders`` and ``rootUri`` count too."""
    dialects: list[str] | UnsetType = UNSET
    """Systems whose hook files are read; absent: all."""
    points: list[ExtraPoint] = []
    """Points this host emits beyond the known ones."""
    plugins: list[PluginFolder] = []
    """Plugin folders with ``hooks/hooks.json``."""
    settings: JsonObject | UnsetType = UNSET
    """A settings object of the command-line layer (Claude Code's ``--settings``)."""
    user_home: str | UnsetType = UNSET
    """Where global files lie; absent: the user's home folder."""
    managed_settings: str | UnsetType = UNSET
    """Where managed settings lie; absent: the system's own place."""
    trust: TrustMode = "all"
    """``all``: every project's hooks count. ``pinned``: only approved ones. ``user``: none of a project's."""
    workers: bool = True
    """Whether hooks may be served by processes that live on; false: every event starts its own."""
    watch: bool = False
    """Reload by itself when a hook file changes."""
    max_hooks_per_session: Annotated[int, Meta(ge=1, le=1024)] = 32
    """Live hook processes of one session at the most."""
    max_message_bytes: Annotated[int, Meta(ge=1024)] = 67_108_864
    """A longer message is refused; one over 16 times this ends the connection."""
    max_queued_bytes: Annotated[int, Meta(ge=1024)] = 268_435_456
    """While so many bytes of events are being handled, others wait; when as many bytes wait, reading stops."""
    max_output_bytes: Annotated[int, Meta(ge=1)] = 1_048_576
    """So much of a hook's stdout, and of its stderr, is kept."""
    kill_grace_ms: Annotated[int, Meta(ge=0, le=60_000)] = 2000
    """Milliseconds between TERM and KILL."""
    max_stop_continuations: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    """Consecutive ``continue`` answers of one session when it wants to stop; absent: the system's own (3 or 8)."""
    profile: str | UnsetType = UNSET
    """The control plane's profile; absent: ``standard``."""
    disabled_hooks: list[str] = []
    """Ids of hooks that must not run."""
    enabled: bool | UnsetType = UNSET
    """False switches every hook off but those of managed settings; absent: the environment and the user's file say."""
    hook_events: bool = False
    """Send ``hooks/started`` and ``hooks/completed``."""
    host: HostAbilities = HostAbilities()
    """What the host can do for a hook."""


class InitializeParams(Message, frozen=True, kw_only=True):
    """LSP's ``initialize``. A host that is no editor sends ``{processId, capabilities: {}}``."""

    process_id: int | UnsetType | None = UNSET
    """The host's process; when it dies the engine ends. ``null``: none to watch."""
    client_info: ClientInfo | UnsetType | None = UNSET
    """Who spawned the engine."""
    root_uri: str | UnsetType | None = UNSET
    """``file:`` URI of the one open folder; used where ``workspaceFolders`` is absent."""
    workspace_folders: list[WorkspaceFolder] | UnsetType | None = UNSET
    """The open folders; ``null``: none."""
    capabilities: JsonObject | UnsetType = UNSET
    """What the editor can do; read by the editor half."""
    trace: TraceValue | UnsetType = UNSET
    """How much ``$/logTrace`` to send."""
    initialization_options: InitializationOptions | UnsetType | None = UNSET
    """How the host wants the engine to work; ``null`` is as absent."""


class InitializedParams(Message, frozen=True, kw_only=True):
    """Nothing: the host has read the answer to ``initialize``."""


class TextDocumentSync(Message, frozen=True, kw_only=True):
    """How an editor sends open hook files (LSP's ``TextDocumentSyncOptions``)."""

    open_close: bool
    """Opened and closed files are told of."""
    change: int
    """2: changes are sent as ranges."""
    save: bool = False
    """Saved files are told of."""


class HookCapabilities(Message, frozen=True, kw_only=True):
    """What this engine can do with hooks."""

    version: str
    """Version of this protocol."""
    systems: list[str]
    """Systems whose hooks are served."""
    points: list[str]
    """Every point that may be emitted, the host's own included."""


class ServerExperimental(Message, frozen=True, kw_only=True):
    """The part of the capabilities that is tenterhook's own."""

    tenterhook: HookCapabilities
    """What this engine can do with hooks."""


class ServerCapabilities(Message, frozen=True, kw_only=True):
    """What the engine can do."""

    position_encoding: str
    """Unit of columns in the editor half: ``utf-16``."""
    text_document_sync: TextDocumentSync
    """How open hook files are sent."""
    experimental: ServerExperimental
    """What is tenterhook's own."""


class ServerInfo(Message, frozen=True, kw_only=True):
    """Who answers."""

    name: str
    """``tenterhook``."""
    version: str
    """Version of the engine."""


class InitializeResult(Message, frozen=True, kw_only=True):
    """The answer to ``initialize``."""

    capabilities: ServerCapabilities
    """What the engine can do."""
    server_info: ServerInfo
    """Who answers."""


class CancelParams(Message, frozen=True, kw_only=True):
    """Which request to give up."""

    id: RequestId
    """Its id."""


class SetTraceParams(Message, frozen=True, kw_only=True):
    """How much ``$/logTrace`` to send from now on."""

    value: TraceValue
    """``off``, ``messages`` or ``verbose``."""


class LogTraceParams(Message, frozen=True, kw_only=True):
    """One line of trace."""

    message: str
    """What was handled and how long it took."""
    verbose: str | UnsetType = UNSET
    """Details; only at ``verbose``."""


class LogMessageParams(Message, frozen=True, kw_only=True):
    """A line for the host's log."""

    type: int
    """1 error, 2 warning, 3 information, 4 log."""
    message: str
    """The line."""


class ProgressParams(Message, frozen=True, kw_only=True):
    """LSP's ``$/progress``; accepted and ignored."""

    token: RequestId
    """What it belongs to."""
    value: JsonValue
    """The progress."""
