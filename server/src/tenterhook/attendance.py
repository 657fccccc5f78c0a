"""Owns what a session watches, and telling whoever attends to it that this may have changed; watches nothing itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Raw

from tenterhook.dialects.base import Head
from tenterhook.sessions import Session

__all__ = ["Attendance", "Attendant"]

_BASE_BYTES = 65_536
"""A payload of more is not kept."""


class Attendant(Protocol):
    """Who lives beside the engine, and wants to know when there may be something else to watch."""

    def attention(self) -> None:
        """A table was loaded, a session has moved, or an answer wants other files watched."""
        ...

    async def close(self) -> None:
        """The engine ends."""
        ...


class Attendance:
    """One engine's attendant, if it has one. Without one nothing is remembered."""

    def __init__(self) -> None:
        self.by: Attendant | None = None

    def attention(self) -> None:
        """Something else may have to be watched."""
        if self.by is not None:
            self.by.attention()

    def follow(self, session: Session, head: Head, payload: Raw) -> None:
        """An event of the session was read whose folder is not that of the session. One without any changes nothing."""
        if self.by is not None and head.cwd is not None and head.session is not None:
            session.cwd = head.cwd
            session.base = payload if len(bytes(payload)) < _BASE_BYTES else None
            self.by.attention()

    def watch(self, session: Session, paths: Sequence[str]) -> None:
        """An answer wants these files watched, in place of those before."""
        if self.by is not None and session.watched != (wanted := tuple(paths)):
            session.watched = wanted
            self.by.attention()

    def forget(self, session: Session) -> None:
        """The session is over."""
        if self.by is not None:
            session.watched = ()
            session.cwd = session.base = None
            self.by.attention()

    async def close(self) -> None:
        """End with the engine."""
        if self.by is not None:
            await self.by.close()
