"""Owns what the engine derives from the protocol's table of Claude Code's events; knows no hooks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tenterhook_protocol.claude_events import CLAUDE_EVENTS
from tenterhook_protocol.points import HookType

__all__ = ["NAME", "POINT_TYPES", "default_timeout", "not_allowed", "subject_key"]

NAME = "claude-code"
"""The system's name, and the prefix of its hooks' ids."""

POINT_TYPES: Mapping[str, HookType] = MappingProxyType({name: event.type for name, event in CLAUDE_EVENTS.items()})
"""Which method suits which event."""


def subject_key(point: str) -> str | None:
    """The payload key that matchers are tested against; None: every matcher is met, or the event is not known."""
    event = CLAUDE_EVENTS.get(point)
    return None if event is None else event.matches


def default_timeout(point: str, handler: str) -> float:
    """How long a handler of a type may run that does not say so itself, in seconds.

    For SessionEnd it is the time that all its hooks share.

    Raises:
        KeyError: the event is not known.
    """
    return CLAUDE_EVENTS[point].default_timeout(_published(handler))


def not_allowed(point: str, handler: str) -> str | None:
    """Why a handler type does not run at an event, as one sentence; None: it does.

    Raises:
        KeyError: the event is not known.
    """
    types = CLAUDE_EVENTS[point].types
    if _published(handler) in types:
        return None
    return f"{point} runs no {handler} handlers, only {', '.join(types[:-1])} and {types[-1]}"


def _published(handler: str) -> str:
    """The type as the system knows it: a ``worker`` is this engine's own way to run a ``command``."""
    return "command" if handler == "worker" else handler
