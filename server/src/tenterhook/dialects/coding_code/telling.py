"""Owns the words for what is wrong with an entry; judges nothing itself."""

from __future__ import annotations

from collections.abc import Mapping

from tenterhook_protocol.points import HookType
from tenterhook_protocol.problems import Severity

from tenterhook.config.document import Document, Node, Span
from tenterhook.config.document import described as in_words
from tenterhook.model import Problem
from tenterhook.nearest import Guesses

__all__ = ["Teller", "described"]


class Teller:
    """Collects what is wrong with one entry of one file."""

    def __init__(self, document: Document, entry: str, points: Mapping[str, HookType], guesses: Guesses) -> None:
        self.document = document
        self.entry = entry
        self.points = points
        self.guesses = guesses
        """Shared by all entries of the file."""
        self.patch = False
        """The entry patches one of another file.

        A value of no use then counts as not declared: a mistake in one file never changes what another one says.
        """
        self.problems: list[Problem] = []

    def counts_as(self, words: str) -> str:
        """What a value of no use counts as. ``words`` say it for an entry that is no patch."""
        return "not declared" if self.patch else words

    def error(self, code: str, span: Span, message: str, hint: str) -> None:
        """Something is left out, or taken otherwise than its author meant it."""
        self._tell("error", code, span, message, hint)

    def warning(self, code: str, span: Span, message: str, hint: str) -> None:
        """Something is taken in a way its author may not expect."""
        self._tell("warning", code, span, message, hint)

    def information(self, code: str, span: Span, message: str, hint: str) -> None:
        """Something worth knowing."""
        self._tell("information", code, span, message, hint)

    def _tell(self, severity: Severity, code: str, span: Span, message: str, hint: str) -> None:
        self.problems.append(self.document.problem(severity, code, message, span, entry=self.entry, hint=hint))


def described(node: Node) -> str:
    """A value in words: ``the number 12``, ``a list``."""
    return in_words(node, "a mapping")
