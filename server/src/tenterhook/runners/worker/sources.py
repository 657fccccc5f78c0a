"""Owns telling whether the files that a worker was started from have changed since; reads none of them.

A program that lives on goes on running the code it has loaded.
So whoever edits a hook would be answered by the old one, were the file that its command names not looked at.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

__all__ = ["Sources"]

Stamp = tuple[int, int, int, int]


class Sources:
    """The files that a command names, as they were when this was made."""

    __slots__ = ("_stamps",)

    def __init__(self, argv: Sequence[str], folder: str) -> None:
        paths = [os.path.join(folder, word) for word in argv if "/" in word or "." in word]
        self._stamps = [(path, stamp) for path in paths if (stamp := _stamp(path)) is not None]

    @property
    def changed(self) -> bool:
        """Whether one of them is another file now, or none."""
        return any(_stamp(path) != stamp for path, stamp in self._stamps)


def _stamp(path: str) -> Stamp | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_dev
