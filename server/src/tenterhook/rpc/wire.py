"""Owns the bytes of everything the engine sends; knows no stream and no order.

Strings may come from file names, where Python keeps undecodable bytes as lone surrogates; JSON cannot carry those,
so they are replaced where, and only where, the encoder stumbles over one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import msgspec
from msgspec import UNSET, Raw, Struct
from msgspec.structs import fields
from tenterhook_protocol.base import Message
from tenterhook_protocol.jsonrpc import ErrorCode, RequestId, ResponseError

__all__ = ["encode_cancelled", "encode_error", "encode_notification", "encode_request", "encode_result"]


class _Result(Struct, tag_field="jsonrpc", tag="2.0", gc=False):
    id: RequestId
    result: object


class _Error(Struct, tag_field="jsonrpc", tag="2.0"):
    id: RequestId | None
    error: ResponseError


class _Notification(Struct, tag_field="jsonrpc", tag="2.0"):
    method: str
    params: Message


class _Request(Struct, tag_field="jsonrpc", tag="2.0"):
    id: RequestId
    method: str
    params: Message


_encode = msgspec.json.Encoder().encode


def encode_result(ident: RequestId, result: object) -> bytes:
    """A request's result.

    Raises:
        TypeError: the result is nothing that JSON can say.
    """
    try:
        return _encode(_Result(ident, result))
    except UnicodeEncodeError:
        return _mended(_Result(ident, result))


def encode_error(ident: RequestId | None, error: ResponseError) -> bytes:
    """Why a request has no result."""
    return _encode_or_mend(_Error(ident, error))


def encode_cancelled(ident: RequestId, method: str) -> bytes:
    """The answer to a request that was given up."""
    return encode_error(ident, ResponseError(code=ErrorCode.REQUEST_CANCELLED, message=f"{method} was cancelled"))


def encode_notification(method: str, params: Message) -> bytes:
    """A notification of the engine's."""
    return _encode_or_mend(_Notification(method, params))


def encode_request(ident: RequestId, method: str, params: Message) -> bytes:
    """A request of the engine's to its host."""
    return _encode_or_mend(_Request(ident, method, params))


def _encode_or_mend(message: Struct) -> bytes:
    try:
        return _encode(message)
    except UnicodeEncodeError:
        return _mended(message)


def _mended(message: Struct) -> bytes:
    return _encode({"jsonrpc": "2.0"} | cast("dict[str, object]", _plain(message)))


def _plain(value: object) -> object:
    """The same value in plain types, lone surrogates replaced by U+FFFD."""
    match value:
        case str():
            return "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in value)
        case Raw():
            return value
        case Struct():
            items = ((field.encode_name, cast("object", getattr(value, field.name))) for field in fields(value))
            return {name: _plain(item) for name, item in items if item is not UNSET}
        case list() | tuple():
            return [_plain(item) for item in cast("list[object]", value)]
        case Mapping():
            return {_plain(key): _plain(item) for key, item in cast("Mapping[object, object]", value).items()}
        case _:
            return value
