"""Owns how a body becomes a call, a reply, a batch or a fault; knows no method and no state.

The usual body, a call, is decoded once, with its params left as bytes.
Only what that decoder refuses is looked at member by member.

msgspec checks the grammar of everything, skipped parts included, but neither the UTF-8 of parts it only slices
nor any depth of our own choice, and it refuses escapes of lone surrogates, which JSON allows.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import UNSET, DecodeError, Raw, Struct, UnsetType
from tenterhook_protocol.jsonrpc import ErrorCode, RequestId

__all__ = [
    "MAX_DEPTH",
    "Batch",
    "Call",
    "Fault",
    "Incoming",
    "Reply",
    "allow_deep_bodies",
    "is_too_deep",
    "mend_surrogates",
    "parse",
]

MAX_DEPTH = 1000
"""A body nested deeper is refused."""


class Call(Struct, gc=False):
    """A request, or a notification where ``id`` is absent.

    ``params`` are the bytes of any JSON value; empty where there are none.
    """

    jsonrpc: Literal["2.0"]
    method: str
    id: RequestId | UnsetType = UNSET
    params: Raw = Raw(b"")


class Reply(Struct):
    """The other side's answer to a request of ours."""

    id: RequestId | None
    result: Raw | None
    error: Raw | None


class Fault(Struct):
    """A body that is no message, and what to answer."""

    code: ErrorCode
    message: str
    id: RequestId | None = None


class Batch(Struct):
    """A JSON-RPC batch. Never empty."""

    raw_members: list[Raw]

    def members(self) -> Iterator[tuple[Call | Reply | Fault, bytes]]:
        """Each member with its own bytes, parsed when it is asked for. A batch in a batch is a fault."""
        for raw in self.raw_members:
            body = bytes(raw)
            message = parse(body)
            if isinstance(message, Batch):
                message = Fault(ErrorCode.INVALID_REQUEST, "a batch in a batch")
            yield message, body


Incoming = Call | Reply | Batch | Fault

_decode_call = msgspec.json.Decoder(Call).decode
_decode_members = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_array = msgspec.json.Decoder(list[Raw]).decode
_decode_any = msgspec.json.Decoder(Raw).decode
_decode_id = msgspec.json.Decoder(RequestId).decode
_decode_text = msgspec.json.Decoder(str).decode


def parse(body: bytes) -> Incoming:
    """Tell what a body is. Whatever the bytes are, this answers; it never raises."""
    if len(body) > MAX_DEPTH and is_too_deep(body):
        return Fault(ErrorCode.PARSE_ERROR, f"the body is nested deeper than {MAX_DEPTH} levels")
    try:
        call = _decode_call(body)
    except (DecodeError, RecursionError):
        return _look_closer(body)
    if body.isascii() or _is_utf8(body):
        return call
    return Fault(ErrorCode.PARSE_ERROR, "the body is not UTF-8")


def allow_deep_bodies() -> None:
    """Let the decoder reach ``MAX_DEPTH``: it stops at Python's recursion limit, which is no deeper by default."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 4 * MAX_DEPTH))


def _look_closer(body: bytes) -> Incoming:
    if body.startswith(b"\xef\xbb\xbf"):
        return Fault(ErrorCode.PARSE_ERROR, "the body begins with a byte order mark")
    if not _is_utf8(body):
        return Fault(ErrorCode.PARSE_ERROR, "the body is not UTF-8")
    try:
        match body.lstrip(b" \t\r\n")[:1]:
            case b"{":
                return _object(_decode_members(body))
            case b"[":
                members = _decode_array(body)
                return Batch(members) if members else Fault(ErrorCode.INVALID_REQUEST, "an empty batch")
            case _:
                _decode_any(body)
                return Fault(ErrorCode.INVALID_REQUEST, "a message is an object")
    except (DecodeError, RecursionError) as error:
        mended = mend_surrogates(body)
        if mended is not body:
            return parse(mended)
        return Fault(ErrorCode.PARSE_ERROR, f"the body is no JSON: {error}")


def _why_no_id(written: bytes) -> str:
    if written.removeprefix(b"-").isdigit():
        return f"an id of {len(written)} digits is too long"
    return "an id is an integer or a string"


def _object(members: dict[str, Raw]) -> Reply | Fault:
    """Sort out an object that is no call: a reply, or a message with something wrong."""
    is_reply = "method" not in members and ("result" in members or "error" in members)
    ident, id_is_good = _id_of(members)
    # A reply's id is of our own giving: an error that carried it would look like the answer to the other's request.
    told = None if is_reply else ident
    if "jsonrpc" not in members or _text(members["jsonrpc"]) != "2.0":
        return Fault(ErrorCode.INVALID_REQUEST, 'the message lacks "jsonrpc": "2.0"', told)
    if is_reply:
        if "id" in members and (id_is_good or _is_null(members["id"])):
            return Reply(ident, members.get("result"), members.get("error"))
        return Fault(ErrorCode.INVALID_REQUEST, "the response has no usable id")
    if "id" in members and not id_is_good:
        return Fault(ErrorCode.INVALID_REQUEST, _why_no_id(bytes(members["id"])))
    if "method" not in members:
        return Fault(ErrorCode.INVALID_REQUEST, "the message has neither method nor result nor error", told)
    return Fault(ErrorCode.INVALID_REQUEST, "the method is no string", told)


def _id_of(members: dict[str, Raw]) -> tuple[RequestId | None, bool]:
    if "id" not in members:
        return None, False
    try:
        return _decode_id(members["id"]), True
    except DecodeError:
        return None, False


def _text(raw: Raw) -> str | None:
    try:
        return _decode_text(raw)
    except DecodeError:
        return None


def _is_null(raw: Raw) -> bool:
    return bytes(raw) == b"null"


_strings = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_pieces = re.compile(rb'(?:[^"]++|"[^"\\]*+(?:\\.[^"\\]*+)*+"|"){1,4096}+', re.DOTALL)
"""So many strings, and what stands between them; a string is never cut."""
_other_than_brackets = bytes(sorted(set(range(256)) - set(b"[]{}")))
_step = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}

_escapes = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a pair: good
    rb"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"  # half a pair
    rb"|\\.",  # any other escape, so that an escaped backslash begins nothing
    re.DOTALL,
)


def _is_utf8(body: bytes) -> bool:
    """Whether all of it is UTF-8."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def is_too_deep(body: bytes) -> bool:
    """Whether arrays and objects are nested deeper than ``MAX_DEPTH``. Cheap unless there are that many of them."""
    if body.count(b"[") + body.count(b"{") <= MAX_DEPTH:
        return False
    depth = 0
    for piece in _pieces.finditer(body):  # one by one: all at once would take many times the body's memory
        brackets = _strings.sub(b"", piece[0]).translate(None, _other_than_brackets)
        for bracket in brackets:
            depth += _step[bracket]
            if depth > MAX_DEPTH:
                return True
    return False


def mend_surrogates(body: bytes) -> bytes:
    r"""Replace each escape of a lone surrogate by ``\ufffd``; the very same object where there is none."""
    if b"\\u" not in body:
        return body
    mended = _escapes.sub(lambda match: rb"\ufffd" if match[1] else match[0], body)
    return body if mended == body else mended
