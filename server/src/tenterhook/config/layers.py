"""Owns what a hook file is before anyone reads it: where it should lie, and its bytes as found; knows no format."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from tenterhook_protocol.problems import Problem

__all__ = ["Layer", "Source"]


class Source(Struct, frozen=True):
    """A file that a system wants read for a project."""

    layer: str
    """Name of the layer; no two sources of a project share one."""
    path: str
    """Absolute path of the preferred file."""
    fallback: str | None = None
    """Absolute path of the file that counts where the first is absent."""
    content: bytes | None = None
    """What is to be read as if it stood there; no file is looked for."""
    from_project: bool = False
    """It lies in the project, so that whoever wrote the project wrote it: trust is asked for it."""
    carried: Struct | None = None
    """What the system wants to know again when it reads the layer; nobody else looks inside."""
    follow: Callable[[bytes], Sequence[Source]] | None = None
    """The further files that its content names. They follow it, and are not followed in turn."""
    watched: bool = True
    """With ``watch`` a change of it is noticed. Plugins change when the host says so."""
    folder: str | None = None
    """Absolute path of a folder whose ``*.json`` files follow it, in the order of their names."""


class Layer(Struct, frozen=True, kw_only=True):
    """A source as it was found."""

    layer: str
    path: str
    """The file that counts: the one that was read, or the preferred one where there is none."""
    content: bytes | None
    """None: there is no such file."""
    problems: tuple[Problem, ...] = ()
    """What went wrong on the way to the bytes: unreadable, too large, both spellings present."""
    failed: bool = False
    """The file is there and could not be read: a reload keeps the last good layer."""
    real_path: str | None = None
    """``path`` with its links resolved, where the file was read: two layers with the same one are one file."""
    carried: Struct | None = None
    """What its source carries."""
