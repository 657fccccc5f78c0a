"""Owns the run of one request to the host: its model, an agent, a tool; knows neither hook systems nor the wire."""

from __future__ import annotations

import asyncio
from typing import NamedTuple, NoReturn

from msgspec import structs
from tenterhook_protocol.host import AgentRequest, CallToolRequest, CallToolResult, HostAnswer, PromptRequest
from tenterhook_protocol.lifecycle import HostAbilities

from tenterhook.errors import RequestFailed
from tenterhook.model import Host, HostLaunch, Outcome, StopReason
from tenterhook.runners.contract import Limits, Runner, reason_of
from tenterhook.runners.start_gate import Places

__all__ = ["AT_ONCE", "NoHost", "asker"]

AT_ONCE = 12
"""Prompts and agents of one engine that run at the same time; tools are not counted (contract, 4.6)."""


class NoHost:
    """A host that can do nothing: for an engine that nobody has introduced itself to."""

    abilities = HostAbilities()

    async def ask(self, request: PromptRequest | AgentRequest | CallToolRequest) -> NoReturn:
        """Never called, for it has no ability."""
        raise RequestFailed(f"there is no host that could be asked for run {request.run_id}")


def asker(host: Host) -> Runner:
    """The runner of ``HostLaunch`` for this host."""
    places = Places(AT_ONCE)

    async def ask(launch: HostLaunch, limits: Limits, stop: asyncio.Future[StopReason]) -> Outcome:
        need = _need(launch.request)
        if not getattr(host.abilities, need.field):
            return Outcome(status="notStarted", error=need.lack)
        if isinstance(launch.request, CallToolRequest):
            return await _ask(host, launch, limits, stop)
        if not await places.acquire(stop):
            return Outcome(status=reason_of(stop), error="was stopped before it started")
        try:
            return await _ask(host, launch, limits, stop)
        finally:
            places.release()

    return ask


class _Need(NamedTuple):
    """What a host has to be able to do for a request."""

    field: str
    name: str
    method: str

    @property
    def lack(self) -> str:
        return (
            f"the host has not got the ability `{self.name}`, which this hook needs: a host that answers "
            f"{self.method} says so with `initializationOptions.host.{self.name}: true`"
        )


_PROMPT = _Need("prompt", "prompt", "host/prompt")
_AGENT = _Need("agent", "agent", "host/agent")
_CALL_TOOL = _Need("call_tool", "callTool", "host/callTool")


def _need(request: PromptRequest | AgentRequest | CallToolRequest) -> _Need:
    if isinstance(request, CallToolRequest):
        return _CALL_TOOL
    return _AGENT if isinstance(request, AgentRequest) else _PROMPT


async def _ask(host: Host, launch: HostLaunch, limits: Limits, stop: asyncio.Future[StopReason]) -> Outcome:
    if stop.done():
        return Outcome(status=reason_of(stop), error="was stopped before it started")
    loop = asyncio.get_running_loop()
    started = loop.time()
    asked = asyncio.ensure_future(host.ask(launch.request))
    try:
        await asyncio.wait((asked, stop), timeout=launch.timeout, return_when=asyncio.FIRST_COMPLETED)
        if asked.done():
            outcome = _answered(asked, launch, limits.max_output)
        elif stop.done():
            status = reason_of(stop)
            what = "was stopped on request" if status == "cancelled" else "had no answer within the time of its event"
            outcome = Outcome(status=status, error=f"{what}; the host was told")
        else:
            outcome = Outcome(status="timedOut", error=f"the host did not answer within {launch.timeout:g} s")
    finally:
        if asked.cancel():  # the host is told that nobody waits any more
            await asyncio.wait((asked,))
            if not asked.cancelled():
                asked.exception()  # it failed at the same moment, and that is all the same now
    return structs.replace(outcome, duration=loop.time() - started)


def _answered(asked: asyncio.Future[HostAnswer | CallToolResult], launch: HostLaunch, limit: int) -> Outcome:
    try:
        answer = asked.result()
    except RequestFailed as failure:
        return Outcome(status="failed", error=failure.message)
    except asyncio.CancelledError:
        return Outcome(status="failed", error="the request to the host was given up")
    content = answer.text.encode("utf-8", "replace")
    kept, cut = content[:limit], len(content) > limit
    if isinstance(answer, CallToolResult) and answer.is_error:
        error = f"{_called(launch)} says that it failed"
        return Outcome(status="failed", stderr=kept, stderr_cut=cut, error=error)
    return Outcome(status="ok", stdout=kept, stdout_cut=cut)


def _called(launch: HostLaunch) -> str:
    request = launch.request
    return f"the tool {request.tool} of {request.server}" if isinstance(request, CallToolRequest) else "the host"
