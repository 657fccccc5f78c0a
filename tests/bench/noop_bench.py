"""Events without hooks: rate and processor time beside a bare loop, a Node server, and pygls' own transport."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from peer import Peer, request
from rounds import in_turn, median_ratio

__all__ = ["measure"]

HERE = Path(__file__).parent
PIPELINED = 100
COMMANDS: dict[str, Sequence[str]] = {
    "tenterhook": [sys.executable, "-m", "tenterhook", "serve"],
    "bare": [sys.executable, str(HERE / "servers" / "bare.py")],
    "node": ["node", str(HERE / "servers" / "node_jsonrpc.mjs")],
    "pygls": [sys.executable, str(HERE / "servers" / "stock_pygls.py")],
}
BATCHES = {"tenterhook": 200, "bare": 200, "node": 100, "pygls": 10}


def batch(project: str) -> bytes:
    payload = {"toolName": "execute_command", "sessionId": "s1", "turnId": "t1", "projectPath": project}
    params = {"point": "tool.execute.before", "payload": payload}
    return b"".join(request(number, "hooks/emit", params) for number in range(1, PIPELINED + 1))


def measure(rounds: int = 7) -> list[tuple[str, str, str]]:
    """Rows: what, measured, target."""
    with TemporaryDirectory() as project:
        data = batch(project)
        peers = {name: Peer(command, {"HOME": project}) for name, command in COMMANDS.items()}
        peers["tenterhook"].initialize(projectPaths=[project], userHome=project)
        for name in ("node", "pygls"):
            peers[name].initialize()
        cpu: dict[str, list[float]] = {name: [] for name in peers}

        def rate(name: str) -> float:
            peer, batches = peers[name], BATCHES[name]
            before = peer.cpu()
            elapsed = _timed(lambda: [peer.pump(data, PIPELINED) for _ in range(batches)])
            cpu[name].append((peer.cpu() - before) / (batches * PIPELINED))
            return batches * PIPELINED / elapsed

        rates = in_turn({name: (lambda name=name: rate(name)) for name in peers}, rounds)
        for peer in peers.values():
            peer.close()
    own_cpu, bare_cpu = sum(cpu["tenterhook"][1:]), sum(cpu["bare"][1:])
    each = statistics.median(rates["tenterhook"])
    return [
        ("no-op `emit`, pipelined by 100", f"{each:,.0f} a second", ""),
        ("… beside a vscode-jsonrpc server", f"{median_ratio(rates['tenterhook'], rates['node']):.1f} times", ">= 2.5"),
        ("… beside pygls' own transport", f"{median_ratio(rates['tenterhook'], rates['pygls']):.0f} times", ">= 50"),
        ("processor time for each, beside a bare asyncio + msgspec loop", f"{own_cpu / bare_cpu:.2f} times", "<= 2.5"),
    ]


def _timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start
