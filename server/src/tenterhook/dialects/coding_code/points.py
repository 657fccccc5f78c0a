"""Owns what the engine knows of Coding Code's points beyond their payload types; knows no hooks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tenterhook_protocol.points import POINTS, HookType

__all__ = ["NAME", "POINT_TYPES", "TOOLLESS_POINTS", "TURN_END", "TURN_START", "TURN_STOP"]

NAME = "coding-code"
"""The system's name, and the prefix of its hooks' ids."""

POINT_TYPES: Mapping[str, HookType] = MappingProxyType({name: point.type for name, point in POINTS.items()})
"""Which type of hook suits which point."""

TOOLLESS_POINTS = frozenset(
    name for name, point in POINTS.items() if not {"toolName", "tool"}.intersection(point.payload.__struct_fields__)
)
"""Points whose payloads name no tool: no matcher is ever met there. A host's own points may name one."""

TURN_START = "agent.turn.start"
TURN_STOP = "agent.turn.stop"
TURN_END = "agent.turn.end"
