"""Owns the door to the editor half, which is loaded at its first message; knows no feature of it.

Whatever happens behind the door, hooks go on: its failures end here.
"""

from __future__ import annotations

from collections.abc import Callable

from tenterhook_protocol.jsonrpc import RequestId

from tenterhook.editor import EditorPort
from tenterhook.model import Sink
from tenterhook.refusals import error_of
from tenterhook.rpc.wire import encode_error

__all__ = ["EditorDoor"]

_PREFIXES = ("textDocument/", "workspace/didChange")


class EditorDoor:
    """Passes on what belongs to the editor half.

    Args:
        load: loads it; called at its first message.
        send: the way out, for errors; the editor half answers through one of its own.
        sink: where failures are told that no request is waiting for.
    """

    def __init__(self, load: Callable[[], EditorPort], send: Callable[[bytes], None], sink: Sink) -> None:
        self._load = load
        self._send = send
        self._sink = sink
        self._port: EditorPort | None = None

    def wants(self, method: str) -> bool:
        """Whether the method is the editor half's."""
        return method.startswith(_PREFIXES)

    def request(self, ident: RequestId, method: str, body: bytes) -> None:
        """Pass on a request. It is answered here only where the editor half could not be loaded."""
        try:
            port = self._open()
        except Exception as error:  # noqa: BLE001 - a boundary: it may lack what it needs
            self._send(encode_error(ident, error_of(error, method)))
            return
        self._handle(port, method, body)

    def notify(self, method: str, body: bytes) -> None:
        """Pass on a notification."""
        try:
            port = self._open()
        except Exception as error:  # noqa: BLE001 - the same boundary
            self._sink.log("error", error_of(error, method).message)
            return
        self._handle(port, method, body)

    def pass_on(self, what: str, body: bytes) -> bool:
        """Pass on a response or a cancel that nobody else knows; False: nothing can be meant for the editor half."""
        if self._port is None:
            return False
        self._handle(self._port, what, body)
        return True

    def _open(self) -> EditorPort:
        if self._port is None:
            self._port = self._load()
        return self._port

    def _handle(self, port: EditorPort, what: str, body: bytes) -> None:
        try:
            port.handle(body)
        except Exception as error:  # noqa: BLE001 - a boundary
            self._sink.log("error", error_of(error, what).message)
