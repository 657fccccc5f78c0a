"""Owns the client for programs without an event loop: a thread with a loop of its own behind plain calls.

It adds nothing to what the asyncio client knows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypedDict, TypeVar, Unpack

from msgspec import UnsetType
from tenterhook_protocol import hooks
from tenterhook_protocol.lifecycle import InitializationOptions, InitializeResult
from tenterhook_protocol.runs import HookDecision

from tenterhook_client.answers import Answers
from tenterhook_client.client import DEFAULT_COMMAND, Client
from tenterhook_client.listeners import Listeners
from tenterhook_client.loop_thread import LoopThread
from tenterhook_client.payloads import Payload

__all__ = ["BlockingClient", "SpawnOptions"]

Result = TypeVar("Result")


class SpawnOptions(TypedDict, total=False):
    """The keyword arguments of ``Client.spawn``."""

    options: InitializationOptions | None
    process_id: int | UnsetType | None
    env: Mapping[str, str] | None
    cwd: str | os.PathLike[str] | None
    listeners: Listeners | None
    answers: Answers | None
    on_stderr: Callable[[str], object] | None
    end_within: float


class BlockingClient:
    """A connection to one engine whose calls block; any number of threads may use it.

    The methods are those of ``Client``, with the same errors. Callbacks and handlers run on the client's own thread,
    and must not call the client from there. An interrupt (Ctrl-C) cancels the call it hits.
    """

    def __init__(self, thread: LoopThread[Client], client: Client, call_timeout: float | None) -> None:
        self.engine: InitializeResult = client.engine
        self.engine_pid = client.engine_pid
        self.listeners = client.listeners
        self.answers = client.answers
        self.on = client.on
        self.on_run_started = client.on_run_started
        self.on_run_completed = client.on_run_completed
        self.on_problems = client.on_problems
        self.on_log = client.on_log
        self._thread = thread
        self._client = client
        self._call_timeout = call_timeout

    @classmethod
    @contextmanager
    def spawn(
        cls,
        command: Sequence[str] = DEFAULT_COMMAND,
        *,
        call_timeout: float | None = None,
        **how: Unpack[SpawnOptions],
    ) -> Generator[BlockingClient]:
        """Start an engine, and end it when the block is left.

        Args:
            command: Program and arguments.
            call_timeout: Seconds after which any call is cancelled and raises ``TimeoutError``; None: never.
            how: The other arguments of ``Client.spawn``.
        """
        thread = LoopThread(lambda: Client.spawn(command, **how))
        try:
            yield cls(thread, thread.open(), call_timeout)
        finally:
            thread.close()

    def emit(
        self, point: str, payload: Payload, *, project_path: str | None = None, traceparent: str | None = None
    ) -> hooks.EmitResult:
        """Something happened: run the hooks that watch it, and wait for them."""
        return self._do(self._client.emit(point, payload, project_path=project_path, traceparent=traceparent))

    def notify(
        self, point: str, payload: Payload, *, project_path: str | None = None, traceparent: str | None = None
    ) -> None:
        """Something happened: run the hooks that watch it, in order within the session, and wait for nothing."""
        self._do(self._client.notify(point, payload, project_path=project_path, traceparent=traceparent))

    def emit_decision(
        self,
        point: str,
        payload: Payload,
        *,
        project_path: str | None = None,
        traceparent: str | None = None,
        trace: bool = False,
    ) -> HookDecision | None:
        """Something is about to happen: may it? None: no hook has an opinion."""
        return self._do(
            self._client.emit_decision(point, payload, project_path=project_path, traceparent=traceparent, trace=trace)
        )

    def reload(self, project_path: str | None = None) -> hooks.ReloadResult:
        """Read a project's hook files again, or those of every loaded project."""
        return self._do(self._client.reload(project_path))

    def list_hooks(self, project_path: str | None = None) -> hooks.ListResult:
        """Every configured hook of a project, or of every loaded one."""
        return self._do(self._client.list_hooks(project_path))

    def explain(
        self, point: str, payload: Payload | None = None, *, project_path: str | None = None
    ) -> hooks.ExplainResult:
        """Which hooks would run, and why the others would not. Nothing is run."""
        return self._do(self._client.explain(point, payload, project_path=project_path))

    def test(self, hook: str, payload: Payload, *, project_path: str | None = None) -> hooks.TestResult:
        """Run one hook once, whatever its point, matcher or switch say."""
        return self._do(self._client.test(hook, payload, project_path=project_path))

    def stats(self) -> hooks.StatsResult:
        """Counts and times since the engine started."""
        return self._do(self._client.stats())

    def request(self, method: str, params: object = None) -> object:
        """Call any method. Params and result are plain values; params None: it takes none."""
        return self._do(self._client.request(method, params))

    def _do(self, call: Coroutine[object, object, Result]) -> Result:
        return self._thread.call(call, self._call_timeout)
