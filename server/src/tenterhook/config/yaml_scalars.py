"""Owns what plain YAML words mean: the core schema of YAML 1.2.2, section 10.3; knows no documents.

PyYAML's own rules are those of YAML 1.1, which make ``no`` a boolean, ``012`` ten and ``12:30`` a number.
"""

from __future__ import annotations

import math
import re

__all__ = ["CORE_TAGS", "resolve_plain", "resolve_tagged"]

_WORDS: dict[str, bool | float | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **{sign + word: float("inf") for sign in ("", "+") for word in (".inf", ".Inf", ".INF")},
    **{"-" + word: float("-inf") for word in (".inf", ".Inf", ".INF")},
}

_NUMBER = re.compile(
    r"""(?P<integer>[-+]?[0-9]+)
      | 0o(?P<octal>[0-7]+)
      | 0x(?P<hexadecimal>[0-9a-fA-F]+)
      | (?P<float>[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)""",
    re.VERBOSE,
)

_LONGEST_INTEGER = 250
"""Characters. A longer one is read as a float, as every reader with 64-bit floats does, and may be infinite.

Whatever is no longer than this has a float of its size, in every base.
"""

CORE_TAGS = {
    f"tag:yaml.org,2002:{name}": kind
    for name, kind in {
        "str": str,
        "null": type(None),
        "bool": bool,
        "int": int,
        "float": float,
        "seq": list,
        "map": dict,
    }.items()
}
"""The tags of the core schema, and the kind of value that each stands for."""


def resolve_plain(text: str) -> str | int | float | bool | None:
    """The value of a plain word: null, boolean, number, else the text itself."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "0123456789+-." or (match := _NUMBER.fullmatch(text)) is None:
        return text
    if (digits := match["integer"]) is not None:
        return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)  # int() refuses 4301 digits
    if (digits := match["octal"]) is not None:
        return _of_base(digits, 8)
    if (digits := match["hexadecimal"]) is not None:
        return _of_base(digits, 16)
    return float(text)


def _of_base(digits: str, base: int) -> int | float:
    number = int(digits, base)
    if len(digits) <= _LONGEST_INTEGER:
        return number
    try:
        return float(number)
    except OverflowError:
        return math.inf


def resolve_tagged(text: str, kind: type) -> str | int | float | bool | None:
    """The value of a word that its author has tagged with a kind of the core schema.

    Raises:
        ValueError: the word is none of that kind.
    """
    if kind is str:
        return text
    value = resolve_plain(text)
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise ValueError(text)
    return value
