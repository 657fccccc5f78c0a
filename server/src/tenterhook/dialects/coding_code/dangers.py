"""Owns what one file alone does not show: who speaks before a locked hook, and what a path means in each project.

Nothing here changes a hook: the order of a chain is the contract's, and so is the folder a hook runs in.
"""

from __future__ import annotations

import os.path
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence

from tenterhook.config.document import excerpt
from tenterhook.dialects.coding_code.settings import HookEntry, Place
from tenterhook.model import CommandSpec, Hook, Problem

__all__ = ["before_locked", "relative_in_global"]

_HARMLESS = frozenset({"name", "description", "timeout", "worker"})
"""Fields that a project may patch without taking part in what the hook answers."""


def before_locked(pairs: Sequence[tuple[HookEntry, Hook]], layer: str) -> list[Problem]:
    """A warning for every decision hook that a project shapes and that is asked before a locked hook of its point.

    Args:
        pairs: the joined entries with their hooks.
        layer: name of the layer that may lock.
    """
    locked: defaultdict[str, list[tuple[float, HookEntry]]] = defaultdict(list)
    for entry, hook in pairs:
        if _decides(hook) and entry.settings.locked is True and entry.place.document.layer == layer:
            locked[hook.point].append((hook.priority, entry))
    for of_point in locked.values():
        of_point.sort(key=_first)
    problems: list[Problem] = []
    for entry, hook in pairs:
        place = _shaped_by_project(entry, layer) if _decides(hook) and hook.point in locked else None
        if place is None:
            continue
        of_point = locked[hook.point]
        # Of equal priorities the global file's come first.
        after = bisect_right(of_point, hook.priority, key=_first)
        if after < len(of_point):
            problems.append(_before(entry, place, of_point[after][1], of_point[-1][0]))
    return problems


def _first(pair: tuple[float, HookEntry]) -> float:
    return pair[0]


def _decides(hook: Hook) -> bool:
    return hook.type == "decision" and hook.left_out is None


def _shaped_by_project(entry: HookEntry, layer: str) -> Place | None:
    """Where the project says what makes the hook come first, or at least what it is; None: it says neither."""
    own = {key: place for key, place in entry.places.items() if place.document.layer != layer}
    if not own.keys() - _HARMLESS:
        return None
    return own.get("priority") or own.get("name") or next(place for key, place in own.items() if key not in _HARMLESS)


def _before(entry: HookEntry, place: Place, locked: HookEntry, last: float) -> Problem:
    where = f"{locked.place.document.path}, line {locked.place.span.line}"
    message = (
        f"{excerpt(entry.name)!r} runs before the locked hook {excerpt(locked.name)!r} of the global file ({where}), "
        "whose answer is then never asked"
    )
    hint = f"write priority: {last:g} or more, so that it is asked after the locked ones"
    return place.document.problem("warning", "before-locked", message, place.span, entry=entry.name, hint=hint)


def relative_in_global(entry: HookEntry, hook: Hook, layer: str) -> list[Problem]:
    """A warning for a path of the global file that means another file in every project."""
    spec = hook.spec
    if not isinstance(spec, CommandSpec) or os.path.isabs(spec.cwd or ""):
        return []
    problems: list[Problem] = []
    if "/" in spec.command and not spec.command.startswith(("/", "~")):
        problems += _relative(entry, entry.places, "command", spec.command, layer)
    script = next((text for text in spec.args if text.startswith(("./", "../"))), None)
    if script is not None:
        problems += _relative(entry, entry.places, "args", script, layer)
    return problems


def _relative(entry: HookEntry, places: Mapping[str, Place], key: str, path: str, layer: str) -> list[Problem]:
    place = places[key]
    if place.document.layer != layer:
        return []
    message = f"{excerpt(path)!r} counts from the project, so that every project runs a file of its own under this name"
    return [
        place.document.problem(
            "warning",
            "relative-in-global",
            message,
            place.span,
            entry=entry.name,
            hint="write an absolute path, so that it is the same file in all projects",
        )
    ]
