"""Which message may come when, and what it is answered."""

from __future__ import annotations

import os
from typing import Any

import msgspec
import pytest
from server.rpc.harness import INITIALIZE, Host
from tenterhook_protocol.lifecycle import InitializationOptions

EMIT: dict[str, Any] = {"point": "now", "payload": {}}


async def test_requests_before_initialize_are_refused_and_notifications_dropped() -> None:
    host = Host()
    host.notify("hooks/emit", EMIT)
    host.notify("$/cancelRequest", {"id": 1})
    for ident, method in enumerate(["hooks/emit", "shutdown", "exit", "textDocument/hover", "nothing/known"]):
        host.request(ident, method)

    assert [await host.receive_code() for _ in range(5)] == [(ident, -32002) for ident in range(5)]
    assert host.ended == []


async def test_initialize_is_answered_with_what_the_engine_can_do() -> None:
    answer = await Host().initialize()

    assert answer["result"] == {
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": {"openClose": True, "change": 2, "save": True},
            "experimental": {"tenterhook": {"version": "0.1", "systems": ["coding-code"], "points": ["now", "later"]}},
        },
        "serverInfo": {"name": "tenterhook", "version": "0.1.0"},
    }


async def test_nothing_is_sent_before_the_answer_to_initialize() -> None:
    host = Host()
    answer = await host.initialize(projectPaths=["/a"])

    assert answer["id"] == "init"
    assert await host.receive() == {
        "jsonrpc": "2.0",
        "method": "window/logMessage",
        "params": {"type": 3, "message": "loaded /a"},
    }


@pytest.mark.parametrize(
    ("params", "loaded"),
    [
        ({}, []),
        ({"workspaceFolders": None, "rootUri": "file:///root"}, ["/root"]),
        ({"workspaceFolders": [], "rootUri": "file:///root"}, []),
        ({"workspaceFolders": [{"uri": "file:///a%20b", "name": "a"}], "rootUri": "file:///root"}, ["/a b"]),
        ({"workspaceFolders": [{"uri": "untitled:x", "name": "x"}]}, []),
        ({"rootUri": "file:///c", "initializationOptions": {"projectPaths": ["/b", "/c"]}}, ["/b", "/c"]),
        ({"initializationOptions": None, "trace": "off", "locale": "en"}, []),
        ({"rootUri": "FILE:/a"}, ["/a"]),
        ({"rootUri": "file://localhost/a"}, ["/a"]),
        ({"rootUri": "file://elsewhere/a"}, []),
        ({"rootUri": "file:///a%00b"}, []),
        ({"rootUri": "file:///raw%FFbyte"}, [os.fsdecode(b"/raw\xffbyte")]),
    ],
)
async def test_projects_come_from_options_and_folders(params: dict[str, Any], loaded: list[str]) -> None:
    host = Host()
    host.request(1, "initialize", {**INITIALIZE, **params})
    assert (await host.receive())["id"] == 1

    assert host.service.loaded == loaded


async def test_a_bad_initialize_may_be_tried_again() -> None:
    host = Host()
    host.request(1, "initialize", {**INITIALIZE, "initializationOptions": {"watch": "yes"}})
    host.request(2, "initialize", [])
    host.request(3, "hooks/emit", EMIT)
    refused = await host.receive()

    assert refused["error"]["code"] == -32602
    assert "params.initializationOptions.watch" in refused["error"]["message"]
    assert await host.receive_code() == (2, -32602)
    assert await host.receive_code() == (3, -32002)
    assert "result" in await host.initialize()


LIMITS: dict[str, tuple[int | None, int | None]] = {
    "maxHooksPerSession": (1, 1024),
    "maxMessageBytes": (1024, None),
    "maxQueuedBytes": (1024, None),
    "maxOutputBytes": (1, None),
    "killGraceMs": (0, 60_000),
    "maxStopContinuations": (0, None),
}


