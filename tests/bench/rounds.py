"""Rounds in turn, so that a drifting machine hits all alike, and ratios round by round."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping

__all__ = ["in_turn", "median_ratio"]


def in_turn(measures: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Each measure once a round, after one round that does not count."""
    taken: dict[str, list[float]] = {name: [] for name in measures}
    for number in range(rounds + 1):
        for name, measure in measures.items():
            value = measure()
            if number:
                taken[name].append(value)
    return taken


def median_ratio(above: list[float], below: list[float]) -> float:
    """Median of the ratios of rounds that ran side by side."""
    return statistics.median(a / b for a, b in zip(above, below, strict=True))
