"""Owns the words in which the wire types are told to the emitters; knows neither the types nor any output format.

A ``Shape`` is what may stand at one place of a JSON text.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tenterhook_protocol.base import UNSET

__all__ = [
    "Alias",
    "Anything",
    "Choice",
    "Field",
    "ListOf",
    "MapOf",
    "Named",
    "OneOf",
    "Plain",
    "PlainKind",
    "Record",
    "Shape",
]

PlainKind = Literal["string", "integer", "number", "boolean", "null"]


class Plain(Struct, frozen=True):
    """A value of one of JSON's simple types. ``least`` and ``most`` bound an integer, both included."""

    kind: PlainKind
    least: int | None = None
    most: int | None = None


class Anything(Struct, frozen=True):
    """A value that the protocol does not look into."""

    object_only: bool


class Choice(Struct, frozen=True):
    """One of some strings."""

    values: tuple[str, ...]


class ListOf(Struct, frozen=True):
    """A list."""

    item: Shape


class MapOf(Struct, frozen=True):
    """An object whose keys are free."""

    value: Shape


class OneOf(Struct, frozen=True):
    """Any of some shapes."""

    options: tuple[Shape, ...]


class Named(Struct, frozen=True):
    """A type with a name of its own."""

    name: str


Shape = Plain | Anything | Choice | ListOf | MapOf | OneOf | Named


class Field(Struct, frozen=True):
    """One key of a record. ``default`` is UNSET where an absent key stays absent."""

    name: str
    shape: Shape
    required: bool
    doc: str
    default: object = UNSET


class Record(Struct, frozen=True):
    """An object with known keys."""

    name: str
    doc: str
    fields: tuple[Field, ...]
    closed: bool
    """Other keys are an error. Otherwise they are ignored, or handed on (``payload``)."""
    payload: bool
    """Other keys belong to the sender and are handed on."""


class Alias(Struct, frozen=True):
    """A name for a shape that is no record."""

    name: str
    doc: str
    shape: Shape
