"""Malformed input is answered and the connection goes on; batches; replies; the editor half."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from server.rpc.harness import Host, frame
from tenterhook.errors import RequestFailed
from tenterhook_protocol.host import PromptRequest

BATCH_EMIT: dict[str, Any] = {"jsonrpc": "2.0", "method": "hooks/emit", "params": {"point": "now", "payload": {}}}


def emit(ident: object, point: str = "now") -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": ident, "method": "hooks/emit", "params": {"point": point, "payload": {}}}


@pytest.mark.parametrize(
    ("body", "code", "ident"),
    [
        (b"", -32700, None),
        (b"{", -32700, None),
        (b"\xff", -32700, None),
        (b"[]", -32600, None),
        (b'{"jsonrpc":"2.0","id":5}', -32600, 5),
    ],
)
async def test_a_faulty_body_is_answered_in_any_state_and_the_next_is_read(
    body: bytes, code: int, ident: object
) -> None:
    """akitaonrails/ai-memory#197: garbage is answered, never taken for nothing."""
    host = Host()
    host.send(body)
    assert await host.receive_code() == (ident, code)
    await host.initialize()
    host.send(body, emit(1))
    assert await host.receive_code() == (ident, code)
    assert (await host.receive())["id"] == 1


async def test_lost_framing_is_told_and_ends_the_connection() -> None:
    host = Host()
    await host.initialize()
    host.connection.receive(b"Content-Length: x\r\n\r\n" + frame(emit(1)))

    assert await host.receive_code() == (None, -32700)
    assert [status for status, _ in host.ended] == [1]
    assert host.service.seen == []


async def test_a_message_over_the_hosts_limit_is_skipped() -> None:
    host = Host()
    await host.initialize(maxMessageBytes=1024)
    host.send(emit("x" * 1024), emit(1))

    assert await host.receive_code() == (None, -32600)
    assert (await host.receive())["id"] == 1


async def test_a_batch_is_answered_with_one_array() -> None:
    host = Host()
    await host.initialize()
    host.send([emit(1), BATCH_EMIT, 7, emit("a", "later"), {"jsonrpc": "2.0", "id": 2, "method": "no/method"}])
    host.emit(3, "now")
    assert (await host.receive())["id"] == 3
    host.service.go["later"].set()
    answers = await host.receive()

    assert {answer["id"]: answer.get("error", {}).get("code") for answer in answers} == {
        1: None,
        "a": None,
        2: -32601,
        None: -32600,
    }
    assert len(answers) == 4
    assert [params.point for params in host.service.seen] == ["now", "now", "later", "now"]


async def test_a_batch_of_notifications_and_replies_is_not_answered() -> None:
    host = Host()
    await host.initialize()
    host.send([BATCH_EMIT, {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}}])

    await host.nothing_more()
    assert len(host.service.seen) == 1


async def test_a_request_in_a_batch_can_be_cancelled_from_within_it() -> None:
    host = Host()
    await host.initialize()
    host.send([emit(1, "later"), {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}}])

    assert [answer["error"]["code"] for answer in await host.receive()] == [-32800]


async def test_a_batch_before_initialize_is_refused_member_by_member() -> None:
    host = Host()
    host.send([emit(1), BATCH_EMIT, emit(2)])

    assert [(answer["id"], answer["error"]["code"]) for answer in await host.receive()] == [(1, -32002), (2, -32002)]


async def test_a_reply_nobody_asked_for_is_logged_and_touches_no_request() -> None:
    host = Host()
    await host.initialize()
    host.emit(1, "later")
    host.send({"jsonrpc": "2.0", "id": 1, "result": 7})
    assert "nobody asked for" in (await host.receive())["params"]["message"]

    host.service.go["later"].set()
    assert (await host.receive())["result"] == {"runs": [], "notices": []}


PROMPT = PromptRequest(run_id="r", prompt="?", timeout_ms=1000)


async def test_the_hosts_answer_finds_the_question() -> None:
    host = Host()
    await host.initialize()
    asking = asyncio.ensure_future(host.connection.ask("host/prompt", PROMPT, 5))
    question = await host.receive()
    assert question["method"] == "host/prompt"
    assert question["params"] == {"runId": "r", "prompt": "?", "timeoutMs": 1000}
    host.send({"jsonrpc": "2.0", "id": question["id"], "result": {"text": "yes"}})

    assert bytes(await asking) == b'{"text": "yes"}'


async def test_the_hosts_refusal_is_a_failure_of_the_question() -> None:
    host = Host()
    await host.initialize()
    asking = asyncio.ensure_future(host.connection.ask("host/prompt", PROMPT, 5))
    question = await host.receive()
    host.send({"jsonrpc": "2.0", "id": question["id"], "error": {"code": -32601, "message": "no"}})

    with pytest.raises(RequestFailed, match="-32601"):
        await asking


async def test_a_host_that_never_answers_is_a_failure_too() -> None:
    host = Host()
    await host.initialize()

    with pytest.raises(RequestFailed, match="did not answer host/prompt"):
        await host.connection.ask("host/prompt", PROMPT, 0)


async def test_editor_messages_go_to_the_editor_half_as_they_came() -> None:
    host = Host(with_editor=True)
    await host.initialize()
    assert host.editors == []
    opened: dict[str, Any] = {
        "jsonrpc": "2.0",
        "method": "textDocument/didOpen",
        "params": {"textDocument": {"uri": "file:///x"}},
    }
    host.send(opened)
    host.request(1, "textDocument/hover", {})
    assert await host.receive() == {"jsonrpc": "2.0", "id": 1, "result": 2}
    host.notify("workspace/didChangeConfiguration", {})
    host.notify("$/cancelRequest", {"id": 99})
    host.send({"jsonrpc": "2.0", "id": "its-own", "result": None})
    host.request(2, "textDocument/hover", {})
    assert (await host.receive())["result"] == 6

    (editor,) = host.editors
    assert editor.bodies[0] == opened
    assert editor.bodies[3]["params"] == {"id": 99}
    assert b'"initialize"' in editor.initialize_body


async def test_editor_requests_keep_to_the_conversations_states() -> None:
    host = Host(with_editor=True)
    host.request(1, "textDocument/hover", {})
    assert await host.receive_code() == (1, -32002)
    await host.initialize()
    host.send([{"jsonrpc": "2.0", "id": 2, "method": "textDocument/hover"}])
    assert [answer["error"]["code"] for answer in await host.receive()] == [-32600]
    host.request(3, "shutdown")
    assert (await host.receive())["id"] == 3
    host.request(4, "textDocument/hover", {})
    assert await host.receive_code() == (4, -32600)
    assert host.editors == []
