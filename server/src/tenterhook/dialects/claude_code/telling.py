"""Owns the words for what is wrong with an entry of a settings file; judges nothing itself."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from tenterhook_protocol.problems import Severity

from tenterhook.config.document import Document, Listing, Mapped, Node, Span, excerpt
from tenterhook.model import Problem
from tenterhook.nearest import Guesses

__all__ = ["Teller", "described", "misspelt", "start_of"]


class Teller:
    """Collects what is wrong with one entry of one file."""

    def __init__(
        self, document: Document, entry: str | None, problems: list[Problem], guesses: Guesses | None = None
    ) -> None:
        self.document = document
        self.guesses = guesses or Guesses()
        """What the file is worth of guessing at unknown words."""
        self.entry = entry
        """As problems name it: ``PreToolUse[0].hooks[1]``."""
        self._problems = problems

    def of(self, entry: str) -> Teller:
        """One for another entry of the file; what it is told goes to the same list."""
        return Teller(self.document, entry, self._problems, self.guesses)

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
    if isinstance(node, Listing):
        return "a list"
    if isinstance(node, Mapped):
        return "an object"
    if isinstance(node.value, str):
        return f"the text {excerpt(node.value)!r}"
    if isinstance(node.value, bool) or node.value is None:
        return node.text
    return f"the number {excerpt(node.text)}"


def misspelt(key: str, known: Iterable[str]) -> str | None:
    """The known key that this one was surely meant to be, or None.

    Keys of others' own are common beside the known ones: what is merely similar is none of our business.
    """
    return _misspelt(key[:_COMPARED], tuple(known))


@lru_cache(maxsize=4096)  # a file may have the same mistake in every handler
def _misspelt(key: str, known: tuple[str, ...]) -> str | None:
    from difflib import get_close_matches  # noqa: PLC0415 - only keys that nobody knows need it

    plain = {_plain(name): name for name in known}
    near = get_close_matches(_plain(key), plain, n=1, cutoff=0.8)
    return plain[near[0]] if near else None


_COMPARED = 100


def _plain(key: str) -> str:
    return key[:_COMPARED].lower().replace("_", "").replace("-", "")


def start_of(span: Span) -> Span:
    """The first character of a span: a mark on a whole entry would hide every other."""
    return Span(span.line, span.column, span.line, span.column + 1)
