"""Owns ``methods.json``: methods and points with the names of their types, for client authors; knows no shapes."""

from __future__ import annotations

import json

from tenterhook_protocol.methods import METHODS, PROTOCOL_VERSION
from tenterhook_protocol.points import POINTS

__all__ = ["render"]


def render() -> str:
    """The method table and the points, as JSON."""
    table = {
        "protocolVersion": PROTOCOL_VERSION,
        "methods": [
            {
                "name": method.name,
                "direction": method.direction,
                "kind": method.kind,
                "params": _name(method.params),
                "result": _name(method.result),
                "nullable": method.nullable,
                "since": method.since,
            }
            for method in METHODS.values()
        ],
        "points": [
            {"name": point.name, "type": point.type, "payload": point.payload.__name__} for point in POINTS.values()
        ],
    }
    return json.dumps(table, indent=2) + "\n"


def _name(cls: type | None) -> str | None:
    return None if cls is None else cls.__name__
