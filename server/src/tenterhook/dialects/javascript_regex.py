r"""Owns translating JavaScript regular expressions into those of the ``regex`` library; knows no tools, runs nothing.

Both languages share most of their signs and differ in the rest:
``$`` before a last line break, ``\d`` beyond ASCII, ``[^]``, ``\Z``, ``(?i)``, ``a{,5}``.
So every sign is read by JavaScript's rules (ECMA-262, section 22.2, without flags, with annex B) and written anew.
What JavaScript refuses is refused, and so is a pattern that would unfold beyond all measure.
"""

from __future__ import annotations

import re

__all__ = ["NotAPattern", "translate"]

_MOST_STEPS = 20_000
"""Counted repeats unfolded. ``((a{1000}){1000})`` would take the memory of the whole machine to compile."""

_MOST_GROUPS = 100
"""Groups inside each other."""

_SPACE = r"\t\n\x0b\x0c\r\x20\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_NO_SPACE = (
    r"\0-\x08\x0e-\x1f\x21-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e"
    r"\u2060-\u2fff\u3001-\ufefe\uff00-\U0010ffff"
)
_CLASSES = {
    "d": "0-9",
    "D": r"\0-\x2f\x3a-\U0010ffff",
    "w": "A-Za-z0-9_",
    "W": r"\0-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\U0010ffff",
    "s": _SPACE,
    "S": _NO_SPACE,
}
"""The insides of the classes that a letter stands for."""
_CONTROLS = {"t": "\t", "n": "\n", "v": "\x0b", "f": "\x0c", "r": "\r", "0": "\0"}
_COUNT = re.compile(r"\{([0-9]+)(,([0-9]*))?\}")
_NAMED = re.compile(r"\?<([A-Za-z_][A-Za-z0-9_]*)>")
_GROUP = re.compile(
    r"\\.|\[(?:\\.|[^\]\\])*+\]?|(?P<group>\((?:(?!\?)|\?<(?P<name>[A-Za-z_][A-Za-z0-9_]*)>))", re.DOTALL
)
"""A group that counts; escapes and character classes are stepped over."""
_HEX = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|c([A-Za-z])")
_LOOKS_BEHIND = ("?<=", "?<!")
_GROUPS = ("?:", "?=", "?!", *_LOOKS_BEHIND)


class NotAPattern(Exception):
    """JavaScript would refuse the pattern, or it is too large. The text says why."""


def translate(pattern: str) -> str:
    """The pattern in the words of the ``regex`` library, for use with its flag ``ASCII``.

    Raises:
        NotAPattern: it is none.
    """
    return _Translator(pattern).run()


