"""A file of nothing but mistakes: how much of it is told, and how much of it is thought about."""

from __future__ import annotations

from msgspec import UNSET
from server.dialects.coding_code.parts import GLOBAL_PATH, PROJECT_PATH, hooks_file, load
from tenterhook.dialects.bounds import MOST_PROBLEMS, bounded
from tenterhook.model import Problem
from tenterhook.nearest import MOST_GUESSES


def guesses(problems: tuple[Problem, ...]) -> int:
    return sum(problem.hint is not UNSET and problem.hint.startswith("did you mean") for problem in problems)


def test_only_the_first_unknown_words_of_a_file_are_guessed_at() -> None:
    keys = "".join(f", comand{number}: x" for number in range(150))
    loaded = load(hooks_file(f"{{name: a, point: tool.approval.pre, type: decision, command: x{keys}}}"))
    assert len(loaded.problems) == 150
    assert guesses(loaded.problems) == MOST_GUESSES


def test_entries_share_the_guesses_of_their_file() -> None:
    entries = [f"{{name: n{n}, pont: x, point: tool.aproval.pre, type: decisoin, command: x}}" for n in range(60)]
    assert guesses(load(hooks_file(*entries)).problems) == MOST_GUESSES


def test_patches_of_nothing_share_the_guesses_of_their_file() -> None:
    fields = "point: agent.turn.end, type: observer, command: x"
    user = hooks_file(*(f"{{name: hook-{number}, {fields}}}" for number in range(100)))
    project = hooks_file(*(f"{{name: hok-{number}, enabled: false}}" for number in range(100)))
    assert guesses(load(user, project).problems) == MOST_GUESSES


def test_of_the_rest_one_problem_says_how_many_there_are() -> None:
    entries = ["{name: a, point: agent.turn.end, type: observer, command: x, k: v}"] + ["7"] * (MOST_PROBLEMS + 5)
    loaded = load(hooks_file(*entries), "[]")
    of_user = [problem for problem in loaded.problems if problem.path == GLOBAL_PATH]
    assert len(of_user) == MOST_PROBLEMS + 1
    last = of_user[-1]
    assert (last.severity, last.code, last.line) == ("error", "more-problems", MOST_PROBLEMS + 2)
    assert "6 more problems" in last.message
    assert [problem.code for problem in loaded.problems if problem.path == PROJECT_PATH] == ["root-type"]
    assert [hook.left_out for hook in loaded.hooks] == [None]


def test_the_closing_problem_is_as_severe_as_the_severest_that_is_not_told() -> None:
    (warning,) = load(hooks_file("{name: a, point: agent.turn.end, type: observer, command: x, zzz: 1}")).problems
    (error,) = load("[]").problems
    told = bounded([*[warning] * MOST_PROBLEMS, warning, error, warning])
    assert [problem.severity for problem in told[-2:]] == ["warning", "error"]
    assert len(bounded([warning] * MOST_PROBLEMS)) == MOST_PROBLEMS
