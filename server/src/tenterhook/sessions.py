"""Owns the bounded memory of each session: its project, its lane, its places for processes, its counters; runs nothing.

Events without a session share the lane and the places of their project.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

from msgspec import Raw

from tenterhook.dialects.base import Counters
from tenterhook.model import StopReason
from tenterhook.runners.start_gate import Places

__all__ = ["Lane", "Session", "Sessions", "Turn"]

_SESSIONS_KEPT = 4096


class Turn:
    """One event's place in its lane. It begins when those before it have ended; ending it lets the next one begin."""

    __slots__ = ("_before", "_done")

    def __init__(self, before: asyncio.Future[None] | None, done: asyncio.Future[None]) -> None:
        self._before = before
        self._done = done

    async def begin(self, stop: asyncio.Future[StopReason]) -> None:
        """Wait until it is this event's turn, or until it is stopped."""
        before = self._before
        if before is not None and not before.done():
            await asyncio.wait({before, stop}, return_when=asyncio.FIRST_COMPLETED)

    def end(self) -> None:
        """Let the next event begin: now, or after those before this one where it never had its turn."""
        before = self._before
        if before is None or before.done():
            self._leave()
        else:
            before.add_done_callback(self._leave)

    def _leave(self, _: object = None) -> None:
        if not self._done.done():
            self._done.set_result(None)


class Lane:
    """The order of a session's notifications: that in which they were read."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: asyncio.Future[None] | None = None

    @property
    def busy(self) -> bool:
        """Some turn is not over."""
        return self._last is not None and not self._last.done()

    def turn(self) -> Turn:
        """The next turn; taken at the moment of reading, entered when the work starts."""
        before = self._last if self.busy else None
        self._last = asyncio.get_running_loop().create_future()
        return Turn(before, self._last)


class Session:
    """One session of a host, or one project's events without a session."""

    __slots__ = ("base", "counters", "cwd", "lane", "open", "places", "project", "ran", "watched")

    def __init__(self, places: Places, counters: Counters) -> None:
        self.project: str | None = None
        """Real path of the project it is bound to by an earlier event."""
        self.lane = Lane()
        self.places = places
        self.counters = counters
        self.open = 0
        """Events that are read and have not ended: a session that has any is not forgotten."""
        self.ran: set[str] = set()
        """Ids of hooks that run once a session, and have."""
        self.cwd: str | None = None
        """The folder that its latest event named."""
        self.base: Raw | None = None
        """A payload of it, for what every event of it says."""
        self.watched: tuple[str, ...] = ()
        """Absolute paths that answers want watched."""


class Sessions:
    """Sessions by id, the longest unused forgotten first."""

    def __init__(self, max_hooks: int, counters: Counters) -> None:
        self._max_hooks = max_hooks
        self._counters = counters
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._latest: Session | None = None
        self._latest_key = ""

    def find(self, key: str) -> Session | None:
        """The session, if an event of it was seen."""
        return self._sessions.get(key)

    def get(self, key: str) -> Session:
        """The session, made at its first event."""
        if key == self._latest_key and self._latest is not None:
            return self._latest
        session = self._sessions.get(key)
        if session is None:
            if len(self._sessions) >= _SESSIONS_KEPT:
                self._forget()
            session = self._sessions[key] = Session(Places(self._max_hooks), self._counters)
        else:
            self._sessions.move_to_end(key)
        self._latest, self._latest_key = session, key
        return session

    def bound(self) -> Sequence[tuple[str, Session]]:
        """Every session that is bound to a project, with its id."""
        known = self._sessions.items()
        return [(key, session) for key, session in known if session.project is not None and key[:1] != "\0"]

    def _forget(self) -> None:
        for key, session in self._sessions.items():
            if not session.open:
                del self._sessions[key]
                return