class _Translator:
    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._written: list[str] = []
        groups = [match for match in _GROUP.finditer(pattern) if match["group"]]
        self._names = {match["name"] for match in groups if match["name"]}
        self._groups = len(groups)
        self._sizes: list[int] = [0]
        """Unfolded size of every open group, the whole pattern first."""
        self._looks: list[bool] = []
        """Of every open group, whether it is a look behind, which cannot be repeated."""
        self._repeatable = False
        self._last = 0
        """Unfolded size of what a repeat would repeat."""

    def run(self) -> str:
        while self._at < len(self._pattern):
            self._step()
        if self._looks:
            raise NotAPattern("a '(' is not closed")
        return "".join(self._written)

    def _step(self) -> None:
        sign = self._pattern[self._at]
        count = _COUNT.match(self._pattern, self._at) if sign == "{" else None
        if sign in "*+?" or count is not None:
            self._repeat(sign, count)
            return
        self._at += 1
        if sign == "(":
            self._open()
        elif sign == ")":
            self._close()
        elif sign == "|":
            self._write("|", repeatable=False)
        elif sign == "^":
            self._write("^", repeatable=False)
        elif sign == "$":
            self._write(r"\Z", repeatable=False)
        elif sign == ".":
            self._write(r"[^\n\r\u2028\u2029]")
        elif sign == "[":
            self._write(self._character_class())
        elif sign == "\\":
            self._escape()
        else:
            self._write(_literal(sign))

    def _write(self, text: str, *, repeatable: bool = True) -> None:
        self._written.append(text)
        self._repeatable = repeatable
        self._last = 1
        self._grow(1)

    def _grow(self, size: int) -> None:
        self._sizes[-1] += size
        if self._sizes[-1] > _MOST_STEPS:
            raise NotAPattern("its counted repeats are too large")

    def _repeat(self, sign: str, count: re.Match[str] | None) -> None:
        if not self._repeatable:
            raise NotAPattern(f"nothing to repeat before {sign!r}")
        if count is None:
            # The library unfolds these as well, once a level: sixty of them inside each other have no end.
            text, times = sign, 2
        else:
            text = count.group()
            low, high = int(count[1][:9]), int(count[3][:9]) if count[3] else 0
            if count[3] and high < low:
                raise NotAPattern(f"the numbers in {text} are out of order")
            times = max(low, high, 1)
        self._at += len(text)
        if self._pattern.startswith("?", self._at):
            self._at += 1
            text += "?"
        self._grow(self._last * (times - 1))
        self._written.append(text)
        self._repeatable = False

    def _open(self) -> None:
        start = "("
        if self._pattern.startswith("?", self._at):
            named = _NAMED.match(self._pattern, self._at)
            start += named.group() if named else next((g for g in _GROUPS if self._pattern.startswith(g, self._at)), "")
            if start == "(":
                raise NotAPattern(f"invalid group {self._pattern[self._at - 1 : self._at + 3]!r}")
        if len(self._looks) >= _MOST_GROUPS:
            raise NotAPattern(f"more than {_MOST_GROUPS} groups inside each other")
        self._at += len(start) - 1
        self._written.append(start)
        self._sizes.append(0)
        self._looks.append(start[1:] in _LOOKS_BEHIND)
        self._repeatable = False

    def _close(self) -> None:
        if not self._looks:
            raise NotAPattern("a ')' closes nothing")
        look = self._looks.pop()
        size = self._sizes.pop() + 1
        self._written.append(")")
        self._repeatable = not look
        self._last = size
        self._grow(size)

    def _escape(self) -> None:
        if self._at >= len(self._pattern):
            raise NotAPattern("it ends with a backslash")
        sign = self._pattern[self._at]
        if sign in "bB":
            self._at += 1
            self._write("\\" + sign, repeatable=False)
        elif sign in _CLASSES:
            self._at += 1
            self._write(f"[{_CLASSES[sign]}]")
        elif sign == "k" and self._names:
            name = re.compile(r"k<([^>]*)>").match(self._pattern, self._at)
            if name is None or name[1] not in self._names:
                raise NotAPattern("\\k names no group")
            self._at = name.end()
            self._write(f"(?({name[1]})(?P={name[1]})|)")
        elif (number := re.compile("[1-9][0-9]?").match(self._pattern, self._at)) is not None:
            if int(number.group()) > self._groups:
                raise NotAPattern(f"\\{number.group()} names no group")
            self._at = number.end()
            # A group that has taken no part matches the empty text in JavaScript, and nothing at all in Python.
            self._write(f"(?({number.group()})\\{number.group()}|)")
        else:
            self._write(_literal(self._escaped_character()))

    def _escaped_character(self) -> str:
        """The one character that the escape after a backslash stands for."""
        code = _HEX.match(self._pattern, self._at)
        if code is not None:
            self._at = code.end()
            return chr(ord(code[3]) % 32) if code[3] else chr(int(code[1] or code[2], 16))
        sign = self._pattern[self._at]
        self._at += 1
        if sign == "0" and self._pattern[self._at : self._at + 1].isdigit():
            raise NotAPattern("octal escapes have no place in a pattern; write \\x..")
        return _CONTROLS.get(sign, sign)

    def _character_class(self) -> str:
        negated = self._pattern.startswith("^", self._at)
        self._at += negated
        members: list[str] = []
        while True:
            if self._at >= len(self._pattern):
                raise NotAPattern("a '[' is not closed")
            if self._pattern[self._at] == "]":
                self._at += 1
                break
            low = self._member()
            if self._pattern.startswith("-", self._at) and not self._pattern.startswith("-]", self._at):
                self._at += 1
                if self._at >= len(self._pattern):
                    raise NotAPattern("a '[' is not closed")
                members.append(_range(low, self._member()))
            else:
                members.append(low if len(low) > 1 else _hexadecimal(low))
        if not members:
            return r"[\s\S]" if negated else "(?:(?!))"
        return f"[{'^' if negated else ''}{''.join(members)}]"

    def _member(self) -> str:
        """One character, or the inside of a class such as a backslash and ``d``."""
        sign = self._pattern[self._at]
        self._at += 1
        if sign != "\\":
            return sign
        if self._at >= len(self._pattern):
            raise NotAPattern("it ends with a backslash")
        kind = self._pattern[self._at]
        if kind in _CLASSES:
            self._at += 1
            return _CLASSES[kind]
        if kind in "123456789":
            raise NotAPattern(f"\\{kind} inside [ ] is no reference to a group")
        if kind == "b":
            self._at += 1
            return "\b"
        return self._escaped_character()


def _literal(character: str) -> str:
    return character if character.isascii() and character.isalnum() else _hexadecimal(character)


def _hexadecimal(character: str) -> str:
    return f"\\U{ord(character):08x}"


def _range(low: str, high: str) -> str:
    if len(low) > 1 or len(high) > 1:
        # Annex B: with a class at either end the '-' is a character like any other.
        parts = (part if len(part) > 1 else _hexadecimal(part) for part in (low, "-", high))
        return "".join(parts)
    if low > high:
        raise NotAPattern(f"the range {low}-{high} is out of order")
    return f"{_hexadecimal(low)}-{_hexadecimal(high)}"
