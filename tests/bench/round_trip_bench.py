"""One `cat` decision hook, host request to host answer, beside C's posix_spawn and Node's child_process.spawn."""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from noop_bench import COMMANDS, HERE
from peer import Peer, request
from rounds import in_turn, median_ratio

__all__ = ["measure"]

EACH = 100


def measure(rounds: int = 9) -> list[tuple[str, str, str]]:
    """Rows: what, measured, target. Every figure is the median of 100 round trips."""
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        cat = shutil.which("cat") or "/bin/cat"
        baseline = root / "posix_spawn"
        subprocess.run(["cc", "-O2", "-o", str(baseline), str(HERE / "posix_spawn.c")], check=True)
        hook = {"name": "cat", "point": "tool.approval.pre", "type": "decision", "command": cat}
        (root / ".codingcode").mkdir()
        (root / ".codingcode" / "hooks.yaml").write_text(json.dumps({"hooks": [hook]}), encoding="utf-8")
        peer = Peer(COMMANDS["tenterhook"])
        peer.initialize(projectPaths=[str(root)], userHome=str(root / "home"))
        payload = {"reason": "x" * 380, "projectPath": str(root), "sessionId": "s"}
        said = f'"result":{{"reason":"{payload["reason"]}"}}'.encode()
        numbers = iter(range(1, 1_000_000))

        def engine() -> float:
            times: list[float] = []
            for _ in range(EACH):
                data = request(next(numbers), "hooks/emitDecision", {"point": "tool.approval.pre", "payload": payload})
                start = perf_counter()
                (body,) = peer.exchange(data, 1)
                times.append(perf_counter() - start)
                if said not in body:
                    raise SystemExit(f"the hook did not answer: {body[:300]!r}")
            return statistics.median(times) * 1000

        measures = {
            "engine": engine,
            "c": lambda: _median_of([str(baseline), str(EACH), "500", cat, str(root)]) / 1000,
            "node": lambda: _median_of(["node", str(HERE / "servers" / "node_spawn.mjs"), str(EACH)]),
        }
        taken = in_turn(measures, rounds)
        peer.close()
    return [
        ("one `cat` decision hook, request to answer", f"{statistics.median(taken['engine']):.2f} ms", ""),
        (
            "… beside C `posix_spawn` of the same program",
            f"{median_ratio(taken['engine'], taken['c']):.2f} times",
            "<= 1.4",
        ),
        (
            "… beside Node's `child_process.spawn` alone",
            f"{median_ratio(taken['engine'], taken['node']):.2f} times",
            "< 1",
        ),
    ]


def _median_of(command: list[str]) -> float:
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return statistics.median(float(line) for line in printed.split())
