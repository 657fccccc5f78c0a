"""Owns what the engine reads of a payload; knows no hooks, and leaves everything else in the payload alone.

It runs for every event of every host, so that a payload in which nothing is odd is one decoding into one flat struct.
"""

from __future__ import annotations

import re

import msgspec
from msgspec import Raw, Struct

from tenterhook.dialects.base import Head
from tenterhook.errors import BadParams

__all__ = ["read_head"]

_NAMES = {"project": "projectPath", "session": "sessionId", "subject": "toolName", "parent": "parentSessionId"}


class _Keys(Head, frozen=True, rename={**_NAMES, "cwd": "(no cwd)", "payload": "(no payload)"}):
    """A payload in which every key is as it should be. It is a head itself: nothing has to be built anew."""

    # Declared again: msgspec's `rename` does not reach inherited fields.
    project: str | None = None
    session: str | None = None
    subject: str | None = None
    # Keys of these names are the host's own here. One that is spelt like the odd names is read with care.
    cwd: None = None
    payload: None = None
    parent: str | None = None
    tool: str | None = None


class _Odd(Struct, frozen=True, rename=_NAMES):
    """Any object whose project and session can be told."""

    project: str | None = None
    session: str | None = None
    subject: Raw = Raw(b"null")
    parent: Raw = Raw(b"null")
    tool: Raw = Raw(b"null")


_decode = msgspec.json.Decoder(_Keys).decode
_decode_with_care = msgspec.json.Decoder(_Odd).decode
_KEY = re.compile(r"at `\$\.(\w+)`")


def read_head(payload: Raw) -> Head:
    """The project, the session and the tool that a payload names. Null counts as absent: it names nothing.

    ``tool.approval.post`` calls its tool ``tool``, ``agent.subagent.spawn.before`` its session ``parentSessionId``.
    These and ``toolName`` count as absent where they are no texts.

    Raises:
        BadParams: the payload is no object, or its ``projectPath`` or ``sessionId`` is no text.
    """
    try:
        keys = _decode(payload)
    except (msgspec.DecodeError, RecursionError):
        return _read_with_care(payload)
    if keys.parent is None and keys.tool is None:
        return keys
    return _head(keys.project, keys.session, keys.parent, keys.subject, keys.tool)


def _read_with_care(payload: Raw) -> Head:
    try:
        keys = _decode_with_care(payload)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _bad_params(str(error)) from None
    return _head(keys.project, keys.session, _text(keys.parent), _text(keys.subject), _text(keys.tool))


def _head(
    project: str | None, session: str | None, parent: str | None, tool_name: str | None, tool: str | None
) -> Head:
    return Head(project, parent if session is None else session, tool if tool_name is None else tool_name)


def _text(value: Raw) -> str | None:
    return msgspec.json.decode(value, type=str) if bytes(value).startswith(b'"') else None


def _bad_params(told: str) -> BadParams:
    key = _KEY.search(told)
    if key is None:
        return BadParams(f"payload must be a JSON object ({told})")
    return BadParams(f"payload.{key[1]} must be a string")
