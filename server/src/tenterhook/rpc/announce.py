"""Owns the engine's own notifications; knows which may be sent when, not why they are sent.

Nothing but the answer may reach the host before ``initialize`` is answered, so what comes earlier is held.
"""

from __future__ import annotations

from collections.abc import Callable

from tenterhook_protocol.base import UNSET, Message
from tenterhook_protocol.hooks import AsyncCompletedParams, ProblemsParams
from tenterhook_protocol.lifecycle import LogMessageParams

from tenterhook.model import HookRun, LogLevel, Problem
from tenterhook.rpc.wire import encode_notification

__all__ = ["WireSink"]

_MESSAGE_TYPE: dict[LogLevel, int] = {"error": 1, "warning": 2, "info": 3, "log": 4}


class WireSink:
    """A ``tenterhook.model.Sink`` that tells the host."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self.hook_events = False
        """Whether the host wants to hear of runs."""
        self._send = send
        self._held: list[bytes] | None = []
        self._troubled: set[str] = set()

    def run_started(self, run: HookRun) -> None:
        """A hook's process is about to start."""
        if self.hook_events:
            self._tell("hooks/started", run)

    def run_completed(self, run: HookRun) -> None:
        """A run is over and its process tree is gone."""
        if self.hook_events:
            self._tell("hooks/completed", run)

    def run_detached_completed(self, run: HookRun, context: str | None, *, wake: bool) -> None:
        """A run in the background is over."""
        params = AsyncCompletedParams(run=run, context=UNSET if context is None else context, wake=wake)
        self._tell("hooks/asyncCompleted", params)

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
