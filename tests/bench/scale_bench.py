"""A thousand projects with ten hooks each: memory stays flat over 100,000 events, and the no-op rate stays."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from noop_bench import COMMANDS, PIPELINED, batch
from peer import Peer, request
from rounds import in_turn, median_ratio

__all__ = ["measure"]

PROJECTS = 1000
HOOKS = 10
EVENTS = 100_000


def measure(rounds: int = 7) -> list[tuple[str, str, str]]:
    """Rows: what, measured, target."""
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        projects = [_project(root, number) for number in range(PROJECTS)]
        empty, full = Peer(COMMANDS["tenterhook"]), Peer(COMMANDS["tenterhook"])
        lone = str(root / "lone")
        empty.initialize(projectPaths=[lone], userHome=folder)
        full.initialize(projectPaths=[*projects, lone], userHome=folder)
        spread = b"".join(
            request(number, "hooks/emit", {"point": "agent.turn.start", "payload": _payload(projects[number], number)})
            for number in range(PROJECTS)
        )
        for _ in range(10):
            full.pump(spread, PROJECTS)
        before = full.rss()
        for _ in range(EVENTS // PROJECTS):
            full.pump(spread, PROJECTS)
        grown = full.rss() - before
        data = batch(lone)

        def rate(peer: Peer) -> float:
            start = perf_counter()
            for _ in range(200):
                peer.pump(data, PIPELINED)
            return 200 * PIPELINED / (perf_counter() - start)

        rates = in_turn({"full": lambda: rate(full), "empty": lambda: rate(empty)}, rounds)
        empty.close()
        full.close()
    return [
        (f"memory gained over {EVENTS:,} events, {PROJECTS * HOOKS:,} hooks loaded", f"{grown:.1f} MB", "flat"),
        ("no-op rate beside an engine without hooks", f"{median_ratio(rates['full'], rates['empty']):.2f}", ">= 0.8"),
    ]


def _payload(project: str, number: int) -> dict[str, str]:
    return {"sessionId": f"s{number}", "projectPath": project}


def _project(root: Path, number: int) -> str:
    project = root / f"p{number}"
    hooks = [
        {"name": f"hook-{index}", "point": "tool.execute.after", "type": "observer", "command": "true"}
        for index in range(HOOKS)
    ]
    (project / ".codingcode").mkdir(parents=True)
    (project / ".codingcode" / "hooks.yaml").write_text(json.dumps({"hooks": hooks}), encoding="utf-8")
    return str(project)
