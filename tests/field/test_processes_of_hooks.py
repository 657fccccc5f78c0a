"""Faults from the field: processes that hang, linger, pile up or are cut off."""

from __future__ import annotations

import asyncio
import os
import subprocess
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from engine import present
from field.real import block, command, real_engine
from tenterhook.errors import EventStopped
from tenterhook.later import Later

BASH: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "ls"}}


async def test_a_hook_that_never_gets_to_run_is_ended_and_the_others_go_on(tmp_path: Path) -> None:
    """anthropics/claude-code#85250: a stopped process cannot keep a timer of its own."""
    hooks = [{"hooks": [{"type": "command", "command": "kill -STOP $$", "timeout": 0.5}]}]
    hooks += [{"hooks": [{"type": "command", "command": f"echo {number}"}]} for number in range(7)]
    async with real_engine(tmp_path, {"PreToolUse": hooks}, kill_grace_ms=50) as engine:
        runs = present((await engine.decision("PreToolUse", **BASH)).runs)
    assert [run.status for run in runs] == ["timedOut", *["ok"] * 7]


HELPER = "read go < gate; echo done > helped"
LINGERS = f"mkfifo gate helped; setsid sh -c '{HELPER}' >/dev/null 2>&1 </dev/null &"


async def test_a_helper_with_streams_of_its_own_holds_nobody_up_and_lives_on(tmp_path: Path) -> None:
    """anthropics/claude-code#92934."""
    async with real_engine(tmp_path, {"PreToolUse": command(LINGERS)}) as engine:
        assert (await engine.one_run("PreToolUse", **BASH)).status == "ok"
        said = await asyncio.wait_for(asyncio.to_thread(let_go, engine.project), 30)
    assert said == "done\n"


def let_go(folder: Path) -> str:
    """What the helper says once it may end. Both pipes wait for their other end, so nothing is guessed."""
    (folder / "gate").write_text("go\n", encoding="utf-8")
    return (folder / "helped").read_text(encoding="utf-8")


async def test_calls_at_the_same_time_are_all_judged(tmp_path: Path) -> None:
    """github/copilot-cli#2893: those that waited for their turn ran into their timeout and were allowed."""
    async with real_engine(tmp_path, {"PreToolUse": command(f"sleep 0.2; {block('no')}", timeout=2)}) as engine:
        decisions = await asyncio.gather(*(engine.decision("PreToolUse", **BASH) for _ in range(20)))
    assert [decision.decision for decision in decisions] == ["deny"] * 20


async def test_a_timeout_and_a_cancel_are_told_apart(tmp_path: Path) -> None:
    """Synaptic-Labs-AI/PACT-Plugin#1384: a cancelled event has no answer at all."""
    async with real_engine(
        tmp_path, {"PreToolUse": command("echo > begun; sleep 60", timeout=1)}, kill_grace_ms=50
    ) as engine:
        assert (await engine.one_run("PreToolUse", **BASH)).status == "timedOut"
        later = engine.service.decide(engine.claude("PreToolUse", **BASH))
        assert isinstance(later, Later)
        task = asyncio.ensure_future(later.run())
        await asyncio.sleep(0)
        later.stop()
        with pytest.raises(EventStopped):
            await task


async def test_a_hook_that_is_out_of_time_can_put_its_things_in_order(tmp_path: Path) -> None:
    """anthropics/claude-code#70465: first a polite end, then time, then a forced one."""
    line = "trap 'echo bye > trapped; exit' TERM; sleep 60 & wait"
    async with real_engine(tmp_path, {"SessionEnd": command(line, timeout=0.5)}) as engine:
        assert (await engine.one_run("SessionEnd", reason="exit")).status == "timedOut"
    assert (engine.project / "trapped").read_text(encoding="utf-8") == "bye\n"


