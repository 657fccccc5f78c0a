"""Owns the words for text that is no JSON: what is wrong, where, and what to do; knows no hooks and parses nothing."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

__all__ = ["Fault", "Wanted", "describe_escape", "describe_fault"]

Wanted = Literal["value", "key", "colon", "next", "end"]
"""What could have come where the reader stopped. ``next``: a comma or the closing bracket."""

_WORD = re.compile(r"[-+.\w]+")
_FOREIGN_WORDS = {
    "True": "true",
    "TRUE": "true",
    "False": "false",
    "FALSE": "false",
    "None": "null",
    "NULL": "null",
    "Null": "null",
    "undefined": "null",
}
_NOT_FINITE = frozenset({"NaN", "Infinity", "-Infinity", "+Infinity"})
_LONGEST = 30


class Fault(Struct, frozen=True):
    """One fault, ready to be told."""

    code: str
    message: str
    hint: str
    length: int = 1
    """Characters to mark."""
    at: int | None = None
    """Where; None: where the reader stopped."""


def describe_fault(text: str, at: int, wanted: Wanted, opened: str) -> Fault:
    """What a person can mend.

    Args:
        text: the whole file.
        at: where the reader stopped; blanks and comments are behind it.
        wanted: what could have come.
        opened: the innermost open list or object, in words; empty: none is open.
    """
    if at >= len(text):
        return _syntax(f"The file ends too early: the {opened} is not closed", "add what is missing; was the file cut?")
    sign = text[at]
    if text.startswith("/*", at):
        return _syntax("The comment that begins here is not closed", "JSON has no comments: delete it", 2)
    if sign == '"' and (fault := _open_text(text, at)) is not None:
        return fault
    found = _found(text, at)
    if wanted == "next":
        bracket = "}" if opened.startswith("object") else "]"
        if sign in "}]":
            hint = f"close the {opened} with {bracket!r} first"
            return _syntax(f"A {sign!r} cannot close the {opened}", hint)
        return _syntax(
            f"After a value comes ',' or {bracket!r}, and here stands {found}", "add the missing ',' before it"
        )
    if wanted == "colon":
        return _syntax(f"After a key comes ':', and here stands {found}", 'write "key": value')
    if wanted == "end":
        return _syntax(f"The value has ended, and here stands {found}", "delete it; a file holds one JSON value")
    if sign in "'`\u201c\u201d\u2018\u2019":
        return _syntax(f"A text stands in straight double quotes, and here stands {sign!r}", 'write "..."')
    if sign == "#":
        return _syntax("JSON has no comments", "delete the comment")
    if wanted == "key":
        return _key_fault(text, at, found)
    return _value_fault(text, at, found)


def describe_escape(text: str, at: int) -> Fault:
    """A backslash sequence that means nothing."""
    sequence = text[at : at + (6 if text[at + 1 : at + 2] == "u" else 2)]
    hint = "write \\\\ for a backslash" if sequence[1:2] != "u" else "four hexadecimal digits follow \\u"
    return _syntax(f"JSON knows no {sequence!r}".replace("\\\\", "\\"), hint, len(sequence))


def _open_text(text: str, at: int) -> Fault | None:
    """A text without its end, or with a character that may not stand in one."""
    position = at + 1
    while position < len(text) and text[position] != '"':
        if text[position] < " ":
            break
        position += 2 if text[position] == "\\" else 1
    if position < len(text) and text[position] == '"':
        return None
    if position < len(text) and text[position] not in "\r\n":
        escape = {"\t": "\\t", "\b": "\\b", "\f": "\\f"}.get(text[position], f"\\u{ord(text[position]):04x}")
        message = f"The character U+{ord(text[position]):04X} may not stand in a text as it is"
        return Fault("json-syntax", message, f"write {escape}", at=position)
    length = min(position, len(text)) - at
    hint = "add the closing quote; a line break inside a text is written \\n"
    return _syntax("The text that begins here has no closing quote in its line", hint, length)


def _key_fault(text: str, at: int, found: str) -> Fault:
    word = _WORD.match(text, at)
    if word is not None:
        return _syntax(
            f"A key stands in double quotes, and here stands {found}", f'write "{word[0][:_LONGEST]}"', _length(word)
        )
    if text[at] == ",":
        return _syntax("A key was expected, and here stands a second ','", "delete it")
    return _syntax(f"A key or '}}' was expected, and here stands {found}", 'write "key": value')


def _value_fault(text: str, at: int, found: str) -> Fault:
    word = _WORD.match(text, at)
    if word is None:
        hint = "write a value: a text in double quotes, a number, true, false, null, a list or an object"
        return _syntax(f"A value was expected, and here stands {found}", hint)
    written = word[0]
    if written in _FOREIGN_WORDS:
        hint = f"write {_FOREIGN_WORDS[written]}"
    elif written in _NOT_FINITE:
        hint = "JSON has only finite numbers"
    elif written.lstrip("+-.")[:1].isdigit():
        hint = "write numbers like 12 or -0.5, without leading zeros, '+' or other bases"
    else:
        hint = f'put the text in double quotes: "{written[:_LONGEST]}"'
    return _syntax(f"A value was expected, and here stands {found}", hint, _length(word))


def _found(text: str, at: int) -> str:
    word = _WORD.match(text, at)
    if word is None:
        return repr(text[at])
    return repr(word[0] if len(word[0]) <= _LONGEST else f"{word[0][:_LONGEST]}…")


def _length(word: re.Match[str]) -> int:
    return word.end() - word.start()


def _syntax(message: str, hint: str, length: int = 1) -> Fault:
    return Fault("json-syntax", message, hint, length)
