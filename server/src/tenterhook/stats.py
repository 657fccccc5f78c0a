"""Owns counts and times by point and hook since the engine started; knows nothing of what they mean."""

from __future__ import annotations

from collections import deque
from collections.abc import Set as AbstractSet

from tenterhook_protocol.hooks import TimeStats

__all__ = ["Clockwork"]

_KEPT = 512


class _Times:
    __slots__ = ("count", "failures", "last", "longest")

    def __init__(self) -> None:
        self.count = 0
        self.failures = 0
        self.longest = 0.0
        self.last: deque[float] = deque(maxlen=_KEPT)


class Clockwork:
    """Times by name. Bounded by the number of names: whoever adds them forgets those that are gone."""

    def __init__(self) -> None:
        self._times: dict[str, _Times] = {}

    def add(self, name: str, seconds: float, *, failed: bool = False) -> None:
        """One more."""
        times = self._times.get(name)
        if times is None:
            times = self._times[name] = _Times()
        times.count += 1
        times.failures += failed
        times.longest = max(times.longest, seconds)
        times.last.append(seconds)

    def forget(self, but: AbstractSet[str]) -> None:
        """Keep only these names."""
        for name in self._times.keys() - but:
            del self._times[name]

    def report(self) -> list[TimeStats]:
        """By name, in alphabetical order."""
        return [_summary(name, self._times[name]) for name in sorted(self._times)]


def _summary(name: str, times: _Times) -> TimeStats:
    ordered = sorted(times.last)
    return TimeStats(
        name=name,
        count=times.count,
        failures=times.failures,
        p50_ms=_milliseconds(ordered[len(ordered) // 2]),
        p95_ms=_milliseconds(ordered[min(len(ordered) - 1, len(ordered) * 95 // 100)]),
        max_ms=_milliseconds(times.longest),
    )


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 3)
