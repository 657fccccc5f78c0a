"""Owns the engine's own notifications; knows which may be sent when, not why they are sent.

Nothing but the answer may reach the host before ``initialize`` is answered, so what comes earlier is held.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from msgspec import Raw
from tenterhook_protocol.base import UNSET, Message
from tenterhook_protocol.hooks import AsyncCompletedParams, EmitResult, ProblemsParams, RaisedParams, ReloadedParams
from tenterhook_protocol.jsonrpc import RequestId
from tenterhook_protocol.lifecycle import LogMessageParams, LogTraceParams

from tenterhook.model import HookRun, LogLevel, Problem
from tenterhook.rpc.wire import encode_notification

__all__ = ["Trace", "WireSink"]

_MESSAGE_TYPE: dict[LogLevel, int] = {"error": 1, "warning": 2, "info": 3, "log": 4}

_DETAIL = 4096
"""So many bytes of an answer are told at ``verbose``."""


class WireSink:
    """A ``tenterhook.model.Sink`` that tells the host. One for each attempt at ``initialize``."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._held: list[bytes] | None = []
        self._troubled: set[str] = set()

    def run_started(self, run: HookRun) -> None:
        """A hook's process is about to start."""
        self._tell("hooks/started", run)

    def run_completed(self, run: HookRun) -> None:
        """A run is over and its process tree is gone."""
        self._tell("hooks/completed", run)

    def run_detached_completed(self, run: HookRun, context: str | None, *, wake: bool) -> None:
        """A run in the background is over."""
        params = AsyncCompletedParams(run=run, context=UNSET if context is None else context, wake=wake)
        self._tell("hooks/asyncCompleted", params)

    def event_raised(self, point: str, payload: Raw, session: str | None, result: EmitResult) -> None:
        """The engine raised an event by itself, and its hooks have ended."""
        bound = UNSET if session is None else session
        self._tell("hooks/raised", RaisedParams(point=point, payload=payload, session_id=bound, result=result))

    def reloaded(self, project: str, hooks: int, problems: int) -> None:
        """The engine read a project's files again by itself."""
        self._tell("hooks/reloaded", ReloadedParams(project_path=project, hooks=hooks, problems=problems))

    def problems_found(self, project: str, problems: list[Problem]) -> None:
        """A project's files were read. Nothing is told of one that had no problems and has none."""
        if problems or project in self._troubled:
            (self._troubled.add if problems else self._troubled.discard)(project)
            self._tell("hooks/problems", ProblemsParams(project_path=project, problems=problems))

    def log(self, level: LogLevel, message: str) -> None:
        """One line for the host's log."""
        self._tell("window/logMessage", LogMessageParams(type=_MESSAGE_TYPE[level], message=message))

    def open(self) -> None:
        """``initialize`` is answered: what was held is sent, and everything from now on at once."""
        held, self._held = self._held or [], None
        for body in held:
            self._send(body)

    def _tell(self, method: str, params: Message) -> None:
        body = encode_notification(method, params)
        if self._held is None:
            self._send(body)
        else:
            self._held.append(body)


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
