r"""Owns the two ways to name a place in a text, and the way between them; knows no protocol types and no hooks.

Problems count lines and columns from 1, in Unicode code points. LSP counts from 0, in UTF-16 units.
A line ends after ``\r\n``, ``\n`` or ``\r``, in the hook files' readers as in LSP 3.17 ("Text Documents"),
and after nothing else: not after U+0085, U+2028 or a form feed, where Python's ``splitlines`` cuts as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["Lines"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_BYTE_ORDER_MARK = "\ufeff"


class Lines:
    """A text cut into lines. A place outside the text means its nearest end, as LSP asks."""

    def __init__(self, text: str) -> None:
        self.with_ends: Sequence[str] = tuple(_LINE.findall(text))
        """The lines as they stand, line ends included; no empty one after a last line end."""
        bare = [line.rstrip("\r\n") for line in self.with_ends]
        starts = [0]
        for line in self.with_ends:
            starts.append(starts[-1] + len(line))
        if len(bare) == 0 or len(bare[-1]) < len(self.with_ends[-1]):
            bare.append("")
        self._bare = bare
        self._starts = starts

    def offset(self, line: int, character: int) -> int:
        """Index into the text of an LSP position. One inside a surrogate pair means the character's beginning."""
        if line >= len(self._bare):
            return self._starts[-1]
        text = self._bare[line]
        if text.isascii():
            return self._starts[line] + min(character, len(text))
        units = 0
        for index, char in enumerate(text):
            units += 2 if char > "\uffff" else 1
            if units > character:
                return self._starts[line] + index
        return self._starts[line] + len(text)

    def position(self, line: int, column: int) -> tuple[int, int]:
        """Line and character in LSP's terms of a problem's line and column."""
        if line > len(self._bare):
            last = self._bare[-1]
            return len(self._bare) - 1, _units(last)
        text = self._bare[line - 1]
        # The readers of hook files do not count a byte order mark; an editor that sends one does.
        skipped = 1 if line == 1 and text.startswith(_BYTE_ORDER_MARK) else 0
        return line - 1, _units(text[: column - 1 + skipped])


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text) + sum(char > "\uffff" for char in text)
