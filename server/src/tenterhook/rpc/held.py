"""Owns the calls that wait until the gate opens, in the order in which they came; knows no gate and no stream."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import cast

from msgspec import UNSET, UnsetType
from tenterhook_protocol.jsonrpc import RequestId

from tenterhook.rpc.envelope import Call, parse
from tenterhook.rpc.pending import BatchAnswer
from tenterhook.rpc.wire import encode_cancelled

__all__ = ["CALL_BYTES", "Held"]

CALL_BYTES = 256
"""What a waiting call costs beyond its own bytes."""


class _Waiting:
    """One call. An empty body: it was cancelled, and answered."""

    __slots__ = ("batch", "body", "id", "method")

    def __init__(self, ident: RequestId | UnsetType, method: str, body: bytes, batch: BatchAnswer | None) -> None:
        self.id = ident
        self.method = method
        self.body = body
        self.batch = batch


class Held:
    """Calls that were read and are not handled. They are kept as bytes, so that they cost little more than those.

    Args:
        send: the way out, for requests that are cancelled here.
        max_size: bytes at which it is full.
    """

    def __init__(self, send: Callable[[bytes], None], max_size: int) -> None:
        self.max_size = max_size
        self._send = send
        self._size = 0
        self._waiting: deque[_Waiting] = deque()
        self._by_id: dict[RequestId, _Waiting] = {}

    def __bool__(self) -> bool:
        return bool(self._waiting)

    @property
    def full(self) -> bool:
        """Whether there is room for no more."""
        return self._size >= self.max_size

    def add(self, call: Call, body: bytes, batch: BatchAnswer | None) -> None:
        """A call waits, and the batch that it came in waits with it."""
        waiting = _Waiting(call.id, call.method, body, batch)
        self._waiting.append(waiting)
        self._size += len(body) + CALL_BYTES
        if call.id is not UNSET:
            self._by_id.setdefault(call.id, waiting)  # of two with one id, a cancel means the first
        if batch is not None:
            batch.begin()

    def take(self) -> tuple[Call, bytes, BatchAnswer | None] | None:
        """The call whose turn it is; None: no more wait. Who takes one of a batch says ``done`` to the batch."""
        while self._waiting:
            first = self._waiting.popleft()
            self._size -= len(first.body) + CALL_BYTES
            if first.body:
                self._forget(first)
                return cast("Call", parse(first.body)), first.body, first.batch  # it was a call when it was added
        return None

    def cancel(self, ident: RequestId) -> bool:
        """Answer a request as cancelled; it has no turn any more. False: none with that id waits."""
        waiting = self._by_id.get(ident)
        if waiting is None:
            return False
        self._cancel(waiting)
        return True

    def cancel_all(self) -> None:
        """Answer every request as cancelled, and forget the rest."""
        for waiting in self._waiting:
            if waiting.body:
                self._cancel(waiting)
        self._waiting.clear()
        self._size = 0

    def _cancel(self, waiting: _Waiting) -> None:
        self._forget(waiting)
        self._size -= len(waiting.body)
        waiting.body = b""
        batch = waiting.batch
        if waiting.id is not UNSET:
            respond = self._send if batch is None else batch.expect()
            respond(encode_cancelled(waiting.id, waiting.method))
        if batch is not None:
            batch.done()

    def _forget(self, waiting: _Waiting) -> None:
        if waiting.id is not UNSET and self._by_id.get(waiting.id) is waiting:
            del self._by_id[waiting.id]
