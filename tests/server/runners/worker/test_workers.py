"""Workers: one process for many events, and nothing lost whatever it does."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tenterhook.model import Outcome, ProcessLaunch, StopReason, WorkerLaunch
from tenterhook.runners import Limits
from tenterhook.runners.start_gate import StartGate
from tenterhook.runners.worker import run_worker

SERVES = """
import json, os, sys
for line in sys.stdin:
    request = json.loads(line)
    event = request["event"]
    def say(**answer):
        print(json.dumps({"id": request["id"], **answer}), flush=True)
    exec(event["do"])
"""
"""A worker that does what each event says."""

ALONE = "import sys; sys.stdin.read(); print('alone')"


class Desk:
    """Runs events by a worker, or by its one-shot where the worker fails."""

    def __init__(self, limits: Limits, folder: Path) -> None:
        self.limits = limits
        self.folder = folder
        self._numbers = iter(range(1_000_000))

    def launch(self, do: str, *, timeout: float = 20.0, argv: tuple[str, ...] | None = None) -> WorkerLaunch:
        env = dict(os.environ)
        cwd = (str(self.folder),)
        run_id = f"test-{next(self._numbers)}"
        python = (sys.executable, "-S", "-E", "-c")
        one_shot = ProcessLaunch(argv=(*python, ALONE), env=env, cwd=cwd, stdin=b"{}", timeout=timeout, run_id=run_id)
        return WorkerLaunch(
            argv=argv or (*python, SERVES),
            env=env,
            cwd=cwd,
            event=json.dumps({"do": do}).encode(),
            call={"cwd": cwd[0]},
            one_shot=one_shot,
            timeout=timeout,
            run_id=run_id,
        )

    async def run(self, do: str, **more: Any) -> Outcome:
        stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
        return await run_worker(self.launch(do, **more), self.limits, stop)

    async def pid(self) -> int:
        return int((await self.run("say(stdout=str(os.getpid()))")).stdout)


@asynccontextmanager
async def a_desk(
    folder: Path, *, max_output: int = 1 << 20, workers: bool = True, starts: int | None = None
) -> AsyncGenerator[Desk]:
    made = Desk(Limits(grace=0.3, max_output=max_output, workers=workers, gate=StartGate(starts)), folder)
    async with asyncio.timeout(60):
        try:
            yield made
        finally:
            for lasting in made.limits.lasting.values():
                await lasting.close()


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncGenerator[Desk]:
    async with a_desk(tmp_path) as made:
        yield made


def alive(pid: int) -> bool:
    """Whether it runs: one that has ended and was left to init may still be listed."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def until_gone(pid: int) -> None:
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()
    loop.add_reader(fd, lambda: ended.done() or ended.set_result(None))
    await ended
    loop.remove_reader(fd)
    os.close(fd)


async def test_many_events_are_served_by_one_process(desk: Desk) -> None:
    assert len({await desk.pid() for _ in range(20)}) == 1


ANSWERS: list[tuple[str, str, dict[str, Any]]] = [
    ("nothing", "say()", {"status": "ok", "exit_code": 0, "stdout": b""}),
    ("text", "say(stdout='hello')", {"status": "ok", "stdout": b"hello"}),
    ("a value", "say(answer={'decision': 'deny'})", {"stdout": b'{"decision": "deny"}'}),
    ("no value", "say(answer=None, stdout='x')", {"status": "ok", "stdout": b""}),
    ("a value with half a character", "say(answer='\\ud800')", {"stdout": b'"\\ud800"'}),
    ("an exit code", "say(exitCode=2, stderr='no')", {"status": "failed", "exit_code": 2, "stderr": b"no"}),
    ("an exit code that wraps", "say(exitCode=256)", {"status": "ok", "exit_code": 0}),
    ("a negative exit code", "say(exitCode=-1)", {"status": "failed", "exit_code": 255}),
    ("not in ASCII", "say(stdout='\\U0001f642')", {"stdout": "🙂".encode()}),
    ("half a character", "say(stdout='\\ud800')", {"stdout": b"?"}),
]


@pytest.mark.parametrize(("name", "do", "told"), ANSWERS, ids=[row[0] for row in ANSWERS])
async def test_an_answer_is_what_a_process_would_have_done(
    desk: Desk, name: str, do: str, told: dict[str, Any]
) -> None:
    outcome = await desk.run(do)
    assert {key: getattr(outcome, key) for key in told} == told, name


STRAYS: list[tuple[str, str, str]] = [
    ("garbage", "print('hello', flush=True); say(stdout='x')", "no answer"),
    ("an answer to nobody", "print('{\"id\": 99}', flush=True); say(stdout='x')", "request 99"),
    ("an answer of a wrong type", "print('{\"id\": \"1\"}', flush=True); say(stdout='x')", "no answer"),
]


