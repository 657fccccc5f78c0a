"""How a plan is walked: stages one after another, hooks side by side or in turn, in the background, and stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest
from engine import RecordingSink
from msgspec import Raw
from tenterhook.conduct import Conductor, Surroundings
from tenterhook.dialects.base import Dialect, LaunchContext
from tenterhook.model import (
    Answer,
    CommandSpec,
    Event,
    Hook,
    HookDecision,
    Origin,
    Outcome,
    PathCheck,
    ProcessLaunch,
    Stage,
    StopReason,
)
from tenterhook.runners.contract import Limits
from tenterhook.runners.start_gate import Places

EVENT = Event(id="e", system="test", point="p", mode="decide", payload=Raw(b"{}"), project="/p")


def hook(name: str, **keys: Any) -> Hook:
    origin = Origin(layer="test", path="/f", line=1, column=1)
    return Hook(
        id=name, name=name, system="test", point="p", type="t", spec=CommandSpec(name), timeout=1, origin=origin,
        fields={}, **keys,
    )  # fmt: skip


class Plain:
    """A dialect whose hooks answer with what their runner printed."""

    def launch(self, hook: Hook, _event: Event, context: LaunchContext) -> ProcessLaunch:
        return ProcessLaunch(argv=hook.spec.words(), env={}, cwd=("/",), stdin=b"", timeout=1, run_id=context.run_id)

    def read(self, _hook: Hook, _event: Event, outcome: Outcome, _context: LaunchContext) -> Answer:
        text = outcome.stdout.decode()
        decision = HookDecision(reason=text, injection=text) if text else None
        wishes = (PathCheck(text),) if text.startswith("/") else ()
        return Answer(status=outcome.status, decision=decision, wishes=wishes)

    def refused(self, _hook: Hook, _event: Event, answer: Answer, why: str) -> Answer:
        return Answer(status="badOutput", error=f"{answer.status}: {why}")


class Bench:
    """A conductor over a runner that the test drives by the name of the hook."""

    def __init__(self) -> None:
        self.sink = RecordingSink()
        self.started: list[str] = []
        self.says: dict[str, Callable[[], Outcome]] = {}
        self.held: dict[str, asyncio.Future[None]] = {}
        around = Surroundings(environment={}, home="/", version="0", token="t", scratch="/nowhere")
        self.conductor = Conductor(
            {"test": cast("Dialect", Plain())},
            around,
            Limits(),
            self.sink,
            tell_runs=True,
            runners={ProcessLaunch: self},
        )
        self.stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()

    async def __call__(self, launch: ProcessLaunch, limits: Limits, stop: asyncio.Future[StopReason]) -> Outcome:
        assert limits.grace
        name = launch.argv[0]
        self.started.append(name)
        if name in self.held:
            await asyncio.wait({self.held[name], stop}, return_when=asyncio.FIRST_COMPLETED)
        if stop.done():
            return Outcome(status=stop.result())
        return self.says.get(name, lambda: Outcome(status="ok"))()

    def hold(self, *names: str) -> None:
        for name in names:
            self.held[name] = asyncio.get_running_loop().create_future()

    async def walk(self, *stages: Stage) -> list[tuple[str, str, int]]:
        finished = await self.conductor.walk(stages, EVENT, Places(), self.stop)
        return [(one.hook.name, one.answer.status, one.rank) for one in finished]


def answered(answer: Answer) -> bool:
    return answer.decision is not None


def never(_answer: Answer) -> bool:
    return False


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_hooks_of_a_parallel_stage_run_side_by_side_and_are_told_in_the_order_of_the_plan() -> None:
    bench = Bench()
    bench.hold("a", "b")
    task = asyncio.create_task(bench.walk(Stage((hook("a"), hook("b"), hook("c")), "parallel", never)))
    await settle()
    assert bench.started == ["a", "b", "c"]
    bench.held["b"].set_result(None)
    await settle()
    bench.held["a"].set_result(None)
    assert await task == [("a", "ok", 2), ("b", "ok", 1), ("c", "ok", 0)]


async def test_only_the_answers_of_a_stage_decide_whether_it_ended_the_chain() -> None:
    bench = Bench()
    bench.says["a"] = lambda: Outcome(status="ok", stdout=b"yes")
    stages = (
        Stage((hook("a"),), "parallel", never),
        Stage((hook("b"),), "parallel", answered),
        Stage((hook("c"),), "parallel", answered),
    )
    assert [name for name, status, _ in await bench.walk(*stages) if status == "ok"] == ["a", "b", "c"]


async def test_a_stage_that_ends_the_chain_leaves_the_later_ones_not_reached() -> None:
    bench = Bench()
    bench.says["a"] = lambda: Outcome(status="ok", stdout=b"yes")
    stages = (Stage((hook("a"), hook("b")), "parallel", answered), Stage((hook("c"),), "sequence", never))
    assert await bench.walk(*stages) == [("a", "ok", 0), ("b", "ok", 1), ("c", "notReached", -1)]


async def test_where_the_engine_fails_in_one_hook_the_others_are_stopped_before_the_failure_is_told() -> None:
    def broken() -> Outcome:
        raise KeyError("a fault of the engine")

    bench = Bench()
    bench.says["a"] = broken
    bench.hold("b")
    with pytest.raises(KeyError):
        await bench.walk(Stage((hook("a"), hook("b")), "parallel", never))
    assert [(run.name, run.status) for run in bench.sink.completed] == [("b", "cancelled")]


async def test_a_hook_in_the_background_holds_up_nobody_and_is_told_of_when_it_ends() -> None:
    bench = Bench()
    bench.hold("a")
    bench.says["a"] = lambda: Outcome(status="ok", stdout=b"for later")
    stage = Stage((hook("a", background=True), hook("b")), "parallel", never)
    assert await bench.walk(stage) == [("a", "detached", 0), ("b", "ok", 1)]
    bench.held["a"].set_result(None)
    await settle()
    assert [(run.name, context, wake) for run, context, wake in bench.sink.detached] == [("a", "for later", False)]


async def test_a_run_that_detaches_itself_is_told_of_when_the_rest_of_it_ends() -> None:
    bench = Bench()
    rest: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    bench.says["a"] = lambda: Outcome(status="detached", rest=lambda _stop: rest)
    assert await bench.walk(Stage((hook("a"),), "parallel", never)) == [("a", "detached", 0)]
    rest.set_result(Outcome(status="ok", stdout=b"done"))
    await settle()
    assert [(run.status, context) for run, context, _ in bench.sink.detached] == [("ok", "done")]


async def stopped(stop: asyncio.Future[StopReason]) -> Outcome:
    """The rest of a run that goes on until it is stopped."""
    return Outcome(status=await stop)


@pytest.mark.parametrize("where", ["in the foreground", "in the background"])
@pytest.mark.parametrize("turns", [0, 20])
async def test_close_stops_the_rest_of_a_run_that_has_detached_itself_and_waits_for_it(where: str, turns: int) -> None:
    bench = Bench()
    bench.says["a"] = lambda: Outcome(status="detached", rest=stopped)
    await bench.walk(Stage((hook("a", background=where == "in the background"),), "parallel", never))
    for _ in range(turns):
        await asyncio.sleep(0)
    assert bench.sink.detached == []
    await bench.conductor.close()
    assert [run.status for run, _, _ in bench.sink.detached] == ["cancelled"]


async def test_a_run_that_has_detached_itself_outlives_the_stop_of_its_event() -> None:
    bench = Bench()
    bench.says["a"] = lambda: Outcome(status="detached", rest=stopped)
    await bench.walk(Stage((hook("a"),), "parallel", never))
    bench.stop.set_result("cancelled")
    await settle()
    assert bench.sink.detached == []
    await bench.conductor.close()


async def test_close_stops_what_runs_in_the_background_too() -> None:
    bench = Bench()
    bench.hold("a")
    await bench.walk(Stage((hook("a", background=True),), "parallel", never))
    await settle()
    await bench.conductor.close()
    assert [run.status for run, _, _ in bench.sink.detached] == ["cancelled"]


async def test_a_wish_that_the_world_refuses_makes_another_answer() -> None:
    bench = Bench()
    bench.says["a"] = lambda: Outcome(status="ok", stdout=b"/no/such/folder")
    bench.says["b"] = lambda: Outcome(status="ok", stdout=b"/")
    assert await bench.walk(Stage((hook("a"), hook("b")), "parallel", never)) == [("a", "badOutput", 0), ("b", "ok", 1)]
