"""Owns the watch: what is wanted, what has changed, who is told; judges nothing and knows no wire.

Everything goes by rounds: after a hint of the system, or after what is wanted has changed, all files are looked at,
and what is not as it was is told of. One round follows the other, so nothing is told of twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence

from tenterhook.dialects.base import Dialect, Edit
from tenterhook.later import Tasks
from tenterhook.model import Sink
from tenterhook.registry import Registry
from tenterhook.service import Service
from tenterhook.tables import Table
from tenterhook.watching.looks import Folder, Look, changed, folders_of, look_at, look_inside
from tenterhook.watching.notifier import Notifier
from tenterhook.watching.raising import Raiser
from tenterhook.watching.wanted import HookFile, Wanted, Watcher, wanted_by

__all__ = ["Rounds"]


class Rounds:
    """The watch of one engine. Made with it, it costs nothing until there is something to watch.

    Args:
        service: the engine; it tells when what is wanted may have changed.
        sink: where events and reloads are told.
        hook_files: whether hook files are watched too: the option ``watch``.
    """

    def __init__(self, service: Service, sink: Sink, *, hook_files: bool) -> None:
        self._service = service
        self._sink = sink
        self._hook_files = hook_files
        self._raiser = Raiser(service, sink)
        self._wanted = Wanted({}, {}, {})
        self._files_of: dict[str, tuple[Table, Sequence[HookFile]]] = {}
        self._looks: dict[str, Look | None] = {}
        self._folders: Mapping[str, Folder] = {}
        self._notifier: Notifier | None = None
        self._round: asyncio.Task[None] | None = None
        self._arming: asyncio.Task[None] | None = None
        self._work = Tasks()
        self._closed = False
        service.attendance.by = self

    @property
    def folders(self) -> Sequence[str]:
        """The folders that are watched now."""
        return list(self._folders)

    @property
    def under_way(self) -> asyncio.Task[None] | None:
        """What is being done about the watch; None: it is as it has to be."""
        return self._round or self._arming

    def attention(self) -> None:
        """What is wanted may have changed, or a file: a round is due, as soon as the loop gets to it."""
        if not self._closed and self._round is None:
            self._round = asyncio.get_running_loop().create_task(self._go_round())

    async def close(self) -> None:
        """Watch nothing any more. What was raised before is ended by the engine."""
        self._closed = True
        if self._notifier is not None:
            self._notifier.stop()
        due = [task for task in (self._round, self._arming) if task is not None]
        for task in due:
            task.cancel()
        if due:
            await asyncio.wait(due)
        await self._work.cancelled()

    async def _go_round(self) -> None:
        """Without a pause: how a file looks is known before another message of the host is read."""
        self._round = None
        self._want()
        for edit in self._edits():
            self._tell(edit)
        if self._arming is None and self._needed() != self._folders:
            self._arming = asyncio.get_running_loop().create_task(self._arm())

    def _want(self) -> None:
        """Work out anew what is wanted. A file that is new in it is as it is; others keep how they looked."""
        wanted = wanted_by(self._watchers(), self._own_files())
        self._wanted = wanted
        fresh: dict[str, Look | None] = {}
        for path in (*wanted.files, *wanted.folders):
            fresh[path] = self._looks[path] if path in self._looks else self._look(path)
        self._looks = fresh

    def _edits(self) -> Iterator[tuple[str, Edit]]:
        for path, before in list(self._looks.items()):
            after = self._look(path)
            kind = changed(before, after)
            if kind is not None:
                self._looks[path] = after
                yield path, Edit(path=path, kind=kind, written=None if after is None else after.written)

    def _look(self, path: str) -> Look | None:
        if path in self._wanted.folders:
            return look_inside(path)
        return look_at(path, closely=path in self._wanted.hook_files)

    def _tell(self, found: tuple[str, Edit]) -> None:
        path, edit = found
        for session in self._wanted.sessions.get(path, ()):
            self._work.begin(self._raiser.file_changed(session, edit))
        by_project: dict[str, list[HookFile]] = {}
        for file in (*self._wanted.hook_files.get(path, ()), *self._wanted.folders.get(path, ())):
            by_project.setdefault(file.project, []).append(file)
        for project, files in by_project.items():
            self._work.begin(self._raiser.hook_file_changed(project, files, edit))

    def _needed(self) -> Mapping[str, Folder]:
        return folders_of(self._wanted.files, self._wanted.folders)

    async def _arm(self) -> None:
        """Watch the folders that tell of what is wanted; what has changed meanwhile is found by another round."""
        try:
            while (folders := self._needed()) != self._folders:
                before, self._notifier = self._notifier, None
                if folders:
                    self._notifier = Notifier(list(folders), self.attention, self._troubled)
                    await self._notifier.start()
                self._folders = folders
                if before is not None:
                    before.stop()
        finally:
            self._arming = None
        self.attention()

    def _troubled(self, reason: str) -> None:
        self._sink.log("warning", reason)

    def _watchers(self) -> Iterator[Watcher]:
        registry = self._service.registry
        named = {table.project: _named(table, registry.recipe.dialects) for table in registry.tables}
        for key, session in self._service.sessions.bound():
            if session.cwd is not None or session.watched:
                project = session.project or ""
                yield Watcher(key, project, session.cwd or project, tuple(named.get(project, ())), session.watched)

    def _own_files(self) -> Iterator[HookFile]:
        if not self._hook_files:
            return
        for table in self._service.registry.tables:
            known, files = self._files_of.get(table.project, (None, ()))
            if known is not table:  # files name others, so that each load may bring new ones
                files = tuple(_files_of(table.project, self._service.registry))
                self._files_of[table.project] = (table, files)
            yield from files


def _files_of(project: str, registry: Registry) -> Iterator[HookFile]:
    for system, source in registry.files_of(project):
        if not source.watched or source.content is not None:
            continue
        for path in (source.path, source.fallback):
            if path is not None:
                yield HookFile(system, project, source.layer, path)
        if source.folder is not None:
            yield HookFile(system, project, source.layer, source.folder, folder=True)


def _named(table: Table, dialects: Sequence[Dialect]) -> list[str]:
    """What the hooks of a table want watched: absolute paths, or names in a session's folder."""
    runnable = [hook for hooks in table.runnable.values() for hook in hooks]
    return [name for dialect in dialects for name in dialect.watched([h for h in runnable if h.system == dialect.name])]
