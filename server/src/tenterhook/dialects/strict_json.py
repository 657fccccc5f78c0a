"""Owns judging whether bytes are one JSON object, and saying where they are not; knows no hooks.

Strict means RFC 8259 with what it leaves open closed: no ``NaN``, no second document, no key twice,
no nesting over ``MAX_DEPTH``. One UTF-8 byte order mark before the object is accepted.
"""

from __future__ import annotations

import re

import msgspec
from msgspec import Raw, Struct

__all__ = ["MAX_DEPTH", "JsonFault", "JsonObject", "read_object"]

MAX_DEPTH = 500
"""Objects and lists inside each other. The wire's own limit of 1000 must leave room for what is put around."""

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[{}\[\],:]', re.DOTALL)
"""A text or a sign. A text that does not end takes all the rest: to try again at each quote in it would have no end."""
_BLANKS = re.compile(r"[ \t\r\n]*")
_BYTE = re.compile(r"\(byte (\d+)\)$")
_HALF_PAIR = re.compile(
    r"\\[^u]|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
_EXCERPT = 40


class JsonFault(Struct, frozen=True):
    """What is wrong, and where. ``str()`` of it quotes the place."""

    message: str
    line: int
    column: int
    excerpt: str

    def __str__(self) -> str:
        """One line for the hook's author."""
        quoted = f", at `{self.excerpt}`" if self.excerpt else ""
        return f"line {self.line}, column {self.column}: {self.message}{quoted}"


class JsonObject(Struct, frozen=True):
    """An object whose values are still their own bytes. No bytes at all, and ``null``, are an object of no fields."""

    fields: dict[str, Raw]
    text: str

    def fault(self, key: str, message: str) -> JsonFault:
        """A fault in the value of a key."""
        places: dict[str, int] = {}
        _first_double(self.text, places)
        return _fault_at(self.text, places.get(key, 0), message)


def read_object(content: bytes) -> JsonObject | JsonFault:
    """The one JSON object that the bytes are, or why they are none."""
    body = content.removeprefix(b"\xef\xbb\xbf")
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        before = len(body[: error.start].decode())
        return _fault_at(
            body.decode(errors="replace"), before, f"the byte 0x{body[error.start]:02x} is not valid UTF-8"
        )
    if not text.strip(" \t\r\n"):
        return JsonObject({}, text)
    if text.count("{") + text.count("[") > MAX_DEPTH and (deep := _too_deep(text)) is not None:
        return _fault_at(text, deep, f"more than {MAX_DEPTH} objects or lists inside each other")
    try:
        whole = msgspec.json.decode(body, type=Raw)
        fields = None if bytes(whole).strip() == b"null" else msgspec.json.decode(body, type=dict[str, Raw])
    except msgspec.ValidationError:
        return _fault_at(text, _after_blanks(text, 0), "a JSON object was expected")
    except (msgspec.DecodeError, RecursionError) as error:
        return _malformed(str(error), body, text)
    if fields is None:
        return JsonObject({}, text)
    # As many colons as keys: no key stands twice, and nothing inside has keys of its own.
    if text.count(":") != len(fields) and (twice := _first_double(text, {})) is not None:
        return twice
    return JsonObject(fields, text)


def _too_deep(text: str) -> int | None:
    depth = 0
    for token in _TOKEN.finditer(text):
        sign = token.group()
        if sign in "{[":
            depth += 1
            if depth > MAX_DEPTH:
                return token.start()
        elif sign in "}]":
            depth -= 1
    return None


def _malformed(told: str, body: bytes, text: str) -> JsonFault:
    at = _BYTE.search(told)
    position = len(text) if at is None else len(body[: int(at[1])].decode(errors="ignore"))
    half = next((match.start() for match in _HALF_PAIR.finditer(text, 0, position) if match["half"]), None)
    if half is not None:
        return _fault_at(text, half, "half of a surrogate pair")
    if at is None:
        return _fault_at(text, position, "the JSON ends too early; was the output cut?")
    if "trailing characters" in told:
        return _fault_at(text, max(position - 1, 0), "more text follows the JSON object")
    reason = told.removeprefix("JSON is malformed: ").removesuffix(f" {at.group()}")
    return _fault_at(text, position, f"no JSON, {reason}")


def _first_double(text: str, places: dict[str, int]) -> JsonFault | None:
    """The first key that stands twice in one object. ``places`` gets the values of the outermost one."""
    open_objects: list[set[str] | None] = []
    before: re.Match[str] | None = None
    for token in _TOKEN.finditer(text):
        sign = token.group()
        if sign == "{":
            open_objects.append(set())
        elif sign == "[":
            open_objects.append(None)
        elif sign in "}]":
            open_objects.pop()
        elif sign == ":" and before is not None and (keys := open_objects[-1]) is not None:
            written = before.group()
            key = msgspec.json.decode(written, type=str) if "\\" in written else written[1:-1]
            if key in keys:
                return _fault_at(text, before.start(), f"the key {key!r} stands twice")
            keys.add(key)
            if len(open_objects) == 1:
                places[key] = _after_blanks(text, token.end())
        before = token
    return None


def _after_blanks(text: str, position: int) -> int:
    blanks = _BLANKS.match(text, position)
    return position if blanks is None else blanks.end()


def _fault_at(text: str, position: int, message: str) -> JsonFault:
    line = text.count("\n", 0, position) + 1
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    rest = text[position : position + _EXCERPT + 1]
    cut = rest[:_EXCERPT] + "…" if len(rest) > _EXCERPT else rest
    return JsonFault(message, line, column, "".join(sign if sign.isprintable() else " " for sign in cut).strip())
