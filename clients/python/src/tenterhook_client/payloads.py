"""Owns how a caller's payload becomes the bytes that are sent; knows no method."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Raw, Struct

from tenterhook_client.errors import BadPayload

__all__ = ["Payload", "as_json"]

Payload = Mapping[str, object] | Struct | Raw | bytes
"""An event's data: a mapping, a payload type of ``tenterhook_protocol.points``, or a JSON object as bytes.

Bytes go out as they are.
"""


def as_json(payload: Payload) -> Raw:
    """The payload as one JSON object.

    Bytes are read once here, too: the engine could not tell which call a body that is no JSON belongs to.

    Raises:
        BadPayload: It is no JSON object.
    """
    if isinstance(payload, (bytes, Raw)):
        written = bytes(payload)
    else:
        try:
            written = msgspec.json.encode(payload)
        except (TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
            raise BadPayload(f"the payload cannot be written as JSON: {error}") from error
    try:
        value: object = msgspec.json.decode(written)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadPayload(f"the payload is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise BadPayload(f"the payload is no JSON object but {type(value).__name__}")
    return Raw(written)
