"""Owns what a hook's process finds around it: its environment and its folder; starts nothing and looks at no disk."""

from __future__ import annotations

import os.path

import msgspec
from msgspec import Raw, Struct
from tenterhook_protocol.claude_events import CLAUDE_EVENTS

from tenterhook.dialects.base import LaunchContext
from tenterhook.dialects.claude_code.specs import PluginRef
from tenterhook.model import Event

__all__ = ["CONTINUATIONS", "ENV_FILE", "STOPS", "environment_of", "folders_of", "plugin_variables", "scratch_of"]

STOPS = frozenset({"Stop", "SubagentStop"})
"""Events that tell of a wish to stop."""

CONTINUATIONS = "TENTERHOOK_CONTINUATIONS"
"""At these: how many times in a row the wish was overruled before this one.

Once the cap has ended a turn it is 0 again: so a hook learns that its block did not count.
Public fault: anthropics/claude-code#85547.
"""

ENV_FILE = "CLAUDE_ENV_FILE"
"""Names the file in which a hook leaves variables for later tool calls."""

_SCRUB = "CLAUDE_CODE_SUBPROCESS_ENV_SCRUB"
_CREDENTIALS = frozenset(
    {
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
        "ACTIONS_RUNTIME_TOKEN",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_CUSTOM_HEADERS",
        "ANTHROPIC_FOUNDRY_API_KEY",
        "AWS_ACCESS_KEY_ID",
        "AWS_BEARER_TOKEN_BEDROCK",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "AZURE_CLIENT_CERTIFICATE_PATH",
        "AZURE_CLIENT_SECRET",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "GOOGLE_APPLICATION_CREDENTIALS",
    }
)
"""Of the model's and the clouds' providers: what the scrubbing takes away."""

_DROPPED_FAMILIES = ("OTEL_", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "CLAUDE_PLUGIN_OPTION_")
"""Begins of names: telemetry exporters, and what belongs to another plugin."""

_DROPPED = frozenset({ENV_FILE, "BASH_ENV", "CLAUDE_EFFORT"})
"""An older run's file; a profile that non-interactive bash reads (anthropics/claude-code#21992); an older effort."""


class _Effort(Struct, frozen=True):
    level: Raw = Raw(b"null")


class _Seen(Struct, frozen=True):
    """What a launch reads of a payload; anything else than a text counts as absent."""

    cwd: Raw = Raw(b"null")
    effort: Raw = Raw(b"null")


_seen = msgspec.json.Decoder(_Seen)
_effort = msgspec.json.Decoder(_Effort)
_text = msgspec.json.Decoder(str)


def scratch_of(context: LaunchContext, name: str) -> str:
    """A file of this run alone."""
    return os.path.join(context.scratch, context.run_id, name)


def plugin_variables(plugin: PluginRef | None) -> dict[str, str]:
    """The variables that a plugin's hooks get; none for other hooks."""
    if plugin is None:
        return {}
    options = {f"CLAUDE_PLUGIN_OPTION_{key.upper()}": value for key, value in plugin.options}
    return {"CLAUDE_PLUGIN_ROOT": plugin.root, "CLAUDE_PLUGIN_DATA": plugin.data, **options}


def environment_of(plugin: PluginRef | None, event: Event, context: LaunchContext) -> dict[str, str]:
    """The whole environment of a process (contract, 5.3).

    It is the engine's own without telemetry exporters, without credentials where the user wants that,
    and without what belongs to another hook's run.
    """
    inherited = context.environment
    dropped = _DROPPED | _CREDENTIALS if inherited.get(_SCRUB) == "1" else _DROPPED
    environment = {
        name: value
        for name, value in inherited.items()
        if name not in dropped and not name.startswith(_DROPPED_FAMILIES)
    }
    environment |= plugin_variables(plugin)
    environment |= {
        "CLAUDECODE": "1",
        "CLAUDE_CODE_CHILD_SESSION": "1",
        "CLAUDE_PROJECT_DIR": event.project,
        "TENTERHOOK_POINT": event.point,
        "TENTERHOOK_EVENT_ID": event.id,
        "TENTERHOOK_RUN_ID": context.run_id,
        "TENTERHOOK_PROJECT_DIR": event.project,
        "TENTERHOOK_VERSION": context.version,
    }
    if event.point in STOPS:
        environment[CONTINUATIONS] = str(event.continuations)
    if event.session is not None:
        environment["CLAUDE_CODE_SESSION_ID"] = event.session
    if event.traceparent is not None:
        environment["TRACEPARENT"] = event.traceparent
    if (effort := _effort_of(event)) is not None:
        environment["CLAUDE_EFFORT"] = effort
    if (known := CLAUDE_EVENTS.get(event.point)) is not None and known.env_file:
        environment[ENV_FILE] = scratch_of(context, "environment.sh")
    return environment


def folders_of(event: Event, context: LaunchContext) -> tuple[str, ...]:
    """Where the process may be started: the session's folder, the project, the home, the system's own for files.

    A session's folder may be gone; its hooks run all the same (anthropics/claude-code#67147).
    """
    cwd = _text_of(_payload(event).cwd)
    folders = (cwd if cwd is not None and os.path.isabs(cwd) else event.project, event.project, context.home)
    last = context.environment.get("TMPDIR") or "/tmp"  # noqa: S108 - a folder to stand in, nothing is written there
    return tuple(dict.fromkeys((*folders, last)))


def _payload(event: Event) -> _Seen:
    try:
        return _seen.decode(event.payload)
    except (msgspec.DecodeError, RecursionError):
        return _Seen()


def _effort_of(event: Event) -> str | None:
    effort = _payload(event).effort
    return _text_of(_effort.decode(effort).level) if bytes(effort).startswith(b"{") else None


def _text_of(value: Raw) -> str | None:
    return _text.decode(value) if bytes(value).startswith(b'"') else None
