"""Owns the exception tree of the engine; knows no error codes and no wire.

::

    TenterhookError
    ├── BadParams            the caller's words do not fit; says which and what would
    │   ├── UnknownPoint     no system and no host option knows the point
    │   └── UnknownHook      no loaded project has a hook of that id or name
    ├── EventStopped         the event was stopped early: what its hooks would have said is not known
    └── RequestFailed        the words fit, and it cannot be done now

Bad hook files and failing hooks are no exceptions: they are ``Problem`` and ``Outcome`` values.
"""

from __future__ import annotations

__all__ = ["BadParams", "EventStopped", "RequestFailed", "TenterhookError", "UnknownHook", "UnknownPoint"]


class TenterhookError(Exception):
    """Base of all errors that the engine raises on purpose. ``suggestion`` is the nearest thing that exists."""

    def __init__(self, message: str, *, suggestion: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion


class BadParams(TenterhookError):
    """The caller's words do not fit."""


class UnknownPoint(BadParams):
    """Nobody knows the point."""


class UnknownHook(BadParams):
    """No loaded project has the hook."""


class EventStopped(TenterhookError):
    """The event was stopped early. Not an answer: a guard that was stopped has not consented."""


class RequestFailed(TenterhookError):
    """The words fit, and it cannot be done now."""
