"""What callers of the service can count on, with scripted runners and real hook files."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from engine import Engine, hook_file, now, present, raw
from msgspec import Raw
from tenterhook.errors import BadParams, EventStopped, UnknownHook, UnknownPoint
from tenterhook.later import Later
from tenterhook.model import Outcome
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.hooks import (
    EmitDecisionParams,
    EmitParams,
    ExplainParams,
    ListParams,
    ReloadParams,
    StatsParams,
)
from tenterhook_protocol.hooks import TestParams as OneHook
from tenterhook_protocol.lifecycle import ExtraPoint

DENY = {"decision": "deny", "reason": "no"}


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(tmp_path)


async def test_an_event_without_hooks_is_answered_at_once(engine: Engine) -> None:
    service = engine.load()
    result = service.emit(EmitParams(point="agent.turn.start", payload=engine.payload()))
    assert not isinstance(result, Later)
    assert (result.runs, result.notices) == ([], [])


async def test_the_first_answer_ends_the_chain_and_the_rest_is_not_reached(engine: Engine) -> None:
    engine.hooks(hook_file("quiet", "says-no", "too-late"))
    engine.load()
    engine.runner.answers("says-no", DENY)
    decision = present(await engine.decide("tool.approval.pre", trace=True))
    assert (decision.decision, decision.reason) == ("deny", "no")
    assert engine.runner.ran == ["quiet", "says-no"]
    runs = present(decision.runs)
    assert [(run.name, run.status) for run in runs] == [
        ("quiet", "ok"),
        ("says-no", "ok"),
        ("too-late", "notReached"),
    ]
    assert runs[2].by == "coding-code:says-no"


async def test_no_opinion_is_null_and_with_trace_an_object_without_the_four_fields(engine: Engine) -> None:
    engine.hooks(hook_file("quiet"))
    engine.load()
    assert await engine.decide("tool.approval.pre") is None
    traced = present(await engine.decide("tool.approval.pre", trace=True))
    fields = (traced.decision, traced.reason, traced.injection, traced.modified_input)
    assert fields == (UNSET, UNSET, UNSET, UNSET)
    assert len(present(traced.runs)) == 1


async def test_emit_and_decide_never_cross(engine: Engine) -> None:
    engine.hooks(hook_file({"name": "watch", "type": "observer"}, "judge"))
    engine.load()
    await engine.emit("tool.approval.pre")
    assert engine.runner.ran == ["watch"]
    await engine.decide("tool.approval.pre")
    assert engine.runner.ran == ["watch", "judge"]


async def test_every_observer_runs_in_priority_order_though_one_fails(engine: Engine) -> None:
    at = {"point": "agent.turn.end", "type": "observer"}
    engine.hooks(
        hook_file({"name": "last", "priority": 9, **at}, {"name": "fails", "priority": -1, **at}, {"name": "mid", **at})
    )
    engine.load()
    engine.runner.outcomes["fails"] = Outcome(status="failed", exit_code=3)
    result = await engine.emit("agent.turn.end")
    assert [(run.name, run.status) for run in result.runs] == [("fails", "failed"), ("mid", "ok"), ("last", "ok")]
    assert any("coding-code:fails" in message for _, message in engine.sink.logged)


@pytest.mark.parametrize("method", ["emit", "decide", "explain"])
async def test_a_point_nobody_knows_is_refused_with_the_nearest_name(engine: Engine, method: str) -> None:
    service = engine.load()
    params: dict[str, Any] = {
        "emit": EmitParams(point="tool.aproval.pre", payload=engine.payload()),
        "decide": EmitDecisionParams(point="tool.aproval.pre", payload=engine.payload()),
        "explain": ExplainParams(point="tool.aproval.pre"),
    }
    with pytest.raises(UnknownPoint) as caught:
        getattr(service, method)(params[method])
    assert caught.value.suggestion == "tool.approval.pre"


async def test_a_point_of_the_host_carries_hooks_like_any_other(tmp_path: Path) -> None:
    engine = Engine(tmp_path, points=[ExtraPoint(name="editor.saved", type="observer")])
    engine.hooks(hook_file({"name": "format", "point": "editor.saved", "type": "observer"}))
    engine.load()
    assert [run.name for run in (await engine.emit("editor.saved")).runs] == ["format"]


async def test_a_project_that_was_never_loaded_is_an_empty_table_and_says_so(engine: Engine) -> None:
    engine.hooks(hook_file("judge"))
    result = await engine.emit("agent.turn.start")
    assert [notice.code for notice in result.notices] == ["projectNotLoaded"]
    assert await engine.decide("tool.approval.pre") is None
    assert await engine.decide("tool.approval.pre") is None
    assert len(engine.sink.logged) == 1


async def test_an_event_without_a_place_is_a_no_op_with_a_notice(engine: Engine) -> None:
    service = engine.load()
    result = await now(service.emit(EmitParams(point="agent.turn.start", payload=raw({}))))
    assert [notice.code for notice in result.notices] == ["noPlace"]


async def test_a_session_is_bound_to_the_project_of_its_earlier_event(engine: Engine) -> None:
    engine.hooks(hook_file("judge"))
    service = engine.load()
    engine.runner.answers("judge", DENY)
    await engine.emit("agent.turn.start", sessionId="s1")
    params = EmitDecisionParams(point="tool.approval.pre", payload=raw({"sessionId": "s1"}))
    assert present(await now(service.decide(params))).decision == "deny"
    other = EmitDecisionParams(point="tool.approval.pre", payload=raw({"sessionId": "s2"}))
    assert await now(service.decide(other)) is None


async def test_the_request_names_the_project_before_the_payload_does(engine: Engine) -> None:
    engine.hooks(hook_file("judge"))
    service = engine.load()
    engine.runner.answers("judge", DENY)
    params = EmitDecisionParams(
        point="tool.approval.pre", payload=raw({"projectPath": "/nowhere"}), project_path=str(engine.project)
    )
    assert present(await now(service.decide(params))).decision == "deny"


async def test_a_project_is_found_by_any_spelling_of_its_path(engine: Engine) -> None:
    engine.hooks(hook_file("judge"))
    link = engine.root / "link"
    link.symlink_to(engine.project)
    service = engine.load()
    engine.runner.answers("judge", DENY)
    for spelling in (str(link), f"{engine.project}/", f"{engine.project}/../project"):
        params = EmitDecisionParams(point="tool.approval.pre", payload=raw({"projectPath": spelling}))
        assert present(await now(service.decide(params))).decision == "deny"


async def test_the_payload_reaches_the_hook_as_the_host_wrote_it(engine: Engine) -> None:
    engine.hooks(hook_file("judge"))
    service = engine.load()
    text = b'{ "z":1.10, "a-b" : 12345678901234567890, "class":{"jsonrpc":"2.0"}, "projectPath":"%s" }'
    payload = text.replace(b"%s", str(engine.project).encode())
    body = Raw(payload)
    await now(service.decide(EmitDecisionParams(point="tool.approval.pre", payload=body)))
    assert bytes(engine.runner.launches[0].stdin) == payload


@pytest.mark.parametrize("key", ["projectPath", "sessionId"])
async def test_a_key_the_engine_reads_must_be_a_string(engine: Engine, key: str) -> None:
    service = engine.load()
    with pytest.raises(BadParams, match=key):
        service.emit(EmitParams(point="agent.turn.start", payload=raw({key: 5})))


async def test_cancelling_an_event_stops_its_hook_and_tells_its_end(tmp_path: Path) -> None:
    engine = Engine(tmp_path, hook_events=True)
    engine.hooks(hook_file("slow", "next"))
    engine.load()
    engine.runner.hold("slow")
    later = engine.service.decide(EmitDecisionParams(point="tool.approval.pre", payload=engine.payload()))
    assert isinstance(later, Later)
    task = asyncio.create_task(later.run())
    assert await engine.runner.begun.get() == "slow"
    later.stop()
    with pytest.raises(EventStopped):
        await task
    assert [(run.name, run.status) for run in engine.sink.completed] == [("slow", "cancelled")]
    assert engine.runner.ran == ["slow"]


async def test_close_stops_everything_that_runs(engine: Engine) -> None:
    engine.hooks(hook_file("slow"))
    engine.load()
    engine.runner.hold("slow")
    task = asyncio.create_task(engine.decide("tool.approval.pre", trace=True))
    await engine.runner.begun.get()
    await engine.service.close()
    for stopped in (task, engine.decide("tool.approval.pre")):
        with pytest.raises(EventStopped):
            await stopped
    assert engine.runner.ran == ["slow"]


async def test_notifications_of_a_session_are_handled_in_their_order(engine: Engine) -> None:
    engine.hooks(
        hook_file(
            {"name": "first", "point": "agent.turn.start", "type": "observer"},
            {"name": "second", "point": "agent.turn.end", "type": "observer"},
        )
    )
    service = engine.load()
    gate = engine.runner.hold("first")
    payload = engine.payload(sessionId="s")
    works = [
        service.emit_in_order(EmitParams(point=p, payload=payload)) for p in ("agent.turn.start", "agent.turn.end")
    ]
    tasks = [asyncio.create_task(present(work).run()) for work in reversed(works)]
    assert await engine.runner.begun.get() == "first"
    assert engine.runner.ran == ["first"]
    gate.set_result(None)
    await asyncio.gather(*tasks)
    assert engine.runner.ran == ["first", "second"]


async def test_lanes_do_not_wait_for_each_other(engine: Engine) -> None:
    engine.hooks(hook_file({"name": "watch", "point": "agent.turn.start", "type": "observer"}))
    service = engine.load()
    gate = engine.runner.hold("watch")
    for session in ("a", "b"):
        params = EmitParams(point="agent.turn.start", payload=engine.payload(sessionId=session))
        task = asyncio.create_task(present(service.emit_in_order(params)).run())
        assert await engine.runner.begun.get() == "watch"
        del task
    assert len(engine.runner.launches) == 2
    gate.set_result(None)
    await service.close()


async def test_an_event_keeps_the_table_it_began_with(engine: Engine) -> None:
    engine.hooks(hook_file("old-a", "old-b"))
    service = engine.load()
    gate = engine.runner.hold("old-a")
    task = asyncio.create_task(engine.decide("tool.approval.pre"))
    await engine.runner.begun.get()
    engine.hooks(hook_file("new"))
    service.reload(ReloadParams())
    gate.set_result(None)
    await task
    await engine.decide("tool.approval.pre")
    assert engine.runner.ran == ["old-a", "old-b", "new"]


async def test_a_session_has_so_many_places_and_the_rest_waits(tmp_path: Path) -> None:
    engine = Engine(tmp_path, max_hooks_per_session=2)
    engine.hooks(hook_file("judge"))
    engine.load()
    gate = engine.runner.hold("judge")
    tasks = [asyncio.create_task(engine.decide("tool.approval.pre", sessionId="s")) for _ in range(3)]
    await engine.runner.begun.get()
    await engine.runner.begun.get()
    elsewhere = asyncio.create_task(engine.decide("tool.approval.pre", sessionId="other"))
    await engine.runner.begun.get()
    assert len(engine.runner.launches) == 3
    gate.set_result(None)
    await asyncio.gather(*tasks, elsewhere)
    assert len(engine.runner.launches) == 4


CONTINUE = {"decision": "continue", "injection": "run the tests"}


def stopping(engine: Engine) -> None:
    engine.hooks(hook_file({"name": "go-on", "point": "agent.turn.stop"}))
    engine.load()
    engine.runner.answers("go-on", CONTINUE)


async def kinds(engine: Engine, times: int, **keys: Any) -> list[object]:
    answers = [await engine.decide("agent.turn.stop", sessionId="s", **keys) for _ in range(times)]
    return [None if answer is None else answer.decision for answer in answers]


async def test_after_three_continues_in_a_row_the_turn_may_stop(engine: Engine) -> None:
    stopping(engine)
    assert await kinds(engine, 5) == ["continue"] * 3 + [None, "continue"]
    assert any("3" in message for _, message in engine.sink.logged)


async def test_the_cap_is_the_host_s_to_set(tmp_path: Path) -> None:
    engine = Engine(tmp_path, max_stop_continuations=1)
    stopping(engine)
    assert await kinds(engine, 2) == ["continue", None]


@pytest.mark.parametrize("point", ["agent.turn.start", "agent.turn.end"])
async def test_a_turn_s_start_or_end_begins_the_count_anew(engine: Engine, point: str) -> None:
    stopping(engine)
    await kinds(engine, 3)
    await engine.emit(point, sessionId="s")
    assert await kinds(engine, 1) == ["continue"]


async def test_another_answer_begins_the_count_anew(engine: Engine) -> None:
    stopping(engine)
    await kinds(engine, 3)
    engine.runner.answers("go-on", None)
    assert await kinds(engine, 1) == [None]
    engine.runner.answers("go-on", CONTINUE)
    assert await kinds(engine, 1) == ["continue"]


async def test_the_count_is_a_session_s_own(engine: Engine) -> None:
    stopping(engine)
    await kinds(engine, 3)
    other = await engine.decide("agent.turn.stop", sessionId="other")
    assert present(other).decision == "continue"


async def test_explain_walks_the_same_road_and_runs_nothing(engine: Engine) -> None:
    engine.hooks(
        hook_file(
            "judge",
            {"name": "off", "enabled": False},
            {"name": "watch", "type": "observer"},
            {"name": "shell-only", "matcher": "shell"},
        )
    )
    service = engine.load()
    plan = service.explain(ExplainParams(point="tool.approval.pre", payload=engine.payload(toolName="read")))
    assert [[hook.name for hook in stage.hooks] for stage in plan.stages] == [["judge"]]
    assert {one.hook.name: one.reason.code for one in plan.left_out} == {
        "off": "disabled",
        "watch": "methodNotSuited",
        "shell-only": "noMatch",
    }
    assert plan.method == "hooks/emitDecision"
    assert engine.runner.ran == []


async def test_test_runs_a_hook_though_it_is_switched_off(engine: Engine) -> None:
    engine.hooks(hook_file({"name": "off", "enabled": False}))
    service = engine.load()
    engine.runner.answers("off", DENY)
    result = await now(service.test(OneHook(hook="off", payload=engine.payload())))
    assert (result.run.status, present(result.answer).decision) == ("ok", "deny")
    assert '"deny"' in result.stdout


async def test_test_of_an_unknown_hook_names_the_nearest(engine: Engine) -> None:
    engine.hooks(hook_file("audit-log"))
    service = engine.load()
    with pytest.raises(UnknownHook) as caught:
        service.test(OneHook(hook="audit-lgo", payload=engine.payload()))
    assert caught.value.suggestion == "audit-log"


async def test_stats_count_events_hooks_and_failures(engine: Engine) -> None:
    engine.hooks(hook_file("judge"))
    service = engine.load()
    engine.runner.outcomes["judge"] = Outcome(status="failed", exit_code=1, duration=0.25)
    await engine.decide("tool.approval.pre")
    await engine.emit("agent.turn.start")
    stats = service.stats(StatsParams())
    assert stats.events == 2
    assert [(one.name, one.count, one.failures, one.max_ms) for one in stats.hooks] == [
        ("coding-code:judge", 1, 1, 250.0)
    ]
    assert [one.name for one in stats.points] == ["tool.approval.pre"]


async def test_run_events_are_sent_only_where_the_host_wants_them(tmp_path: Path) -> None:
    for wanted, name in ((True, "a"), (False, "b")):
        (tmp_path / name).mkdir()
        engine = Engine(tmp_path / name, hook_events=wanted)
        engine.hooks(hook_file("judge"))
        engine.load()
        await engine.decide("tool.approval.pre")
        assert (len(engine.sink.started), len(engine.sink.completed)) == ((1, 1) if wanted else (0, 0))


async def test_list_tells_of_every_configured_hook(engine: Engine) -> None:
    engine.hooks(hook_file("a", {"name": "b", "point": "no.such.point"}, {"name": "c", "enabled": False}))
    service = engine.load()
    listed = service.list(ListParams()).projects[0].hooks
    states = {hook.name: present(hook.left_out).code if hook.name != "a" else None for hook in listed}
    assert states == {"a": None, "b": "invalid", "c": "disabled"}


async def test_a_relative_project_path_cannot_be_loaded(engine: Engine) -> None:
    with pytest.raises(BadParams, match="absolute"):
        engine.service.reload(ReloadParams(project_path="some/where"))


async def test_an_observer_that_ends_late_gives_no_continue_back(engine: Engine) -> None:
    engine.hooks(
        hook_file(
            {"name": "go-on", "point": "agent.turn.stop"},
            {"name": "slow", "point": "tool.execute.after", "type": "observer"},
        )
    )
    service = engine.load()
    engine.runner.answers("go-on", CONTINUE)
    answers: list[object] = []
    for _ in range(5):
        gate = engine.runner.hold("slow")
        params = EmitParams(point="tool.execute.after", payload=engine.payload(sessionId="s"))
        overlapping = asyncio.create_task(now(service.emit(params)))
        await asyncio.sleep(0)
        answers += await kinds(engine, 1)
        gate.set_result(None)
        await overlapping
    assert answers == ["continue"] * 3 + [None, "continue"]


async def test_events_without_a_session_share_a_lane_by_whatever_spelling_the_project_comes(engine: Engine) -> None:
    engine.hooks(hook_file({"name": "watch", "point": "tool.execute.error", "type": "observer"}))
    link = engine.root / "link"
    link.symlink_to(engine.project)
    service = engine.load()
    gate = engine.runner.hold("watch")
    tasks = [
        asyncio.create_task(
            present(
                service.emit_in_order(
                    EmitParams(point="tool.execute.error", payload=raw({"projectPath": str(spelling)}))
                )
            ).run()
        )
        for spelling in (engine.project, link)
    ]
    await engine.runner.begun.get()
    assert len(engine.runner.launches) == 1
    gate.set_result(None)
    await asyncio.gather(*tasks)
    assert len(engine.runner.launches) == 2


async def test_a_stopped_event_leaves_the_line_for_a_place_at_once(tmp_path: Path) -> None:
    engine = Engine(tmp_path, max_hooks_per_session=1)
    engine.hooks(hook_file("judge"))
    service = engine.load()
    gate = engine.runner.hold("judge")
    first = asyncio.create_task(engine.decide("tool.approval.pre", sessionId="s"))
    await engine.runner.begun.get()
    payload = engine.payload(sessionId="s")
    waiting = service.decide(EmitDecisionParams(point="tool.approval.pre", payload=payload))
    assert isinstance(waiting, Later)
    task = asyncio.create_task(waiting.run())
    await asyncio.sleep(0)
    waiting.stop()
    with pytest.raises(EventStopped):
        await task
    assert not first.done()
    gate.set_result(None)
    await first


async def test_a_notification_stopped_before_its_turn_keeps_the_order_of_the_others(engine: Engine) -> None:
    at = {"point": "agent.turn.start", "type": "observer"}
    engine.hooks(hook_file({"name": "watch", **at}))
    service = engine.load()
    gate = engine.runner.hold("watch")
    params = EmitParams(point="agent.turn.start", payload=engine.payload(sessionId="s"))
    works = [present(service.emit_in_order(params)) for _ in range(3)]
    tasks = [asyncio.create_task(work.run()) for work in works]
    await engine.runner.begun.get()
    works[1].stop()
    with pytest.raises(EventStopped):
        await tasks[1]
    assert len(engine.runner.launches) == 1
    gate.set_result(None)
    await asyncio.gather(tasks[0], tasks[2])
    assert len(engine.runner.launches) == 2


async def test_test_takes_the_project_that_the_payload_names(engine: Engine) -> None:
    other = engine.root / "other"
    (other / ".codingcode").mkdir(parents=True)
    (other / ".codingcode" / "hooks.yaml").write_text(hook_file("same"), encoding="utf-8")
    engine.hooks(hook_file("same"))
    service = engine.load()
    service.load([str(other)])
    with pytest.raises(UnknownHook, match="several projects"):
        service.test(OneHook(hook="same", payload=raw({})))
    result = await now(service.test(OneHook(hook="same", payload=raw({"projectPath": str(other)}))))
    assert result.run.project_path == str(other)


async def test_a_session_with_an_event_under_way_is_not_forgotten(engine: Engine) -> None:
    stopping(engine)
    gate = engine.runner.hold("go-on")
    task = asyncio.create_task(engine.decide("agent.turn.stop", sessionId="s"))
    await engine.runner.begun.get()
    for number in range(5000):
        await engine.emit("tool.execute.error", sessionId=f"other-{number}")
    gate.set_result(None)
    assert present(await task).decision == "continue"
    assert await kinds(engine, 3) == ["continue", "continue", None]


async def test_what_hooks_wrote_is_not_kept_until_the_event_ends(engine: Engine) -> None:
    engine.hooks(hook_file({"name": "loud", "point": "agent.turn.end", "type": "observer"}))
    engine.load()
    engine.runner.outcomes["loud"] = Outcome(status="ok", exit_code=0, stdout=b"x" * 9000, stderr=b"y" * 9000)
    run = (await engine.emit("agent.turn.end")).runs[0]
    assert run.stderr == "y" * 4096
    tested = await now(engine.service.test(OneHook(hook="loud", payload=engine.payload())))
    assert (len(tested.stdout), len(tested.stderr)) == (9000, 9000)


@pytest.mark.parametrize("bad", ["a\0b", "x\nLD_PRELOAD=/y", "0" * 200_000, "00-xyz-1-01", ""])
async def test_a_trace_context_that_is_none_is_refused_and_never_costs_a_guard(engine: Engine, bad: str) -> None:
    engine.hooks(hook_file("judge"))
    service = engine.load()
    with pytest.raises(BadParams, match="traceparent"):
        service.decide(EmitDecisionParams(point="tool.approval.pre", payload=engine.payload(), traceparent=bad))


async def test_a_project_that_is_no_folder_is_told_of(engine: Engine) -> None:
    engine.service.reload(ReloadParams(project_path=str(engine.root / "typo")))
    assert any("typo" in message for _, message in engine.sink.logged)


async def test_of_many_strange_projects_the_host_is_told_so_many_times_and_then_that_there_are_more(
    engine: Engine,
) -> None:
    for number in range(1000):
        payload = raw({"projectPath": f"/nowhere/{number}"})
        await now(engine.service.decide(EmitDecisionParams(point="tool.approval.pre", payload=payload)))
    told = [message for _, message in engine.sink.logged]
    assert len(told) == 100
    assert [number for number, message in enumerate(told) if "more of this kind are not told" in message] == [99]


async def test_a_rule_that_nobody_can_decide_is_told_by_the_plan_and_by_the_run(tmp_path: Path) -> None:
    """anthropics/claude-code#79675."""
    engine = Engine(tmp_path)
    rules = ["Bash(git commit *)", "Bash(git *)", "Bash"]
    hooks = [{"type": "command", "command": str(number), "if": rule} for number, rule in enumerate(rules)]
    engine.settings({"PreToolUse": [{"hooks": hooks}]})
    service = engine.load()
    keys: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "for f in a b; do echo $f; done"}}
    runs = present(present(await engine.decide("PreToolUse", trace=True, **keys)).runs)
    assert [(run.name[-3:], run.warnings is UNSET) for run in runs] == [("[0]", False), ("[2]", True)]
    plan = service.explain(ExplainParams(point="PreToolUse", payload=engine.payload(**keys)))
    assert [(notice.code, notice.hook) for notice in plan.notices] == [("ruleUndecided", runs[0].hook)]
    assert "'Bash(git commit *)'" in plan.notices[0].message
