"""Owns JSON-RPC's envelopes as this client writes and reads them; knows no method and no stream."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from tenterhook_protocol.base import JsonValue, Message
from tenterhook_protocol.jsonrpc import RequestId, ResponseError

__all__ = ["BadEnvelope", "Incoming", "answer", "failure", "notification", "read", "request"]


class BadEnvelope(Exception):
    """A body that is no JSON-RPC message."""


class Incoming(Struct, frozen=True, kw_only=True):
    """Any message from the other side. ``method`` present: a request (with ``id``) or notification; absent: a response.

    A response with ``id`` None is about a message that the engine could not read.
    """

    jsonrpc: Literal["2.0"]
    id: RequestId | UnsetType | None = UNSET
    method: str | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: ResponseError | UnsetType = UNSET


class _Call(Message, frozen=True, kw_only=True):
    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId | UnsetType = UNSET
    method: str
    params: object = UNSET


class _Answer(Message, frozen=True, kw_only=True):
    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    result: object


class _Failure(Message, frozen=True, kw_only=True):
    jsonrpc: Literal["2.0"] = "2.0"
    id: RequestId
    error: ResponseError


_incoming = msgspec.json.Decoder(Incoming)


def request(number: RequestId, method: str, params: object) -> bytes:
    """A request. ``params`` None or UNSET: it takes none."""
    return msgspec.json.encode(_Call(id=number, method=method, params=UNSET if params is None else params))


def notification(method: str, params: object) -> bytes:
    """A notification. ``params`` None or UNSET: it takes none."""
    return msgspec.json.encode(_Call(method=method, params=UNSET if params is None else params))


def answer(number: RequestId, result: object) -> bytes:
    """The result of a request of the other side."""
    return msgspec.json.encode(_Answer(id=number, result=result))


def failure(number: RequestId, code: int, message: str, data: object = None) -> bytes:
    """The error that answers a request of the other side."""
    details: JsonValue | UnsetType = UNSET if data is None else Raw(msgspec.json.encode(data))
    return msgspec.json.encode(_Failure(id=number, error=ResponseError(code=code, message=message, data=details)))


def read(body: bytes) -> Incoming:
    """Read one message.

    Raises:
        BadEnvelope: It is no JSON, or no JSON-RPC 2.0 message.
    """
    try:
        return _incoming.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadEnvelope(f"a message that is no JSON-RPC: {error}") from None
