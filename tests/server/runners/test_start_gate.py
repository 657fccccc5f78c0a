"""How many may start, and live, at once."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

import pytest
from tenterhook.model import StopReason
from tenterhook.runners.start_gate import Places, StartGate


def goes_at_once(step: Coroutine[object, object, object]) -> bool:
    """Whether it ends without giving the loop a turn."""
    try:
        step.send(None)
    except StopIteration:
        return True
    step.close()
    return False


async def test_places_are_free_at_once_up_to_the_limit() -> None:
    places = Places(3)
    assert [goes_at_once(places.acquire()) for _ in range(4)] == [True, True, True, False]


async def test_a_place_goes_to_the_first_in_line() -> None:
    places = Places(1)
    order: list[int] = []

    async def one(number: int) -> None:
        await places.acquire()
        order.append(number)
        places.release()

    await places.acquire()
    tasks = [asyncio.create_task(one(number)) for number in range(5)]
    await asyncio.sleep(0)
    assert order == []
    places.release()
    await asyncio.gather(*tasks)
    assert order == [0, 1, 2, 3, 4]
    assert goes_at_once(places.acquire())


async def test_a_newcomer_does_not_overtake_one_that_was_given_a_place() -> None:
    places = Places(1)
    await places.acquire()
    waiting = asyncio.create_task(places.acquire())
    await asyncio.sleep(0)
    places.release()
    assert not goes_at_once(places.acquire())
    await waiting


@pytest.mark.parametrize("handed_over", [False, True])
async def test_a_cancelled_wait_loses_no_place(*, handed_over: bool) -> None:
    places = Places(1)
    await places.acquire()
    first, second = asyncio.create_task(places.acquire()), asyncio.create_task(places.acquire())
    await asyncio.sleep(0)
    if handed_over:
        places.release()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    if not handed_over:
        places.release()
    await second
    places.release()
    assert goes_at_once(places.acquire())
    assert not goes_at_once(places.acquire())


async def test_only_so_many_start_in_one_turn_and_all_in_the_end() -> None:
    gate = StartGate(per_turn=2)
    started: list[int] = []

    async def one(number: int) -> None:
        await gate.enter()
        started.append(number)

    tasks = [asyncio.create_task(one(number)) for number in range(7)]
    counts: list[int] = []
    while len(started) < 7:
        await asyncio.sleep(0)
        counts.append(len(started))
    assert started == list(range(7))
    assert max(after - before for before, after in zip([0, *counts], counts, strict=False)) <= 2
    await asyncio.gather(*tasks)


async def test_an_open_gate_costs_no_turn() -> None:
    gate = StartGate(per_turn=2)
    assert [goes_at_once(gate.enter()) for _ in range(3)] == [True, True, False]
    for _ in range(3):
        await asyncio.sleep(0)
    assert goes_at_once(gate.enter())


async def test_a_cancelled_wait_does_not_block_the_gate() -> None:
    gate = StartGate(per_turn=1)
    tasks = [asyncio.create_task(gate.enter()) for _ in range(4)]
    await asyncio.sleep(0)
    tasks[1].cancel()
    await asyncio.wait(tasks)
    assert [task.cancelled() for task in tasks] == [False, True, False, False]


def test_a_gate_serves_one_loop_after_another() -> None:
    gate = StartGate(per_turn=1)
    for _ in range(3):
        asyncio.run(gate.enter())


def promise() -> asyncio.Future[StopReason]:
    return asyncio.get_running_loop().create_future()


async def test_where_no_run_lives_nobody_waits_for_the_end_of_one() -> None:
    assert not await StartGate().until_one_ends(float("inf"), promise())


async def test_each_end_lets_one_try_again_and_the_last_end_all() -> None:
    gate = StartGate()
    for _ in range(2):
        gate.began()
    waiting = [asyncio.create_task(gate.until_one_ends(1e9, promise())) for _ in range(3)]
    await asyncio.sleep(0)
    gate.ended()
    await asyncio.sleep(0)
    assert [task.done() for task in waiting] == [True, False, False]
    gate.ended()
    assert await asyncio.gather(*waiting) == [True] * 3


async def test_a_wait_for_the_end_of_a_run_is_over_when_its_time_is_or_at_a_stop() -> None:
    gate = StartGate()
    gate.began()
    assert not await gate.until_one_ends(asyncio.get_running_loop().time(), promise())
    stop = promise()
    waiting = asyncio.create_task(gate.until_one_ends(1e9, stop))
    await asyncio.sleep(0)
    stop.set_result("cancelled")
    assert not await waiting
    assert not await gate.until_one_ends(1e9, stop)
