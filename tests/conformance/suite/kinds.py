"""Owns telling the kinds of JSON values apart, in a form that type checkers follow; knows nothing else."""

from __future__ import annotations

from typing import Any, TypeGuard

__all__ = ["is_list", "is_number", "is_object"]


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """A JSON object."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """A JSON array."""
    return isinstance(value, list)


def is_number(value: Any) -> TypeGuard[float]:
    """A JSON number; ``True`` is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)
