"""Owns what an entry of ``hooks.yaml`` can declare, as values; knows neither files nor how values are judged."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType, structs
from tenterhook_protocol.points import HookType

from tenterhook.config.document import Document, Span
from tenterhook.model import Origin

__all__ = ["FIELD_NAMES", "HookEntry", "OnFailure", "Place", "Settings", "overlay"]

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
    """Fields whose value cannot be used at all: while one of them counts, the hook cannot run."""


def overlay(lower: HookEntry, upper: HookEntry) -> HookEntry:
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
