"""How a run is ended early, and that nothing of it is left."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
import sys
from pathlib import Path

import pytest
from server.runners.hooklets import (
    Post,
    is_alive,
    launch,
    marked,
    no_children,
    open_descriptors,
    python,
    run,
    shell,
    wait_for_end,
)
from tenterhook.model import Outcome, ProcessLaunch, StopReason
from tenterhook.runners import Limits, process_tree

HASTY = Limits(grace=0.05, drain=60.0)
"""The grace time runs out for sure, for these hooks ignore SIGTERM."""

POLITE = Limits(grace=60.0, drain=60.0)
"""The grace time never runs out in a good test."""


class Started:
    """A run under way, and the means to stop it."""

    def __init__(self, hook: ProcessLaunch, limits: Limits) -> None:
        self.hook = hook
        self.stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
        self.task = asyncio.create_task(run(hook, limits, self.stop))

    async def stopped(self, reason: StopReason = "cancelled") -> Outcome:
        """Stop it, and see that nothing is left."""
        self.stop.set_result(reason)
        outcome = await self.task
        assert marked(self.hook.run_id) == []
        return outcome


@pytest.mark.usefixtures("each_way")
async def test_a_hook_that_takes_too_long_has_timed_out() -> None:
    hook = shell("echo begun; exec sleep 1000", timeout=0.25)
    outcome = await run(hook, POLITE)
    assert (outcome.status, outcome.exit_code, outcome.signal) == ("timedOut", None, "SIGTERM")
    assert outcome.error == "did not end within 0.25 s; its process tree was stopped"
    assert marked(hook.run_id) == []


async def test_a_timeout_ends_what_the_hook_has_started_wherever_it_went() -> None:
    script = "setsid sleep 1000 & (setsid sh -c 'trap \"\" TERM; sleep 1001; sleep 1002' &) ; trap '' TERM; sleep 1003"
    hook = shell(script, timeout=0.2)
    assert (await run(hook, HASTY)).status == "timedOut"
    assert marked(hook.run_id) == []


@pytest.mark.parametrize("reason", ["cancelled", "timedOut"])
@pytest.mark.usefixtures("each_way")
async def test_a_stop_ends_a_run_and_gives_it_its_status(reason: StopReason, post: Post) -> None:
    started = Started(shell(f"echo out; echo err >&2; echo $$ > {post.path}; exec sleep 1000"), POLITE)
    await post.pids(1)
    outcome = await started.stopped(reason)
    assert (outcome.status, outcome.signal) == (reason, "SIGTERM")
    assert (outcome.stdout, outcome.stderr) == (b"out\n", b"err\n")
    assert {"cancelled": "stopped on request", "timedOut": "the time of its event"}[reason] in (outcome.error or "")


async def test_a_stop_before_the_start_starts_nothing(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    started = Started(launch("touch", str(trace)), POLITE)
    outcome = await started.stopped()
    assert (outcome.status, outcome.duration) == ("cancelled", 0.0)
    assert "before it started" in (outcome.error or "")
    assert not trace.exists()


@pytest.mark.parametrize("turns", range(6))
async def test_a_stop_in_the_first_turns_of_a_run_leaves_nothing(turns: int) -> None:
    before = open_descriptors()
    started = Started(launch("sleep", "1000"), POLITE)
    for _ in range(turns):
        await asyncio.sleep(0)
    assert (await started.stopped()).status == "cancelled"
    assert open_descriptors() == before
    assert no_children()


async def test_a_cancelled_stop_is_a_stop(post: Post) -> None:
    started = Started(shell(f"echo $$ > {post.path}; exec sleep 1000"), POLITE)
    await post.pids(1)
    started.stop.cancel()
    assert (await started.task).status == "cancelled"


async def test_a_stop_while_output_drains_ends_the_background_child(post: Post) -> None:
    started = Started(shell(f"sleep 1000 & echo $! > {post.path}; echo $$ > {post.path}; echo out"), POLITE)
    child, leader = await post.pids(2)
    with contextlib.suppress(ProcessLookupError):
        await wait_for_end(leader)
    outcome = await started.stopped()
    assert (outcome.status, outcome.stdout) == ("cancelled", b"out\n")
    assert not is_alive(child)


async def test_a_stop_after_the_end_changes_nothing() -> None:
    stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
    outcome = await run(launch("true"), POLITE, stop)
    stop.set_result("cancelled")
    assert outcome.status == "ok"


@pytest.mark.usefixtures("each_way")
async def test_a_hook_that_ignores_sigterm_is_killed_after_the_grace_time(post: Post) -> None:
    started = Started(shell(f"trap '' TERM; echo $$ > {post.path}; exec sleep 1000"), HASTY)
    await post.pids(1)
    outcome = await started.stopped()
    assert (outcome.status, outcome.signal) == ("cancelled", "SIGKILL")
    assert "killed after the grace time" in (outcome.error or "")


@pytest.mark.usefixtures("each_way")
async def test_a_stopped_process_ends_all_the_same() -> None:
    outcome = await run(shell("kill -STOP $$; echo never", timeout=0.2), POLITE)
    assert (outcome.status, outcome.signal, outcome.stdout) == ("timedOut", "SIGTERM", b"")


async def test_a_hook_may_clean_up_within_the_grace_time(post: Post) -> None:
    script = f"""
        trap 'sh -c "kill -0 $$ && echo cleaned"; echo bye >&2; exit 7' TERM
        sh -c 'echo $$ > {post.path}; exec sleep 1000' &
        wait
    """
    started = Started(shell(script), POLITE)
    await post.pids(1)
    outcome = await started.stopped()
    assert (outcome.status, outcome.exit_code) == ("cancelled", 7)
    assert outcome.stdout == b"cleaned\n"
    assert outcome.stderr.endswith(b"bye\n")  # some shells tell of the end of `sleep` first
    assert "its process tree was stopped" in (outcome.error or "")


LEAVERS = {
    "in a session of its own": "os.setsid()",
    "in a group of its own": "os.setpgid(0, 0)",
    "daemonised": "os.setsid(); os._exit(0) if os.fork() else None",
    "without environment, its parent gone, with a pipe of the run": (
        "os.setsid(); os._exit(0) if os.fork() else os.execve(sys.executable, [*ME, REST], {})"
    ),
    "without environment, its parent alive": "os.setsid(); os.execve(sys.executable, [*ME, REST], {})",
    "its main thread gone": "os.setsid(); threading.Thread(target=rest).start(); libc.pthread_exit(None)",
}

LEAVER = """
import os, signal, sys, threading, ctypes
libc = ctypes.CDLL(None)
POST, IGNORES, LEAVE = sys.argv[1], sys.argv[2] == "True", sys.argv[3]
ME = [sys.executable, "-I", "-S", "-c"]
REST = f"import os, signal; open({POST!r}, 'w').write(str(os.getpid()) + chr(10)); signal.pause()"
def rest():
    with open(POST, "w") as post:
        print(os.getpid(), file=post)
    threading.Event().wait()
