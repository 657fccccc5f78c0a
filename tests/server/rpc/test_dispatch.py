"""Every request gets exactly one answer, whatever its handler does and whoever cancels it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from server.rpc.harness import Host
from tenterhook.rpc.conversation import OWN_NOTIFICATIONS, OWN_REQUESTS
from tenterhook.rpc.handlers import HANDLERS
from tenterhook_protocol.methods import METHODS


def test_every_method_to_the_engine_is_served_as_it_is_declared() -> None:
    declared = {name: method for name, method in METHODS.items() if method.direction == "toEngine"}

    assert set(HANDLERS) | OWN_REQUESTS | OWN_NOTIFICATIONS == set(declared)
    for name, handler in HANDLERS.items():
        assert (handler.request is not None) == (declared[name].kind in ("request", "either")), name
        assert (handler.notification is not None) == (declared[name].kind in ("notification", "either")), name
    assert all(declared[name].kind == "request" for name in OWN_REQUESTS)
    assert all(declared[name].kind == "notification" for name in OWN_NOTIFICATIONS)


FAILURES: dict[str, tuple[Any, int, str]] = {
    "no params": (None, -32602, "point"),
    "an array": ([], -32602, "params"),
    "a scalar": (7, -32602, "params"),
    "a missing key": ({"point": "now"}, -32602, "payload"),
    "a wrong type": ({"point": 1, "payload": {}}, -32602, "params.point"),
    "an unknown point": ({"point": "unknown", "payload": {}}, -32602, "unknown point"),
    "what cannot be done now": ({"point": "failed", "payload": {}}, -32803, "it cannot be done now"),
    "a fault of the engine": ({"point": "broken", "payload": {}}, -32603, "KeyError"),
    "work that fails": ({"point": "later-failed", "payload": {}}, -32803, "it could not be done"),
    "work that breaks": ({"point": "later-broken", "payload": {}}, -32603, "KeyError"),
}


@pytest.mark.parametrize(("params", "code", "words"), FAILURES.values(), ids=FAILURES)
async def test_a_failure_is_an_answer_with_a_code_and_no_trace(
    params: Any, code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    host = Host()
    await host.initialize()
    host.request(1, "hooks/emit", params)
    answer = await host.receive()

    assert (answer["id"], answer["error"]["code"]) == (1, code)
    assert words in answer["error"]["message"]
    assert "secret" not in str(answer)
    assert ("Traceback" in capsys.readouterr().err) == (code == -32603)
    await host.nothing_more()


@pytest.mark.parametrize(("params", "code", "words"), FAILURES.values(), ids=FAILURES)
async def test_a_notification_that_fails_is_logged_and_never_answered(params: Any, code: int, words: str) -> None:
    host = Host()
    await host.initialize()
    host.notify("hooks/emit", params)
    logged = await host.receive()

    assert logged["method"] == "window/logMessage"
    assert logged["params"]["type"] == (1 if code == -32603 else 2)
    assert words in logged["params"]["message"]
    await host.nothing_more()


async def test_an_unknown_name_comes_with_the_nearest_known_one() -> None:
    host = Host()
    await host.initialize()
    host.emit(1, "unknown")

    assert (await host.receive())["error"]["data"] == {"suggestion": "now"}


async def test_no_opinion_is_null() -> None:
    host = Host()
    await host.initialize()
    host.request(1, "hooks/emitDecision", {"point": "quiet", "payload": {}})
    host.request(2, "hooks/emitDecision", {"point": "now", "payload": {}})

    assert await host.receive() == {"jsonrpc": "2.0", "id": 1, "result": None}
    assert await host.receive() == {"jsonrpc": "2.0", "id": 2, "result": {"decision": "deny", "reason": "now"}}


async def test_params_of_null_are_as_absent() -> None:
    host = Host()
    await host.initialize()
    host.send({"jsonrpc": "2.0", "id": 1, "method": "hooks/stats", "params": None})
    host.send({"jsonrpc": "2.0", "id": 2, "method": "hooks/stats"})

    assert [(await host.receive())["result"]["events"] for _ in range(2)] == [0, 0]


async def test_later_work_is_answered_when_it_is_done_and_waits_for_nobody() -> None:
    host = Host()
    await host.initialize()
    host.emit(1, "later-a")
    host.emit(2, "later-b")
    host.emit(3, "now")
    assert (await host.receive())["id"] == 3
    host.service.go["later-b"].set()
    assert (await host.receive())["id"] == 2
    host.service.go["later-a"].set()
    assert (await host.receive())["id"] == 1


async def test_an_id_in_flight_is_refused_and_the_first_request_goes_on() -> None:
    host = Host()
    await host.initialize()
    host.emit(1, "later")
    host.emit("1", "now")
    host.emit(1, "now")
    assert "result" in await host.receive()
    assert await host.receive_code() == (1, -32600)
    host.service.go["later"].set()
    assert (await host.receive())["result"] == {"runs": [], "notices": []}
    host.emit(1, "now")
    assert (await host.receive())["id"] == 1


async def test_a_cancel_is_answered_at_once_and_only_then_stops_the_work() -> None:
    host = Host()
    await host.initialize()
    host.emit(1, "later")
    host.emit("1", "later-too")
    await asyncio.sleep(0)
    host.notify("$/cancelRequest", {"id": 1})
    assert host.service.stopped == []

    assert await host.receive_code() == (1, -32800)
    assert host.service.stopped == ["later"]
    host.service.go["later-too"].set()
    assert (await host.receive())["id"] == "1"
    await host.nothing_more()


async def test_a_cancel_that_comes_before_the_first_step_of_the_work_is_answered_too() -> None:
    host = Host()
    await host.initialize()
    host.send(
        {"jsonrpc": "2.0", "id": 1, "method": "hooks/emit", "params": {"point": "later", "payload": {}}},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}},
        {"jsonrpc": "2.0", "id": 1, "method": "hooks/emit", "params": {"point": "later-too", "payload": {}}},
    )

    assert await host.receive_code() == (1, -32800)
    host.service.go.setdefault("later-too", asyncio.Event()).set()
    assert (await host.receive())["result"] == {"runs": [], "notices": []}
    await host.nothing_more()


@pytest.mark.parametrize("params", [{"id": 9}, {"id": "1"}, {"id": None}, {"id": 1.5}, {}, None, [1]])
async def test_a_cancel_that_means_nothing_is_ignored(params: object) -> None:
    host = Host()
    await host.initialize()
    host.emit(1, "later")
    host.notify("$/cancelRequest", params)

    await host.nothing_more()


async def test_a_request_that_is_done_cannot_be_cancelled() -> None:
    host = Host()
    await host.initialize()
    host.emit(1, "now")
    host.notify("$/cancelRequest", {"id": 1})

    assert "result" in await host.receive()
    await host.nothing_more()
