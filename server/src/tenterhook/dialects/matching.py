"""Owns which tool names a matcher means; knows no hooks and no events.

The rules are Claude Code's, which Coding Code's own ``matcher`` takes over:
a matcher of letters, digits, ``_``, ``-``, blanks, ``|`` and ``,`` alone is a list of whole names,
any other is a JavaScript regular expression that may match anywhere in the name. Both care about upper and lower case.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from tenterhook.dialects.javascript_regex import NotAPattern, translate

__all__ = ["MAX_PATTERN_BYTES", "OUT_OF_TIME", "TIME_LIMIT", "Judgement", "Matcher", "compile_matcher"]

MAX_PATTERN_BYTES = 4096
"""A longer matcher is refused."""

TIME_LIMIT = 0.02
"""Seconds of the engine's own processor time that one test may take: how busy the machine is does not count."""

_PATIENCE = 5
"""Tests of one pattern that may run out of time. From then on each gets a twentieth of it."""

_MOST_REMEMBERED = 200
_LONGEST_REMEMBERED = 1000
"""Names, and characters of one, that a pattern remembers to have run out of time with."""

OUT_OF_TIME = "takes too long to test, so that nobody knows whether it is met; write a simpler pattern"
"""Why a hook does not run whose matcher ran out of time. The matcher itself stands before it."""

Judgement = Literal["met", "notMet", "outOfTime"]
"""Whether a tool is meant. ``outOfTime``: it is not known, and a restriction that is not understood is not met."""

_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_- ,|")


class Matcher:
    """A matcher, ready for use. ``error`` says why it can never match; None: all is well."""

    __slots__ = ("_test", "error", "everything")

    def __init__(self, test: Callable[[str], Judgement], *, error: str | None = None, everything: bool = False) -> None:
        self._test = test
        self.error = error
        self.everything = everything
        """It is no restriction at all: events that have no tool are met too."""

    def judge(self, value: str | None) -> Judgement:
        """Whether the tool is meant. None stands for an event without a tool: only ``everything`` means that."""
        if self.everything:
            return "met"
        return "notMet" if value is None else self._test(value)

    def matches(self, value: str | None) -> bool:
        """Whether it is certain that the tool is meant."""
        return self.judge(value) == "met"


@lru_cache(maxsize=1024)
def compile_matcher(text: str | None) -> Matcher:
    """A matcher from its text. None, the empty text and ``*`` mean every event. An invalid text matches nothing."""
    if text is None or text in {"", "*"}:
        return Matcher(_anything, everything=True)
    if len(text.encode("utf-8", "surrogatepass")) > MAX_PATTERN_BYTES:
        return Matcher(_nothing, error=f"it is longer than {MAX_PATTERN_BYTES} bytes")
    if _PLAIN.issuperset(text):
        return Matcher(_names(text))
    try:
        return Matcher(_pattern(translate(text)))
    except NotAPattern as reason:
        return Matcher(_nothing, error=str(reason))


def _names(text: str) -> Callable[[str], Judgement]:
    parts = (name.strip(" ") for name in text.replace(",", "|").split("|"))
    names = frozenset(name for name in parts if name)

    def test(value: str) -> Judgement:
        return "met" if value in names else "notMet"

    return test


def _pattern(translated: str) -> Callable[[str], Judgement]:
    # Only a few matchers are patterns, and an engine without any never pays for the import.
    import regex  # noqa: PLC0415

    try:
        compiled = regex.compile(translated, regex.ASCII | regex.VERSION0)
    except (regex.error, RecursionError, OverflowError) as error:
        raise NotAPattern(str(error)) from None
    late: dict[str, None] = {}
    times = 0

    def test(value: str) -> Judgement:
        nonlocal times
        if value in late:
            return "outOfTime"
        try:
            found = compiled.search(value, timeout=TIME_LIMIT if times < _PATIENCE else TIME_LIMIT / 20)
        except TimeoutError:
            times += 1
            if len(value) <= _LONGEST_REMEMBERED:
                late[value] = None
            if len(late) > _MOST_REMEMBERED:
                del late[next(iter(late))]
            return "outOfTime"
        return "notMet" if found is None else "met"

    return test


def _anything(_value: str) -> Judgement:
    return "met"


def _nothing(_value: str) -> Judgement:
    return "notMet"
