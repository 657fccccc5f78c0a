"""The plan of an event over 5,000 handlers, 5 of which match, beside one look-up in a dictionary."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from msgspec import Raw
from rounds import in_turn, median_ratio
from tenterhook.dialects.claude_code.bash_commands import read_bash
from tenterhook.dialects.table import DIALECTS
from tenterhook.grounds import recipe_of
from tenterhook.model import Event
from tenterhook.plan import plan
from tenterhook.served import serve
from tenterhook.tables import Table, build
from tenterhook_protocol.lifecycle import InitializationOptions

__all__ = ["measure"]

MATCHING = 5
COMMAND = "git status && ls | wc -l"
KINDS: dict[str, dict[str, object]] = {"plain": {}, "once": {"once": True}, "ruled": {"if": "Bash(git *)"}}
"""What the hooks have beside their commands."""
TIMES = {"plain": 20_000, "once": 20_000, "ruled": 1000}


def measure(rounds: int = 9) -> list[tuple[str, str, str]]:
    """Rows: what, measured, target."""
    known = {f"key-{number}": number for number in range(5000)}
    key = "key-4711"
    measures: dict[str, Callable[[], float]] = {
        "look-up": lambda: _timed(lambda: known[key], 20_000),
        "parse": lambda: _timed(lambda: read_bash(COMMAND), 1000),
    }
    with TemporaryDirectory() as folder:
        for kind, more in KINDS.items():
            for number in (MATCHING, 5000):
                table = _table(Path(folder).resolve() / f"{kind}-{number}", number, more)
                measures[f"{kind} {number}"] = lambda table=table, kind=kind: _planned(table, TIMES[kind])
    taken = in_turn(measures, rounds)

    def beside(above: str, below: str) -> float:
        return median_ratio(taken[above], taken[below])

    alone = max(beside(f"{kind} 5000", f"{kind} {MATCHING}") for kind in KINDS)
    return [
        (
            "a plan over 5,000 handlers, 5 matching, beside one dictionary look-up",
            f"{beside('plain 5000', 'look-up'):.1f} times",
            "<= 20",
        ),
        ("… where the 5 run once a session, and one has", f"{beside('once 5000', 'look-up'):.1f} times", "<= 20"),
        (
            "… where the 5 have an `if`, beside one parse of the line",
            f"{beside('ruled 5000', 'parse'):.1f} times",
            "",
        ),
        ("… each beside a plan over its 5 alone, at most", f"{alone:.2f} times", "1"),
    ]


def _planned(table: Table, times: int) -> float:
    payload = Raw(json.dumps({"tool_name": "Bash", "tool_input": {"command": COMMAND}}).encode())
    event = Event(
        id="e",
        system="claude-code",
        point="PreToolUse",
        mode="decide",
        payload=payload,
        project=table.project,
        subject="Bash",
    )
    dialect = DIALECTS["claude-code"]
    first = table.runnable["PreToolUse"][0]
    ran = {first.id}
    stages = plan(table, event, dialect, ran).stages
    if sum(len(stage.hooks) for stage in stages) != MATCHING - first.once:
        raise SystemExit("the plan is not the one that was to be measured")
    return _timed(lambda: plan(table, event, dialect, ran), times)


def _timed(work: Callable[[], object], times: int) -> float:
    """Seconds for each."""
    start = perf_counter()
    for _ in range(times):
        work()
    return (perf_counter() - start) / times


def _table(project: Path, handlers: int, more: Mapping[str, object]) -> Table:
    groups = [
        {
            "matcher": "Bash" if number < MATCHING else f"Tool{number}",
            "hooks": [{"type": "command", "command": f"true # {number}", **more}],
        }
        for number in range(handlers)
    ]
    (project / ".claude").mkdir(parents=True)
    (project / ".claude" / "settings.json").write_text(json.dumps({"hooks": {"PreToolUse": groups}}), encoding="utf-8")
    options = InitializationOptions(user_home=str(project / "home"))
    served, _ = serve(options)
    recipe, _ = recipe_of(options, {}, served)
    return build(recipe, str(project))


if __name__ == "__main__":
    print(measure())
