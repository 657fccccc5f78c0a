"""Owns the TypeScript form of the protocol; reads shapes, not types."""

from __future__ import annotations

import json
import re

from tenterhook_protocol.claude_events import CLAUDE_EVENTS
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
from tenterhook_protocol.generate.type_reading import wire_types
from tenterhook_protocol.jsonrpc import ErrorCode
from tenterhook_protocol.methods import METHODS, PROTOCOL_VERSION, Method
from tenterhook_protocol.points import POINTS

__all__ = ["render"]


def render() -> str:
    """One module with all wire types, methods, points and events. It compiles under ``tsc --strict``."""
    parts = [
        _HEADER,
        f"export const PROTOCOL_VERSION = {json.dumps(PROTOCOL_VERSION)};\n",
        _error_codes(),
        *(_declaration(kind) for kind in wire_types().values()),
        _methods(),
        _points(),
        _events(),
    ]
    return "\n".join(parts)


_HEADER = """\
// The types of tenterhook's wire. Derived; do not edit: python -m tenterhook_protocol.generate
// A property with `?` may be left out; it is null only where its type says so.
// Readers ignore keys that they do not know.
"""


def _error_codes() -> str:
    codes = "".join(f"  {_pascal(code.name)}: {code.value},\n" for code in ErrorCode)
    return f"{_comment(ErrorCode.__doc__ or '')}export const ErrorCode = {{\n{codes}}} as const;\n"


def _declaration(kind: Record | Alias) -> str:
    if isinstance(kind, Alias):
        return f"{_comment(kind.doc)}export type {kind.name} = {_type(kind.shape)};\n"
    lines = [_property(field) for field in kind.fields]
    if kind.payload:
        lines.append("  /** More keys are the host's own; hooks see them. */\n  [key: string]: unknown;\n")
    if not lines:
        return f"{_comment(kind.doc)}export type {kind.name} = Record<string, never>;\n"
    return f"{_comment(kind.doc)}export interface {kind.name} {{\n{''.join(lines)}}}\n"


def _property(field: Field) -> str:
    mark = "" if field.required else "?"
    return f"{_comment(field.doc, '  ')}  {field.name}{mark}: {_type(field.shape)};\n"


def _methods() -> str:
    rows = "".join(
        f"  {json.dumps(method.name)}: {{ params: {_params(method)}; result: {_result(method)} }};\n"
        for method in METHODS.values()
    )
    comment = _comment("Every method with the types of its params and result. `undefined`: it has none.")
    return f"{comment}export interface Methods {{\n{rows}}}\n"


def _points() -> str:
    rows = "".join(f"  {json.dumps(point.name)}: {point.payload.__name__};\n" for point in POINTS.values())
    comment = _comment("The twelve points of Coding Code with the types of their payloads.")
    return f"{comment}export interface Points {{\n{rows}}}\n"


def _events() -> str:
    rows = "".join(f"  {event.name}: {event.payload.__name__};\n" for event in CLAUDE_EVENTS.values())
    comment = _comment("The events of Claude Code with the types of their payloads.")
    return f"{comment}export interface ClaudeEvents {{\n{rows}}}\n"


def _params(method: Method) -> str:
    return "undefined" if method.params is None else method.params.__name__


def _result(method: Method) -> str:
    if method.kind == "notification":
        return "undefined"
    if method.result is None:
        return "null"
    return f"{method.result.__name__} | null" if method.nullable else method.result.__name__


def _type(shape: Shape) -> str:
    match shape:
        case Plain(kind, _, _):
            return "number" if kind == "integer" else kind
        case Anything(object_only):
            return "Record<string, unknown>" if object_only else "unknown"
        case Choice(values):
            return " | ".join(json.dumps(value) for value in values)
        case ListOf(item):
            inner = _type(item)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case MapOf(value):
            return f"Record<string, {_type(value)}>"
        case Named(name):
            return name
        case OneOf(options):
            # Integer and number are one type here.
            return " | ".join(dict.fromkeys(_type(option) for option in options))


def _comment(text: str, indent: str = "") -> str:
    plain = text.replace("``", "`").replace("*/", "* /")
    return f"{indent}/** {plain} */\n" if plain else ""


def _pascal(name: str) -> str:
    return re.sub(r"_?([A-Z])([A-Z]*)", lambda found: found[1] + found[2].lower(), name)
