"""Owns the reading of params: bytes to the type that the method table declares; knows no handler."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import DecodeError, Raw
from tenterhook_protocol.base import Message
from tenterhook_protocol.methods import METHODS

__all__ = ["ReadParams", "reader_of"]

ReadParams = Callable[[Raw], Message | None]
"""Params out of their bytes."""


def reader_of(method: str) -> ReadParams:
    """A function that reads the params of a method.

    It raises ``msgspec.ValidationError`` where they do not fit.
    Absent params and ``null`` are read as ``{}``, so that a method without required keys needs none.
    """
    declared = METHODS[method].params
    if declared is None:
        return lambda _raw: None
    decode = msgspec.json.Decoder(declared).decode

    def read(raw: Raw) -> Message:
        try:
            return decode(raw)
        except DecodeError:
            if bytes(raw) in (b"", b"null"):
                return decode(b"{}")
            raise

    return read
