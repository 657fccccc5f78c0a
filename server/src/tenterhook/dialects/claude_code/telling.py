"""Owns the words for what is wrong with an entry of a settings file; judges nothing itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from tenterhook_protocol.problems import Severity

from tenterhook.config.document import Document, Node, Span
from tenterhook.config.document import described as in_words
from tenterhook.model import Problem
from tenterhook.nearest import Guesses

__all__ = ["MOST_SPELT", "Teller", "described", "start_of"]

MOST_SPELT = 1000
"""Unknown keys of one file that are compared with known ones letter by letter."""


class Teller:
    """Collects what is wrong with one entry of one file."""

    def __init__(self, document: Document, entry: str | None, problems: list[Problem]) -> None:
        self.document = document
        self.guesses = Guesses()
        """What the file is worth of guessing at unknown words."""
        self._spelt: dict[tuple[str, tuple[str, ...]], str | None] = {}
        self.entry = entry
        """As problems name it: ``PreToolUse[0].hooks[1]``."""
        self._problems = problems

    def of(self, entry: str) -> Teller:
        """One for another entry of the file; what it is told goes to the same list."""
        other = Teller(self.document, entry, self._problems)
        other.guesses, other._spelt = self.guesses, self._spelt  # they are the file's
        return other

    def misspelt(self, key: str, known: Iterable[str]) -> str | None:
        """The known key that this one was surely meant to be, or None.

        Keys of others' own are common beside the known ones: what is merely similar is none of our business.
        A file of nothing but strange keys is not worth the time: after some of them only upper and lower case,
        hyphens and underscores are looked through.
        """
        names = tuple(known)
        plain = _plain_of(names)
        exact = plain.get(_plain(key))
        if exact is not None:
            return exact
        found = self._spelt.get((key, names), key)
        if found is not key:
            return found
        if len(self._spelt) >= MOST_SPELT:
            return None
        return self._spelt.setdefault((key, names), _similar(_plain(key), plain))

    def error(self, code: str, span: Span, message: str, hint: str) -> None:
        """Something is left out, or taken otherwise than its author meant it."""
        self._tell("error", code, span, message, hint)

    def warning(self, code: str, span: Span, message: str, hint: str) -> None:
        """Something is taken in a way its author may not expect."""
        self._tell("warning", code, span, message, hint)

    def _tell(self, severity: Severity, code: str, span: Span, message: str, hint: str) -> None:
        self._problems.append(self.document.problem(severity, code, message, span, entry=self.entry, hint=hint))


def described(node: Node) -> str:
    """A value in words: ``the number 12``, ``a list``."""
    return in_words(node, "an object")


def _similar(plain: str, known: Mapping[str, str]) -> str | None:
    from difflib import get_close_matches  # noqa: PLC0415 - only keys that nobody knows need it

    near = get_close_matches(plain, known, n=1, cutoff=0.8)
    return known[near[0]] if near else None


@lru_cache(maxsize=16)
def _plain_of(known: tuple[str, ...]) -> Mapping[str, str]:
    return {_plain(name): name for name in known}


def _plain(key: str) -> str:
    return key[:100].lower().replace("_", "").replace("-", "")


def start_of(span: Span) -> Span:
    """The first character of a span: a mark on a whole entry would hide every other."""
    return Span(span.line, span.column, span.line, span.column + 1)
