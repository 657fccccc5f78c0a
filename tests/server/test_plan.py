"""What a plan remembers of earlier events, and what it must not."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from pathlib import Path

import pytest
from engine import Engine, present, raw
from tenterhook.dialects.table import DIALECTS
from tenterhook.model import Event
from tenterhook.plan import left_out, plan
from tenterhook.tables import Table

HOOKS = [
    {"type": "command", "command": "always"},
    {"type": "command", "command": "once", "once": True},
    {"type": "command", "command": "git", "if": "Bash(git *)"},
    {"type": "command", "command": "git-once", "if": "Bash(git *)", "once": True},
]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    engine = Engine(tmp_path)
    engine.settings({"PreToolUse": [{"matcher": "Bash", "hooks": HOOKS}]})
    return present(engine.load().registry.find(str(engine.project)))


def planned(table: Table, command: str, ran: AbstractSet[str]) -> tuple[list[str], dict[str, str]]:
    """The commands that run, and why the others do not."""
    payload = raw({"tool_name": "Bash", "tool_input": {"command": command}})
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
    arranged = plan(table, event, dialect, ran)
    names = {hook.id: hook.spec.words()[0] for hook in table.hooks}
    runs = [names[hook.id] for stage in arranged.stages for hook in stage.hooks]
    return runs, {names[hook.id]: why.code for hook, why in left_out(table, event, dialect, arranged)}


def test_every_event_gets_the_plan_of_its_own_command_and_session(table: Table) -> None:
    ids = {hook.spec.words()[0]: hook.id for hook in table.hooks}
    fresh: frozenset[str] = frozenset()
    later = frozenset({ids["once"], ids["git-once"], "an id of another project"})
    expected: dict[tuple[str, frozenset[str]], tuple[list[str], dict[str, str]]] = {
        ("git status", fresh): (["always", "once", "git", "git-once"], {}),
        ("ls", fresh): (["always", "once"], {"git": "ruleNotMet", "git-once": "ruleNotMet"}),
        ("git status", later): (["always", "git"], {"once": "alreadyRan", "git-once": "alreadyRan"}),
        ("ls", later): (["always"], {"once": "alreadyRan", "git": "ruleNotMet", "git-once": "alreadyRan"}),
    }
    for _ in range(2):
        assert {key: planned(table, *key) for key in expected} == expected


def test_a_rule_that_nobody_can_judge_leaves_no_doubt_for_the_next_event(table: Table) -> None:
    doubtful, _ = planned(table, 'git "', frozenset())
    assert doubtful == ["always", "once", "git", "git-once"]
    assert planned(table, "ls", frozenset())[0] == ["always", "once"]
