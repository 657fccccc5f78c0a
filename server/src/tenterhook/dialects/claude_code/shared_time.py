"""Owns the time that all hooks of one event have together (reference, 5.6); reads no file and runs nothing."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs
from tenterhook_protocol.claude_events import CLAUDE_EVENTS

from tenterhook.config.document import problem_at
from tenterhook.dialects.claude_code.events import default_timeout
from tenterhook.dialects.claude_code.fields import MAX_TIMEOUT
from tenterhook.dialects.claude_code.sources import LayerKind
from tenterhook.model import Hook, Problem

__all__ = ["LONGEST_SHARED_TIMEOUT", "share_time"]

LONGEST_SHARED_TIMEOUT = 60.0
"""Seconds that all SessionEnd hooks together may take, unless the environment says more (reference 5.6)."""


def share_time(
    hooks: Sequence[Hook], kinds: Sequence[LayerKind], told: str | None, problems: list[Problem]
) -> tuple[Hook, ...]:
    """The same hooks, those of an event that shares its time with what they have of it.

    It is raised to the longest timeout that settings files give one of its hooks; plugins do not raise it.
    A hook in the background shares nothing, for nobody waits for it.
    """
    shared = {name for name, event in CLAUDE_EVENTS.items() if event.shares_timeout}

    def shares(hook: Hook) -> bool:
        return hook.point in shared and not hook.background

    sharing = [(hook, kind) for hook, kind in zip(hooks, kinds, strict=True) if shares(hook)]
    if not sharing:
        return tuple(hooks)
    asked = [
        hook.timeout
        for hook, kind in sharing
        if kind != "plugin" and hook.left_out is None and "timeout" in hook.fields
    ]
    usual = default_timeout(sharing[0][0].point, "command")
    budget = _milliseconds(told) or max(usual, min(max(asked, default=usual), LONGEST_SHARED_TIMEOUT))
    cut = (hook for hook, _ in sharing if "timeout" in hook.fields and hook.timeout > budget and hook.left_out is None)
    problems.extend(_cut(hook, budget) for hook in cut)
    return tuple(_within(hook, budget) if shares(hook) else hook for hook in hooks)


def _cut(hook: Hook, budget: float) -> Problem:
    message = f"All hooks of {hook.point} share {budget:g} s; the timeout of {hook.timeout:g} s is cut to that"
    hint = "let a hook that needs longer begin its work in the background"
    origin, width = hook.fields["timeout"], len('"timeout"')
    return problem_at(origin, "warning", "timeout-shared", message, entry=hook.name, hint=hint, width=width)


def _within(hook: Hook, budget: float) -> Hook:
    return structs.replace(hook, timeout=min(hook.timeout, budget) if "timeout" in hook.fields else budget)


def _milliseconds(told: str | None) -> float | None:
    """Seconds; None where the environment says nothing of use."""
    try:
        value = float(told or "") / 1000
    except ValueError:
        return None
    return min(value, MAX_TIMEOUT) if value > 0 else None
