"""Owns which tool names a matcher means; knows no hooks and no events.

The rules are Claude Code's, which Coding Code's own ``matcher`` takes over:
a matcher of letters, digits, ``_``, ``-``, blanks, ``|`` and ``,`` alone is a list of whole names,
any other is a JavaScript regular expression that may match anywhere in the name. Both care about upper and lower case.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from tenterhook.dialects.javascript_regex import NotAPattern, translate

__all__ = ["MAX_PATTERN_BYTES", "TIME_LIMIT", "Matcher", "compile_matcher"]

MAX_PATTERN_BYTES = 4096
"""A longer matcher is refused."""

TIME_LIMIT = 0.02
"""Seconds that one test may take. A pattern that takes longer does not match."""

_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_- ,|")


class Matcher:
    """A matcher, ready for use. ``error`` says why it can never match; None: all is well."""

    __slots__ = ("_test", "error", "everything")

    def __init__(self, test: Callable[[str], bool], *, error: str | None = None, everything: bool = False) -> None:
        self._test = test
        self.error = error
        self.everything = everything
        """It is no restriction at all: events that have no tool are met too."""

    def matches(self, value: str | None) -> bool:
        """Whether the tool is meant. None stands for an event without a tool: only ``everything`` means that."""
        return self.everything or (value is not None and self._test(value))


@lru_cache(maxsize=1024)
def compile_matcher(text: str | None) -> Matcher:
    """A matcher from its text. None, the empty text and ``*`` mean every event. An invalid text matches nothing."""
    if text is None or text in {"", "*"}:
        return Matcher(_anything, everything=True)
    if len(text.encode("utf-8", "surrogatepass")) > MAX_PATTERN_BYTES:
        return Matcher(_nothing, error=f"it is longer than {MAX_PATTERN_BYTES} bytes")
    if _PLAIN.issuperset(text):
        names = frozenset(name.strip(" ") for name in text.replace(",", "|").split("|"))
        return Matcher(names.__contains__)
    try:
        return Matcher(_pattern(translate(text)))
    except NotAPattern as reason:
        return Matcher(_nothing, error=str(reason))


def _pattern(translated: str) -> Callable[[str], bool]:
    # Only a few matchers are patterns, and an engine without any never pays for the import.
    import regex  # noqa: PLC0415

    try:
        compiled = regex.compile(translated, regex.ASCII | regex.VERSION0)
    except (regex.error, RecursionError, OverflowError) as error:
        raise NotAPattern(str(error)) from None

    def test(value: str) -> bool:
        try:
            return compiled.search(value, timeout=TIME_LIMIT) is not None
        except TimeoutError:
            return False

    return test


def _anything(_value: str) -> bool:
    return True


def _nothing(_value: str) -> bool:
    return False
