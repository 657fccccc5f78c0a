"""Owns making control characters harmless, whoever they come from; knows neither colours nor commands."""

from __future__ import annotations

import re

__all__ = ["visible"]

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
"""What moves the cursor, starts an escape sequence, turns the writing direction, or is no character."""


def visible(text: str) -> str:
    """The text on one line, with every control character spelled out: what a hook prints cannot steer a terminal."""
    return _CONTROL.sub(_spelled, text)


_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "    "}


def _spelled(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name that is not UTF-8 (PEP 383)
        return f"\\x{code - 0xDC00:02x}"
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
