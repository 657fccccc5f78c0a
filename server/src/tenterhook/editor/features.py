"""Owns the table of language features: one line a method, one function a line; does nothing itself.

To add a feature, write ``def feature(desk, params)`` (or ``async def``, for a request) in a module of its own,
and add its line here. Its capability is announced by the wire, which may not load pygls:
a test compares what is announced there with what pygls makes of this table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from lsprotocol import types

from tenterhook.editor import diagnostics
from tenterhook.editor.desk import Desk

__all__ = ["FEATURES", "Feature"]


class Feature(NamedTuple):
    """One method and what serves it."""

    method: str
    handle: Callable[[Desk, Any], object]
    """Gets the method's params as lsprotocol's type. A request's result, or an awaitable of it, is lsprotocol's too.

    It raises ``BadParams`` or ``RequestFailed`` to refuse a request in words for the user.
    """
    options: object = None
    """The method's registration options, where it has any that matter."""


FEATURES: tuple[Feature, ...] = (
    Feature(types.TEXT_DOCUMENT_DID_OPEN, diagnostics.opened),
    Feature(types.TEXT_DOCUMENT_DID_CHANGE, diagnostics.changed),
    Feature(types.TEXT_DOCUMENT_DID_CLOSE, diagnostics.closed),
    Feature(types.TEXT_DOCUMENT_DID_SAVE, diagnostics.others_changed),
    Feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, diagnostics.others_changed),
)
