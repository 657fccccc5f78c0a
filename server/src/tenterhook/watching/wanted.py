"""Owns which files are to be watched, and for whom; looks at no disk.

A session watches what the hooks of its project name, in its own folder, and what answers have named.
With ``watch`` every hook file of every loaded project is watched too, for the engine itself.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

__all__ = ["HookFile", "Wanted", "Watcher", "wanted_by"]


class Watcher(Struct, frozen=True):
    """A session that watches."""

    session: str
    project: str
    cwd: str
    named: tuple[str, ...]
    """By the hooks of its project."""
    listed: tuple[str, ...]
    """By answers: absolute paths."""


class HookFile(Struct, frozen=True):
    """A hook file of a project, or the folder whose ``*.json`` files are hook files."""

    system: str
    project: str
    layer: str
    path: str
    folder: bool = False


class Wanted(Struct, frozen=True):
    """What is watched, by absolute path."""

    sessions: Mapping[str, Sequence[str]]
    """Ids of the sessions that watch a file."""
    hook_files: Mapping[str, Sequence[HookFile]]
    folders: Mapping[str, Sequence[HookFile]]
    """By folder: whose files count, those included that are not there yet."""

    @property
    def files(self) -> set[str]:
        """All single files."""
        return {*self.sessions, *self.hook_files}

    def __bool__(self) -> bool:
        return bool(self.sessions or self.hook_files or self.folders)


def wanted_by(watchers: Iterable[Watcher], hook_files: Iterable[HookFile]) -> Wanted:
    """All of it. Paths are made plain, so that one file is watched once."""
    sessions: defaultdict[str, list[str]] = defaultdict(list)
    for watcher in watchers:
        paths = [*(os.path.join(watcher.cwd, name) for name in watcher.named), *watcher.listed]
        for path in dict.fromkeys(os.path.normpath(path) for path in paths if os.path.isabs(path) and "\0" not in path):
            sessions[path].append(watcher.session)
    files: defaultdict[str, list[HookFile]] = defaultdict(list)
    folders: defaultdict[str, list[HookFile]] = defaultdict(list)
    for file in hook_files:
        (folders if file.folder else files)[os.path.normpath(file.path)].append(file)
    return Wanted(dict(sessions), dict(files), dict(folders))
