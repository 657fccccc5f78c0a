"""Owns in what order problems are told, and how many of one file; judges none of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import UNSET, structs
from tenterhook_protocol.problems import Severity

from tenterhook.model import Problem

__all__ = ["MOST_PROBLEMS", "bounded", "in_order"]

MOST_PROBLEMS = 200
"""Problems of one file that are told one by one. An editor or a person has no use for more."""

_SEVEREST: Sequence[Severity] = ("error", "warning", "information")


def in_order(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """File by file, as each was met first, and each from top to bottom."""
    files = {path: index for index, path in reversed(list(enumerate(problem.path for problem in problems)))}
    return tuple(sorted(problems, key=lambda problem: (files[problem.path], problem.line, problem.column)))


def bounded(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems in their order, each file's first ``MOST_PROBLEMS`` and then one that says how many more there are.

    The closing problem stands where the first of the rest does, and is as severe as the severest of them:
    who only counts errors must not take the file for a good one.
    """
    by_file: dict[str, list[Problem]] = {}
    for problem in problems:
        by_file.setdefault(problem.path, []).append(problem)
    told: list[Problem] = []
    for of_file in by_file.values():
        told.extend(of_file[:MOST_PROBLEMS])
        rest = of_file[MOST_PROBLEMS:]
        if rest:
            told.append(_closing(rest))
    return tuple(told)


def _closing(rest: Sequence[Problem]) -> Problem:
    severities = {problem.severity for problem in rest}
    more = "one more problem, which is" if len(rest) == 1 else f"{len(rest)} more problems, which are"
    return structs.replace(
        rest[0],
        severity=next(severity for severity in _SEVEREST if severity in severities),
        code="more-problems",
        message=f"The file has {more} not told one by one",
        entry=UNSET,
        hint="mend those above first",
    )