def test_every_number_among_the_options_has_a_lower_bound() -> None:
    options = msgspec.json.schema(InitializationOptions)["$defs"]["InitializationOptions"]["properties"]
    numbers = {name: option for name, option in options.items() if option.get("type") == "integer"}
    bounds = {name: (option.get("minimum"), option.get("maximum")) for name, option in numbers.items()}
    assert bounds == LIMITS


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *((option, least - 1) for option, (least, _) in LIMITS.items() if least is not None),
        *((option, most + 1) for option, (_, most) in LIMITS.items() if most is not None),
    ],
)
async def test_a_limit_out_of_bounds_is_refused(option: str, value: int) -> None:
    host = Host()
    refused = await host.initialize(**{option: value})
    assert refused["error"]["code"] == -32602
    assert f"params.initializationOptions.{option}" in refused["error"]["message"]
    assert "result" in await host.initialize()


@pytest.mark.parametrize("side", [0, 1])
async def test_limits_at_their_bounds_are_taken(side: int) -> None:
    bounds = {option: bound[side] for option, bound in LIMITS.items() if bound[side] is not None}
    assert "result" in await Host().initialize(**bounds)


async def test_a_failed_initialize_tells_nothing_later() -> None:
    host = Host()
    assert "error" in await host.initialize(projectPaths=["/a", "/refused"])
    assert "result" in await host.initialize(projectPaths=["/b"])
    assert (await host.receive())["params"]["message"] == "loaded /b"
    await host.nothing_more()


async def test_responses_before_initialize_are_dropped_without_a_word() -> None:
    host = Host()
    host.send({"jsonrpc": "2.0", "id": 1, "result": None})
    await host.initialize()
    await host.nothing_more()


async def test_a_second_initialize_is_refused_and_changes_nothing() -> None:
    host = Host()
    await host.initialize()
    first = host.service
    host.request(2, "initialize", INITIALIZE)

    assert await host.receive_code() == (2, -32600)
    assert host.service is first


async def test_hooks_are_served_without_initialized() -> None:
    host = Host()
    await host.initialize()
    host.emit(1, "now")

    assert await host.receive() == {"jsonrpc": "2.0", "id": 1, "result": {"runs": [], "notices": []}}


async def test_the_hosts_process_is_watched_once_initialize_is_good() -> None:
    host = Host()
    host.request(1, "initialize", {"processId": 4711, "capabilities": {}, "initializationOptions": 5})
    assert (await host.receive_code())[1] == -32602
    assert host.watched == []

    host.request(2, "initialize", {"processId": 4711, "capabilities": {}})
    assert "result" in await host.receive()
    assert host.watched == [4711]


async def test_shutdown_stops_everything_and_then_only_exit_is_heard() -> None:
    host = Host()
    await host.initialize()
    host.emit(1, "later")
    host.request(2, "shutdown")
    host.emit(3, "now")
    host.notify("hooks/emit", EMIT)

    answers = {message["id"]: message for message in [await host.receive() for _ in range(3)]}
    assert answers[1]["error"]["code"] == -32800
    assert answers[2] == {"jsonrpc": "2.0", "id": 2, "result": None}
    assert answers[3]["error"]["code"] == -32600
    assert [params.point for params in host.service.seen] == ["later"]
    assert host.service.closed == 1

    host.notify("exit")
    assert [status for status, _ in host.ended] == [0]


async def test_shutdown_is_answered_after_the_requests_in_flight() -> None:
    host = Host()
    await host.initialize()
    host.emit(1, "later")
    host.request(2, "shutdown")

    assert [(await host.receive())["id"], (await host.receive())["id"]] == [1, 2]


@pytest.mark.parametrize("initialized", [True, False])
async def test_exit_without_shutdown_is_status_1(initialized: bool) -> None:  # noqa: FBT001 - a table's column
    host = Host()
    if initialized:
        await host.initialize()
    host.notify("exit")

    assert [status for status, _ in host.ended] == [1]


