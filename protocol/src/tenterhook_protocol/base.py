"""Owns the two base classes of every wire type and the aliases they share; knows no method and no message.

Absent and null are different things on this wire:
a field that may be left out has the type ``T | UnsetType`` and the default ``UNSET``, and is then not written at all;
``None`` stands in a type only where the protocol gives ``null`` a meaning of its own.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

__all__ = ["UNSET", "JsonObject", "JsonValue", "Message", "Open", "UnsetType"]

JsonObject = Annotated[Raw, Meta(extra_json_schema={"type": "object"})]
"""A JSON object that is carried as its own bytes, so that key order and numbers survive."""

JsonValue = Annotated[Raw, Meta(extra_json_schema={})]
"""Any JSON value, carried as its own bytes."""


class Message(Struct, rename="camel", kw_only=True, frozen=True):
    """A wire type. Keys are camelCase on the wire; keys that a reader does not know are ignored."""


class Open(Struct, kw_only=True, frozen=True):
    """A payload whose keys belong to the system it comes from: written as they are, unknown ones kept by the engine."""
