"""Which known name a mistyped one was meant to be, and when that is not asked."""

from __future__ import annotations

import pytest
from tenterhook.nearest import LONGEST, MOST_KNOWN, Guesses, nearest


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("comand", ["command", "cwd"], "command"),
        ("zzz", ["command", "cwd"], None),
        ("x" * LONGEST, ["x" * (LONGEST - 1)], "x" * (LONGEST - 1)),
        ("x" * (LONGEST + 1), ["x" * LONGEST], None),
        ("x" * LONGEST, ["x" * (LONGEST + 1)], None),
    ],
)
def test_the_most_similar_name_of_those_that_may_be_slips(name: str, known: list[str], expected: str | None) -> None:
    assert nearest(name, known) == expected


def test_no_more_known_names_are_looked_at_than_a_person_has() -> None:
    asked: list[str] = []

    def known() -> list[str]:
        return [f"hook-{number}" for number in range(MOST_KNOWN * 2)]

    assert nearest("hook-x", (asked.append(name) or name for name in known())) is not None
    assert len(asked) == MOST_KNOWN


def test_after_the_last_guess_there_is_none() -> None:
    guesses = Guesses(2)
    assert [guesses.nearest("comand", ["command"]) for _ in range(3)] == ["command", "command", None]
