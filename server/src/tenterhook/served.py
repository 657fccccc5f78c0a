"""Owns which systems and points an engine serves, out of the host's options; knows no files and no events."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.lifecycle import InitializationOptions
from tenterhook_protocol.points import HookType

from tenterhook.dialects.base import Dialect
from tenterhook.dialects.table import DIALECTS
from tenterhook.errors import BadParams, UnknownPoint
from tenterhook.nearest import nearest

__all__ = ["Served", "serve"]


class Served(Struct, frozen=True):
    """The systems of an engine and their points."""

    dialects: Mapping[str, Dialect]
    points: Mapping[str, HookType]
    """Every point that may be emitted, and the type of hook that suits it."""
    system_of: Mapping[str, Dialect]

    def dialect_of(self, point: str) -> Dialect:
        """The system that a point belongs to.

        Raises:
            UnknownPoint: no system and no host option knows it.
        """
        try:
            return self.system_of[point]
        except KeyError:
            near = nearest(point, self.points)
            meant = f"; did you mean {near!r}?" if near else ""
            raise UnknownPoint(f"unknown point {point!r}{meant}", suggestion=near) from None


def serve(options: InitializationOptions) -> tuple[Served, list[str]]:
    """What is served, and what in the options is of no use, in words.

    Raises:
        BadParams: ``dialects`` names a system that does not exist, or a host's point has no name.
    """
    dialects = _chosen(options)
    points: dict[str, HookType] = {}
    system_of: dict[str, Dialect] = {}
    for dialect in dialects.values():
        points.update(dialect.points)
        system_of.update(dict.fromkeys(dialect.points, dialect))
    complaints: list[str] = []
    for extra in options.points:
        owner = next((dialect for dialect in dialects.values() if dialect.takes_host_points), None)
        if not extra.name.strip():
            raise BadParams("initializationOptions.points: a point needs a name")
        if owner is None:
            complaints.append(f"the host's point {extra.name!r} belongs to no system that is served")
        elif points.setdefault(extra.name, extra.type) != extra.type:
            complaints.append(f"the host declares {extra.name!r} as {extra.type}; it stays {points[extra.name]}")
        else:
            system_of[extra.name] = owner
    return Served(dialects, MappingProxyType(points), system_of), complaints


def _chosen(options: InitializationOptions) -> dict[str, Dialect]:
    if options.dialects is UNSET:
        return dict(DIALECTS)
    for name in options.dialects:
        if name not in DIALECTS:
            near = nearest(name, DIALECTS)
            known = ", ".join(DIALECTS)
            raise BadParams(
                f"initializationOptions.dialects: unknown system {name!r}; there are {known}", suggestion=near
            )
    return {name: dialect for name, dialect in DIALECTS.items() if name in options.dialects}
