"""The client and the real engine, as a process: spawn, a decision, problems, a cancel, a clean end; and the README."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tenterhook_client import BlockingClient, Client, Listeners, ResponseFailed
from tenterhook_protocol.hooks import ProblemsParams
from tenterhook_protocol.lifecycle import InitializationOptions
from tenterhook_protocol.runs import HookDecision, HookRun

_README = Path(__file__).parents[3] / "clients" / "python" / "README.md"

_DENY = "import json; print(json.dumps({'decision': 'deny', 'reason': 'no'}))"


def _project(folder: Path, script: str, extra: str = "") -> InitializationOptions:
    """A project with one decision hook that runs a Python script, and no hooks in its user's home."""
    hooks = folder / "project" / ".codingcode"
    hooks.mkdir(parents=True)
    command = json.dumps(sys.executable)
    (hooks / "hooks.yaml").write_text(
        "hooks:\n  - name: guard\n    point: tool.approval.pre\n    type: decision\n"
        f"    command: {command}\n    args: ['-c', {json.dumps(script)}]\n{extra}",
        encoding="utf-8",
    )
    return InitializationOptions(
        project_paths=[str(folder / "project")], user_home=str(folder / "home"), hook_events=True
    )


def _event(folder: Path) -> dict[str, object]:
    project = str(folder / "project")
    return {"toolName": "t", "args": {}, "sessionId": "s", "projectPath": project}


async def test_a_hook_decides_and_its_run_is_told(tmp_path: Path) -> None:
    runs: list[HookRun] = []
    options = _project(tmp_path, _DENY)
    async with Client.spawn(options=options) as client:
        client.on_run_completed(runs.append)
        answer = await client.emit_decision("tool.approval.pre", _event(tmp_path))
        assert answer == HookDecision(decision="deny", reason="no")
        listed = await client.list_hooks()
        assert [hook.name for hook in listed.projects[0].hooks] == ["guard"]
        plan = await client.explain("tool.approval.pre", _event(tmp_path))
        assert [hook.name for stage in plan.stages for hook in stage.hooks] == ["guard"]
        tested = await client.test("guard", _event(tmp_path))
        assert tested.answer == HookDecision(decision="deny", reason="no")
        assert (await client.reload()).projects[0].hooks == 1
        assert (await client.emit("agent.turn.start", _event(tmp_path))).runs == []
        assert (await client.stats()).events >= 2
    assert [run.name for run in runs if run.point == "tool.approval.pre"][:1] == ["guard"]


async def test_problems_of_the_start_reach_a_listener_that_was_passed_in(tmp_path: Path) -> None:
    told: asyncio.Queue[ProblemsParams] = asyncio.Queue()
    listeners = Listeners()
    listeners.on_problems(told.put_nowait)
    options = _project(tmp_path, _DENY, extra="    prioritty: 3\n")
    async with Client.spawn(options=options, listeners=listeners):
        (problem,) = (await told.get()).problems
        assert (problem.line, problem.column, problem.entry) == (7, 5, "guard")


async def test_an_unknown_point_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    async with Client.spawn(options=_project(tmp_path, _DENY)) as client:
        with pytest.raises(ResponseFailed, match=r"tool\.approval\.pre") as failed:
            await client.emit_decision("tool.aproval.pre", _event(tmp_path))
        assert failed.value.code == -32602


async def test_a_cancelled_call_stops_its_hook(tmp_path: Path) -> None:
    began: asyncio.Queue[HookRun] = asyncio.Queue()
    ended: asyncio.Queue[HookRun] = asyncio.Queue()
    script = "import threading; threading.Event().wait()"
    async with Client.spawn(options=_project(tmp_path, script)) as client:
        client.on_run_started(began.put_nowait)
        client.on_run_completed(ended.put_nowait)
        calling = asyncio.create_task(client.emit_decision("tool.approval.pre", _event(tmp_path)))
        beginning = asyncio.create_task(began.get())
        await asyncio.wait([calling, beginning], return_when=asyncio.FIRST_COMPLETED)
        assert not calling.done()
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        assert (await ended.get()).status == "cancelled"


def test_the_blocking_client_does_the_same(tmp_path: Path) -> None:
    with BlockingClient.spawn(options=_project(tmp_path, _DENY)) as client:
        answer = client.emit_decision("tool.approval.pre", _event(tmp_path))
        assert answer == HookDecision(decision="deny", reason="no")
        client.notify("agent.turn.start", _event(tmp_path))
        assert client.explain("tool.approval.pre").left_out == []
        with pytest.raises(ResponseFailed):
            client.test("nobody", {})


@pytest.mark.parametrize("number", [0, 1])
def test_the_examples_of_the_readme_run(number: int, tmp_path: Path) -> None:
    examples = re.findall(r"```python\n(.*?)```", _README.read_text(encoding="utf-8"), re.DOTALL)
    assert len(examples) == 2
    home = {**os.environ, "HOME": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", examples[number]],
        cwd=tmp_path,
        env=home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == ("no hook objects\n", "")[number]
