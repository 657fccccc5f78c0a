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


def handlers(number: int, **more: Any) -> dict[str, Any]:
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
    """The calls that one more plan of the event makes, by name: a count, which no other work on the machine changes.

    One of the hooks has run in the session before.
    """
    calls: Counter[str] = Counter()

    def count(frame: FrameType, kind: str, function: Any) -> None:
        if kind in {"call", "c_call"}:
            calls[frame.f_code.co_name if kind == "call" else function.__name__] += 1

    event, dialect = event_at(table), DIALECTS["claude-code"]
    ran = frozenset({table.runnable["PreToolUse"][-1].id})
    plan(table, event, dialect, ran)
    sys.setprofile(count)
    try:
        plan(table, event, dialect, ran)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("more", [{}, {"once": True}, {"if": "Bash(git *)"}, {"if": "Bash(git *)", "once": True}])
def test_a_plan_does_the_same_work_however_many_hooks_do_not_match(tmp_path: Path, more: dict[str, Any]) -> None:
    (tmp_path / "few").mkdir()
    (tmp_path / "many").mkdir()
    few = calls_of(table_of(tmp_path / "few", handlers(0, **more)))
    many = calls_of(table_of(tmp_path / "many", handlers(500, **more)))
    assert many == few


@pytest.mark.parametrize("more", [{}, {"once": True}])
def test_hooks_are_put_in_order_once_for_all_events_alike(tmp_path: Path, more: dict[str, Any]) -> None:
    assert calls_of(table_of(tmp_path, handlers(0, **more)))["arrange_hooks"] == 0


def test_however_many_rules_there_are_a_shell_command_is_parsed_once(tmp_path: Path) -> None:
    calls = calls_of(table_of(tmp_path, handlers(0, **{"if": "Bash(git *)"})))
    assert calls["parse"] == 1


LOADS = """
import sys; sys.path.insert(0, {tests!r})
from pathlib import Path
from server.test_plan_cost import calls_of, handlers, table_of
calls_of(table_of(Path({place!r}), handlers(3, **{more!r})))
print("tree_sitter" in sys.modules)
"""


@pytest.mark.parametrize(("rule", "loaded"), [(None, "False"), ("Read(*)", "False"), ("Bash(git *)", "True")])
def test_the_parser_is_loaded_only_where_a_rule_needs_it(tmp_path: Path, rule: str | None, loaded: str) -> None:
    more = {} if rule is None else {"if": rule}
    program = LOADS.format(tests=str(Path(__file__).parents[1]), place=str(tmp_path), more=more)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == loaded
