"""Fifty command hooks on one event of Claude Code's, beside a C ``posix_spawn`` loop for the same fifty ``sh -c``."""

from __future__ import annotations

import json
import statistics
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from noop_bench import COMMANDS
from peer import Peer, request
from rounds import in_turn, median_ratio

__all__ = ["measure"]

HOOKS = 50
AT_ONCE = (1, 2, 3, 4, 6, 8, 12, 16, 25, 50)
EACH_ROUND = 10


def measure(rounds: int = 9) -> list[tuple[str, str, str]]:
    """Rows: what, measured, target."""
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        floor = str(root / "many_spawns")
        subprocess.run(["cc", "-O2", "-o", floor, str(Path(__file__).with_name("many_spawns.c"))], check=True)
        project = root / "project"
        (project / ".claude").mkdir(parents=True)
        handlers = [{"type": "command", "command": f"true # {number}"} for number in range(HOOKS)]
        settings = {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": handlers}]}}
        (project / ".claude" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        engine = Peer(COMMANDS["tenterhook"], {"SHELL": "/bin/sh"})  # the same shell as the floor's
        engine.initialize(projectPaths=[str(project)], userHome=folder, maxHooksPerSession=HOOKS)
        payload = {
            "session_id": "s",
            "cwd": str(project),
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": "ls"},
        }
        event = request(1, "hooks/emitDecision", {"point": "PreToolUse", "payload": payload})
        size = len(json.dumps(payload))

        def ours() -> float:
            taken: list[float] = []
            for _ in range(EACH_ROUND):
                start = perf_counter()
                engine.pump(event, 1)
                taken.append(perf_counter() - start)
            return statistics.median(taken)

        def theirs(at_once: int) -> float:
            words = [floor, str(EACH_ROUND), str(HOOKS), str(at_once), str(size), str(project)]
            done = subprocess.run(words, check=True, capture_output=True, text=True)
            return statistics.median(float(line) for line in done.stdout.split()) / 1e6

        swept = {at_once: min(theirs(at_once) for _ in range(3)) for at_once in AT_ONCE}
        best = min(swept, key=lambda at_once: swept[at_once])
        taken = in_turn({"ours": ours, "theirs": lambda: theirs(best)}, rounds)
        engine.close()
    ratio = median_ratio(taken["ours"], taken["theirs"])
    what = f"an event with {HOOKS} hooks, beside a C `posix_spawn` loop of {HOOKS} `sh -c` at its best ({best} at once)"
    return [(what, f"{ratio:.2f} times", "<= 1.4")]


if __name__ == "__main__":
    print(measure())
