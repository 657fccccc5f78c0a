"""Hooks that need the host: its model, an agent of its, one of its tools."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from msgspec import Raw
from tenterhook.errors import RequestFailed
from tenterhook.model import HostLaunch, Outcome, StopReason
from tenterhook.runners import RUNNERS, Limits, Runner, runners_for
from tenterhook.runners.asking import AT_ONCE, asker
from tenterhook_protocol.host import AgentRequest, CallToolRequest, CallToolResult, HostAnswer, PromptRequest
from tenterhook_protocol.lifecycle import HostAbilities

Request = PromptRequest | AgentRequest | CallToolRequest
Reply = HostAnswer | CallToolResult

PROMPT = PromptRequest(run_id="r", prompt="Is it?", timeout_ms=1000)
AGENT = AgentRequest(run_id="r", prompt="Is it?", timeout_ms=1000)
TOOL = CallToolRequest(run_id="r", server="memory", tool="search", input=Raw(b"{}"), timeout_ms=1000)
ALL = HostAbilities(prompt=True, agent=True, call_tool=True)

_GUARD = 60.0


class ScriptedHost:
    """A host that answers as the test says."""

    def __init__(self, answer: Callable[[], Awaitable[Reply]], abilities: HostAbilities = ALL) -> None:
        self.abilities = abilities
        self.asked: list[Request] = []
        self.come = asyncio.Event()
        self.given_up = 0
        self._answer = answer

    async def ask(self, request: Request) -> Reply:
        self.asked.append(request)
        self.come.set()
        try:
            return await self._answer()
        except asyncio.CancelledError:
            self.given_up += 1
            raise


def saying(reply: Reply | Exception) -> ScriptedHost:
    async def answer() -> Reply:
        if isinstance(reply, Exception):
            raise reply
        return reply

    return ScriptedHost(answer)


def silent() -> ScriptedHost:
    async def answer() -> Reply:
        return await asyncio.get_running_loop().create_future()

    return ScriptedHost(answer)


def new_stop() -> asyncio.Future[StopReason]:
    return asyncio.get_running_loop().create_future()


async def ask(
    runner: Runner,
    request: Request,
    limits: Limits | None = None,
    stop: asyncio.Future[StopReason] | None = None,
    timeout: float = 600.0,  # noqa: ASYNC109 - that of the launch
) -> Outcome:
    launch = HostLaunch(request=request, timeout=timeout, run_id="r")
    async with asyncio.timeout(_GUARD):
        return await runner(launch, limits or Limits(), stop or new_stop())


@pytest.mark.parametrize(
    ("request_", "reply"),
    [(PROMPT, HostAnswer(text="yés")), (AGENT, HostAnswer(text="yés")), (TOOL, CallToolResult(text="yés"))],
)
async def test_the_text_of_the_answer_is_stdout(request_: Request, reply: Reply) -> None:
    host = saying(reply)
    outcome = await ask(asker(host), request_)
    assert (outcome.status, outcome.stdout, outcome.stderr) == ("ok", "yés".encode(), b"")
    assert (outcome.error, outcome.exit_code, outcome.stdout_cut) == (None, None, False)
    assert host.asked == [request_]


@pytest.mark.parametrize(
    ("request_", "abilities", "name", "method"),
    [
        (PROMPT, HostAbilities(agent=True, call_tool=True), "prompt", "host/prompt"),
        (AGENT, HostAbilities(prompt=True, call_tool=True), "agent", "host/agent"),
        (TOOL, HostAbilities(prompt=True, agent=True), "callTool", "host/callTool"),
    ],
)
async def test_a_host_that_lacks_the_ability_is_not_asked_and_the_option_is_named(
    request_: Request, abilities: HostAbilities, name: str, method: str
) -> None:
    host = silent()
    host.abilities = abilities
    outcome = await ask(asker(host), request_)
    assert (outcome.status, host.asked) == ("notStarted", [])
    assert f"`{name}`" in (outcome.error or "")
    assert method in (outcome.error or "")
    assert f"initializationOptions.host.{name}: true" in (outcome.error or "")


@pytest.mark.parametrize("request_", [PROMPT, AGENT, TOOL])
async def test_an_engine_without_a_host_says_so(request_: Request) -> None:
    outcome = await ask(RUNNERS[HostLaunch], request_)
    assert (outcome.status, "the host has not got the ability" in (outcome.error or "")) == ("notStarted", True)


async def test_the_table_for_a_host_asks_that_host() -> None:
    host = saying(HostAnswer(text="x"))
    assert (await ask(runners_for(host)[HostLaunch], PROMPT)).stdout == b"x"
    assert set(runners_for(host)) == set(RUNNERS)


async def test_an_answer_that_is_an_error_is_a_failure_in_the_hosts_words() -> None:
    outcome = await ask(asker(saying(RequestFailed("the host answered with an error: no model"))), PROMPT)
    assert (outcome.status, outcome.error) == ("failed", "the host answered with an error: no model")


async def test_a_tool_that_says_it_failed_is_a_failure_with_its_text_as_stderr() -> None:
    outcome = await ask(asker(saying(CallToolResult(text="not connected", is_error=True))), TOOL)
    assert (outcome.status, outcome.stdout, outcome.stderr) == ("failed", b"", b"not connected")
    assert outcome.error == "the tool search of memory says that it failed"


@pytest.mark.parametrize("excess", [-1, 0, 1])
@pytest.mark.parametrize("failed", [None, "failed"])
async def test_a_long_answer_is_cut(excess: int, failed: str | None) -> None:
    text = "x" * (1000 + excess)
    outcome = await ask(asker(saying(CallToolResult(text=text, is_error=bool(failed)))), TOOL, Limits(max_output=1000))
    kept, cut = (outcome.stderr, outcome.stderr_cut) if failed else (outcome.stdout, outcome.stdout_cut)
    assert (len(kept), cut) == (min(1000, 1000 + excess), excess > 0)


@pytest.mark.parametrize("request_", [PROMPT, TOOL])
async def test_where_no_answer_comes_in_time_the_request_is_given_up(request_: Request) -> None:
    host = silent()
    outcome = await ask(asker(host), request_, timeout=0.01)
    assert (outcome.status, outcome.error) == ("timedOut", "the host did not answer within 0.01 s")
    assert host.given_up == 1


@pytest.mark.parametrize("reason", ["cancelled", "timedOut"])
async def test_a_stop_gives_the_request_up(reason: StopReason) -> None:
    host, stop = silent(), new_stop()
    task = asyncio.create_task(ask(asker(host), PROMPT, None, stop))
    await host.come.wait()
    stop.set_result(reason)
    assert (await task).status == reason
    assert host.given_up == 1


async def test_a_stop_that_is_there_before_asks_nothing() -> None:
    for request in (PROMPT, TOOL):
        host, stop = silent(), new_stop()
        stop.set_result("cancelled")
        assert (await ask(asker(host), request, None, stop)).status == "cancelled"
        assert host.asked == []


async def test_a_cancelled_run_gives_the_request_up() -> None:
    host = silent()
    task = asyncio.create_task(ask(asker(host), TOOL))
    await host.come.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert host.given_up == 1


async def test_only_so_many_prompts_and_agents_are_asked_at_once_and_tools_do_not_count() -> None:
    host, stop = silent(), new_stop()
    runner = asker(host)
    tasks = [asyncio.create_task(ask(runner, PROMPT if n % 2 else AGENT, None, stop)) for n in range(AT_ONCE + 8)]
    tasks += [asyncio.create_task(ask(runner, TOOL, None, stop)) for _ in range(20)]
    for _ in range(20):
        await asyncio.sleep(0)
    assert sum(not isinstance(request, CallToolRequest) for request in host.asked) == AT_ONCE
    assert sum(isinstance(request, CallToolRequest) for request in host.asked) == 20
    stop.set_result("cancelled")
    assert {outcome.status for outcome in await asyncio.gather(*tasks)} == {"cancelled"}
    assert len(host.asked) == AT_ONCE + 20


async def test_a_place_is_free_again_after_an_answer() -> None:
    runner = asker(saying(HostAnswer(text="x")))
    outcomes = await asyncio.gather(*(ask(runner, PROMPT) for _ in range(3 * AT_ONCE)))
    assert {outcome.status for outcome in outcomes} == {"ok"}
