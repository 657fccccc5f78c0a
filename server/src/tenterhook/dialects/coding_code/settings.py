"""Owns what an entry of ``hooks.yaml`` declares, and how those of two layers become one; judges no value.

The rule is the system's own: entries are joined by ``name``, and a project's entry replaces only what it declares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import UNSET, Struct, UnsetType, structs
from tenterhook_protocol.points import HookType

from tenterhook.config.document import Document, Span, excerpt
from tenterhook.model import Origin, Problem
from tenterhook.nearest import Guesses

__all__ = ["FIELD_NAMES", "HookEntry", "OnFailure", "Place", "Settings", "merge"]

OnFailure = Literal["ignore", "deny", "ask"]


class Settings(Struct, frozen=True, kw_only=True):
    """The declared fields of an entry. UNSET: not declared, or of no use and told of."""

    point: str | UnsetType = UNSET
    type: HookType | UnsetType = UNSET
    description: str | UnsetType = UNSET
    command: str | UnsetType = UNSET
    args: tuple[str, ...] | UnsetType = UNSET
    env: tuple[tuple[str, str | None], ...] | UnsetType = UNSET
    cwd: str | UnsetType = UNSET
    matcher: str | UnsetType = UNSET
    priority: float | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET
    timeout: float | UnsetType = UNSET
    """Seconds."""
    on_failure: OnFailure | UnsetType = UNSET
    locked: bool | UnsetType = UNSET
    profiles: tuple[str, ...] | UnsetType = UNSET
    worker: bool | UnsetType = UNSET


FIELD_NAMES: dict[str, str] = {
    ("onFailure" if field == "on_failure" else field): field for field in Settings.__struct_fields__
}
"""The keys of an entry beside ``name``, as files spell them, with the field of ``Settings`` that each is."""


class Place(Struct, frozen=True):
    """Where something stands, with the file it stands in."""

    document: Document
    span: Span

    @property
    def origin(self) -> Origin:
        """The same, as it is told to hosts."""
        return self.document.origin(self.span)


class HookEntry(Struct, frozen=True, kw_only=True):
    """One entry of one file, or what several layers make of it."""

    name: str
    place: Place
    """Of the entry; after a merge of the lowest layer's."""
    settings: Settings
    places: dict[str, Place]
    """Of the key of each declared field, by its spelling in the file; ``name`` included."""
    unusable: frozenset[str] = frozenset()
    """Fields whose value leaves the entry out: while one of them counts, the hook cannot run."""
    told: bool = False
    """Something is wrong with it, and a problem says so."""


_OWN_HOOK = ("point", "type", "command")
"""An entry that declares none of these is meant as a patch."""


def merge(lower: Sequence[HookEntry], upper: Sequence[HookEntry]) -> tuple[list[HookEntry], list[Problem]]:
    """The lower layer's entries in their order, patched by the upper one's, then those that only the upper one has.

    A patch of a locked entry does not count.
    A patch that is to be left out for one of its fields does not count either: a mistake in one file never takes down
    another file's hook, and half a patch could start another program with the arguments of the first.
    """
    merged = {entry.name: entry for entry in lower}
    problems: list[Problem] = []
    guesses, known = Guesses(), [entry.name for entry in lower]
    for entry in upper:
        base = merged.get(entry.name)
        if base is None:
            merged[entry.name] = entry
            if not entry.places.keys() & set(_OWN_HOOK):
                problems.append(_patches_nothing(entry, known, guesses))
        elif base.settings.locked is not UNSET and base.settings.locked:
            problems.append(_locked(entry, base))
        elif not entry.unusable:
            merged[entry.name] = _overlay(base, entry)
            if entry.settings == Settings() and not entry.told:
                problems.append(_changes_nothing(entry))
    return list(merged.values()), problems


def _overlay(lower: HookEntry, upper: HookEntry) -> HookEntry:
    """The lower entry with every field that the upper one declares put in its place."""
    declared = {
        field: value for field in Settings.__struct_fields__ if (value := getattr(upper.settings, field)) is not UNSET
    }
    return HookEntry(
        name=lower.name,
        place=lower.place,
        settings=structs.replace(lower.settings, **declared),
        places={**lower.places, **upper.places, "name": lower.places["name"]},
        unusable=(lower.unusable - upper.places.keys()) | upper.unusable,
    )


def _patches_nothing(entry: HookEntry, known: list[str], guesses: Guesses) -> Problem:
    near = guesses.nearest(entry.name, known)
    return _problem(
        entry,
        "patch-without-target",
        f"No global hook has the name {excerpt(entry.name)!r}, so that this patch patches nothing; it is left out",
        f"did you mean {near!r}?" if near else "add point, type and command for a hook of the project's own",
    )


def _locked(entry: HookEntry, base: HookEntry) -> Problem:
    return _problem(
        entry,
        "locked",
        f"The global hook {excerpt(entry.name)!r} is locked ({base.place.document.path}, line {base.place.span.line}); "
        "this patch does not count",
        "delete this entry, or give the hook another name",
    )


def _changes_nothing(entry: HookEntry) -> Problem:
    place = entry.places["name"]
    return place.document.problem(
        "warning",
        "patch-empty",
        f"This patch of the global hook {excerpt(entry.name)!r} declares no field; it changes nothing",
        place.span,
        entry=entry.name,
        hint="add what is to differ here, for example `enabled: false`",
    )


def _problem(entry: HookEntry, code: str, message: str, hint: str) -> Problem:
    place = entry.places["name"]
    return place.document.problem("error", code, message, place.span, entry=entry.name, hint=hint)
