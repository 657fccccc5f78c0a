"""Owns the table of the methods that the engine serves and the reading of params; knows no ids and sends nothing.

What opens, steers and closes the connection itself is not here but in ``conversation``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import DecodeError, Raw, Struct
from tenterhook_protocol.base import Message
from tenterhook_protocol.methods import METHODS

from tenterhook.rpc.ports import ServicePort

__all__ = ["HANDLERS", "Handle", "Handler", "ReadParams", "reader_of"]

ReadParams = Callable[[Raw], Message | None]
"""Params out of their bytes."""

Handle = Callable[[ServicePort, Any], object]
"""``handler(service, params)``: a result, or a ``Later`` that a task has to run."""


class Handler(Struct, frozen=True):
    """What serves a method: as a request, as a notification. None: it makes no sense as such."""

    request: Handle | None
    notification: Handle | None = None


HANDLERS: Mapping[str, Handler] = {
    "hooks/emit": Handler(
        lambda service, params: service.emit(params),
        lambda service, params: service.emit_in_order(params),
    ),
    "hooks/emitDecision": Handler(lambda service, params: service.decide(params)),
    "hooks/reload": Handler(lambda service, params: service.reload(params)),
    "hooks/list": Handler(lambda service, params: service.list(params)),
    "hooks/explain": Handler(lambda service, params: service.explain(params)),
    "hooks/test": Handler(lambda service, params: service.test(params)),
    "hooks/stats": Handler(lambda service, params: service.stats(params)),
}


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
