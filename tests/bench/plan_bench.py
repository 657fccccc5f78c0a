"""The plan of an event over 5,000 handlers, 5 of which match, beside one look-up in a dictionary."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from msgspec import Raw
from rounds import in_turn, median_ratio
from tenterhook.dialects.table import DIALECTS
from tenterhook.grounds import recipe_of
from tenterhook.model import Event
from tenterhook.plan import plan
from tenterhook.served import serve
from tenterhook.tables import Table, build
from tenterhook_protocol.lifecycle import InitializationOptions

__all__ = ["measure"]

MATCHING = 5
TIMES = 20_000


def measure(rounds: int = 9) -> list[tuple[str, str, str]]:
    """Rows: what, measured, target."""
    with TemporaryDirectory() as folder:
        few, many = (_table(Path(folder).resolve() / str(number), number) for number in (MATCHING, 5000))
    known = {f"key-{number}": number for number in range(5000)}
    key = "key-4711"

    def look_up() -> float:
        return _timed(lambda: known[key])

    taken = in_turn({"many": lambda: _planned(many), "few": lambda: _planned(few), "look-up": look_up}, rounds)
    return [
        (
            "a plan over 5,000 handlers, 5 matching, beside one dictionary look-up",
            f"{median_ratio(taken['many'], taken['look-up']):.1f} times",
            "<= 20",
        ),
        ("… beside a plan over those 5 alone", f"{median_ratio(taken['many'], taken['few']):.2f} times", "1"),
    ]


def _planned(table: Table) -> float:
    payload = Raw(b'{"tool_name":"Bash","tool_input":{"command":"ls"}}')
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
    if sum(len(stage.hooks) for stage in plan(table, event, dialect).stages) != MATCHING:
        raise SystemExit("the plan is not the one that was to be measured")
    return _timed(lambda: plan(table, event, dialect))


def _timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    for _ in range(TIMES):
        work()
    return perf_counter() - start


def _table(project: Path, handlers: int) -> Table:
    groups = [
        {
            "matcher": "Bash" if number < MATCHING else f"Tool{number}",
            "hooks": [{"type": "command", "command": f"true # {number}"}],
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
