"""A real engine and a hook that lives on: one process for all events, and nothing of it after the engine's end."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from e2e.spawned import Spawned, hook_file, spawn, wait_until_gone

PROGRAM = """
import json, os, subprocess, sys
child = subprocess.Popen(["sleep", "600"], start_new_session=True, stdin=subprocess.DEVNULL) if {child} else None
for line in sys.stdin:
    pids = [os.getpid(), *([child.pid] if child else [])]
    answer = {{"reason": " ".join(map(str, pids))}}
    print(json.dumps({{"id": json.loads(line)["id"], "answer": answer}}), flush=True)
"""


def begin(engine: Spawned, project: Path, *, child: bool) -> None:
    program = PROGRAM.format(child=child)
    hook: dict[str, Any] = {"name": "guard", "point": "tool.approval.pre", "type": "decision", "worker": True}
    hook_file(project, {**hook, "command": sys.executable, "args": ["-S", "-E", "-c", program]})
    engine.initialize(project, killGraceMs=500)


def pids(engine: Spawned, project: Path) -> list[int]:
    payload: dict[str, Any] = {"projectPath": str(project), "toolName": "bash", "args": {}, "sessionId": "s"}
    engine.request(1, "hooks/emitDecision", {"point": "tool.approval.pre", "payload": payload})
    return [int(word) for word in engine.receive()["result"]["reason"].split()]


def shut_down(engine: Spawned) -> None:
    engine.request(2, "shutdown")
    assert engine.receive()["id"] == 2
    engine.notify("exit")


ENDS: dict[str, Callable[[Spawned], None]] = {
    "shutdown and exit": shut_down,
    "the end of its input": lambda engine: engine.stdin.close(),
    "SIGTERM": lambda engine: engine.process.send_signal(signal.SIGTERM),
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS.keys())
def test_a_worker_and_what_it_has_started_end_with_the_engine(tmp_path: Path, end: Callable[[Spawned], None]) -> None:
    with spawn() as engine:
        begin(engine, tmp_path, child=True)
        alive = pids(engine, tmp_path)
        assert pids(engine, tmp_path) == alive
        end(engine)
        engine.ended()
    for pid in alive:
        wait_until_gone(pid)


def test_a_worker_notices_that_its_engine_was_killed(tmp_path: Path) -> None:
    with spawn() as engine:
        begin(engine, tmp_path, child=False)
        [pid] = pids(engine, tmp_path)
        engine.process.kill()
        engine.ended()
        wait_until_gone(pid)


def test_the_switch_in_the_environment_gives_every_event_a_process_of_its_own(tmp_path: Path) -> None:
    with spawn(env={"TENTERHOOK_WORKERS": "off"}) as engine:
        hook: dict[str, Any] = {"name": "guard", "point": "tool.approval.pre", "type": "decision", "worker": True}
        hook_file(tmp_path, {**hook, "command": "sh", "args": ["-c", """echo '{"reason": "'$$'"}'"""]})
        engine.initialize(tmp_path)
        assert pids(engine, tmp_path) != pids(engine, tmp_path)


def test_after_a_reload_the_next_event_has_a_new_worker(tmp_path: Path) -> None:
    with spawn() as engine:
        begin(engine, tmp_path, child=False)
        [before] = pids(engine, tmp_path)
        engine.request(2, "hooks/reload", {})
        assert engine.receive()["id"] == 2
        assert pids(engine, tmp_path) != [before]
        wait_until_gone(before)
