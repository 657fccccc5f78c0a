"""A trivial worker beside a raw echo in its language through the same kind of loop, its fallback, its memory."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable
from time import perf_counter

from rounds import median_ratio
from tenterhook.model import ProcessLaunch, StopReason, WorkerLaunch
from tenterhook.runners import Limits, run_process, seal_inherited
from tenterhook.runners.worker import run_worker

__all__ = ["measure"]

EACH = 500
EVENTS = 1_000_000
EVENT = json.dumps({"toolName": "bash", "args": {"command": "x" * 300}}).encode()

PYTHON_WORKER = """
import json, sys
write = sys.stdout.write
for line in sys.stdin:
    write('{"id":%d}\\n' % json.loads(line)["id"]); sys.stdout.flush()
"""
NODE_WORKER = """
const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('line', (line) => process.stdout.write(`{"id":${JSON.parse(line).id}}\\n`));
"""
CALL = {"env": {"TENTERHOOK_POINT": "tool.approval.pre", "TENTERHOOK_EVENT_ID": "e-1"}, "cwd": "/tmp"}
CLIENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "clients")
PYTHON_HELPER = f"""
import sys
sys.path.insert(0, {os.path.join(CLIENTS, "python", "src")!r})
from tenterhook_client import worker
worker.run(lambda event: None)
"""
NODE_HELPER = f"require({os.path.join(CLIENTS, 'node', 'worker.cjs')!r}).run(() => undefined)"
PYTHON_ECHO = "import sys\nfor line in sys.stdin: sys.stdout.write(line); sys.stdout.flush()"
NODE_ECHO = "process.stdin.on('data', (chunk) => process.stdout.write(chunk))"


def measure(rounds: int = 9, events: int = EVENTS) -> list[tuple[str, str, str]]:
    """Rows: what, measured, target."""
    seal_inherited()
    rows: list[tuple[str, str, str]] = []
    python = (sys.executable, "-S", "-E", "-u", "-c")
    languages: dict[str, tuple[tuple[str, ...], str, str, str]] = {
        "Python": (python, PYTHON_WORKER, PYTHON_HELPER, PYTHON_ECHO)
    }
    if node := shutil.which("node"):
        languages["Node"] = ((node, "-e"), NODE_WORKER, NODE_HELPER, NODE_ECHO)
    for language, (words, worker, helper, echo) in languages.items():
        kinds = [
            (f"a trivial {language} worker, event to answer, beside a raw echo of lines in {language}", worker, "<= 3"),
            (f"… with the helper module for {language}, variables and folder of the event set", helper, ""),
        ]
        for what, program, target in kinds:
            taken = asyncio.run(_round_trips((*words, program), (*words, echo), rounds))
            micro = statistics.median(taken["worker"]) * 1e6
            ratio = median_ratio(taken["worker"], taken["echo"])
            rows.append((what, f"{ratio:.2f} times ({micro:.0f} us)", target))
    fallback = asyncio.run(_fallback(rounds))
    rows.append(("an event that no worker takes, beside a plain hook", f"{fallback:.2f} times", "1"))
    engine, other = asyncio.run(_memory((*python, PYTHON_WORKER), events))
    what = f"memory gained over {events:,} events, by the engine and by the worker"
    rows.append((what, f"{engine:.1f} and {other:.1f} MB", "flat"))
    return rows


def _launch(argv: tuple[str, ...]) -> WorkerLaunch:
    env = dict(os.environ)
    alone = ProcessLaunch(
        argv=(shutil.which("cat") or "cat",), env=env, cwd=("/",), stdin=EVENT, timeout=30, run_id="b"
    )
    return WorkerLaunch(
        argv=argv,
        env={**env, "TENTERHOOK_WORKER": "1"},
        cwd=("/",),
        event=EVENT,
        call=CALL,
        one_shot=alone,
        timeout=30,
        run_id="b",
    )


async def _round_trips(worker: tuple[str, ...], echo: tuple[str, ...], rounds: int) -> dict[str, list[float]]:
    limits, launch = Limits(), _launch(worker)
    stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
    raw = _Echo(echo)
    taken: dict[str, list[float]] = {"worker": [], "echo": []}
    for number in range(rounds + 1):
        times: list[float] = []
        for _ in range(EACH):
            start = perf_counter()
            await run_worker(launch, limits, stop)
            times.append(perf_counter() - start)
        echoes: list[float] = []
        for _ in range(EACH):
            start = perf_counter()
            await raw.round_trip()
            echoes.append(perf_counter() - start)
        if number:
            taken["worker"].append(statistics.median(times))
            taken["echo"].append(statistics.median(echoes))
    raw.close()
    for lasting in limits.lasting.values():
        await lasting.close()
    return taken


class _Echo:
    """A program that gives every line back, on pipes that an asyncio loop waits at."""

    def __init__(self, argv: tuple[str, ...]) -> None:
        self._child = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._in, self._out = self._child.stdin.fileno(), self._child.stdout.fileno()
        os.set_blocking(self._out, False)
        self._loop = asyncio.get_running_loop()
        self._missing = 0
        self._done: asyncio.Future[None] = self._loop.create_future()
        self._loop.add_reader(self._out, self._read)

    def round_trip(self) -> asyncio.Future[None]:
        self._missing = len(EVENT) + 1
        self._done = self._loop.create_future()
        os.write(self._in, EVENT + b"\n")
        return self._done

    def _read(self) -> None:
        self._missing -= len(os.read(self._out, 1 << 16))
        if not self._missing:
            self._done.set_result(None)

    def close(self) -> None:
        self._loop.remove_reader(self._out)
        os.close(self._in)
        self._child.wait()


async def _fallback(rounds: int) -> float:
    launch = _launch(("/no/such/worker",))
    limits = Limits()
    loop = asyncio.get_running_loop()

    async def timed(run: Callable[[], asyncio.Future[StopReason]], *, worker: bool) -> float:
        times: list[float] = []
        for _ in range(50):
            start = perf_counter()
            if worker:
                await run_worker(launch, limits, run())
            else:
                await run_process(launch.one_shot, limits, run())
            times.append(perf_counter() - start)
        return statistics.median(times)

    ratios: list[float] = []
    for _ in range(rounds):
        ours = await timed(loop.create_future, worker=True)
        ratios.append(ours / await timed(loop.create_future, worker=False))
    return statistics.median(ratios)


async def _memory(worker: tuple[str, ...], events: int) -> tuple[float, float]:
    """Megabytes that the engine and the worker have more at the end than after the first tenth of one worker's life."""
    import tenterhook.runners.worker.pool as pool  # noqa: PLC0415 - one worker has to serve them all here

    pool._REQUESTS = events * 2  # pyright: ignore[reportPrivateUsage]
    limits, launch = Limits(), _launch(worker)
    stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()

    async def serve(number: int) -> None:
        for _ in range(number):
            await run_worker(launch, limits, stop)

    await serve(events // 10)
    workers = limits.lasting["workers"]
    assert isinstance(workers, pool.Pool)
    [one] = workers.idle
    before = _resident(), one.memory
    await serve(events - events // 10)
    after = _resident(), one.memory
    await workers.close()
    return (after[0] - before[0]) / 1e6, (after[1] - before[1]) / 1e6


def _resident() -> int:
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    for row in measure(events=int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS):
        print(row)
