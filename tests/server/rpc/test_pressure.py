"""A host that sends faster than hooks run, or does not read, makes the engine wait and lose nothing."""

from __future__ import annotations

import asyncio

from server.rpc.harness import Host, frame
from tenterhook.rpc.dispatch import TASK_BYTES
from tenterhook.rpc.outgoing import HIGH_WATER
from tenterhook.rpc.pressure import Gate


def emit(ident: int, point: str) -> bytes:
    return frame({"jsonrpc": "2.0", "id": ident, "method": "hooks/emit", "params": {"point": point, "payload": {}}})


async def test_at_the_bound_reading_and_handling_stop_and_go_on_when_the_work_is_done() -> None:
    host = Host()
    await host.initialize(maxQueuedBytes=2 * (100 + TASK_BYTES))
    events = [emit(ident, f"later-{ident}") for ident in range(5)]
    assert 80 < len(events[0]) < 150
    host.connection.receive(b"".join(events) + emit(5, "now"))

    assert [params.point for params in host.service.seen] == ["later-0", "later-1", "later-2"]
    assert host.reader.paused
    await asyncio.sleep(0)
    for ident in range(5):
        host.service.go.setdefault(f"later-{ident}", asyncio.Event()).set()
    assert {(await host.receive())["id"] for _ in range(6)} == set(range(6))
    assert len(host.service.seen) == 6
    assert not host.reader.paused


async def test_events_that_run_nothing_never_count() -> None:
    host = Host()
    await host.initialize(maxQueuedBytes=1)
    host.connection.receive(b"".join(emit(ident, "now") for ident in range(100)))

    assert [(await host.receive())["id"] for _ in range(100)] == list(range(100))
    assert not host.reader.paused


async def test_notifications_count_as_well() -> None:
    host = Host()
    await host.initialize(maxQueuedBytes=10)
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
    await host.initialize(maxQueuedBytes=1)
    host.connection.receive(emit(1, "later"))
    assert host.reader.paused
    host.connection.host_died("the host died")

    assert host.ended == [(1, "the host died")]
    await host.connection.close()
    assert await host.receive_code() == (1, -32800)


def test_the_gate_opens_only_when_neither_reason_holds() -> None:
    opened: list[int] = []
    gate = Gate(lambda: opened.append(1), 10)
    gate.work_began(10)
    gate.output_full()
    gate.work_ended(10)
    assert (gate.shut, opened) == (True, [])
    gate.output_drained()
    assert (gate.shut, opened) == (False, [1])
    gate.work_began(10)
    gate.close()
    gate.work_ended(10)
    assert (gate.shut, opened) == (True, [1])
