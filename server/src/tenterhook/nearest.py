"""Owns finding the known name that a mistyped one was probably meant to be; knows no names of its own."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["nearest"]


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The most similar known name, or None where nothing is similar."""
    from difflib import get_close_matches  # noqa: PLC0415 - only mistakes need it, and start-up is a feature

    matches = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return matches[0] if matches else None
