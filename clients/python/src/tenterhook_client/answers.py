"""Owns the handlers for what the engine asks its host; knows no stream."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

import msgspec
from msgspec import Raw
from tenterhook_protocol.host import (
    AgentRequest,
    CallToolRequest,
    CallToolResult,
    HostAnswer,
    PromptRequest,
    TrustAnswer,
    TrustRequest,
)
from tenterhook_protocol.jsonrpc import ErrorCode
from tenterhook_protocol.methods import METHODS

from tenterhook_client.errors import ResponseFailed

__all__ = ["Answers"]


class Answers:
    """Handlers by method.

    A handler is a coroutine function from the request's params to its result. It is cancelled when the engine
    gives the request up. It may raise ``ResponseFailed`` to answer with an error of its own choice.
    Say in ``InitializationOptions.host`` what is answered: the engine asks for nothing else.
    """

    def __init__(self) -> None:
        self._handlers: dict[str, Callable[..., Coroutine[object, object, object]]] = {}

    def prompt(self, handler: Callable[[PromptRequest], Coroutine[object, object, HostAnswer]]) -> None:
        """Answer ``host/prompt``."""
        self._handlers["host/prompt"] = handler

    def agent(self, handler: Callable[[AgentRequest], Coroutine[object, object, HostAnswer]]) -> None:
        """Answer ``host/agent``."""
        self._handlers["host/agent"] = handler

    def call_tool(self, handler: Callable[[CallToolRequest], Coroutine[object, object, CallToolResult]]) -> None:
        """Answer ``host/callTool``."""
        self._handlers["host/callTool"] = handler

    def request_trust(self, handler: Callable[[TrustRequest], Coroutine[object, object, TrustAnswer]]) -> None:
        """Answer ``host/requestTrust``."""
        self._handlers["host/requestTrust"] = handler

    def other(self, method: str, handler: Callable[[Raw], Coroutine[object, object, object]]) -> None:
        """Answer a method of one's own, which the protocol does not know. The handler gets the params as JSON."""
        if method in METHODS:
            raise ValueError(f"{method} is a method of the protocol")
        self._handlers[method] = handler

    async def answer(self, method: str, params: Raw) -> Raw:
        """Answer one request. The connection calls it.

        Raises:
            ResponseFailed: The answer is an error.
        """
        handler = self._handlers.get(method)
        if handler is None:
            raise ResponseFailed(ErrorCode.METHOD_NOT_FOUND, f"this host does not answer {method}")
        known = METHODS.get(method)
        try:
            value = params if known is None or known.params is None else msgspec.json.decode(params, type=known.params)
        except msgspec.DecodeError as error:
            raise ResponseFailed(ErrorCode.INVALID_PARAMS, f"{method}: {error}") from error
        try:
            return Raw(msgspec.json.encode(await handler(value)))
        except ResponseFailed:
            raise
        except Exception as error:
            # The boundary to the caller's own code: the engine must get an answer, the caller must hear of it.
            asyncio.get_running_loop().call_exception_handler(
                {"message": f"the handler of {method} failed", "exception": error}
            )
            raise ResponseFailed(ErrorCode.INTERNAL_ERROR, f"{method}: {type(error).__name__}: {error}") from error
