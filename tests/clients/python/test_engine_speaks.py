"""What the engine sends by itself: notifications, requests, and its end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from clients.python.peer import ENGINE, Peer, connected
from tenterhook_client import Answers, Client, EngineDied, Listeners, ResponseFailed
from tenterhook_client.connection import MAX_HOST_REQUESTS
from tenterhook_client.framing import frame
from tenterhook_protocol.hooks import ProblemsParams
from tenterhook_protocol.host import CallToolRequest, CallToolResult, HostAnswer, PromptRequest
from tenterhook_protocol.lifecycle import LogMessageParams

_PROMPT = {"runId": "r1", "prompt": "well?", "timeoutMs": 10.0}


async def test_a_callback_gets_the_params_as_their_type() -> None:
    async with connected() as (client, peer):
        logs: asyncio.Queue[LogMessageParams] = asyncio.Queue()
        problems: asyncio.Queue[ProblemsParams] = asyncio.Queue()
        others: asyncio.Queue[bytes] = asyncio.Queue()
        client.on_log(logs.put_nowait)
        client.on_problems(problems.put_nowait)
        client.on("x/other", lambda params: others.put_nowait(bytes(params)))
        peer.say(method="window/logMessage", params={"type": 2, "message": "hm"})
        peer.say(method="hooks/problems", params={"projectPath": "/p", "problems": []})
        peer.say(method="x/other", params={"a": 1})
        peer.say(method="x/other")
        assert await logs.get() == LogMessageParams(type=2, message="hm")
        assert await problems.get() == ProblemsParams(project_path="/p", problems=[])
        assert await others.get() == b'{"a": 1}'
        assert await others.get() == b"null"


async def test_listeners_that_are_passed_in_hear_what_is_said_at_the_start() -> None:
    heard: list[str] = []
    listeners = Listeners()
    listeners.on_log(lambda line: heard.append(line.message))
    peer = Peer()
    attached = Client.attach(peer.inlet, peer, listeners=listeners, end_within=0)
    opening = asyncio.create_task(attached.__aenter__())
    number = (await peer.next())["id"]
    peer.say(method="window/logMessage", params={"type": 3, "message": "early"})
    peer.say(id=number, result=ENGINE)
    await opening
    assert heard == ["early"]
    await attached.__aexit__(None, None, None)


async def test_a_callback_that_raises_hinders_nobody() -> None:
    reports: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reports.append(context["message"]))
    async with connected() as (client, peer):
        heard: asyncio.Queue[LogMessageParams] = asyncio.Queue()

        def stumble(line: LogMessageParams) -> None:
            raise ZeroDivisionError(line.message)

        client.on_log(stumble)
        client.on_log(heard.put_nowait)
        peer.say(method="window/logMessage", params={"type": "no number"})
        peer.say(method="window/logMessage", params={"type": 3, "message": "hm"})
        assert (await heard.get()).message == "hm"
    assert reports == [
        "the engine sent a window/logMessage that cannot be read",
        "a callback for window/logMessage failed",
    ]


async def test_a_callback_can_be_taken_back() -> None:
    async with connected() as (client, peer):
        mine: list[LogMessageParams] = []
        all_lines: asyncio.Queue[LogMessageParams] = asyncio.Queue()
        off = client.on_log(mine.append)
        client.on_log(all_lines.put_nowait)
        off()
        off()
        peer.say(method="window/logMessage", params={"type": 3, "message": "hm"})
        await all_lines.get()
        assert mine == []


async def test_a_request_that_nobody_answers_is_method_not_found() -> None:
    async with connected() as (_, peer):
        peer.say(id="a", method="workspace/configuration", params={})
        peer.say(id=7, method="host/prompt", params=_PROMPT)
        answers = [await peer.next(), await peer.next()]
        assert [(answer["id"], answer["error"]["code"]) for answer in answers] == [("a", -32601), (7, -32601)]


async def test_a_handler_answers_for_the_host() -> None:
    async def prompt(request: PromptRequest) -> HostAnswer:
        return HostAnswer(text=request.prompt.upper())

    async def call_tool(request: CallToolRequest) -> CallToolResult:
        return CallToolResult(text=bytes(request.input).decode(), is_error=True)

    answers = Answers()
    answers.prompt(prompt)
    answers.call_tool(call_tool)
    async with connected(answers=answers) as (_, peer):
        peer.say(id=1, method="host/prompt", params=_PROMPT)
        assert (await peer.next()) == {"jsonrpc": "2.0", "id": 1, "result": {"text": "WELL?"}}
        tool = {"runId": "r", "server": "s", "tool": "t", "input": {"a": 1.0}, "timeoutMs": 5}
        peer.say(id="1", method="host/callTool", params=tool)
        assert (await peer.next()) == {"jsonrpc": "2.0", "id": "1", "result": {"text": '{"a": 1.0}', "isError": True}}


async def test_a_handler_that_fails_is_an_error_answer_and_a_report() -> None:
    reports: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reports.append(context["message"]))

    async def prompt(request: PromptRequest) -> HostAnswer:
        if request.prompt == "choose":
            raise ResponseFailed(-32803, "no model today", {"until": "noon"})
        raise ZeroDivisionError("oops")

    answers = Answers()
    answers.prompt(prompt)
    async with connected(answers=answers) as (_, peer):
        peer.say(id=1, method="host/prompt", params=_PROMPT)
        assert (await peer.next())["error"] == {"code": -32603, "message": "host/prompt: ZeroDivisionError: oops"}
        peer.say(id=2, method="host/prompt", params={**_PROMPT, "prompt": "choose"})
        error = {"code": -32803, "message": "no model today", "data": {"until": "noon"}}
        assert (await peer.next())["error"] == error
        peer.say(id=3, method="host/prompt", params={"prompt": 5})
        assert (await peer.next())["error"]["code"] == -32602
    assert reports == ["the handler of host/prompt failed"]


@pytest.mark.parametrize("started", [True, False])
async def test_a_request_that_the_engine_gives_up_is_cancelled_and_answered(started: bool) -> None:  # noqa: FBT001
    begun = asyncio.Event()

    async def prompt(request: PromptRequest) -> HostAnswer:
        begun.set()
        await asyncio.Event().wait()
        return HostAnswer(text=request.prompt)

    answers = Answers()
    answers.prompt(prompt)
    async with connected(answers=answers) as (_, peer):
        peer.say(id="p", method="host/prompt", params=_PROMPT)
        if started:
            await begun.wait()
        peer.say(method="$/cancelRequest", params={"id": "p"})
        answer = await peer.next()
        assert (answer["id"], answer["error"]["code"]) == ("p", -32800)


async def test_more_requests_than_there_is_room_for_wait_unread() -> None:
    gate = asyncio.Event()
    running: list[str] = []
    full = asyncio.Event()

    async def prompt(request: PromptRequest) -> HostAnswer:
        running.append(request.prompt)
        if len(running) == MAX_HOST_REQUESTS:
            full.set()
        await gate.wait()
        return HostAnswer(text=request.prompt)

    answers = Answers()
    answers.prompt(prompt)
    async with connected(answers=answers) as (_, peer):
        for number in range(MAX_HOST_REQUESTS + 20):
            peer.say(id=number, method="host/prompt", params=_PROMPT)
        await full.wait()
        for _ in range(20):
            await asyncio.sleep(0)  # turns in which a client that reads on would start more
        assert len(running) == MAX_HOST_REQUESTS
        gate.set()
        assert {(await peer.next())["id"] for _ in range(MAX_HOST_REQUESTS + 20)} == set(range(MAX_HOST_REQUESTS + 20))


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        (b"", "its stdout ended"),
        (b"Content-Length: 50\r\n\r\n{", "ended after 1 of 50 bytes"),
        (b"hello\n", "no header: 'hello'"),
        (frame(b"{"), "no JSON-RPC"),
        (frame(b'{"id": 1}'), "no JSON-RPC"),
        (frame(b'{"jsonrpc": "2.0", "id": 1.5, "result": 1}'), "no JSON-RPC"),
        (frame(b"[]"), "no JSON-RPC"),
    ],
)
async def test_when_the_engine_is_lost_every_call_says_so(last: bytes, reason: str) -> None:
    async with connected() as (client, peer):
        pending = [asyncio.create_task(client.emit("a.b", {})) for _ in range(3)]
        for _ in pending:
            await peer.next()
        peer.inlet.feed_data(last)
        peer.inlet.feed_eof()
        results = await asyncio.gather(*pending, return_exceptions=True)
        assert [type(result) for result in results] == [EngineDied] * 3
        assert reason in str(results[0])
        with pytest.raises(EngineDied):
            await client.stats()
        with pytest.raises(EngineDied):
            await client.notify("a.b", {})


async def test_an_error_without_an_id_fails_what_is_pending_rather_than_let_it_hang() -> None:
    async with connected() as (client, peer):
        pending = asyncio.create_task(client.emit("a.b", {}))
        await peer.next()
        peer.say(id=None, error={"code": -32700, "message": "no JSON"})
        with pytest.raises(ResponseFailed, match="no JSON"):
            await pending
        later: asyncio.Task[Any] = asyncio.create_task(client.request("later"))
        await peer.answer(1)
        assert await later == 1
