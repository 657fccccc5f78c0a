"""Owns what an ECC hook finds on stdin: the payload, with ECC's name for the output of a tool, within a limit.

ECC's scripts know ``tool_output`` (contract, 4), where the host sends ``tool_response``.
They get at most 1 MiB, counted in bytes of UTF-8 (contract, 0, generation B); a character is never cut in two.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import msgspec
from msgspec import Raw, Struct

__all__ = ["HIGHEST_LIMIT", "LIMIT_VARIABLE", "Given", "given", "limit_of"]

HIGHEST_LIMIT = 1 << 20
"""Bytes."""

LIMIT_VARIABLE = "ECC_HOOK_INPUT_MAX_BYTES"
"""Lowers the limit."""

_LARGEST_WHOLE_NUMBER = 2**53 - 1
"""The largest that a script can count with (ECMA-262, ``Number.MAX_SAFE_INTEGER``)."""


class Given(Struct, frozen=True):
    """What a hook gets."""

    text: bytes
    truncated: bool
    limit: int
    """Bytes."""


def limit_of(environment: Mapping[str, str]) -> tuple[int, str | None]:
    """The limit in bytes, and what is wrong with the variable that should have set it."""
    told = environment.get(LIMIT_VARIABLE, "").strip()
    if not told:
        return HIGHEST_LIMIT, None
    if not (told.isascii() and told.isdigit() and 0 < int(told[:20]) <= _LARGEST_WHOLE_NUMBER):
        return HIGHEST_LIMIT, f"{LIMIT_VARIABLE} is {told[:40]!r}, no number of bytes; the limit is {HIGHEST_LIMIT}"
    return min(int(told), HIGHEST_LIMIT), None


def given(payload: bytes, environment: Mapping[str, str]) -> Given:
    """What a hook gets of an event's payload."""
    limit, _ = limit_of(environment)
    filled = _with_tool_output(payload)
    # What is added must not be what makes it too long.
    text = filled if len(filled) <= limit else payload
    if len(text) <= limit:
        return Given(text, truncated=False, limit=limit)
    end = limit
    while end > 0 and text[end] & 0xC0 == 0x80:
        end -= 1
    return Given(text[:end], truncated=True, limit=limit)


_object = msgspec.json.Decoder(dict[str, Raw])


def _with_tool_output(payload: bytes) -> bytes:
    if b'"tool_response"' not in payload or b'"tool_output"' in payload:
        return payload
    try:
        keys = _object.decode(payload)
        response = msgspec.json.decode(keys["tool_response"])
    except (msgspec.DecodeError, RecursionError, KeyError):
        return payload
    output = msgspec.json.encode({"output": response} if isinstance(response, str) else _as_output(response))
    end = payload.rstrip()
    return b'%s,"tool_output":%s}' % (end[:-1], output) if end.endswith(b"}") else payload


def _as_output(response: object) -> object:
    """The response itself where it is an object, with ``output`` added: ECC's scripts read that key."""
    if not isinstance(response, dict):
        return {"output": "" if response is None else msgspec.json.encode(response).decode()}
    fields = cast("dict[str, object]", response)
    if "output" in fields:
        return fields
    texts = [text for key in ("stdout", "stderr") if isinstance(text := fields.get(key), str) and text]
    return {**fields, "output": "\n".join(texts)} if texts or "stdout" in fields else fields
