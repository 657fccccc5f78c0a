"""Owns the one reading of the wire types that all emitters share; knows no output format."""

from __future__ import annotations

import types
import typing
from functools import cache

from msgspec import NODEFAULT, Meta, Struct, UnsetType, structs, to_builtins

from tenterhook_protocol import hooks, hooks_file, jsonrpc, lifecycle, methods, points, problems, runs
from tenterhook_protocol.base import UNSET, JsonObject, JsonValue, Open
from tenterhook_protocol.claude_events import CLAUDE_EVENTS
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
    PlainKind,
    Record,
    Shape,
)

__all__ = ["reachable", "record_of", "wire_types"]


def wire_types() -> dict[str, Record | Alias]:
    """Every type that the method table, the points, the events and the error object reach, by name."""
    roots: list[type[Struct]] = [jsonrpc.ResponseError]
    for method in methods.METHODS.values():
        roots += [cls for cls in (method.params, method.result) if cls is not None]
    roots += [point.payload for point in points.POINTS.values()]
    roots += [event.payload for event in CLAUDE_EVENTS.values()]
    return reachable(roots)


def reachable(roots: list[type[Struct]]) -> dict[str, Record | Alias]:
    """The given types and all they refer to, sorted by name.

    Raises:
        TypeError: two types share a name, or a field's type has no form on the wire.
    """
    found: dict[str, Record | Alias] = {}
    owners: dict[str, type[Struct]] = {}
    waiting = list(roots)
    while waiting:
        cls = waiting.pop()
        if owners.setdefault(cls.__name__, cls) is not cls:
            raise TypeError(f"two wire types are called {cls.__name__}")
        if cls.__name__ in found:
            continue
        found[cls.__name__] = record_of(cls)
        for hint in _hints_of(cls).values():
            waiting += _structs_in(hint)
            found |= dict(_aliases_in(hint))
    return dict(sorted(found.items()))


def record_of(cls: type[Struct]) -> Record:
    """One type, with the fields that it inherits."""
    hints = _hints_of(cls)
    fields = tuple(
        Field(
            name=field.encode_name,
            shape=_shape(hints[field.name]),
            required=field.required,
            doc=docs.doc_of_field(cls, field.name),
            default=_default(field),
        )
        for field in structs.fields(cls)
    )
    return Record(
        name=cls.__name__,
        doc=docs.doc_of_type(cls),
        fields=fields,
        closed=cls.__struct_config__.forbid_unknown_fields,
        payload=issubclass(cls, Open),
    )


def _default(field: structs.FieldInfo) -> object:
    if field.default_factory is not NODEFAULT:
        return to_builtins(field.default_factory())
    return UNSET if field.default is NODEFAULT or field.default is UNSET else to_builtins(field.default)


def _shape(hint: object) -> Shape:
    alias = _alias_names().get(hint)
    return _bare_shape(hint) if alias is None else Named(alias[1])


def _bare_shape(hint: object) -> Shape:
    if hint in (JsonObject, JsonValue):
        return Anything(object_only=hint == JsonObject)
    if isinstance(hint, type) and issubclass(hint, Struct):
        return Named(hint.__name__)
    if hint in _PLAIN:
        return Plain(_PLAIN[hint])
    arguments = typing.get_args(hint)
    match typing.get_origin(hint):
        case typing.Literal:
            return Choice(arguments)
        case builtin if builtin is list:
            return ListOf(_shape(arguments[0]))
        case builtin if builtin is dict:
            return MapOf(_shape(arguments[1]))
        case typing.Annotated:
            return _bounded(arguments[0], arguments[1:])
        case typing.Union | types.UnionType:
            return _union([argument for argument in arguments if argument is not UnsetType])
        case _:
            raise TypeError(f"{hint!r} has no form on the wire")


def _bounded(hint: object, constraints: tuple[object, ...]) -> Shape:
    match _shape(hint), constraints:
        case Plain("integer"), (Meta() as bounds,) if bounds == Meta(ge=bounds.ge, le=bounds.le):
            return Plain("integer", *(None if bound is None else int(bound) for bound in (bounds.ge, bounds.le)))
        case _:
            raise TypeError(f"{hint!r} has constraints that the emitters do not know: {constraints!r}")


def _union(members: list[object]) -> Shape:
    if len(members) == 1:
        return _shape(members[0])
    return OneOf(tuple(_shape(member) for member in members))


_PLAIN: dict[object, PlainKind] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    types.NoneType: "null",
}


@cache
def _alias_names() -> dict[object, tuple[str, str]]:
    """Every public name of the type modules that stands for a choice or a union: hint to (module, name)."""
    found: dict[object, tuple[str, str]] = {}
    for module in (hooks, hooks_file, jsonrpc, lifecycle, points, problems, runs):
        for name in module.__all__:
            value: object = getattr(module, name)
            if typing.get_origin(value) in (typing.Literal, typing.Union, types.UnionType):
                found[value] = (module.__name__, name)
    return found


def _hints_of(cls: type[Struct]) -> dict[str, object]:
    return typing.get_type_hints(cls, include_extras=True)


def _structs_in(hint: object) -> list[type[Struct]]:
    if isinstance(hint, type) and issubclass(hint, Struct):
        return [hint]
    return [cls for argument in typing.get_args(hint) for cls in _structs_in(argument)]


def _aliases_in(hint: object) -> list[tuple[str, Alias]]:
    known = _alias_names().get(hint) if isinstance(hint, typing.Hashable) else None
    if known is not None:
        module, name = known
        return [(name, Alias(name=name, doc=docs.doc_of_alias(module, name), shape=_bare_shape(hint)))]
    return [pair for argument in typing.get_args(hint) for pair in _aliases_in(argument)]