if IGNORES:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    exec(LEAVE)
    rest()
signal.pause()
"""


@pytest.mark.parametrize("ignores", [False, True], ids=["heeds TERM", "ignores TERM"])
@pytest.mark.parametrize("leave", LEAVERS.values(), ids=LEAVERS.keys())
async def test_a_grandchild_does_not_escape(leave: str, post: Post, *, ignores: bool) -> None:
    hook = launch(sys.executable, "-I", "-c", LEAVER, post.path, str(ignores), leave)
    started = Started(hook, HASTY if ignores else POLITE)
    (grandchild,) = await post.pids(1)
    assert is_alive(grandchild)
    outcome = await started.stopped()
    assert not is_alive(grandchild)
    assert outcome.signal == ("SIGKILL" if ignores else "SIGTERM")


async def test_many_strays_that_ignore_sigterm_are_all_found(post: Post) -> None:
    script = f"""
        trap '' TERM
        for n in 1 2 3 4 5 6 7 8 9 10 11 12; do setsid sh -c 'echo $$ > {post.path}; exec sleep 1000' & done
        wait
    """
    started = Started(shell(script), HASTY)
    strays = await post.pids(12)
    await started.stopped()
    assert [pid for pid in strays if is_alive(pid)] == []


async def test_a_neighbour_is_not_hit(post: Post, go: Post) -> None:
    neighbour = Started(shell(f"echo $$ > {post.path}; read _ < {go.path}; echo unharmed"), POLITE)
    started = Started(shell(f"echo $$ > {post.path}; exec sleep 1000"), POLITE)
    await post.pids(2)
    assert (await started.stopped()).status == "cancelled"
    go.write("go\n")
    outcome = await neighbour.task
    assert (outcome.status, outcome.stdout) == ("ok", b"unharmed\n")


async def test_what_a_hook_has_detached_lives_on_after_a_normal_exit(post: Post) -> None:
    outcome = await run(shell(f"setsid sleep 1000 >/dev/null 2>&1 & echo $! > {post.path}"))
    (child,) = await post.pids(1)
    assert outcome.status == "ok"
    assert is_alive(child)
    os.kill(child, signal.SIGKILL)


@pytest.mark.usefixtures("each_way")
async def test_a_cancelled_task_leaves_no_process_and_no_descriptor(post: Post) -> None:
    before = open_descriptors()
    started = Started(shell(f"trap '' TERM; echo $$ > {post.path}; exec sleep 1000"), POLITE)
    await post.pids(1)
    started.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await started.task
    assert marked(started.hook.run_id) == []
    assert open_descriptors() == before
    assert no_children()


async def test_what_cannot_be_killed_is_told_within_bounds(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(process_tree, "_LAST_WAIT", 0.05)
    monkeypatch.setattr(signal, "pidfd_send_signal", refuse)
    hook = shell(f"setsid sh -c 'echo $$ > {post.path}; exec sleep 1000' & wait")
    stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
    before = open_descriptors()
    task = asyncio.create_task(run(hook, HASTY, stop))
    (stray,) = await post.pids(1)
    stop.set_result("cancelled")
    outcome = await task
    assert outcome.status == "cancelled"
    assert f"may still be there (pid {stray})" in (outcome.error or "")
    assert open_descriptors() == before
    os.kill(stray, signal.SIGKILL)


async def test_without_descriptors_to_look_with_the_group_is_killed_and_the_doubt_told(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_tree, "_LAST_WAIT", 0.05)
    started = Started(shell(f"trap '' TERM; echo $$ > {post.path}; exec sleep 1000"), HASTY)
    (leader,) = await post.pids(1)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        started.stop.set_result("cancelled")
        outcome = await started.task
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert (outcome.status, outcome.signal) == ("cancelled", "SIGKILL")
    assert f"may still be there (pid {leader})" in (outcome.error or "")


async def test_without_pidfds_a_thread_waits_and_the_group_is_killed(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deny(*_: object) -> int:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(os, "pidfd_open", deny)
    assert (await run(shell("cat; exit 3", stdin=b"in"))).exit_code == 3
    started = Started(shell(f"trap '' TERM; echo $$ > {post.path}; exec sleep 1000"), HASTY)
    await post.pids(1)
    assert (await started.stopped()).signal == "SIGKILL"
    assert no_children()


async def test_the_hook_of_a_python_host_ends_with_its_threads(post: Post) -> None:
    code = f"""
import os, threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
open({post.path!r}, "w").write("1\\n")
threading.Event().wait()
"""
    started = Started(python(code), POLITE)
    await post.pids(1)
    assert (await started.stopped()).signal == "SIGTERM"
