"""Owns ``$/logTrace``: one line for each message handled, as ``$/setTrace`` asks; knows no handler."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from tenterhook_protocol.base import UNSET
from tenterhook_protocol.jsonrpc import RequestId
from tenterhook_protocol.lifecycle import LogTraceParams

from tenterhook.rpc.wire import encode_notification

__all__ = ["Trace"]

_DETAIL = 4096
"""So many bytes of an answer are told at ``verbose``."""


class Trace:
    """Tells what was handled and how long it took. Made where the value is not ``off``."""

    def __init__(self, send: Callable[[bytes], None], *, verbose: bool) -> None:
        self._send = send
        self._verbose = verbose

    def answered(self, method: str, ident: RequestId, since: float, body: bytes) -> None:
        """A request was answered."""
        self._tell(f"{method} ({ident}) answered in {_ms(since)}", body)

    def handled(self, method: str, since: float) -> None:
        """A notification was handled."""
        self._tell(f"{method} handled in {_ms(since)}")

    def _tell(self, message: str, body: bytes = b"") -> None:
        details = body[:_DETAIL].decode(errors="replace") if self._verbose and body else UNSET
        self._send(encode_notification("$/logTrace", LogTraceParams(message=message, verbose=details)))


def _ms(since: float) -> str:
    return f"{(perf_counter() - since) * 1000:.2f} ms"
