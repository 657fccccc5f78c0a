"""Owns the asyncio client: an engine's life from spawn to end, and one typed method for each thing a host can ask.

It knows the protocol, never the engine.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

import msgspec
from msgspec import UNSET, Raw, UnsetType
from tenterhook_protocol import hooks
from tenterhook_protocol.base import Message
from tenterhook_protocol.lifecycle import (
    ClientInfo,
    InitializationOptions,
    InitializedParams,
    InitializeParams,
    InitializeResult,
)
from tenterhook_protocol.methods import PROTOCOL_VERSION
from tenterhook_protocol.runs import HookDecision

from tenterhook_client.answers import Answers
from tenterhook_client.child import Child
from tenterhook_client.connection import Outlet
from tenterhook_client.errors import AnswerNotUnderstood, EngineDied, EngineNotFound
from tenterhook_client.listeners import Listeners
from tenterhook_client.payloads import Payload, as_json
from tenterhook_client.supervisor import Supervisor

__all__ = ["DEFAULT_COMMAND", "Client"]

DEFAULT_COMMAND = (sys.executable, "-m", "tenterhook", "serve")
"""The engine that is installed beside this client."""

Result = TypeVar("Result", bound=Message)


class Client:
    """A connection to one engine. ``Client.spawn`` makes it.

    All calls may be made at the same time; every one may be cancelled.

    Attributes:
        engine: What the engine said of itself when it was initialized.
        listeners: Callbacks for its notifications; ``on`` and the like are its methods.
        answers: Handlers for its requests.
        engine_pid: Number of its process; None: not known, as it was not spawned here.
    """

    def __init__(
        self, supervisor: Supervisor, engine: InitializeResult, listeners: Listeners, answers: Answers
    ) -> None:
        self.engine = engine
        self.engine_pid = supervisor.engine_pid
        self.listeners = listeners
        self.answers = answers
        self.on = listeners.on
        self.on_run_started = listeners.on_run_started
        self.on_run_completed = listeners.on_run_completed
        self.on_problems = listeners.on_problems
        self.on_log = listeners.on_log
        self._connection = supervisor.connection

    @classmethod
    @asynccontextmanager
    async def spawn(
        cls,
        command: Sequence[str] = DEFAULT_COMMAND,
        *,
        options: InitializationOptions | None = None,
        process_id: int | UnsetType | None = UNSET,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        listeners: Listeners | None = None,
        answers: Answers | None = None,
        on_stderr: Callable[[str], object] | None = None,
        end_within: float = 5.0,
    ) -> AsyncGenerator[Client]:
        """Start an engine, and end it when the block is left.

        Args:
            command: Program and arguments.
            options: How the engine should work.
            process_id: The process whose death ends the engine; absent: this one; None: none.
            env: Its whole environment; None: this process's own.
            cwd: Its folder; None: this process's own.
            listeners: Callbacks that must hear what the engine says while it starts.
            answers: Handlers for what it asks.
            on_stderr: Gets what it writes to stderr, as text, as it comes.
            end_within: Seconds it gets to shut down before TERM.

        Raises:
            EngineNotFound: The command cannot be started.
            EngineDied: It ended before it was ready.
            ResponseFailed: It refused to be initialized.
        """
        child = await Child.start(command, env=env, cwd=cwd, on_stderr=on_stderr)
        ready = False
        try:
            attached = cls.attach(
                child.stdout,
                child,
                child=child,
                options=options,
                process_id=process_id,
                listeners=listeners,
                answers=answers,
                end_within=end_within,
            )
            async with attached as client:
                ready = True
                yield client
        except EngineDied as died:
            if not ready and (died.status == 127 or "No module named tenterhook" in died.stderr_tail):
                raise _not_installed(command, died) from died
            raise
        finally:
            await child.put_down()

    @classmethod
    @asynccontextmanager
    async def attach(
        cls,
        inlet: asyncio.StreamReader,
        outlet: Outlet,
        *,
        child: Child | None = None,
        options: InitializationOptions | None = None,
        process_id: int | UnsetType | None = UNSET,
        listeners: Listeners | None = None,
        answers: Answers | None = None,
        end_within: float = 5.0,
    ) -> AsyncGenerator[Client]:
        """Talk to an engine that is at the other end of two streams. Arguments and errors are those of ``spawn``."""
        options = options or InitializationOptions()
        listeners = listeners or Listeners()
        answers = answers or Answers()
        supervisor = Supervisor(inlet, outlet, listeners.hear, answers.answer, options.max_message_bytes, child)
        try:
            introduction = InitializeParams(
                process_id=os.getpid() if process_id is UNSET else process_id,
                client_info=ClientInfo(name="tenterhook_client", version=PROTOCOL_VERSION),
                capabilities=Raw(b"{}"),
                initialization_options=options,
            )
            connection = supervisor.connection
            engine = _typed(await connection.request("initialize", introduction), InitializeResult)
            await connection.notify("initialized", InitializedParams())
            yield cls(supervisor, engine, listeners, answers)
        finally:
            await supervisor.close(end_within)

    async def emit(
        self, point: str, payload: Payload, *, project_path: str | None = None, traceparent: str | None = None
    ) -> hooks.EmitResult:
        """Something happened: run the hooks that watch it, and wait for them."""
        params = _emit_params(point, payload, project_path, traceparent)
        return await self._call("hooks/emit", params, hooks.EmitResult)

    async def notify(
        self, point: str, payload: Payload, *, project_path: str | None = None, traceparent: str | None = None
    ) -> None:
        """Something happened: run the hooks that watch it, in order within the session, and wait for nothing."""
        await self._connection.notify("hooks/emit", _emit_params(point, payload, project_path, traceparent))

    async def emit_decision(
        self,
        point: str,
        payload: Payload,
        *,
        project_path: str | None = None,
        traceparent: str | None = None,
        trace: bool = False,
    ) -> HookDecision | None:
        """Something is about to happen: may it? None: no hook has an opinion.

        With ``trace`` the answer is never None and carries ``runs`` and ``notices``.
        """
        params = hooks.EmitDecisionParams(
            point=point,
            payload=as_json(payload),
            project_path=_or_unset(project_path),
            traceparent=_or_unset(traceparent),
            trace=trace,
        )
        answer = await self._connection.request("hooks/emitDecision", params)
        return None if bytes(answer) == b"null" else _typed(answer, HookDecision)

    async def reload(self, project_path: str | None = None) -> hooks.ReloadResult:
        """Read a project's hook files again, or those of every loaded project."""
        params = hooks.ReloadParams(project_path=_or_unset(project_path))
        return await self._call("hooks/reload", params, hooks.ReloadResult)

    async def list_hooks(self, project_path: str | None = None) -> hooks.ListResult:
        """Every configured hook of a project, or of every loaded one."""
        params = hooks.ListParams(project_path=_or_unset(project_path))
        return await self._call("hooks/list", params, hooks.ListResult)

    async def explain(
        self, point: str, payload: Payload | None = None, *, project_path: str | None = None
    ) -> hooks.ExplainResult:
        """Which hooks would run, and why the others would not. Nothing is run."""
        data = UNSET if payload is None else as_json(payload)
        params = hooks.ExplainParams(point=point, payload=data, project_path=_or_unset(project_path))
        return await self._call("hooks/explain", params, hooks.ExplainResult)

    async def test(self, hook: str, payload: Payload, *, project_path: str | None = None) -> hooks.TestResult:
        """Run one hook once, whatever its point, matcher or switch say."""
        params = hooks.TestParams(hook=hook, payload=as_json(payload), project_path=_or_unset(project_path))
        return await self._call("hooks/test", params, hooks.TestResult)

    async def stats(self) -> hooks.StatsResult:
        """Counts and times since the engine started."""
        return await self._call("hooks/stats", hooks.StatsParams(), hooks.StatsResult)

    async def request(self, method: str, params: object = None) -> object:
        """Call any method. Params and result are plain values; params None: it takes none."""
        answer = await self._connection.request(method, params)
        try:
            return msgspec.json.decode(answer)
        except msgspec.DecodeError as error:
            raise AnswerNotUnderstood(str(error)) from error

    async def _call(self, method: str, params: Message, result: type[Result]) -> Result:
        return _typed(await self._connection.request(method, params), result)


def _emit_params(point: str, payload: Payload, project_path: str | None, traceparent: str | None) -> hooks.EmitParams:
    return hooks.EmitParams(
        point=point,
        payload=as_json(payload),
        project_path=_or_unset(project_path),
        traceparent=_or_unset(traceparent),
    )


def _or_unset(text: str | None) -> str | UnsetType:
    return UNSET if text is None else text


def _typed(answer: Raw, result: type[Result]) -> Result:
    try:
        return msgspec.json.decode(answer, type=result)
    except msgspec.DecodeError as error:
        raise AnswerNotUnderstood(f"the engine's {result.__name__} cannot be read: {error}") from error


def _not_installed(command: Sequence[str], died: EngineDied) -> EngineNotFound:
    reason = died.stderr_tail.strip().splitlines()[-1:] or [f"it ended with status {died.status}"]
    hint = f"Install tenterhook for {command[0]}, or say which command starts the engine: command=(...)."
    return EngineNotFound(command, reason[0], hint)
