"""Owns the table of the methods that the engine serves, one plain function each; knows no ids and no bytes.

What opens, steers and closes the connection itself is not here but in ``connection``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from tenterhook.rpc.ports import ServicePort

__all__ = ["HANDLERS", "Handler"]

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
