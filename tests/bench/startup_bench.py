"""From spawn to the first answer, and resident memory, beside a vscode-jsonrpc server on Node."""

from __future__ import annotations

import statistics
from time import perf_counter

from noop_bench import COMMANDS
from peer import Peer
from rounds import in_turn, median_ratio

__all__ = ["measure"]


def measure(rounds: int = 15) -> list[tuple[str, str, str]]:
    """Rows: what, measured, target."""
    memory: list[float] = []

    def start(name: str) -> float:
        begun = perf_counter()
        peer = Peer(COMMANDS[name])
        peer.initialize()
        elapsed = perf_counter() - begun
        if name == "tenterhook":
            memory.append(peer.rss())
        peer.close()
        return elapsed

    times = in_turn({"tenterhook": lambda: start("tenterhook"), "node": lambda: start("node")}, rounds)
    return [
        ("start to first answer", f"{statistics.median(times['tenterhook']) * 1000:.0f} ms", ""),
        ("… beside a vscode-jsonrpc server", f"{median_ratio(times['tenterhook'], times['node']):.2f} times", "<= 1.2"),
        ("resident memory, no project loaded", f"{max(memory):.0f} MB", "<= 30"),
    ]
