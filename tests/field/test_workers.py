"""A hook that lives on: one program for both roads, in both systems' files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from engine import now, present, raw
from field.real import Real, real_engine
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.hooks import EmitDecisionParams

PROGRAM = """
import os, sys
sys.path.insert(0, {clients!r})
from tenterhook_client import worker

seen = []


def guard(event):
    print("stray")
    seen.append(1)
    if event.get("fail"):
        raise ValueError("no such thing")
    if event.get("leave"):
        sys.exit(2)
    if event.get("text"):
        return "plain"
    where = [os.environ["TENTERHOOK_POINT"], os.environ.get("TENTERHOOK_WORKER", ""), os.getcwd()]
    no = "block" if "hook_event_name" in event else "deny"
    return {{"decision": no, "reason": " ".join([str(len(seen)), *where])}}


worker.run(guard)
"""


def program(folder: Path) -> str:
    import tenterhook_client  # noqa: PLC0415 - where its sources lie

    path = folder / "guard.py"
    path.write_text(PROGRAM.format(clients=str(Path(tenterhook_client.__file__).parents[1])), encoding="utf-8")
    return str(path)


async def yaml_decision(engine: Real, **keys: Any) -> Any:
    payload = raw({"projectPath": str(engine.project), "toolName": "bash", "args": {}, "sessionId": "s", **keys})
    params = EmitDecisionParams(point="tool.approval.pre", payload=payload, trace=True)
    return present(await now(engine.service.decide(params)))


def yaml(engine: Real, *, worker: bool) -> None:
    hook = {
        "name": "guard",
        "point": "tool.approval.pre",
        "type": "decision",
        "command": sys.executable,
        "args": [program(engine.root)],
        "worker": worker,
    }
    engine.hooks(json.dumps({"hooks": [hook]}))
    engine.load()


async def test_a_yaml_hook_with_worker_is_served_by_one_process(tmp_path: Path) -> None:
    async with real_engine(tmp_path) as engine:
        yaml(engine, worker=True)
        said = [(await yaml_decision(engine)).reason for _ in range(3)]
    assert said == [f"{number} tool.approval.pre 1 {engine.project}" for number in (1, 2, 3)]


async def test_the_same_program_is_a_plain_hook_where_workers_are_off(tmp_path: Path) -> None:
    async with real_engine(tmp_path, workers=False) as engine:
        yaml(engine, worker=True)
        said = [(await yaml_decision(engine)).reason for _ in range(2)]
    assert said == [f"1 tool.approval.pre  {engine.project}"] * 2


async def test_a_handler_of_type_worker_stands_in_the_session_s_folder(tmp_path: Path) -> None:
    async with real_engine(tmp_path) as engine:
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        hook = {"type": "worker", "command": sys.executable, "args": [program(engine.root)]}
        engine.settings({"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}]})
        engine.load()
        keys: dict[str, Any] = {"tool_name": "Bash", "tool_input": {}}
        first = await engine.decision("PreToolUse", **keys)
        second = await engine.decision("PreToolUse", **keys, cwd=str(elsewhere))
    assert first.decision == "deny"
    assert [first.reason, second.reason] == [
        f"1 PreToolUse 1 {engine.project}",
        f"2 PreToolUse 1 {elsewhere.resolve()}",
    ]


NODE_PROGRAM = """
const {{ run }} = require({helper});
run(async (event) => {{
  console.log('stray');
  if (event.fail) throw new Error('ValueError: no such thing');
  if (event.leave) {{ process.exitCode = 2; return null; }}
  if (event.text) return 'plain';
  return JSON.stringify({{ decision: 'deny', reason: process.env.TENTERHOOK_POINT }}).replaceAll(':', ': ');
}});
"""


def node_program(folder: Path) -> str:
    helper = Path(__file__).parents[2] / "clients" / "node" / "worker.cjs"
    path = folder / "guard.cjs"
    path.write_text(NODE_PROGRAM.format(helper=json.dumps(str(helper))), encoding="utf-8")
    return str(path)


async def test_a_node_hook_is_served_by_one_process(tmp_path: Path) -> None:
    async with real_engine(tmp_path) as engine:
        hook = {"name": "guard", "point": "tool.approval.pre", "type": "decision", "command": "node", "worker": True}
        engine.hooks(json.dumps({"hooks": [{**hook, "args": [node_program(engine.root)]}]}))
        engine.load()
        said = [await yaml_decision(engine) for _ in range(3)]
    assert [(one.decision, one.reason, one.runs[0].warnings) for one in said] == [
        ("deny", " tool.approval.pre".strip(), UNSET)
    ] * 3
