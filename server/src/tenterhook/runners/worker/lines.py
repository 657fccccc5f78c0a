"""Owns the lines between the engine and a worker: what a request and an answer look like; reads no pipe.

A request is one line of JSON, ``{"id": 7, "event": {...}, ...}``, and so is its answer (``docs/workers.md``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from msgspec import UNSET, DecodeError, Raw, Struct, UnsetType

__all__ = ["Answer", "Splitter", "decode_answer", "encode_request"]


class Answer(Struct, frozen=True, rename="camel"):
    """What a worker says of one event: the same as a process would have by its exit and its outputs."""

    id: int
    exit_code: int = 0
    stdout: str = ""
    stderr: str = ""
    answer: Raw | UnsetType = UNSET
    """A JSON value in place of ``stdout``; null: nothing."""
    last: bool = False
    """The worker ends after this answer."""
    error: str | UnsetType = UNSET
    """The worker cannot handle this event: it goes to a process of its own."""

    @property
    def output(self) -> bytes:
        """What stands for stdout."""
        if self.answer is UNSET:
            return self.stdout.encode("utf-8", "replace")
        said = bytes(self.answer)
        return b"" if said == b"null" else said


_decoder = msgspec.json.Decoder(Answer)
_encoder = msgspec.json.Encoder()
_BLANKS = bytes.maketrans(b"\r\n", b"  ")


def encode_request(number: int, event: bytes | Raw, call: Mapping[str, object]) -> bytes:
    """One request as a line.

    Args:
        number: sets it apart from every other one of the worker's life.
        event: the payload, one JSON value. JSON has line ends between its values alone: they become blanks.
        call: what is said beside it.
    """
    more = _encoder.encode(call)[1:-1]
    payload = bytes(event).translate(_BLANKS).strip(b" ")
    return b'{"id":%d,"event":%b%b%b}\n' % (number, payload or b"null", b"," if more else b"", more)


def decode_answer(line: bytes) -> Answer | None:
    """An answer; None: the line is none.

    One that has an id and does not fit is an answer with an ``error``: nobody has to wait for a better one.
    """
    try:
        return _decoder.decode(line)
    except (DecodeError, UnicodeDecodeError, RecursionError) as failure:
        return _second_look(line, str(failure))


def _second_look(line: bytes, why: str) -> Answer | None:
    """With Python's own reader, which also takes half a surrogate pair, as many programs write it."""
    if not line.startswith(b"{"):
        return None
    import json  # noqa: PLC0415 - only lines that are not as they should be need it

    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if "answer" in told:
        told["answer"] = Raw(json.dumps(told["answer"]).encode())
    try:
        return msgspec.convert(told, Answer)
    except DecodeError:
        number = told.get("id")
        return Answer(number, error=f"its answer does not fit: {why}") if type(number) is int else None


class Splitter:
    """Cuts what comes through a pipe into lines. A line of over ``limit`` bytes is ``too_long``, and the end of it."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rest = bytearray()
        self._searched = 0
        self.too_long = False

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """The lines that are whole now, without their ends; empty ones are passed over."""
        self._rest += chunk
        while not self.too_long:
            end = self._rest.find(b"\n", self._searched)
            if end < 0:
                self._searched = len(self._rest)
                self.too_long = self._searched > self._limit
                return
            self.too_long = end > self._limit
            line = bytes(self._rest[:end]).strip(b" \t\r")
            del self._rest[: end + 1]
            self._searched = 0
            if line and not self.too_long:
                yield line