async def test_nothing_is_handled_after_exit() -> None:
    host = Host()
    await host.initialize()
    host.send(
        {"jsonrpc": "2.0", "method": "exit"},
        {"jsonrpc": "2.0", "id": 1, "method": "hooks/emit", "params": EMIT},
        {"jsonrpc": "2.0", "method": "exit"},
    )

    assert len(host.ended) == 1
    assert host.service.seen == []
    assert host.reader.paused


async def test_the_end_of_input_has_the_status_of_exit() -> None:
    host = Host()
    host.connection.input_ended()
    assert [status for status, _ in host.ended] == [1]

    host = Host()
    await host.initialize()
    host.request(1, "shutdown")
    await host.receive()
    host.connection.input_ended()
    host.connection.output_broken()
    assert [status for status, _ in host.ended] == [0]


async def test_closing_answers_what_is_in_flight_and_stops_it() -> None:
    host = Host()
    await host.initialize()
    host.emit(1, "later")
    host.notify("hooks/emit", {"point": "later-too", "payload": {}})
    host.emit(2, "now")
    assert (await host.receive())["id"] == 2
    host.connection.input_ended()
    await host.connection.close()

    assert await host.receive_code() == (1, -32800)
    assert host.service.closed == 1


UNSUITED = {
    "an unknown method": ("hooks/none", -32601),
    "an optional method": ("$/unknown", -32601),
    "a method of the other direction": ("hooks/started", -32601),
    "an editor's method without an editor half": ("textDocument/hover", -32601),
    "initialized": ("initialized", -32600),
    "a cancel": ("$/cancelRequest", -32600),
    "exit": ("exit", -32600),
}


@pytest.mark.parametrize(("method", "code"), UNSUITED.values(), ids=UNSUITED)
async def test_a_request_that_nothing_serves_is_answered_all_the_same(method: str, code: int) -> None:
    host = Host()
    await host.initialize()
    host.request(1, method, {})

    assert await host.receive_code() == (1, code)
    assert host.ended == []


@pytest.mark.parametrize("method", ["$/progress", "$/unknown", "initialized", "$/cancelRequest"])
async def test_some_notifications_change_nothing(method: str) -> None:
    host = Host()
    await host.initialize()
    host.notify(method, {"token": 1, "value": 2})

    await host.nothing_more()


@pytest.mark.parametrize("method", ["hooks/emitDecision", "hooks/list", "shutdown", "initialize", "hooks/none"])
async def test_a_notification_of_a_request_is_logged_and_does_nothing(method: str) -> None:
    host = Host()
    await host.initialize()
    host.notify(method, EMIT)
    logged = await host.receive()

    assert logged["method"] == "window/logMessage"
    assert method in logged["params"]["message"]
    await host.nothing_more()
    assert host.service.seen == []


async def test_a_trace_tells_what_was_handled_until_it_is_switched_off() -> None:
    host = Host()
    host.request(0, "initialize", {**INITIALIZE, "trace": "messages"})
    await host.receive()
    host.emit(7, "now")
    assert (await host.receive())["id"] == 7
    traced = await host.receive()
    assert traced["method"] == "$/logTrace"
    assert traced["params"]["message"].startswith("hooks/emit (7) answered in ")
    assert "verbose" not in traced["params"]

    host.notify("$/setTrace", {"value": "verbose"})
    host.emit(8, "now")
    assert (await host.receive())["id"] == 8
    assert '"runs":[]' in (await host.receive())["params"]["verbose"]

    host.notify("$/setTrace", {"value": "off"})
    host.emit(9, "now")
    assert (await host.receive())["id"] == 9
    await host.nothing_more()


async def test_a_trace_value_nobody_knows_is_logged() -> None:
    host = Host()
    await host.initialize()
    host.notify("$/setTrace", {"value": "loud"})

    assert (await host.receive())["params"]["type"] == 2
