"""Owns asking the host for what a hook needs of it, over the wire; knows no hook."""

from __future__ import annotations

import msgspec
from msgspec import DecodeError
from tenterhook_protocol.host import (
    AgentRequest,
    CallToolRequest,
    CallToolResult,
    HostAnswer,
    PromptRequest,
    TrustAnswer,
    TrustRequest,
)
from tenterhook_protocol.lifecycle import HostAbilities

from tenterhook.errors import RequestFailed
from tenterhook.rpc.ports import Ask

__all__ = ["WireHost"]

_SPARE = 1.0
"""Seconds beyond the run's own time, which its runner keeps: this wait only must not be without end."""

_TRUST = 600.0
"""Seconds that a person has to look at what would run."""

_answer = msgspec.json.Decoder(HostAnswer)
_tool_result = msgspec.json.Decoder(CallToolResult)
_trust_answer = msgspec.json.Decoder(TrustAnswer)


class WireHost:
    """A ``tenterhook.model.Host`` at the other end of the connection, and the ``Person`` before it."""

    def __init__(self, abilities: HostAbilities, ask: Ask) -> None:
        self.abilities = abilities
        self._ask = ask

    async def ask(self, request: PromptRequest | AgentRequest | CallToolRequest) -> HostAnswer | CallToolResult:
        """Ask it.

        Raises:
            RequestFailed: it answered with an error, with something that does not fit, or not in time.
        """
        method = _method(request)
        raw = await self._ask(method, request, request.timeout_ms / 1000 + _SPARE)
        decoder = _tool_result if isinstance(request, CallToolRequest) else _answer
        try:
            return decoder.decode(raw)
        except DecodeError as error:
            raise RequestFailed(f"the host's answer to {method} does not fit: {error}") from None

    async def ask_trust(self, request: TrustRequest) -> TrustAnswer:
        """Ask whether a project's hooks may run.

        Raises:
            RequestFailed: as for ``ask``.
        """
        raw = await self._ask("host/requestTrust", request, _TRUST)
        try:
            return _trust_answer.decode(raw)
        except DecodeError as error:
            raise RequestFailed(f"the host's answer to host/requestTrust does not fit: {error}") from None


def _method(request: PromptRequest | AgentRequest | CallToolRequest) -> str:
    if isinstance(request, CallToolRequest):
        return "host/callTool"
    return "host/agent" if isinstance(request, AgentRequest) else "host/prompt"
