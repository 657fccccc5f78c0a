"""Owns how the engine tells of bad input: problems with places, notices without; knows no method."""

from __future__ import annotations

from typing import Literal

from tenterhook_protocol.base import UNSET, Message, UnsetType

__all__ = ["Notice", "NoticeCode", "Origin", "Problem", "Severity"]

Severity = Literal["error", "warning", "information"]


class Origin(Message, frozen=True, kw_only=True):
    """The place in a hook file that a hook, or one field of it, comes from."""

    layer: str
    """Name of the layer, as its system says it: ``global``, ``project``."""
    path: str
    """Absolute path of the file."""
    line: int
    """Line of the entry, from 1."""
    column: int
    """Column in Unicode code points, from 1."""


class Problem(Message, frozen=True, kw_only=True):
    """Something in a hook file that a person has to mend. A problem never takes down other entries."""

    severity: Severity
    """``error``: something was left out. ``warning``: something was taken in a way its author may not expect."""
    code: str
    """Stable kebab-case name of this kind of problem, for programs and searches."""
    message: str
    """What is wrong and what the engine did about it."""
    path: str
    """Absolute path of the file."""
    line: int
    """Line, from 1."""
    column: int
    """Column in Unicode code points, from 1."""
    end_line: int
    """Line in which the marked text ends, from 1."""
    end_column: int
    """Column just after the marked text, from 1."""
    entry: str | UnsetType = UNSET
    """The entry it is about, as a person would name it: a hook's name or ``hooks[3]``."""
    hint: str | UnsetType = UNSET
    """What to do about it."""


NoticeCode = Literal[
    "projectNotLoaded",
    "noPlace",
    "stopCapReached",
    "deferDropped",
    "ruleUndecided",
]


class Notice(Message, frozen=True, kw_only=True):
    """Something the host should know about how one event was handled."""

    code: NoticeCode
    """Stable name of this kind of notice."""
    message: str
    """One sentence for a person."""
    project_path: str | UnsetType = UNSET
    """The project it is about."""
    hook: str | UnsetType = UNSET
    """Id of the hook it is about."""
