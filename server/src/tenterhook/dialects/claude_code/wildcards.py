"""Owns texts in which a star stands for anything; knows not what they are matched against."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["Wildcard", "wildcard"]


class Wildcard(Struct, frozen=True):
    """A text in which ``*`` stands for any run of characters, none and blanks included."""

    pieces: tuple[str, ...]
    """What stands between the stars."""

    def matches(self, text: str) -> bool:
        """Whether the whole text is meant. It takes no longer than the text is long."""
        if len(self.pieces) == 1:
            return text == self.pieces[0]
        first, *middle, last = self.pieces
        if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
            return False
        at, end = len(first), len(text) - len(last)
        for piece in middle:
            at = text.find(piece, at, end)
            if at < 0:
                return False
            at += len(piece)
        return True


def wildcard(text: str) -> Wildcard:
    """A pattern from its text."""
    return Wildcard(tuple(text.split("*")))
