"""Owns in what order the matching hooks of an event run, and which of them are the same hook twice; runs none."""

from __future__ import annotations

from collections.abc import Hashable
from typing import cast

from msgspec import structs
from tenterhook_protocol.claude_events import CLAUDE_EVENTS

from tenterhook.dialects.claude_code.specs import HandlerSpec
from tenterhook.model import Answer, Arranged, Hook, LeftOut, Stage

__all__ = ["arrange_hooks"]


def arrange_hooks(hooks: tuple[Hook, ...], point: str) -> Arranged:
    """All at once, and none ends the others: a denial cancels nobody. PreModelSwitch's run one after another.

    A handler that several settings files define runs once, as the first of them. A plugin's copy is another hook
    (contract, 4.5). What makes two hooks the same is everything that changes what they do, the matcher apart:
    both have been met.
    """
    first: dict[Hashable, Hook] = {}
    left_out: list[tuple[Hook, LeftOut]] = []
    for hook in hooks:
        twin = first.setdefault(_identity(hook), hook)
        if twin is not hook:
            origin = twin.origin
            message = f"it is the same hook as {twin.id} in {origin.path}, line {origin.line}, which runs"
            left_out.append((hook, LeftOut(code="duplicate", message=message)))
    if not first:
        return Arranged((), tuple(left_out))
    event = CLAUDE_EVENTS.get(point)
    together = "sequence" if event is not None and event.in_sequence else "parallel"
    return Arranged((Stage(tuple(first.values()), together, _never),), tuple(left_out))


def _identity(hook: Hook) -> Hashable:
    """The spec holds the plugin, so that two plugins' copies differ. What is only shown does not count.

    A rule with a path like ``/src`` means another folder in the user's own file than in a project's.
    """
    folder = hook.origin.layer == "user" if hook.rule is not None and "(/" in hook.rule else None
    spec = structs.replace(cast("HandlerSpec", hook.spec), status_message=None)
    return (hook.type, spec, hook.rule, folder, hook.once, hook.background, hook.timeout, hook.on_failure)


def _never(_answer: Answer) -> bool:
    return False
