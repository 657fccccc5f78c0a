"""Owns the way from the bytes of a YAML file to its characters; knows nothing of YAML's structure.

The encodings are those of YAML 1.2.2, section 5.2: UTF-8, and UTF-16 where a byte order mark says so.
"""

from __future__ import annotations

import re

from msgspec import Struct

__all__ = ["Text", "TextFault", "decode_text"]

_FORBIDDEN = "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
"""Everything that YAML 1.2.2, section 5.1, does not allow, and a byte order mark in the middle of the text."""

_FOREIGN_BREAK = re.compile("[\x85\u2028\u2029]")
"""Line breaks of YAML 1.1, which the parser still obeys; in YAML 1.2 they are characters like any other."""

_STAND_INS = range(0x10FF00, 0x10FF40)
"""Private characters that take the place of such a break while the parser runs, where the text has none of them."""


class TextFault(Struct, frozen=True):
    """Why bytes are no text, and where. Line and column start at 1."""

    code: str
    message: str
    hint: str
    line: int
    column: int


class Text(Struct, frozen=True):
    """The characters of a file, as the parser is to see them."""

    parsed: str
    """As it goes into the parser: positions are those of the file."""
    undo: dict[int, int]
    """For ``str.translate``: what in ``parsed`` stands for another character."""

    def restore(self, value: str) -> str:
        """A piece of the parsed text as it stands in the file."""
        return value.translate(self.undo) if self.undo else value


def decode_text(content: bytes) -> Text | TextFault:
    """The text of a file, its byte order mark removed, or why it is none."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding, body = "utf-16-le" if content[0] == 0xFF else "utf-16-be", content[2:]
    else:
        encoding, body = "utf-8", content.removeprefix(b"\xef\xbb\xbf")
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        before = body[: error.start].decode(encoding, errors="replace")
        byte = body[error.start]
        return _fault(
            "yaml-encoding",
            f"The byte 0x{byte:02x} is not valid {encoding[:6].rstrip('-').upper()}; nothing of this file is loaded",
            "save the file as UTF-8",
            before,
        )
    if (bad := re.search(_FORBIDDEN, text)) is not None:
        code = ord(bad.group())
        return _fault(
            "yaml-character",
            f"The character U+{code:04X} may not stand in a YAML file; nothing of this file is loaded",
            "save the file as UTF-8"
            if code == 0
            else f'delete it, or write it inside double quotes as "\\u{code:04x}"',
            text[: bad.start()],
        )
    return _without_foreign_breaks(text)


def _fault(code: str, message: str, hint: str, before: str) -> TextFault:
    lines = re.split("\r\n|\r|\n", before)
    return TextFault(code, message, hint, len(lines), len(lines[-1]) + 1)


def _without_foreign_breaks(text: str) -> Text:
    if _FOREIGN_BREAK.search(text) is None:
        return Text(text, {})
    free = (code for code in _STAND_INS if chr(code) not in text)
    swap = dict(zip(map(ord, "\x85\u2028\u2029"), free, strict=False))
    return Text(text.translate(swap), {stand_in: foreign for foreign, stand_in in swap.items()})