@pytest.mark.parametrize(("name", "do", "said"), STRAYS, ids=[row[0] for row in STRAYS])
async def test_a_line_that_is_no_answer_is_passed_over_and_told_of(desk: Desk, name: str, do: str, said: str) -> None:
    pid = await desk.pid()
    outcome = await desk.run(do)
    assert (outcome.stdout, [said in warning for warning in outcome.warnings]) == (b"x", [True]), name
    assert await desk.pid() == pid


async def test_a_second_answer_is_not_taken_for_that_of_the_next_event(desk: Desk) -> None:
    assert (await desk.run("say(stdout='first'); say(stdout='again')")).stdout == b"first"
    assert (await desk.run("say(stdout='second')")).stdout == b"second"


LOST: list[tuple[str, str]] = [
    ("it dies", "os._exit(3)"),
    ("it is killed", "os.kill(os.getpid(), 9)"),
    ("it dies in mid-answer", "sys.stdout.write('{\"id\": '); sys.stdout.flush(); os._exit(0)"),
    ("it closes its output", "os.close(1); import signal; signal.pause()"),
    ("it ends, and its child holds its pipes", "os.fork() and os._exit(0); import signal; signal.pause()"),
    ("it ends, and its child prints without end", "os.fork() and os._exit(0)\nwhile True: os.write(1, b'x' * 60000)"),
    ("it prints without end", "sys.stdout.write('x' * 20_000_000); sys.stdout.flush(); import signal; signal.pause()"),
    ("it prints nothing but garbage", "print('x\\n' * 200, flush=True); import signal; signal.pause()"),
    ("it cannot", "say(error='not today')"),
    ("its answer does not fit", "say(exitCode='2')"),
]


@pytest.mark.parametrize(("name", "do"), LOST, ids=[row[0] for row in LOST])
async def test_an_event_whose_worker_is_lost_is_run_by_a_process_of_its_own(desk: Desk, name: str, do: str) -> None:
    outcome = await desk.run(do)
    assert (outcome.status, outcome.stdout, len(outcome.warnings)) == ("ok", b"alone\n", 1), name


async def test_the_last_words_of_a_worker_stand_in_the_warning(desk: Desk) -> None:
    outcome = await desk.run("raise SystemExit('no disk is left')")
    assert ["no disk is left" in warning for warning in outcome.warnings] == [True]
    assert outcome.stderr == b""


async def test_after_a_failure_events_go_to_processes_of_their_own_for_a_while(desk: Desk) -> None:
    await desk.run("os._exit(1)")
    assert (await desk.run("say(stdout='by the worker')")).stdout == b"alone\n"


async def test_a_worker_that_cannot_be_started_costs_nothing_but_the_way_round(desk: Desk) -> None:
    outcome = await desk.run("say()", argv=("/no/such/program",))
    assert (outcome.status, outcome.stdout) == ("ok", b"alone\n")


ENDLESS = ["import signal; signal.pause()", "import signal; signal.signal(15, signal.SIG_IGN); signal.pause()"]


@pytest.mark.parametrize("do", ENDLESS, ids=["hangs", "ignores TERM"])
async def test_a_worker_that_is_out_of_time_is_ended_and_the_next_event_has_another(desk: Desk, do: str) -> None:
    pid = await desk.pid()
    assert (await desk.run(do, timeout=0.3)).status == "timedOut"
    assert not alive(pid)
    assert await desk.pid() != pid


async def test_what_a_worker_has_started_ends_with_it(desk: Desk) -> None:
    do = "import subprocess; p = subprocess.Popen(['sleep', '60'], start_new_session=True); say(stdout=str(p.pid))"
    child = int((await desk.run(do)).stdout)
    await desk.run("import signal; signal.pause()", timeout=0.3)
    assert not alive(child)


async def test_a_cancelled_event_ends_its_worker(desk: Desk) -> None:
    pid = await desk.pid()
    stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
    run = asyncio.ensure_future(run_worker(desk.launch("import signal; signal.pause()"), desk.limits, stop))
    await asyncio.sleep(0)
    stop.set_result("cancelled")
    assert (await run).status == "cancelled"
    assert not alive(pid)


async def test_an_event_whose_task_is_cancelled_ends_its_worker_and_leaves_its_place(desk: Desk) -> None:
    for _ in range(3):
        pid = await desk.pid()
        run = asyncio.ensure_future(desk.run("import signal; signal.pause()"))
        await asyncio.sleep(0)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        assert not alive(pid)


IDLE: list[tuple[str, str]] = [
    ("it ends", "os._exit(0)"),
    ("it closes its output", "os.close(1); import signal; signal.pause()"),
    ("it prints garbage", "print('x\\n' * 200, flush=True); import signal; signal.pause()"),
    ("it prints without end", "while True: os.write(1, b'x' * 60000)"),
]


@pytest.mark.parametrize(("name", "do"), IDLE, ids=[row[0] for row in IDLE])
async def test_a_worker_that_goes_wrong_after_its_answer_is_ended_and_nobody_is_told(
    desk: Desk, name: str, do: str
) -> None:
    pid = int((await desk.run(f"say(stdout=str(os.getpid()))\n{do}")).stdout)
    await until_gone(pid)
    outcome = await desk.run("say(stdout=str(os.getpid()))")
    assert (int(outcome.stdout) != pid, outcome.warnings) == (True, ()), name


