"""A host that sends faster than hooks run, or does not read, makes the engine wait and lose nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from server.rpc.harness import Host, frame
from tenterhook.rpc.dispatch import TASK_BYTES
from tenterhook.rpc.held import CALL_BYTES
from tenterhook.rpc.outgoing import HIGH_WATER
from tenterhook.rpc.pressure import Gate
from tenterhook_protocol.host import PromptRequest

FOUR = 4096
ONE = 1024
"""The smallest bound: one event that has something to run is enough to shut the gate."""


def emit(ident: int, point: str, size: int = 0) -> bytes:
    params = {"point": point, "payload": {"pad": "x" * size} if size else {}}
    return frame({"jsonrpc": "2.0", "id": ident, "method": "hooks/emit", "params": params})


def points(host: Host) -> list[str]:
    """The points of the events that were handled."""
    return [params.point for params in host.service.seen]


def let_go(host: Host, *names: str) -> None:
    for name in names:
        host.service.go.setdefault(name, asyncio.Event()).set()


async def test_at_the_bound_handling_stops_and_goes_on_when_the_work_is_done() -> None:
    host = Host()
    await host.initialize(maxQueuedBytes=2 * (100 + TASK_BYTES))
    events = [emit(ident, f"later-{ident}") for ident in range(5)]
    assert 80 < len(events[0]) < 150
    host.connection.receive(b"".join(events) + emit(5, "now"))

    assert points(host) == ["later-0", "later-1", "later-2"]
    await asyncio.sleep(0)
    let_go(host, *(f"later-{ident}" for ident in range(5)))
    assert {(await host.receive())["id"] for _ in range(6)} == set(range(6))
    assert points(host) == ["later-0", "later-1", "later-2", "later-3", "later-4", "now"]
    assert not host.reader.paused


async def test_reading_goes_on_until_as_many_bytes_wait() -> None:
    host = Host()
    limit = 2 * TASK_BYTES
    await host.initialize(maxQueuedBytes=limit)
    host.connection.receive(emit(0, "later") + emit(1, "later"))
    sent = 2
    while not host.reader.paused:
        host.connection.receive(emit(sent, "now"))
        sent += 1
    assert limit <= (sent - 2) * (len(emit(2, "now")) + CALL_BYTES) < 2 * limit
    host.connection.receive(emit(sent, "now"))  # what was under way when reading stopped
    assert points(host) == ["later", "later"]

    await asyncio.sleep(0)
    let_go(host, "later")
    assert {(await host.receive())["id"] for _ in range(sent + 1)} == set(range(sent + 1))
    assert not host.reader.paused


async def test_more_calls_than_one_turn_takes_keep_their_order() -> None:
    host = Host()
    await host.initialize(maxQueuedBytes=3_000_000)
    host.connection.receive(emit(0, "later", size=3_000_000))
    assert not host.reader.paused
    for ident in range(1, 2001):
        host.connection.receive(emit(ident, "now"))
    await asyncio.sleep(0)
    let_go(host, "later")
    assert (await host.receive())["id"] == 0
    host.connection.receive(emit(2001, "now"))

    assert [(await host.receive())["id"] for _ in range(2001)] == list(range(1, 2002))


def by_id(answers: Sequence[Any]) -> dict[object, int | None]:
    """Error code, or None, of each answer, those in batches included."""
    flat: list[Any] = []
    for answer in answers:
        flat += answer if isinstance(answer, list) else [answer]
    return {answer["id"]: answer.get("error", {}).get("code") for answer in flat}


async def full(*messages: bytes) -> Host:
    """A host whose event 0 runs and fills the queue, with these messages behind it."""
    host = Host()
    await host.initialize(maxQueuedBytes=FOUR)
    host.connection.receive(emit(0, "later", size=FOUR))
    await asyncio.sleep(0)
    host.connection.receive(b"".join(messages))
    return host


CANCEL_1 = frame({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}})


async def test_the_hosts_answers_are_read_while_events_wait() -> None:
    host = await full(emit(1, "now"))
    question = PromptRequest(run_id="r", prompt="?", timeout_ms=1000)
    asking = asyncio.ensure_future(host.connection.ask("host/prompt", question, 5))
    host.send({"jsonrpc": "2.0", "id": (await host.receive())["id"], "result": {"text": "yes"}})

    assert bytes(await asking) == b'{"text": "yes"}'
    assert points(host) == ["later"]


async def test_what_runs_can_be_cancelled_while_events_wait() -> None:
    host = await full(emit(1, "now"), frame({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 0}}))

    assert await host.receive_code() == (0, -32800)
    assert (await host.receive())["id"] == 1


async def test_what_waits_can_be_cancelled_and_never_runs() -> None:
    host = await full(emit(1, "now"), emit(1, "again"), CANCEL_1, emit(2, "now"))
    assert await host.receive_code() == (1, -32800)
    let_go(host, "later")

    assert [(await host.receive())["id"] for _ in range(3)] == [0, 1, 2]
    assert points(host) == ["later", "again", "now"]


async def test_cancelled_calls_give_back_only_what_they_really_free() -> None:
    host = await full()
    pairs = 0
    while not host.reader.paused:
        host.connection.receive(emit(1, "now") + CANCEL_1)
        pairs += 1
    assert FOUR // (CALL_BYTES + 150) < pairs <= FOUR // CALL_BYTES
    for _ in range(pairs - 1):
        assert await host.receive_code() == (1, -32800)

    let_go(host, "later")  # the last event was one too many, and its cancel was not read before it ran
    assert [(await host.receive())["id"] for _ in range(2)] == [0, 1]
    await host.nothing_more()
    assert points(host) == ["later", "now"]
    assert not host.reader.paused


async def test_shutdown_answers_what_waits_as_cancelled() -> None:
    host = await full(
        emit(1, "now"),
        frame({"jsonrpc": "2.0", "method": "hooks/emit", "params": {"point": "now", "payload": {}}}),
        frame({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}),
        emit(3, "now"),
    )
    answers = [await host.receive() for _ in range(4)]

    assert by_id(answers) == {0: -32800, 1: -32800, 2: None, 3: -32600}
    assert points(host) == ["later"]


async def test_exit_is_heard_and_what_waits_is_answered() -> None:
    host = await full(emit(1, "now"), frame({"jsonrpc": "2.0", "method": "exit"}), emit(2, "now"))
    assert [status for status, _ in host.ended] == [1]
    await host.connection.close()

    assert sorted([await host.receive_code(), await host.receive_code()]) == [(0, -32800), (1, -32800)]
    assert points(host) == ["later"]


async def test_faults_are_answered_while_events_wait() -> None:
    host = await full(emit(1, "now"), frame(b"{"))

    assert await host.receive_code() == (None, -32700)


BATCH = frame([json.loads(emit(ident, f"later-{ident}").partition(b"\r\n\r\n")[2]) for ident in (1, 2, 3)])


async def test_the_events_of_a_batch_count_like_others_and_keep_their_order() -> None:
    host = Host()
    await host.initialize(maxQueuedBytes=ONE)
    host.connection.receive(BATCH + emit(4, "now"))
    assert points(host) == ["later-1"]
    await asyncio.sleep(0)
    let_go(host, "later-1", "later-2", "later-3")
    answers = [await host.receive(), await host.receive()]

    assert by_id(answers).keys() == {1, 2, 3, 4}
    assert points(host) == ["later-1", "later-2", "later-3", "now"]


async def test_a_batch_of_which_some_waits_can_be_cancelled_in_part() -> None:
    host = await full(BATCH, CANCEL_1)
    let_go(host, "later", "later-2", "later-3")
    assert (await host.receive())["id"] == 0

    assert by_id([await host.receive()]) == {1: -32800, 2: None, 3: None}
    assert points(host) == ["later", "later-2", "later-3"]


async def test_a_batch_that_waits_at_shutdown_is_answered_whole() -> None:
    host = await full(BATCH, frame({"jsonrpc": "2.0", "id": 9, "method": "shutdown"}))
    answers = [await host.receive() for _ in range(3)]

    assert by_id(answers) == {0: -32800, 1: -32800, 2: -32800, 3: -32800, 9: None}


async def test_a_host_that_does_not_read_is_not_read_from_though_events_wait() -> None:
    host = await full(emit(1, "now"))
    host.writer.stuck = True
    asking = asyncio.ensure_future(
        host.connection.ask("host/prompt", PromptRequest(run_id="r", prompt="x" * HIGH_WATER, timeout_ms=1), 5)
    )
    question = (await host.receive())["id"]
    host.connection.receive(frame({"jsonrpc": "2.0", "id": question, "result": None}))
    assert host.reader.paused
    assert not asking.done()

    host.writer.stuck = False
    host.writer.backlog = 0
    host.connection.output_drained()
    assert bytes(await asking) == b"null"
    assert not host.reader.paused
    assert points(host) == ["later"]


async def test_events_that_run_nothing_never_count() -> None:
    host = Host()
    await host.initialize(maxQueuedBytes=ONE)
    host.connection.receive(b"".join(emit(ident, "now") for ident in range(100)))

    assert [(await host.receive())["id"] for _ in range(100)] == list(range(100))
    assert not host.reader.paused


async def test_notifications_count_as_well() -> None:
    host = Host()
    await host.initialize(maxQueuedBytes=ONE)
    for point in ("later-0", "later-1"):
        host.notify("hooks/emit", {"point": point, "payload": {}})
    assert [params.point for params in host.service.seen] == ["later-0"]

    await asyncio.sleep(0)
    host.service.go["later-0"].set()
    host.service.go["later-1"] = asyncio.Event()
    host.service.go["later-1"].set()
    await host.nothing_more()
    assert [params.point for params in host.service.seen] == ["later-0", "later-1"]


async def test_a_cancelled_event_counts_until_its_work_has_really_ended() -> None:
    host = Host()
    await host.initialize(maxQueuedBytes=250 + 2 * TASK_BYTES)
    host.connection.receive(emit(1, "later-lingering") + emit(2, "later-2"))
    await asyncio.sleep(0)
    host.notify("$/cancelRequest", {"id": 1})
    assert await host.receive_code() == (1, -32800)
    host.connection.receive(emit(3, "later-3") + emit(4, "now"))
    assert [params.point for params in host.service.seen] == ["later-lingering", "later-2", "later-3"]

    host.service.lingering.set()
    assert (await host.receive())["id"] == 4


async def test_a_host_that_does_not_read_is_not_read_from() -> None:
    host = Host()
    await host.initialize()
    host.writer.stuck = True
    answers = 30_000
    host.connection.receive(b"".join(emit(ident, "now") for ident in range(answers)))

    seen = len(host.service.seen)
    assert 0 < seen < answers
    assert host.writer.backlog < 2 * HIGH_WATER
    assert host.reader.paused
    host.writer.stuck = False
    host.writer.backlog = 0
    host.connection.output_drained()
    assert [(await host.receive())["id"] for _ in range(answers)] == list(range(answers))
    assert not host.reader.paused


async def test_the_end_is_noticed_while_nothing_is_read() -> None:
    host = Host()
    await host.initialize(maxQueuedBytes=ONE)
    host.connection.receive(emit(1, "later") + emit(2, "now", size=ONE))
    assert host.reader.paused
    host.connection.host_died("the host died")

    assert host.ended == [(1, "the host died")]
    await host.connection.close()
    assert sorted([await host.receive_code(), await host.receive_code()]) == [(1, -32800), (2, -32800)]


def test_the_gate_opens_only_when_neither_reason_holds_and_eases_when_output_flows() -> None:
    opened: list[int] = []
    gate = Gate(lambda: opened.append(1), 10)
    gate.work_began(10)
    gate.output_full()
    gate.work_ended(10)
    assert (gate.shut, gate.stuck, opened) == (True, True, [])
    gate.output_drained()
    assert (gate.shut, gate.stuck, opened) == (False, False, [1])
    gate.work_began(10)
    assert (gate.shut, gate.stuck) == (True, False)
    gate.output_full()
    gate.output_drained()
    assert (gate.shut, gate.stuck, opened) == (True, False, [1, 1])
    gate.close()
    gate.work_ended(10)
    assert (gate.shut, gate.stuck, opened) == (True, True, [1, 1])
