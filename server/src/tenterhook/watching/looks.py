"""Owns what watched files look like on the disk, and which folders tell that they change; waits for nothing.

What a system says of a change is taken as a hint to look, never as the change itself:
editors write beside a file and rename, folders vanish and come back, and hints get lost when a watch moves.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct

__all__ = ["Folder", "Look", "changed", "folders_of", "look_at", "look_inside"]

_HASHED_BYTES = 8 * 1024 * 1024
Folder = tuple[str, int, int]
"""A folder's path and its identity: one that was removed and made again is another."""


class Look(Struct, frozen=True):
    """A file at one moment. Two looks are the same if nobody has written it in between."""

    identity: tuple[int, ...]
    content: bytes = b""
    """Of a hook file: a digest, which alone counts."""

    @property
    def written(self) -> float | None:
        """When it was written, in seconds since the epoch; None: nobody asked."""
        return self.identity[3] / 1e9 if len(self.identity) > 3 else None


def look_at(path: str, *, closely: bool = False) -> Look | None:
    """The file as it is; None: there is none.

    Args:
        path: absolute path; links are followed.
        closely: look at its content too, so that writing the same again is no change.
    """
    try:
        state = os.stat(path)
        if closely:
            from hashlib import sha256  # noqa: PLC0415 - few engines watch, and start-up is a feature

            with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
                return Look((), sha256(file.read(_HASHED_BYTES)).digest())
    except (OSError, ValueError):
        return None
    return Look((state.st_ino, state.st_dev, state.st_size, state.st_mtime_ns))


def look_inside(folder: str) -> Look | None:
    """The ``*.json`` files of a folder as one; None: there is no such folder."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        return None
    from hashlib import sha256  # noqa: PLC0415 - as above

    whole = sha256()
    for name in names:
        look = look_at(f"{folder}/{name}", closely=True)
        whole.update(name.encode("utf-8", "surrogateescape") + b"\0" + (b"" if look is None else look.content))
    return Look((), whole.digest())


def changed(before: Look | None, after: Look | None) -> Literal["add", "change", "unlink"] | None:
    """What has become of a file; None: nothing."""
    if before is None:
        return None if after is None else "add"
    if after is None:
        return "unlink"
    same = before.content == after.content if before.content else before == after
    return None if same else "change"


def folders_of(files: Iterable[str], folders: Iterable[str]) -> Mapping[str, Folder]:
    """The folders to watch, by path: that of each file, and where it is not there, the nearest above it that is.

    Where a file is reached through a link, the folder of what it leads to is watched too.
    """
    found: dict[str, Folder] = {}
    for path in {os.path.dirname(file) for file in files} | set(folders):
        _add(path, found)
    for file in files:
        real = os.path.realpath(file)
        if real != file:
            _add(os.path.dirname(real), found)
    return found


def _add(path: str, found: dict[str, Folder]) -> None:
    while path not in found:
        try:
            state = os.stat(path)
        except OSError:
            above = os.path.dirname(path)
            if above == path:
                return
            path = above
            continue
        found[path] = (path, state.st_dev, state.st_ino)
