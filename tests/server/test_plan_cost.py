"""What a plan costs: no more with more hooks that do not match, one parse of a command, no parser without need."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from engine import Engine, present, raw
from tenterhook.dialects.table import DIALECTS
from tenterhook.model import Event
from tenterhook.plan import plan
from tenterhook.tables import Table


def handlers(number: int, *, rule: str | None = None) -> dict[str, Any]:
    more = {} if rule is None else {"if": rule}
    groups = [{"matcher": f"Tool{n}", "hooks": [{"type": "command", "command": f"t{n}"}]} for n in range(number)]
    mine = [{"type": "command", "command": f"m{n}", **more} for n in range(5)]
    return {"PreToolUse": [*groups, {"matcher": "Bash", "hooks": mine}]}


def table_of(tmp_path: Path, hooks: dict[str, Any]) -> Table:
    engine = Engine(tmp_path)
    engine.settings(hooks)
    return present(engine.load().registry.find(str(engine.project)))


def event_at(table: Table) -> Event:
    return Event(
        id="e",
        system="claude-code",
        point="PreToolUse",
        mode="decide",
        payload=raw({"tool_name": "Bash", "tool_input": {"command": "git status && ls | wc -l"}}),
        project=table.project,
        subject="Bash",
    )


def calls_of(table: Table) -> Counter[str]:
    """The calls that one more plan of the event makes, by name: a count, which no other work on the machine changes."""
    calls: Counter[str] = Counter()

    def count(frame: FrameType, kind: str, function: Any) -> None:
        if kind in {"call", "c_call"}:
            calls[frame.f_code.co_name if kind == "call" else function.__name__] += 1

    event, dialect = event_at(table), DIALECTS["claude-code"]
    plan(table, event, dialect)
    sys.setprofile(count)
    try:
        plan(table, event, dialect)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("rule", [None, "Bash(git *)"])
def test_a_plan_does_the_same_work_however_many_hooks_do_not_match(tmp_path: Path, rule: str | None) -> None:
    (tmp_path / "few").mkdir()
    (tmp_path / "many").mkdir()
    few = calls_of(table_of(tmp_path / "few", handlers(0, rule=rule)))
    many = calls_of(table_of(tmp_path / "many", handlers(500, rule=rule)))
    assert many == few


def test_however_many_rules_there_are_a_shell_command_is_parsed_once(tmp_path: Path) -> None:
    calls = calls_of(table_of(tmp_path, handlers(0, rule="Bash(git *)")))
    assert calls["parse"] == 1


LOADS = """
import sys; sys.path.insert(0, {tests!r})
from pathlib import Path
from server.test_plan_cost import calls_of, handlers, table_of
calls_of(table_of(Path({place!r}), handlers(3, rule={rule!r})))
print("tree_sitter" in sys.modules)
"""


@pytest.mark.parametrize(("rule", "loaded"), [(None, "False"), ("Read(*)", "False"), ("Bash(git *)", "True")])
def test_the_parser_is_loaded_only_where_a_rule_needs_it(tmp_path: Path, rule: str | None, loaded: str) -> None:
    program = LOADS.format(tests=str(Path(__file__).parents[1]), place=str(tmp_path), rule=rule)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == loaded
