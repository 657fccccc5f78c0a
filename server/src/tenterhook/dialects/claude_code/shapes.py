"""Owns judging the fields of a JSON object by a table of what they have to be; knows no hook and no field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

import msgspec
from msgspec import Raw, structs

from tenterhook.dialects.strict_json import JsonFault, JsonObject, read_object
from tenterhook.nearest import nearest

__all__ = ["Kind", "Shape", "moved", "values_of"]

Kind = Literal["text", "flag", "object", "objects", "texts", "number", "value"] | tuple[str, ...]
"""What a field has to be; a tuple holds the texts it may be, ``value`` is anything."""

Shape = Mapping[str, "Kind | Shape"]
"""Kinds by key; a shape in a shape is an object whose own fields are judged."""

_WORDS_OF: dict[Kind, str] = {
    "text": "a text",
    "flag": "true or false",
    "object": "an object",
    "objects": "a list of objects",
    "texts": "a list of texts",
    "number": "a number",
}


def values_of(where: JsonObject, shape: Shape, path: str) -> tuple[dict[str, object], list[JsonFault]]:
    """The fields of a shape that are as they should be, and what is wrong with the others.

    Null is as if the field were absent; what is not in the shape is not looked at.

    Args:
        where: the object.
        shape: what its fields have to be.
        path: how the object is called in words, with a dot at its end; empty for the outermost one.
    """
    found: dict[str, object] = {}
    faults: list[JsonFault] = []
    for key, kind in shape.items():
        raw = where.fields.get(key)
        if raw is None or bytes(raw) == b"null":
            continue
        if isinstance(kind, Mapping):
            inner = read_object(bytes(raw)) if bytes(raw).startswith(b"{") else None
            if not isinstance(inner, JsonObject):
                faults.append(where.fault(key, f"{path}{key} must be an object"))
                continue
            found[key], more = values_of(inner, kind, f"{path}{key}.")
            faults += [moved(fault, where.fault(key, "")) for fault in more]
            continue
        value = _value(raw, kind)
        if value is None:
            faults.append(where.fault(key, f"{path}{key} must be {_expected(raw, kind)}"))
        else:
            found[key] = value
    return found, faults


_DECODERS: dict[Kind, msgspec.json.Decoder[object]] = {
    "text": msgspec.json.Decoder(str),
    "flag": msgspec.json.Decoder(bool),
    "number": msgspec.json.Decoder(float),
    "objects": msgspec.json.Decoder(list[Raw]),
    "texts": msgspec.json.Decoder(list[str]),
}


def _value(raw: Raw, kind: Kind) -> object | None:
    """The value; None where it is of another kind."""
    if kind == "value" or (kind == "object" and bytes(raw).startswith(b"{")):
        return raw.copy()  # the slice would keep the whole output alive
    if kind == "object":
        return None
    try:
        value = _DECODERS["text" if isinstance(kind, tuple) else kind].decode(raw)
    except msgspec.DecodeError:
        return None
    if isinstance(kind, tuple):
        return value if value in kind else None
    if kind == "objects":
        items = cast("list[Raw]", value)
        return [item.copy() for item in items] if all(bytes(item).startswith(b"{") for item in items) else None
    return value


def _expected(raw: Raw, kind: Kind) -> str:
    if not isinstance(kind, tuple):
        return _WORDS_OF[kind]
    words = f"one of {', '.join(kind)}"
    if not bytes(raw).startswith(b'"'):
        return words
    written = msgspec.json.decode(raw, type=str)
    near = nearest(written.lower(), kind)
    return f"{words}, not {written[:40]!r}" + (f"; did you mean {near!r}?" if near else "")


def moved(fault: JsonFault, start: JsonFault) -> JsonFault:
    """A fault in a value, told in the places of the text that the value stands in. ``start``: where the value does."""
    column = fault.column + start.column - 1 if fault.line == 1 else fault.column
    return structs.replace(fault, line=fault.line + start.line - 1, column=column)
