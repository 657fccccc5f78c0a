"""Owns the callbacks for what the engine tells unasked; knows no stream."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal, overload

import msgspec
from msgspec import Raw
from tenterhook_protocol.hooks import AsyncCompletedParams, ProblemsParams, RaisedParams, ReloadedParams
from tenterhook_protocol.lifecycle import LogMessageParams, LogTraceParams
from tenterhook_protocol.methods import METHODS
from tenterhook_protocol.runs import HookRun

__all__ = ["Listeners", "Unsubscribe"]

Unsubscribe = Callable[[], None]
"""Call it to hear no more."""


class Listeners:
    """Callbacks by method.

    A callback is a plain function and runs on the client's event loop, in the order in which messages come:
    it should be quick. One that raises is reported to the loop's exception handler and hinders nothing.
    Make one and pass it to ``Client.spawn`` to hear what the engine says while it starts.
    """

    def __init__(self) -> None:
        self._callbacks: dict[str, tuple[Callable[[object], object], ...]] = {}

    @overload
    def on(
        self, method: Literal["hooks/started", "hooks/completed"], callback: Callable[[HookRun], object]
    ) -> Unsubscribe: ...
    @overload
    def on(
        self, method: Literal["hooks/asyncCompleted"], callback: Callable[[AsyncCompletedParams], object]
    ) -> Unsubscribe: ...
    @overload
    def on(self, method: Literal["hooks/raised"], callback: Callable[[RaisedParams], object]) -> Unsubscribe: ...
    @overload
    def on(self, method: Literal["hooks/reloaded"], callback: Callable[[ReloadedParams], object]) -> Unsubscribe: ...
    @overload
    def on(self, method: Literal["hooks/problems"], callback: Callable[[ProblemsParams], object]) -> Unsubscribe: ...
    @overload
    def on(
        self, method: Literal["window/logMessage"], callback: Callable[[LogMessageParams], object]
    ) -> Unsubscribe: ...
    @overload
    def on(self, method: Literal["$/logTrace"], callback: Callable[[LogTraceParams], object]) -> Unsubscribe: ...
    @overload
    def on(self, method: str, callback: Callable[[Raw], object]) -> Unsubscribe: ...
    def on(self, method: str, callback: Callable[..., object]) -> Unsubscribe:
        """Call back whenever the engine sends this notification.

        The callback gets the method's params as their type; for a method that the protocol does not know, as JSON.
        """
        self._callbacks[method] = (*self._callbacks.get(method, ()), callback)

        def off() -> None:
            left = list(self._callbacks.get(method, ()))
            if callback in left:
                left.remove(callback)
            self._callbacks[method] = tuple(left)

        return off

    def on_run_started(self, callback: Callable[[HookRun], object]) -> Unsubscribe:
        """A hook's process is about to start. Needs the option ``hook_events``."""
        return self.on("hooks/started", callback)

    def on_run_completed(self, callback: Callable[[HookRun], object]) -> Unsubscribe:
        """A run is over. Needs the option ``hook_events``."""
        return self.on("hooks/completed", callback)

    def on_problems(self, callback: Callable[[ProblemsParams], object]) -> Unsubscribe:
        """A project's hook files were read; an empty list says that all is well."""
        return self.on("hooks/problems", callback)

    def on_log(self, callback: Callable[[LogMessageParams], object]) -> Unsubscribe:
        """A line for the host's log."""
        return self.on("window/logMessage", callback)

    def hear(self, method: str, params: Raw) -> None:
        """Pass a notification on. The connection calls it."""
        callbacks = self._callbacks.get(method)
        if not callbacks:
            return
        known = METHODS.get(method)
        try:
            value = params if known is None or known.params is None else msgspec.json.decode(params, type=known.params)
        except msgspec.DecodeError as error:
            _report(f"the engine sent a {method} that cannot be read", error)
            return
        for callback in callbacks:
            try:
                callback(value)
            except Exception as error:  # noqa: BLE001 - the boundary to the caller's own code
                _report(f"a callback for {method} failed", error)


def _report(message: str, error: Exception) -> None:
    asyncio.get_running_loop().call_exception_handler({"message": message, "exception": error})
