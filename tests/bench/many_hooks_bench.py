"""Fifty command hooks on one event of Claude Code's, beside a C ``posix_spawn`` loop for the same fifty ``sh -c``.

Both live through the whole measurement and take turns event by event, so that other work on the machine meets both.
"""

from __future__ import annotations

import json
import statistics
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from noop_bench import COMMANDS
from peer import Peer, request
from rounds import in_turn, median_ratio

__all__ = ["measure"]

HOOKS = 50
AT_ONCE = (1, 2, 3, 4, 6, 8, 12, 16, 25, 50)
SWEPT = 15
"""Rounds of C at each concurrency, to find its best."""


def measure(rounds: int = 150) -> list[tuple[str, str, str]]:
    """Rows: what, measured, target."""
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve()
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
        params = {"point": "PreToolUse", "payload": payload}
        event = request(1, "hooks/emitDecision", params)

        def ours() -> float:
            start = perf_counter()
            engine.pump(event, 1)
            return perf_counter() - start

        with _floor(root, project, len(json.dumps(payload))) as floor:

            def theirs(at_once: int) -> float:
                assert floor.stdin is not None
                assert floor.stdout is not None
                floor.stdin.write(f"{at_once}\n")
                return float(floor.stdout.readline()) / 1e6

            swept = in_turn({str(number): (lambda number=number: theirs(number)) for number in AT_ONCE}, SWEPT)
            best = min(AT_ONCE, key=lambda number: statistics.median(swept[str(number)]))
            _check(engine, params)
            taken = in_turn({"ours": ours, "theirs": lambda: theirs(best)}, rounds)
            _check(engine, params)
        engine.close()
    ratio = median_ratio(taken["ours"], taken["theirs"])
    what = f"an event with {HOOKS} hooks, beside a C `posix_spawn` loop of {HOOKS} `sh -c` at its best ({best} at once)"
    return [(what, f"{ratio:.2f} times", "<= 1.4")]


def _floor(root: Path, project: Path, size: int) -> subprocess.Popen[str]:
    program = str(root / "many_spawns")
    subprocess.run(["cc", "-O2", "-o", program, str(Path(__file__).with_name("many_spawns.c"))], check=True)
    words = [program, str(HOOKS), str(size), str(project)]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


def _check(engine: Peer, params: Mapping[str, object]) -> None:
    """An event whose hooks do not run is fast, and worth nothing."""
    (body,) = engine.exchange(request(2, "hooks/emitDecision", {**params, "trace": True}), 1)
    ran = body.count(b'"status":"ok"')
    if ran != HOOKS:
        raise SystemExit(f"{ran} of {HOOKS} hooks ran: {body[:300]!r}")


if __name__ == "__main__":
    print(measure())
