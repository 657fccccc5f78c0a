"""Owns how the layers of one project become one list of entries; knows no values.

The rule is the system's own: entries are joined by ``name``, and a project's entry replaces only what it declares.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from tenterhook.dialects.coding_code.settings import HookEntry, Settings, overlay
from tenterhook.model import Problem
from tenterhook.nearest import nearest

__all__ = ["merge"]

_OWN_HOOK = ("point", "type", "command")
"""An entry that declares none of these is meant as a patch."""


def merge(lower: Sequence[HookEntry], upper: Sequence[HookEntry]) -> tuple[list[HookEntry], list[Problem]]:
    """The lower layer's entries in their order, patched by the upper one's, then those that only the upper one has.

    A patch of a locked entry does not count.
    A patch with an unusable field does not count either: a mistake in one file never takes down another file's hook.
    """
    merged = {entry.name: entry for entry in lower}
    problems: list[Problem] = []
    for entry in upper:
        base = merged.get(entry.name)
        if base is None:
            merged[entry.name] = entry
            if not entry.places.keys() & set(_OWN_HOOK):
                problems.append(_patches_nothing(entry, [known.name for known in lower]))
        elif base.settings.locked is not UNSET and base.settings.locked:
            problems.append(_locked(entry, base))
        elif not entry.unusable:
            merged[entry.name] = overlay(base, entry)
            if entry.settings == Settings():
                problems.append(_changes_nothing(entry))
    return list(merged.values()), problems


def _patches_nothing(entry: HookEntry, known: list[str]) -> Problem:
    near = nearest(entry.name, known)
    return _problem(
        entry,
        "patch-without-target",
        f"No global hook has the name {entry.name!r}, so that this patch patches nothing; it is left out",
        f"did you mean {near!r}?" if near else "add point, type and command for a hook of the project's own",
    )


def _locked(entry: HookEntry, base: HookEntry) -> Problem:
    return _problem(
        entry,
        "locked",
        f"The global hook {entry.name!r} is locked ({base.place.document.path}, line {base.place.span.line}); "
        "this patch does not count",
        "delete this entry, or give the hook another name",
    )


def _changes_nothing(entry: HookEntry) -> Problem:
    place = entry.places["name"]
    return place.document.problem(
        "warning",
        "patch-empty",
        f"This patch of the global hook {entry.name!r} declares no field; it changes nothing",
        place.span,
        entry=entry.name,
        hint="add what is to differ here, for example `enabled: false`",
    )


def _problem(entry: HookEntry, code: str, message: str, hint: str) -> Problem:
    place = entry.places["name"]
    return place.document.problem("error", code, message, place.span, entry=entry.name, hint=hint)
