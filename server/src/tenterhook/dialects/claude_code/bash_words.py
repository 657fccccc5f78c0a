"""Owns what the words of one Bash command say, and which command hides behind a wrapper; parses nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Word", "plain_word", "unwrapped"]


class Word(Struct, frozen=True):
    """One word of a command."""

    raw: str
    value: str | None
    """What it says without its quotes; None: the shell fills something in."""
    start: int
    """Its first byte."""


_OPTIONS_WITH_VALUES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "timeout": frozenset({"-k", "-s", "--kill-after", "--signal"}),
        "time": frozenset({"-f", "-o", "--format", "--output"}),
        "nice": frozenset({"-n", "--adjustment"}),
        "nohup": frozenset(),
        "stdbuf": frozenset({"-i", "-o", "-e", "--input", "--output", "--error"}),
        "command": frozenset(),
        "builtin": frozenset(),
        "noglob": frozenset(),
        # Words of the language that the parser takes for commands.
        "coproc": frozenset(),
        "{": frozenset(),
        "!": frozenset(),
    }
)
"""Programs that run their arguments, and which of their options take the next word."""

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(\[[^\]]*\])?\+?=", re.ASCII)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_QUOTED_ESCAPE = re.compile(r"\\([\\`\"$])")
_LINE_CONTINUATION = "\\\n"
_FILLED_IN = re.compile(r"(?<!\\)(?:\\\\)*[*?\[{]")


def plain_word(node: Node, source: bytes) -> str | None:
    """What a word says without its quotes; None: nobody knows before the shell has run."""
    text = source[node.start_byte : node.end_byte].decode("utf-8", "replace").replace(_LINE_CONTINUATION, "")
    if text == "{":
        return text  # a word of the language; anything longer may be filled in
    match node.type:
        case "word" | "number":
            return None if _FILLED_IN.search(text) else _ESCAPE.sub(r"\1", text)
        case "raw_string":
            return text[1:-1]
        case "string" if all(child.type in {"string_content", '"'} for child in node.children):
            return _QUOTED_ESCAPE.sub(r"\1", text[1:-1])
        case "concatenation":
            parts = [plain_word(child, source) for child in node.children]
            known = [part for part in parts if part is not None and part != "{"]
            return "".join(known) if len(known) == len(parts) else None
        case _:
            return None


def unwrapped(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """The command as written, then the one inside each wrapper around it (permission rules, "Wrappers")."""
    rest = list(words)
    while rest:
        yield rest
        rest = _inside(rest)


def _inside(words: list[Word]) -> list[Word]:
    name = words[0].value or ""
    if name == "xargs":
        return words[1:] if len(words) > 1 and not words[1].raw.startswith("-") else []
    if name not in _OPTIONS_WITH_VALUES:
        return []
    rest = words[1:]
    while rest and len(rest[0].raw) > 1 and rest[0].raw.startswith("-"):
        option = rest[0].raw
        if name == "command" and option.strip("-pvV") == "" and {"v", "V"} & set(option):
            return []  # it asks what a command is, and runs none
        rest = rest[2:] if option in _OPTIONS_WITH_VALUES[name] else rest[1:]
        if option == "--":
            break
    if name == "timeout":
        rest = rest[1:]
    while name in {"time", "!", "{"} and rest and _ASSIGNMENT.match(rest[0].raw):
        rest = rest[1:]
    return rest
