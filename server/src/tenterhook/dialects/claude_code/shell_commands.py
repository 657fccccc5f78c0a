"""Owns what a rule needs to know of a shell command, whichever shell it is for; reads no command itself."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["LONGEST_COMMAND", "UNKNOWN", "Commands"]

LONGEST_COMMAND = 10_000
"""Characters. Nobody looks into a longer command, so that its rules are met: Claude Code's own published limit."""


class Commands(Struct, frozen=True):
    """The single commands that a shell command consists of."""

    texts: frozenset[str] = frozenset()
    """Every spelling of each of them: as written, without quotes, without what wraps it."""
    known: bool = True
    """Whether these are all. Where it is False every rule is met: a filter that understands nothing filters nothing."""
    substitutes: bool = False
    """Something in it is filled in by the shell: ``$(...)``, backticks or a variable."""


UNKNOWN = Commands(known=False)
"""A command that cannot be read."""
