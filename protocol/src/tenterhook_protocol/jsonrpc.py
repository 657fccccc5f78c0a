"""Owns the JSON-RPC error object and its codes; knows no method."""

from __future__ import annotations

from enum import IntEnum

from tenterhook_protocol.base import UNSET, JsonValue, Message, UnsetType

__all__ = ["ErrorCode", "RequestId", "ResponseError"]

RequestId = int | str
"""Integer or string; ``1`` and ``"1"`` are different requests."""


class ErrorCode(IntEnum):
    """The error codes that go over this wire (JSON-RPC 2.0 and LSP 3.17)."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    SERVER_NOT_INITIALIZED = -32002
    REQUEST_CANCELLED = -32800
    REQUEST_FAILED = -32803


class ResponseError(Message, frozen=True, kw_only=True):
    """Why a request has no result."""

    code: int
    """One of the codes of the specification's error table."""
    message: str
    """What happened and what to do, in one sentence."""
    data: JsonValue | UnsetType = UNSET
    """Details that a program may read, for example the nearest known name."""
