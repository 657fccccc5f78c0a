"""Owns what the engine reads of a payload; knows no hooks, and leaves everything else in the payload alone.

It runs for every event of every host, so it is one decoding into one flat struct.
"""

from __future__ import annotations

import re

import msgspec
from msgspec import Raw

from tenterhook.dialects.base import Head
from tenterhook.errors import BadParams

__all__ = ["read_head"]


class _Keys(
    Head,
    frozen=True,
    rename={
        "project": "projectPath",
        "session": "sessionId",
        "subject": "toolName",
        "parent": "parentSessionId",
    },
):
    """Null counts as absent: neither names anything. It is a head itself, so that most payloads take one decoding."""

    # Declared again: msgspec's `rename` does not reach inherited fields.
    project: str | None = None
    session: str | None = None
    subject: str | None = None
    parent: str | None = None
    tool: str | None = None


_DECODE = msgspec.json.Decoder(_Keys).decode
_KEY = re.compile(r"at `\$\.(\w+)`")


def read_head(payload: Raw) -> Head:
    """The project, the session and the tool that a payload names.

    ``tool.approval.post`` calls its tool ``tool``, ``agent.subagent.spawn.before`` its session ``parentSessionId``.

    Raises:
        BadParams: the payload is no object, or one of these keys is no text.
    """
    try:
        keys = _DECODE(payload)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _bad_params(str(error)) from None
    if keys.parent is None and keys.tool is None:
        return keys
    return Head(
        keys.project,
        keys.parent if keys.session is None else keys.session,
        keys.tool if keys.subject is None else keys.subject,
    )


def _bad_params(told: str) -> BadParams:
    key = _KEY.search(told)
    if key is None:
        return BadParams(f"payload must be a JSON object ({told})")
    return BadParams(f"payload.{key[1]} must be a string")
