"""Owns finding the known name that a mistyped one was probably meant to be; knows no names of its own."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

__all__ = ["LONGEST", "MOST_GUESSES", "MOST_KNOWN", "Guesses", "nearest"]

LONGEST = 60
"""Characters. The cost of a comparison grows with the square of its words, and no longer word was ever a slip."""

MOST_KNOWN = 500
"""Known names that a word is compared with: a file may bring as many names as it has lines."""

MOST_GUESSES = 50
"""Unknown words of one file that are guessed at: nobody mends more of them by hand."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The most similar known name, or None where nothing is similar or the name is too long to be a slip."""
    if len(name) > LONGEST:
        return None
    from difflib import get_close_matches  # noqa: PLC0415 - only mistakes need it, and start-up is a feature

    candidates = [word for word in islice(known, MOST_KNOWN) if len(word) <= LONGEST]
    matches = get_close_matches(name, candidates, n=1, cutoff=0.6)
    return matches[0] if matches else None


class Guesses:
    """The guesses that one file is worth: a hostile file of unknown words may not hold the engine up."""

    def __init__(self, left: int = MOST_GUESSES) -> None:
        self.left = left
        """How many words more are guessed at."""

    def nearest(self, name: str, known: Iterable[str]) -> str | None:
        """As ``nearest``, and None for every word after the last guess."""
        if self.left <= 0:
            return None
        self.left -= 1
        return nearest(name, known)
