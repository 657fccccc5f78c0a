"""Owns which hooks run for an event and why the others do not; pure: no clock, no files, no environment, no await."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from tenterhook.dialects.base import Dialect, Undecided
from tenterhook.model import Arranged, Event, Hook, LeftOut
from tenterhook.tables import Table, Varying

__all__ = ["left_out", "plan"]

_REMEMBERED = 4096


def plan(table: Table, event: Event, dialect: Dialect, ran: AbstractSet[str] = frozenset()) -> Arranged:
    """The stages of the event, in order, and who of the matching hooks is in none of them.

    What only the point, the mode and the subject decide is worked out once and remembered with the table,
    so that the cost of a plan does not grow with the number of hooks.
    Where rules and earlier runs decide too, that is worked out for the hooks concerned, and the order of the rest
    is remembered.

    Args:
        table: the project's hooks.
        event: what has happened.
        dialect: the event's system.
        ran: ids of hooks that have run in the event's session and run only once.
    """
    key = (event.point, event.mode, event.subject)
    fixed = table.memo.get(key)
    if fixed is None:
        candidates = table.runnable.get(event.point, ())
        matching = tuple(hook for hook in candidates if dialect.match(hook, event.mode, event.subject) is None)
        once = frozenset(hook.id for hook in matching if hook.once)
        ruled = tuple(hook for hook in matching if hook.rule is not None)
        varies = once or ruled
        fixed = Varying(matching, once, ruled, {}) if varies else dialect.arrange(matching, event.point, event.mode)
        if len(table.memo) >= _REMEMBERED:
            table.memo.clear()
        table.memo[key] = fixed
    return fixed if isinstance(fixed, Arranged) else _arrange_now(fixed, event, dialect, ran)


def left_out(table: Table, event: Event, dialect: Dialect, arranged: Arranged) -> list[tuple[Hook, LeftOut]]:
    """Every other hook of the event's point, each with its one reason."""
    dropped = {hook.id: reason for hook, reason in arranged.left_out}
    return [
        (hook, reason)
        for hook in table.at(event.point)
        if (reason := hook.left_out or dropped.get(hook.id) or dialect.match(hook, event.mode, event.subject))
        is not None
    ]


def _arrange_now(varying: Varying, event: Event, dialect: Dialect, ran: AbstractSet[str]) -> Arranged:
    doubts: dict[str, str] = {}
    already = varying.once & ran
    unmet: dict[str, LeftOut] = {}
    if varying.ruled:
        for name, why in dialect.rule_out([h for h in varying.ruled if h.id not in already], event).items():
            if isinstance(why, Undecided):
                doubts[name] = why.why
            else:
                unmet[name] = why
    key = (already, tuple(unmet))
    arranged = varying.arranged.get(key)
    if arranged is None:
        going = tuple(hook for hook in varying.hooks if hook.id not in already and hook.id not in unmet)
        arranged = dialect.arrange(going, event.point, event.mode)
        arranged = _but(arranged, tuple((hook, _ALREADY) for hook in varying.hooks if hook.id in already), {})
        if len(varying.arranged) >= _REMEMBERED:
            varying.arranged.clear()
        varying.arranged[key] = arranged
    if not unmet and not doubts:
        return arranged
    return _but(arranged, tuple((hook, unmet[hook.id]) for hook in varying.ruled if hook.id in unmet), doubts)


def _but(arranged: Arranged, more: tuple[tuple[Hook, LeftOut], ...], doubts: Mapping[str, str]) -> Arranged:
    return Arranged(arranged.stages, (*arranged.left_out, *more), doubts)


_ALREADY = LeftOut(code="alreadyRan", message="it runs once a session, and it has")
