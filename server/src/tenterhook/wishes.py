"""Owns doing in the world what an answer wishes: files to write, folders to look at; knows no hook and no system."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from tenterhook.model import PathCheck, Spill, Wish

__all__ = ["fulfil"]


def fulfil(wishes: Sequence[Wish]) -> str | None:
    """Do everything, in order. The first thing that cannot be done is said in words, and the rest is left."""
    for wish in wishes:
        refusal = _write(wish) if isinstance(wish, Spill) else _look(wish)
        if refusal is not None:
            return refusal
    return None


def _write(spill: Spill) -> str | None:
    try:
        os.makedirs(os.path.dirname(spill.path), mode=0o700, exist_ok=True)
        descriptor = os.open(spill.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(descriptor, "w", encoding="utf-8", errors="replace", newline="") as file:
            file.write(spill.text)
    except (OSError, ValueError) as error:
        return f"its output is too long, and the file for it could not be written: {error}"
    return None


def _look(check: PathCheck) -> str | None:
    path = check.path
    try:
        if check.root is not None and (link := _link_below(check.root, path)) is not None:
            return f"{path} leads through the link {link}"
        if not stat.S_ISDIR(os.stat(path).st_mode):
            return f"{path} is no folder"
        if not os.access(path, os.X_OK):
            return f"{path} may not be entered"
    except (OSError, ValueError) as error:
        return f"{path} is not there: {error}"
    return None


def _link_below(root: str, path: str) -> str | None:
    relative = os.path.relpath(path, root)
    if relative == ".." or relative.startswith("../"):
        return None
    at = root
    for part in relative.split(os.sep):
        at = os.path.join(at, part)
        if os.path.islink(at):
            return at
    return None
