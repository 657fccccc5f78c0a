"""Owns where an event belongs: its project's table and its session; runs nothing.

The place is the project that the request names, else the payload's, else the one its session is bound to.
An event without a place, or of a project that was never loaded, finds the empty table.
"""

from __future__ import annotations

from tenterhook.dialects.base import Head
from tenterhook.model import Notice
from tenterhook.registry import Registry
from tenterhook.sessions import Session, Sessions
from tenterhook.tables import EMPTY, Table

__all__ = ["Placing"]


class Placing:
    """Finds places, and binds sessions to projects as their events are read."""

    def __init__(self, registry: Registry, sessions: Sessions) -> None:
        self._registry = registry
        self._sessions = sessions

    def read(self, named: str | None, head: Head) -> tuple[Table, Session, Notice | None]:
        """The place of an event that is being handled; its session is bound to the project from now on."""
        path = named or head.project
        session = None if head.session is None else self._sessions.get(head.session)
        if path is None and session is not None:
            path = session.project
        table = None if path is None else self._registry.find(path)
        if table is None and path is None and head.cwd is not None:
            table = self._registry.find_above(head.cwd)
        if table is None:
            return EMPTY, session or self._sessions.get(f"\0{path or ''}"), _nowhere(path)
        if session is None:
            return table, self._sessions.get(f"\0{table.project}"), None
        session.project = table.project
        return table, session, None

    def look(self, named: str | None, head: Head) -> tuple[Table, Notice | None]:
        """The table of an event that is only asked about; nothing is remembered."""
        session = None if head.session is None else self._sessions.find(head.session)
        bound = None if session is None else session.project
        path = named or head.project or bound
        table = None if path is None else self._registry.find(path)
        if table is None and path is None and head.cwd is not None:
            table = self._registry.find_above(head.cwd)
        return (EMPTY, _nowhere(path)) if table is None else (table, None)


def _nowhere(path: str | None) -> Notice:
    if path is None:
        return Notice(
            code="noPlace",
            message="the event names no project and its session is bound to none: no hook can apply; "
            "send projectPath with the request or in the payload",
        )
    return Notice(
        code="projectNotLoaded",
        message=f"the project {path} was never loaded: no hook can apply; "
        "name it in initializationOptions.projectPaths or send hooks/reload for it",
        project_path=path,
    )
