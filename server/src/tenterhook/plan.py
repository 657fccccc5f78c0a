"""Owns which hooks run for an event and why the others do not; pure: no clock, no files, no environment, no await."""

from __future__ import annotations

from tenterhook.dialects.base import Dialect
from tenterhook.model import Event, Hook, LeftOut, Stage
from tenterhook.registry import Table

__all__ = ["left_out", "plan"]


def plan(table: Table, event: Event, dialect: Dialect) -> tuple[Stage, ...]:
    """The stages of the event, in order. Empty: nothing runs."""
    candidates = table.runnable.get(event.point, ())
    matching = tuple(hook for hook in candidates if dialect.match(hook, event) is None)
    return dialect.stages(matching, event) if matching else ()


def left_out(table: Table, event: Event, dialect: Dialect) -> list[tuple[Hook, LeftOut]]:
    """Every other hook of the event's point, each with its one reason."""
    return [
        (hook, reason)
        for hook in table.at(event.point)
        if (reason := hook.left_out or dialect.match(hook, event)) is not None
    ]
