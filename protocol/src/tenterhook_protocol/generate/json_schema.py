"""Owns the JSON Schemas (2020-12) of messages and of hook files; reads shapes, not types."""

from __future__ import annotations

import json
from collections.abc import Mapping

from msgspec import structs

from tenterhook_protocol.base import UNSET, Message
from tenterhook_protocol.generate import docs
from tenterhook_protocol.generate.shapes import (
    Alias,
    Anything,
    Choice,
    Field,
    ListOf,
    MapOf,
    Named,
    OneOf,
    Plain,
    Record,
    Shape,
)
from tenterhook_protocol.generate.type_reading import reachable, wire_types
from tenterhook_protocol.hooks_file import HooksFile
from tenterhook_protocol.methods import METHODS, PROTOCOL_VERSION
from tenterhook_protocol.points import POINTS

__all__ = ["hooks", "messages"]

Json = dict[str, object]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def messages() -> str:
    """The schema of one message or batch, with every wire type in its ``$defs``.

    Messages stay open, for a reader ignores keys that it does not know.
    A response's result is not judged here: only who sent the request knows its type.
    """
    return _text(
        {
            "$schema": _DIALECT,
            "$id": f"urn:tenterhook:protocol:{PROTOCOL_VERSION}:messages",
            "title": "tenterhook messages",
            "description": "The types of tenterhook's wire. methods.json says which method has which.",
            "if": {"type": "array"},
            "then": {"items": {"$ref": "#/$defs/Envelope"}},
            "else": {"$ref": "#/$defs/Envelope"},
            "$defs": {"Envelope": _envelope()} | {name: _definition(kind) for name, kind in wire_types().items()},
        }
    )


def hooks() -> str:
    """The schema of a Coding Code ``hooks.yaml``, for editors."""
    definitions = {name: _definition(kind, _POINT) for name, kind in reachable([HooksFile]).items()}
    root = definitions.pop(HooksFile.__name__)
    return _text(
        {
            "$schema": _DIALECT,
            "$id": f"urn:tenterhook:protocol:{PROTOCOL_VERSION}:hooks-file",
            "title": "Coding Code hooks.yaml",
            **root,
            "$defs": definitions,
        }
    )


def _envelope() -> Json:
    return {
        "description": "A request, a notification or a response.",
        "type": "object",
        "properties": {
            "jsonrpc": {"description": "Version of JSON-RPC.", "const": "2.0"},
            "id": {
                "description": "Id of a request; null where an error answers what had none.",
                "anyOf": [{"$ref": "#/$defs/RequestId"}, {"type": "null"}],
            },
            "method": {"description": "What is asked or told; absent in a response.", "type": "string"},
            "params": {"description": "As the method has it; null is as absent.", "type": ["object", "array", "null"]},
            "result": {"description": "As the request's method has it."},
            "error": {"description": "Why there is no result.", "$ref": "#/$defs/ResponseError"},
        },
        "required": ["jsonrpc"],
        "oneOf": [{"required": ["method"]}, {"required": ["id", "result"]}, {"required": ["id", "error"]}],
        "allOf": [_when(method.name, method.params) for method in METHODS.values() if method.params is not None],
    }


def _when(method: str, cls: type[Message]) -> Json:
    """The params of one method. They may be left out, or null, where none of their keys is required."""
    params: Json = {"$ref": f"#/$defs/{cls.__name__}"}
    optional = not any(field.required for field in structs.fields(cls))
    then: Json = {"properties": {"params": {"anyOf": [params, {"type": "null"}]} if optional else params}}
    return {
        "if": {"properties": {"method": {"const": method}}, "required": ["method"]},
        "then": then if optional else then | {"required": ["params"]},
    }


# Two branches, so that an editor completes the twelve and still takes a point that a host adds.
_POINT: dict[str, Json] = {
    "point": {
        "anyOf": [
            {
                "enum": list(POINTS),
                "enumDescriptions": [docs.doc_of_type(point.payload) for point in POINTS.values()],
            },
            {
                "description": "A point that the host defines itself.",
                "type": "string",
                "pattern": r"\S",
            },
        ]
    }
}


def _definition(kind: Record | Alias, instead: Mapping[str, Json] | None = None) -> Json:
    """One definition; ``instead`` gives a few fields a schema of their own."""
    described: Json = {"description": kind.doc} if kind.doc else {}
    if isinstance(kind, Alias):
        return described | _schema(kind.shape)
    definition = described | {
        "type": "object",
        "properties": {field.name: _property(field, (instead or {}).get(field.name)) for field in kind.fields},
    }
    if required := [field.name for field in kind.fields if field.required]:
        definition["required"] = required
    if kind.closed:
        definition["additionalProperties"] = False
    return definition


def _property(field: Field, instead: Json | None) -> Json:
    schema = ({"description": field.doc} if field.doc else {}) | (instead or _schema(field.shape))
    return schema if field.default is UNSET else schema | {"default": field.default}


def _schema(shape: Shape) -> Json:
    match shape:
        case Plain(kind, least, most):
            bounds: Json = {"minimum": least, "maximum": most}
            return {"type": kind, **{name: bound for name, bound in bounds.items() if bound is not None}}
        case Anything(object_only):
            return {"type": "object"} if object_only else {}
        case Choice(values):
            return {"enum": list(values)}
        case ListOf(item):
            return {"type": "array", "items": _schema(item)}
        case MapOf(value):
            return {"type": "object", "additionalProperties": _schema(value)}
        case Named(name):
            return {"$ref": f"#/$defs/{name}"}
        case OneOf(options):
            return _any_of(options)


def _any_of(options: tuple[Shape, ...]) -> Json:
    kinds = [option.kind for option in options if isinstance(option, Plain) and option == Plain(option.kind)]
    if len(kinds) == len(options):
        return {"type": kinds}
    return {"anyOf": [_schema(option) for option in options]}


def _text(value: Json) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