async def test_a_worker_whose_program_has_been_edited_is_replaced(desk: Desk) -> None:
    program = desk.folder / "hook.py"
    program.write_text(SERVES, encoding="utf-8")
    argv = (sys.executable, "-S", "-E", "hook.py")
    told = "say(stdout=str(os.getpid()))"
    first, second = [(await desk.run(told, argv=argv)).stdout for _ in range(2)]
    program.write_text(f"# edited\n{SERVES}", encoding="utf-8")
    third = (await desk.run(told, argv=argv)).stdout
    assert (first == second, second == third) == (True, False)


async def test_after_hook_files_were_read_anew_every_event_has_a_new_worker(desk: Desk) -> None:
    idle = await desk.pid()
    slow = asyncio.ensure_future(
        desk.run("import threading; threading.Event().wait(0.2); say(stdout=str(os.getpid()))")
    )
    await asyncio.sleep(0)
    [lasting] = desk.limits.lasting.values()
    lasting.renew()
    assert int((await slow).stdout) == idle
    assert await desk.pid() != idle
    await until_gone(idle)


async def test_what_goes_to_stderr_is_drained_and_its_end_stands_with_the_run(tmp_path: Path) -> None:
    async with a_desk(tmp_path, max_output=1000) as desk:
        await desk.run("sys.stderr.write('y' * 3_000_000); sys.stderr.flush(); say()")
        outcome = await desk.run("sys.stderr.write('end'); sys.stderr.flush(); say(stdout='x' * 5000)")
    assert outcome.stderr.endswith(b"end")
    assert (len(outcome.stdout), outcome.stdout_cut) == (1000, True)


async def test_events_at_the_same_time_never_wait_for_each_other(desk: Desk) -> None:
    slow = "import threading; threading.Event().wait(0.3); say(stdout='worker')"
    outcomes = await asyncio.gather(*(desk.run(slow) for _ in range(4)))
    assert sorted(outcome.stdout for outcome in outcomes) == [b"alone\n", b"alone\n", b"worker", b"worker"]


async def test_a_burst_starts_no_more_workers_than_there_may_be(tmp_path: Path) -> None:
    async with a_desk(tmp_path, starts=1) as desk:
        slow = "import threading; threading.Event().wait(0.3); say(stdout='worker')"
        outcomes = await asyncio.gather(*(desk.run(slow) for _ in range(5)))
    assert [outcome.stdout for outcome in outcomes].count(b"worker") == 2


async def test_nobody_waits_for_the_end_of_a_worker_that_waits_for_a_request(desk: Desk) -> None:
    await desk.pid()
    loop = asyncio.get_running_loop()
    stop: asyncio.Future[StopReason] = loop.create_future()
    waiting = asyncio.ensure_future(desk.limits.gate.until_one_ends(loop.time() + 30, stop))
    await asyncio.sleep(0)
    assert waiting.done()
    assert not waiting.result()


async def test_a_large_payload_and_a_large_answer_pass(desk: Desk) -> None:
    filler = "#" + "x" * 3_000_000
    assert len((await desk.run(f"say(stdout='z' * 900_000) {filler}")).stdout) == 900_000


async def test_no_worker_is_left_when_the_engine_ends(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        pid = await desk.pid()
    assert not alive(pid)


async def test_a_worker_that_heeds_neither_the_end_of_its_input_nor_a_signal_is_killed(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        do = (
            "import signal; signal.signal(15, signal.SIG_IGN); say(stdout=str(os.getpid()))\nwhile True: signal.pause()"
        )
        pid = int((await desk.run(do)).stdout)
    assert not alive(pid)


async def test_a_worker_that_has_served_long_enough_is_replaced(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenterhook.runners.worker.pool._REQUESTS", 3)
    assert len({await desk.pid() for _ in range(6)}) == 2


async def test_a_worker_that_says_goodbye_is_asked_nothing_more(desk: Desk) -> None:
    first = int((await desk.run("say(stdout=str(os.getpid()), last=True); os._exit(0)")).stdout)
    outcome = await desk.run("say(stdout=str(os.getpid()))")
    assert (int(outcome.stdout) != first, outcome.warnings) == (True, ())


async def test_a_worker_that_grows_too_large_is_replaced(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenterhook.runners.worker.pool._WEIGHED_EVERY", 1)
    pid = await desk.pid()
    monkeypatch.setattr("tenterhook.runners.worker.pool._MEMORY", 1024)
    await desk.run("say()")
    assert await desk.pid() != pid


async def test_where_workers_are_switched_off_every_event_has_its_own_process(tmp_path: Path) -> None:
    async with a_desk(tmp_path, workers=False) as desk:
        assert (await desk.run("say(stdout='x')")).stdout == b"alone\n"