@pytest.mark.parametrize("key", ["async", "asyncRewake"])
async def test_nobody_waits_for_a_hook_in_the_background_and_its_end_is_told(tmp_path: Path, key: str) -> None:
    """Answered at once; what the end of the engine cuts off is told of.

    anthropics/claude-code#89960, anthropics/claude-code#83396.
    """
    hooks = {"SessionStart": command("sleep 60", matcher=None, **{key: True})}
    async with real_engine(tmp_path, hooks, kill_grace_ms=50) as engine:
        assert (await engine.one_run("SessionStart", source="startup")).status == "detached"
        await engine.service.close()
        assert [run.status for run, _, _ in engine.sink.detached] == ["cancelled"]


STUBBORN = [
    "trap '' TERM; echo $$ > one; sh -c 'trap \"\" TERM; echo $$ > two; while :; do sleep 60; done'",
    "trap '' TERM; echo $$ > one; setsid sh -c 'echo $$ > two; sleep 60'; sleep 60",
    "echo $$ > one; (echo $(sh -c 'echo $PPID') > two; sleep 60) & wait",
]


@pytest.mark.parametrize("line", STUBBORN)
async def test_what_a_hook_has_started_does_not_outlive_its_time(tmp_path: Path, line: str) -> None:
    """obra/double-shot-latte#10: only the shell was killed, and what it had started went on for 47 minutes."""
    hooks = {"PreToolUse": command(line, timeout=1)}
    async with real_engine(tmp_path, hooks, kill_grace_ms=50) as engine:
        assert (await engine.one_run("PreToolUse", **BASH)).status == "timedOut"
        told = [path.read_text(encoding="utf-8") for name in ("one", "two") if (path := engine.project / name).exists()]
    assert [pid for pid in told if pid and lives(int(pid))] == []


def lives(pid: int) -> bool:
    """Whether that process is there, and is no zombie that somebody else has yet to reap."""
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, check=False)
    return listed.stdout.strip()[:1] not in {b"", b"Z"}


FLOODS = [
    ("head -c 100000000 /dev/zero", "ok"),
    ("head -c 100000000 /dev/zero >&2", "ok"),
    ("""printf '{"decision":"block","reason":"'; head -c 100000000 /dev/zero | tr '\\0' x; echo '"}'""", "tooLarge"),
    ("yes", "timedOut"),
]


@pytest.mark.parametrize(("line", "status"), FLOODS)
async def test_what_a_hook_writes_does_not_fill_the_engine(tmp_path: Path, line: str, status: str) -> None:
    """openai/codex#35712, kirodotdev/KiroCrew#5442: eight at once, each with more than may be kept."""
    hooks = [
        {"hooks": [{"type": "command", "command": f"{line} #{n}", "timeout": 1 if line == "yes" else 60}]}
        for n in range(8)
    ]
    async with real_engine(tmp_path, {"PreToolUse": hooks}, kill_grace_ms=50, max_output_bytes=65536) as engine:
        tracemalloc.start()
        try:
            joined = await engine.decision("PreToolUse", **BASH)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert {run.status for run in present(joined.runs)} == {status}
    assert most < 16 << 20


async def test_nothing_is_left_of_many_hooks(tmp_path: Path) -> None:
    """openclaw/openclaw#97616: finished hooks stayed as zombies until the process table was full."""
    async with real_engine(tmp_path, {"PreToolUse": command("true & exit 0")}) as engine:
        await engine.decision("PreToolUse", **BASH)
        before = len(os.listdir("/dev/fd"))
        for _ in range(100):
            await engine.decision("PreToolUse", **BASH)
        assert len(os.listdir("/dev/fd")) == before
    assert "Z" not in states_of_children()


def states_of_children() -> set[str]:
    """What the processes of this one are doing, by the letters of proc(5)."""
    listed = subprocess.run(["ps", "-o", "stat=", "--ppid", str(os.getpid())], capture_output=True, check=False)
    return {line.strip()[:1] for line in listed.stdout.decode().splitlines()}
