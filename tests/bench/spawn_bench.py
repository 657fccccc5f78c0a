"""Owns the benchmark of the process runner: one ``cat`` round trip against C's posix_spawn and Node's spawn.

Run it with ``python tests/bench/spawn_bench.py [SAMPLES] [ROUNDS]``.
The three are measured in turns, so that other work on the machine meets all of them; the ratio of each turn is taken
against C in the same turn. Read the ratios, not the times.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from tenterhook.model import ProcessLaunch
from tenterhook.runners import Limits, run_process, seal_inherited

__all__ = ["Measured", "measure"]

PAYLOAD = 500
PROGRAM = shutil.which("cat") or "/bin/cat"
FOLDER = "/"

NODE = """
const { spawn } = require('node:child_process');
const [rounds, size, program, cwd] = process.argv.slice(1);
const payload = Buffer.alloc(Number(size), 'x');
const once = () => new Promise((done) => {
  const start = process.hrtime.bigint();
  const child = spawn(program, [], { cwd, detached: true });
  let received = 0;
  child.stdout.on('data', (chunk) => { received += chunk.length; });
  child.stderr.on('data', () => {});
  child.on('close', () => {
    if (received !== payload.length) throw new Error(`${received} bytes came back`);
    console.log(Number(process.hrtime.bigint() - start) / 1e3);
    done();
  });
  child.stdin.end(payload);
});
(async () => { for (let n = 0; n < Number(rounds); n += 1) await once(); })();
"""


class Measured(Struct, frozen=True):
    """One way of spawning."""

    name: str
    p50: float
    """Median of all samples, in microseconds."""
    ratio: float
    """Median over the turns of p50 / p50 of C in the same turn."""


def measure(samples: int, rounds: int) -> list[Measured]:
    """Measure all ways that this machine has; C comes first."""
    with tempfile.TemporaryDirectory() as folder:
        baseline = str(Path(folder) / "posix_spawn")
        source = Path(__file__).with_name("posix_spawn.c")
        subprocess.run(["cc", "-O2", "-o", baseline, str(source)], check=True)
        common = [str(samples), str(PAYLOAD), PROGRAM, FOLDER]
        ways: dict[str, Callable[[], list[float]]] = {
            "C posix_spawn": lambda: _told([baseline, *common]),
            "tenterhook": lambda: _ours(samples),
        }
        if shutil.which("node"):
            ways["node spawn"] = lambda: _told(["node", "-e", NODE, *common])
        taken: dict[str, list[list[float]]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, way in ways.items():
                taken[name].append(way())
    floor = [statistics.median(turn) for turn in taken["C posix_spawn"]]
    return [
        Measured(
            name,
            statistics.median(sample for turn in turns for sample in turn),
            statistics.median(statistics.median(turn) / low for turn, low in zip(turns, floor, strict=True)),
        )
        for name, turns in taken.items()
    ]


def _ours(samples: int) -> list[float]:
    launch = ProcessLaunch(
        argv=(PROGRAM,),
        env=dict(os.environ),
        cwd=(FOLDER,),
        stdin=b"x" * PAYLOAD,
        timeout=30.0,
        run_id="bench",
    )
    limits = Limits()

    async def run() -> list[float]:
        loop = asyncio.get_running_loop()
        taken: list[float] = []
        for _ in range(samples):
            start = time.perf_counter()
            outcome = await run_process(launch, limits, loop.create_future())
            taken.append((time.perf_counter() - start) * 1e6)
            if outcome.status != "ok" or len(outcome.stdout) != PAYLOAD:
                raise SystemExit(f"the round trip failed: {outcome}")
        return taken

    return asyncio.run(run())


def _told(argv: list[str]) -> list[float]:
    done = subprocess.run(argv, check=True, capture_output=True, text=True)
    return [float(line) for line in done.stdout.split()]


def _main() -> None:
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    seal_inherited()
    for way in measure(samples, rounds):
        print(f"{way.name:15} p50 {way.p50:7.0f} us   {way.ratio:5.2f} x C")


if __name__ == "__main__":
    _main()
