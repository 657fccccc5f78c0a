"""Each method of the client: what it writes, what it gives back, what it raises."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from clients.python.peer import ENGINE, Peer, connected
from msgspec import Raw
from tenterhook_client import AnswerNotUnderstood, BadPayload, Client, ClientClosed, ResponseFailed
from tenterhook_protocol import hooks
from tenterhook_protocol.lifecycle import InitializationOptions
from tenterhook_protocol.points import AgentTurnStart
from tenterhook_protocol.runs import HookDecision

_PAYLOAD = {"projectPath": "/p"}
_EMPTY_EXPLAIN: dict[str, Any] = {
    "point": "x",
    "system": "s",
    "method": "hooks/emit",
    "stages": [],
    "leftOut": [],
    "notices": [],
}


async def test_the_engine_is_initialized_with_the_options_of_the_host() -> None:
    peer = Peer()
    options = InitializationOptions(project_paths=["/p"], hook_events=True)
    attached = Client.attach(peer.inlet, peer, options=options, process_id=77, end_within=0)
    opening = asyncio.create_task(attached.__aenter__())
    message = await peer.answer(ENGINE)
    client = await opening
    assert message["params"]["processId"] == 77
    assert message["params"]["capabilities"] == {}
    assert message["params"]["initializationOptions"]["projectPaths"] == ["/p"]
    assert message["params"]["initializationOptions"]["hookEvents"] is True
    assert client.engine.server_info.name == "fake"
    await attached.__aexit__(None, None, None)


_CALLS: list[tuple[Callable[[Client], Awaitable[object]], str, object, object, object]] = [
    (
        lambda c: c.emit("a.b", _PAYLOAD, project_path="/q", traceparent="00-1"),
        "hooks/emit",
        {"point": "a.b", "payload": _PAYLOAD, "projectPath": "/q", "traceparent": "00-1"},
        {"runs": [], "notices": []},
        hooks.EmitResult(runs=[], notices=[]),
    ),
    (
        lambda c: c.emit_decision("a.b", _PAYLOAD),
        "hooks/emitDecision",
        {"point": "a.b", "payload": _PAYLOAD, "trace": False},
        None,
        None,
    ),
    (
        lambda c: c.emit_decision("a.b", _PAYLOAD, trace=True),
        "hooks/emitDecision",
        {"point": "a.b", "payload": _PAYLOAD, "trace": True},
        {"decision": "deny", "reason": "no", "runs": []},
        HookDecision(decision="deny", reason="no", runs=[]),
    ),
    (lambda c: c.reload(), "hooks/reload", {}, {"projects": []}, hooks.ReloadResult(projects=[])),
    (
        lambda c: c.reload("/p"),
        "hooks/reload",
        {"projectPath": "/p"},
        {"projects": []},
        hooks.ReloadResult(projects=[]),
    ),
    (
        lambda c: c.list_hooks("/p"),
        "hooks/list",
        {"projectPath": "/p"},
        {"projects": []},
        hooks.ListResult(projects=[]),
    ),
    (
        lambda c: c.explain("x"),
        "hooks/explain",
        {"point": "x"},
        _EMPTY_EXPLAIN,
        hooks.ExplainResult(point="x", system="s", method="hooks/emit", stages=[], left_out=[], notices=[]),
    ),
    (
        lambda c: c.stats(),
        "hooks/stats",
        {},
        {"points": [], "hooks": [], "events": 3},
        hooks.StatsResult(points=[], hooks=[], events=3),
    ),
    (lambda c: c.request("x/y", {"a": [1]}), "x/y", {"a": [1]}, {"b": 2}, {"b": 2}),
    (lambda c: c.request("x/y"), "x/y", None, None, None),
]


@pytest.mark.parametrize(("call", "method", "params", "result", "value"), _CALLS)
async def test_a_call_writes_its_params_and_returns_the_typed_result(
    call: Callable[[Client], Awaitable[object]], method: str, params: object, result: object, value: object
) -> None:
    async with connected() as (client, peer):
        calling = asyncio.ensure_future(call(client))
        message = await peer.answer(result)
        assert message["method"] == method
        assert message.get("params") == params
        assert await calling == value


async def test_a_hook_is_tested_with_a_payload_of_its_own() -> None:
    async with connected() as (client, peer):
        calling = asyncio.create_task(client.test("coding-code:x", {"a": 1}))
        message = await peer.answer({"nonsense": 1})
        assert message["params"] == {"hook": "coding-code:x", "payload": {"a": 1}}
        with pytest.raises(AnswerNotUnderstood, match="TestResult"):
            await calling


async def test_a_notification_carries_no_id() -> None:
    async with connected() as (client, peer):
        await client.notify("a.b", _PAYLOAD)
        assert await peer.next() == {
            "jsonrpc": "2.0",
            "method": "hooks/emit",
            "params": {"point": "a.b", "payload": _PAYLOAD},
        }


@pytest.mark.parametrize("written", [b'{"b": 1.0,  "a":1e2, "a-b":"\\u00e9"}', Raw(b'{ "x":[ ] }')])
async def test_written_json_is_sent_byte_for_byte(written: bytes | Raw) -> None:
    async with connected() as (client, peer):
        await client.notify("a.b", written)
        await peer.next()
        assert b'"payload":' + bytes(written) in peer.bodies[-1]


async def test_a_payload_type_keeps_the_key_names_of_its_system() -> None:
    async with connected() as (client, peer):
        await client.notify("agent.turn.start", AgentTurnStart(projectPath="/p", sessionId="s"))
        assert (await peer.next())["params"]["payload"] == {"projectPath": "/p", "sessionId": "s"}


@pytest.mark.parametrize(
    "payload",
    [b"[1]", b"null", b"{", b"", b'{"a": "\xff"}', b"{}{}", b'{"a":' * 3000, {"a": object()}, {"a": "\ud800"}],
)
async def test_a_payload_that_is_no_json_object_is_refused_before_it_is_sent(payload: Any) -> None:
    async with connected() as (client, peer):
        with pytest.raises(BadPayload):
            await client.emit("a.b", payload)
        await client.notify("still", {})
        assert (await peer.next())["params"]["point"] == "still"


async def test_a_message_the_engine_would_refuse_for_its_length_is_not_sent() -> None:
    async with connected(InitializationOptions(max_message_bytes=1000)) as (client, _):
        with pytest.raises(BadPayload, match="maxMessageBytes, 1000"):
            await client.emit("a.b", {"text": "x" * 1000})


async def test_an_error_answer_is_raised_with_code_and_data() -> None:
    async with connected() as (client, peer):
        calling = asyncio.create_task(client.emit("a.c", _PAYLOAD))
        message = await peer.next()
        peer.say(id=message["id"], error={"code": -32602, "message": "no such point", "data": {"nearest": "a.b"}})
        with pytest.raises(ResponseFailed) as failed:
            await calling
        assert (failed.value.code, failed.value.message) == (-32602, "no such point")
        assert failed.value.data == {"nearest": "a.b"}


async def test_answers_find_their_calls_in_any_order() -> None:
    async with connected() as (client, peer):
        calls = [asyncio.create_task(client.request("n", {"n": n})) for n in range(5)]
        messages = [await peer.next() for _ in calls]
        for message in reversed(messages):
            peer.say(id=str(message["id"]), result="an id of the wrong type is nobody's")
            peer.say(id=message["id"], result=message["params"]["n"])
        assert await asyncio.gather(*calls) == [0, 1, 2, 3, 4]


async def test_a_response_without_result_and_error_fails_its_call() -> None:
    async with connected() as (client, peer):
        calling = asyncio.create_task(client.stats())
        peer.say(id=(await peer.next())["id"])
        with pytest.raises(AnswerNotUnderstood):
            await calling


async def test_a_cancelled_call_tells_the_engine_and_drops_the_late_answer() -> None:
    async with connected() as (client, peer):
        calling = asyncio.create_task(client.emit("a.b", _PAYLOAD))
        number = (await peer.next())["id"]
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        assert await peer.next() == {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}}
        peer.say(id=number, result={"runs": [], "notices": []})
        later = asyncio.create_task(client.request("later"))
        await peer.answer("fine")
        assert await later == "fine"


async def test_a_call_can_be_cancelled_while_the_engine_takes_no_bytes() -> None:
    async with connected() as (client, peer):
        peer.room.clear()
        calling = asyncio.create_task(client.emit("a.b", _PAYLOAD))
        number = (await peer.next())["id"]
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        assert (await peer.next())["params"] == {"id": number}
        peer.room.set()


async def test_while_the_engine_takes_no_bytes_one_message_waits_and_the_others_are_not_written() -> None:
    async with connected() as (client, peer):
        peer.room.clear()
        first = asyncio.create_task(client.notify("first", {}))
        second = asyncio.create_task(client.emit("second", {}))
        third = asyncio.create_task(client.notify("third", {}))
        assert (await peer.next())["params"]["point"] == "first"
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        peer.room.set()
        await asyncio.gather(first, third)
        assert (await peer.next())["params"]["point"] == "third"


async def test_leaving_the_block_says_shutdown_then_exit_and_closes() -> None:
    peer = Peer()
    attached = Client.attach(peer.inlet, peer)
    opening = asyncio.create_task(attached.__aenter__())
    await peer.answer(ENGINE)
    client = await opening
    await peer.next()
    pending = asyncio.create_task(client.emit("a.b", _PAYLOAD))
    await peer.next()
    closing = asyncio.create_task(attached.__aexit__(None, None, None))
    assert (await peer.answer(None))["method"] == "shutdown"
    assert await peer.rest() == [{"jsonrpc": "2.0", "method": "exit"}]
    await closing
    with pytest.raises(ClientClosed):
        await pending
    with pytest.raises(ClientClosed):
        await client.stats()
    with pytest.raises(ClientClosed):
        await client.notify("a.b", {})
