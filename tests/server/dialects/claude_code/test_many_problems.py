"""A settings file of nothing but mistakes: how much of it is told, and how much of it is thought about."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import UNSET
from server.dialects.claude_code.settings_files import ECHO, loaded, one, reasons
from tenterhook.dialects.base import Loaded
from tenterhook.dialects.bounds import MOST_PROBLEMS
from tenterhook.dialects.claude_code.telling import MOST_SPELT
from tenterhook.nearest import MOST_GUESSES

MANY = 3000

FILES: dict[str, Any] = {
    "keys of the file": {"hooks": {}, **{f"disableAllHoks{n}": 1 for n in range(MANY)}},
    "events": {"hooks": {f"PreToolUs{n}": [] for n in range(MANY)}},
    "keys of a group": {"hooks": {"Stop": [{"hooks": [ECHO], **{f"matche{n}": 1 for n in range(MANY)}}]}},
    "keys of a handler": {"hooks": {"Stop": [{"hooks": [{**ECHO, **{f"timeou{n}": 1 for n in range(MANY)}}]}]}},
    "groups": {"hooks": {"Stop": [1] * MANY}},
    "handlers": {"hooks": {"Stop": [{"hooks": [1] * MANY}]}},
    "types": {"hooks": {"Stop": [{"hooks": [{"type": f"comand{n}", "command": "x"} for n in range(MANY)]}]}},
    "values": {"hooks": {"Stop": [{"hooks": [{**ECHO, "timeout": -n} for n in range(MANY)]}]}},
    "matchers": {"hooks": {"PreToolUse": [{"matcher": f"({n}", "hooks": [ECHO]} for n in range(MANY)]}},
    "variables": {
        "hooks": {
            "Stop": [
                {"hooks": [{"type": "http", "url": "http://h", "headers": {f"h{n}": f"$V{n}" for n in range(MANY)}}]}
            ]
        }
    },
}


@pytest.mark.parametrize("what", FILES)
def test_of_many_mistakes_so_many_are_told(what: str) -> None:
    problems = loaded(FILES[what]).problems
    assert 1 <= len(problems) <= MOST_PROBLEMS + 1
    assert all(len(problem.message) < 400 for problem in problems)


def hints(found: Loaded) -> int:
    return sum(problem.hint is not UNSET and problem.hint.startswith("did you mean") for problem in found.problems)


def test_only_the_first_unknown_events_are_guessed_at_and_none_of_them_runs() -> None:
    events = {f"Stpo{n}": [{"hooks": [ECHO]}] for n in range(100)}
    found = loaded({"hooks": events})
    assert hints(found) == MOST_GUESSES
    assert set(reasons(found).values()) == {"invalid"}


def test_after_many_strange_keys_one_that_differs_in_its_letters_is_not_looked_for_any_more() -> None:
    strange: dict[str, object] = {f"x{n}": 1 for n in range(MOST_SPELT)}
    assert hints(loaded({"hooks": {"Stop": [{"hooks": [{"timeot": 1, **ECHO, **strange}]}]}})) == 1
    assert hints(loaded({"hooks": {"Stop": [{"hooks": [{**ECHO, **strange, "timeot": 1}]}]}})) == 0


def test_the_same_strange_keys_in_every_handler_use_nothing_up() -> None:
    handlers = [{**ECHO, "name": "a", "owner": "b"}] * MOST_SPELT
    found = loaded({"hooks": {"Stop": [{"hooks": [*handlers, {**ECHO, "timeot": 1}]}]}})
    assert hints(found) == 1


@pytest.mark.parametrize("written", ["If", "IF", "i_f"])
def test_a_restriction_in_other_letters_is_seen_however_many_keys_came_before(written: str) -> None:
    strange: dict[str, object] = {f"x{n}": 1 for n in range(MOST_SPELT + 10)}
    text = json.dumps({"hooks": {"PreToolUse": [{"hooks": [{**ECHO, **strange, written: "Bash(git *)"}]}]}})
    reason = one(loaded(text)).left_out
    assert reason is not None
    assert reason.code == "invalid"
