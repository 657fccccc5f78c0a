"""An ECC event, warm, beside the same event through ECC's own launchers, started by a plain Node host."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from ecc_package import install
from noop_bench import COMMANDS
from peer import Peer, request
from rounds import in_turn

__all__ = ["measure"]

EACH = 20
HOST = """
const { spawn } = require('node:child_process');
const { commands, payload, cwd, env, times } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const one = (command) => new Promise((done) => {
  const child = spawn('/bin/sh', ['-c', command], { cwd, env });
  child.stdout.resume();
  child.stderr.resume();
  child.on('close', done);
  child.stdin.on('error', () => {});
  child.stdin.end(payload);
});
(async () => {
  for (let n = 0; n < times; n += 1) {
    const start = process.hrtime.bigint();
    await Promise.all(commands.map(one));
    console.log(Number(process.hrtime.bigint() - start) / 1e9);
  }
})();
"""


def measure(rounds: int = 5) -> list[tuple[str, str, str]]:
    """Rows: what, measured, target."""
    package = install()
    registry = json.loads((package / "hooks" / "hooks.json").read_text(encoding="utf-8"))
    groups = [group for group in registry["hooks"]["PreToolUse"] if {"Bash", "*"} & {*group["matcher"].split("|")}]
    commands = [hook["command"] for group in groups for hook in group["hooks"] if not hook.get("async")]
    asynchronous = [group["id"] for group in groups if any(hook.get("async") for hook in group["hooks"])]
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        project, home = root / "project", root / "home"
        project.mkdir()
        home.mkdir()
        event = {
            "session_id": "bench",
            "cwd": str(project),
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": "ls"},
        }
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "GATEGUARD_STATE_DIR": str(root / "gg"),
            "GATEGUARD_BASH_ROUTINE_DISABLED": "1",
            "CLAUDE_HOOK_EVENT_NAME": "PreToolUse",
        }
        engine = Peer(COMMANDS["tenterhook"], env)
        engine.initialize(
            projectPaths=[str(project)],
            userHome=str(home),
            plugins=[{"id": "ecc", "root": str(package)}],
            disabledHooks=[f"ecc:{name}" for name in asynchronous],
        )
        asked = request(1, "hooks/emitDecision", {"point": "PreToolUse", "payload": event})
        given = json.dumps(
            {
                "commands": commands,
                "payload": json.dumps(event),
                "cwd": str(project),
                "env": {**env, "CLAUDE_PLUGIN_ROOT": str(package)},
                "times": EACH,
            }
        )
        ours: list[float] = []
        theirs: list[float] = []

        def warm() -> float:
            for _ in range(EACH):
                start = perf_counter()
                engine.pump(asked, 1)
                ours.append(perf_counter() - start)
            return 0.0

        def upstream() -> float:
            done = subprocess.run(["node", "-e", HOST], input=given, capture_output=True, text=True, check=True)
            theirs.extend(map(float, done.stdout.split()))
            return 0.0

        in_turn({"warm": warm, "upstream": upstream}, rounds)
        engine.close()
    del ours[:EACH], theirs[:EACH]  # the round that does not count
    p50, p95 = (_at(theirs, share) / _at(ours, share) for share in (0.5, 0.95))
    what = f"an ECC event ({len(commands)} launchers), beside ECC's own launchers under a plain Node host, p50 and p95"
    times = f"{statistics.median(ours) * 1000:.1f} ms"
    return [(what, f"{p50:.0f} and {p95:.0f} times faster ({times})", ">= 30")]


def _at(values: list[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


if __name__ == "__main__":
    print(measure())
