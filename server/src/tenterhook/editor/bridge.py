"""Owns the answers of the editor half: one for each request, none for a notification; knows no feature and no framing.

Messages come from the wire well-formed and leave through ``send``. In between, pygls' registry says who serves them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from msgspec import UNSET
from pygls.exceptions import JsonRpcException
from tenterhook_protocol.jsonrpc import ErrorCode, RequestId, ResponseError

from tenterhook.editor.features import FEATURES, Feature
from tenterhook.editor.language_server import Pygls
from tenterhook.errors import TenterhookError
from tenterhook.refusals import error_of
from tenterhook.service import Service

__all__ = ["Bridge"]

_CANCEL = "$/cancelRequest"
_CANCELLED = ResponseError(code=ErrorCode.REQUEST_CANCELLED, message="the request was cancelled")


class Bridge:
    """The ``EditorPort`` of one client.

    Args:
        service: the engine whose hook files are edited.
        send: takes one complete JSON-RPC message without framing.
        initialize_body: the client's ``initialize`` message.
        features: what is served.
    """

    def __init__(
        self,
        service: Service,
        send: Callable[[bytes], None],
        initialize_body: bytes,
        features: Sequence[Feature] = FEATURES,
    ) -> None:
        self._send = send
        params = cast("dict[str, object]", json.loads(initialize_body)).get("params")
        self.pygls = Pygls(service.registry, send, params, features)
        self._in_flight: dict[RequestId, asyncio.Future[object]] = {}

    def handle(self, body: bytes) -> None:
        """Take one message; see ``EditorPort``."""
        message = cast("dict[str, Any]", json.loads(body))
        method, params = message.get("method"), message.get("params")
        if method is None:
            return
        if method == _CANCEL:
            self._cancel(params)
        elif "id" in message:
            self._request(message["id"], method, params)
        else:
            self._notify(method, params)

    def _request(self, ident: RequestId, method: str, params: object) -> None:
        function = self.pygls.function(method)
        if ident in self._in_flight:
            text = f"the id {ident!r} is in flight; each request needs its own"
            self._refuse(ident, ResponseError(code=ErrorCode.INVALID_REQUEST, message=text))
        elif function is None:
            text = f"there is no method {method!r}"
            self._refuse(ident, ResponseError(code=ErrorCode.METHOD_NOT_FOUND, message=text))
        elif not self.pygls.is_request(method):
            text = f"{method} is a notification; send it without an id"
            self._refuse(ident, ResponseError(code=ErrorCode.INVALID_REQUEST, message=text))
        else:
            try:
                result = function(self.pygls.read(method, params))
                if isinstance(result, Awaitable):
                    self._await(ident, method, cast("Awaitable[object]", result))
                else:
                    self._answer(ident, result)
            except Exception as error:  # noqa: BLE001 - the boundary: whatever a feature does, its request is answered
                self._refuse(ident, _told(error, method))

    def _await(self, ident: RequestId, method: str, result: Awaitable[object]) -> None:
        def ended(task: asyncio.Future[object]) -> None:
            # Whoever takes the request out of the table answers it. The id may be another request's by now.
            if self._in_flight.get(ident) is not task:
                return
            del self._in_flight[ident]
            if task.cancelled():
                self._refuse(ident, _CANCELLED)
                return
            try:
                self._answer(ident, task.result())
            except Exception as error:  # noqa: BLE001 - the same boundary, for a feature that waits
                self._refuse(ident, _told(error, method))

        task = asyncio.ensure_future(result)
        self._in_flight[ident] = task
        task.add_done_callback(ended)

    def _notify(self, method: str, params: object) -> None:
        function = self.pygls.function(method)
        if function is None or self.pygls.is_request(method):
            return
        try:
            function(self.pygls.read(method, params))
        except Exception as error:  # noqa: BLE001 - the same boundary: a notification's trouble is logged
            refused = isinstance(error, TenterhookError)
            self.pygls.log("warning" if refused else "error", _told(error, method).message)
            match params:
                case {"textDocument": {"uri": str(uri)}}:
                    # An edit that could not be made leaves a text that is another's from here on.
                    (self.pygls.desk.forget if refused else self.pygls.desk.unmark)(uri)
                case _:
                    pass

    def _cancel(self, params: object) -> None:
        match params:
            case {"id": int() | str() as ident} if task := self._in_flight.pop(ident, None):
                self._refuse(ident, _CANCELLED)
                task.cancel()
            case _:
                pass

    def _answer(self, ident: RequestId, result: object) -> None:
        self._tell({"jsonrpc": "2.0", "id": ident, "result": self.pygls.plain(result)})

    def _refuse(self, ident: RequestId, error: ResponseError) -> None:
        data = {} if error.data is UNSET else {"data": json.loads(bytes(error.data))}
        self._tell({"jsonrpc": "2.0", "id": ident, "error": {"code": error.code, "message": error.message, **data}})

    def _tell(self, message: dict[str, object]) -> None:
        self._send(json.dumps(message, separators=(",", ":"), allow_nan=False).encode())


def _told(error: Exception, method: str) -> ResponseError:
    """What the client is told. A feature may refuse with one of pygls' own exceptions too."""
    if isinstance(error, JsonRpcException):
        return ResponseError(code=error.code, message=error.message)
    return error_of(error, method)
