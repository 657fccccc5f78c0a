"""Owns reading what a hook has left in ``CLAUDE_ENV_FILE``; runs no shell.

The file is shell text by contract.
Assignments with quotes and ``$NAME`` are understood; anything else is told and left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["read_variables"]

_ASSIGNMENT = re.compile(r"\s*(?:export\s+|declare\s+-x\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_PIECE = re.compile(
    r"""'(?P<single>[^']*)'
      | "(?P<double>(?:[^"\\`$]|\\.|\$\{\w+\}|\$\w+|\$(?=["\s]))*)"
      | \\(?P<escaped>.)
      | (?P<variable>\$\{\w+\}|\$\w+)
      | (?P<bare>[^\s'"\\`$;&|<>()#][^\s'"\\`$;&|<>()]*)""",
    re.DOTALL | re.VERBOSE,
)
_IN_DOUBLE = re.compile(r"""\\(?P<escaped>["\\$`])|\\\n|\$(?:\{(?P<braced>\w+)\}|(?P<name>\w+))""")
_END = re.compile(r"[ \t]*;?[ \t]*(?:#[^\n]*)?(?:\n|\Z)")


def read_variables(content: bytes, environment: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The variables, later lines over earlier ones, and which lines were not understood.

    Args:
        content: what is in the file.
        environment: what ``$NAME`` stands for where the file itself has not set it.
    """
    text = content.decode("utf-8", "replace").replace("\r\n", "\n")
    found: dict[str, str] = {}
    warnings: list[str] = []
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end].strip()
        if not line or line.startswith("#"):
            at = end + 1
            continue
        read = _assignment(text, at, {**environment, **found})
        if read is None:
            number = text.count("\n", 0, at) + 1
            warnings.append(f"CLAUDE_ENV_FILE, line {number} is no plain assignment and is left out: {line[:60]}")
            at = end + 1
        else:
            name, value, at = read
            found[name] = value
    return found, tuple(warnings)


def _assignment(text: str, at: int, known: Mapping[str, str]) -> tuple[str, str, int] | None:
    """Name, value and where the next line begins."""
    start = _ASSIGNMENT.match(text, at)
    if start is None:
        return None
    position = start.start(2)
    value = ""
    while (piece := _PIECE.match(text, position)) is not None:
        value += _meant(piece, known)
        position = piece.end()
    end = _END.match(text, position)
    return None if end is None else (start[1], value, end.end())


def _meant(piece: re.Match[str], known: Mapping[str, str]) -> str:
    if (single := piece["single"]) is not None:
        return single
    if (double := piece["double"]) is not None:
        return _IN_DOUBLE.sub(lambda match: _escaped_or_known(match, known), double)
    if (variable := piece["variable"]) is not None:
        return known.get(variable.strip("${}"), "")
    escaped = piece["escaped"]
    if escaped is not None:
        return "" if escaped == "\n" else escaped
    return piece["bare"]


def _escaped_or_known(match: re.Match[str], known: Mapping[str, str]) -> str:
    if match["escaped"] is not None:
        return match["escaped"]
    return known.get(match["braced"] or match["name"] or "", "")
