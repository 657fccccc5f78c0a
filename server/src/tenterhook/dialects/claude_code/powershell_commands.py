"""Owns which single commands a PowerShell command runs, by splitting it outside quotes; knows no rules.

It is no parser of the language: what it cannot split it calls unknown, and a rule is met then.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from tenterhook.dialects.claude_code.shell_commands import LONGEST_COMMAND, UNKNOWN, Commands

__all__ = ["cmdlet", "read_powershell"]

_ALIASES_OF: Mapping[str, str] = MappingProxyType(
    {
        "add-content": "ac",
        "clear-host": "clear cls",
        "compare-object": "compare diff",
        "copy-item": "copy cp cpi",
        "foreach-object": "foreach %",
        "get-childitem": "gci ls dir",
        "get-command": "gcm",
        "get-content": "gc cat type",
        "get-help": "help man",
        "get-history": "h history ghy",
        "get-item": "gi",
        "get-itemproperty": "gp",
        "get-location": "gl pwd",
        "get-process": "gps ps",
        "get-service": "gsv",
        "invoke-command": "icm",
        "invoke-expression": "iex",
        "invoke-item": "ii",
        "invoke-restmethod": "irm",
        "invoke-webrequest": "iwr curl wget",
        "measure-object": "measure",
        "move-item": "move mv mi",
        "new-item": "ni",
        "pop-location": "popd",
        "push-location": "pushd",
        "remove-item": "rm del erase rd ri rmdir",
        "rename-item": "ren rni",
        "select-object": "select",
        "select-string": "sls",
        "set-content": "sc",
        "set-item": "si",
        "set-itemproperty": "sp",
        "set-location": "cd chdir sl",
        "sort-object": "sort",
        "start-process": "saps start",
        "start-service": "sasv",
        "start-sleep": "sleep",
        "stop-process": "kill spps",
        "stop-service": "spsv",
        "tee-object": "tee",
        "where-object": "where ?",
        "write-output": "echo write",
    }
)
_CMDLETS = MappingProxyType({alias: name for name, aliases in _ALIASES_OF.items() for alias in aliases.split()})
_FIRST_WORD = re.compile(r"\S+")

_PIECES = re.compile(
    r"""(?P<verbatim>@'[ \t]*\n.*?\n'@ | '(?:[^']|'')*')
    | (?P<comment><\#.*?\#> | (?<![^\s;|&(){}])\#[^\n]*)
    | (?P<broken>@'[ \t]*\n | ' | <\#)
    | (?P<escape>`.)
    | (?P<quote>@"[ \t]*\n | ")
    | (?P<open>[$@]?\( | @?\{)
    | (?P<close>[)}])
    | (?P<part>&&|\|\||[;|\n])
    | (?P<text>\$\{[^}]*\} | .)""",
    re.VERBOSE | re.DOTALL,
)
_PIECES_IN_QUOTES = re.compile(
    r"""(?P<escape>`.)
    | (?P<quote>\n"@ | ")
    | (?P<open>\$\()
    | (?P<text>[^`"$\n]+ | .)""",
    re.VERBOSE | re.DOTALL,
)
_DEEPEST = 200
"""Levels of brackets and quotes: every level holds the text of all levels below."""

_QUOTES = {'"': '"', "@": '\n"@'}
_ASSIGNED = re.compile(r"\A(?:\[[\w.\[\]]+\]\s*)?\$[\w:]+\s*(?:[-+*/%]|\?\?)?=(?!=)\s*")
_EACH = re.compile(r"\A\$\w+\s+in\s+", re.IGNORECASE)
_CALL = re.compile(r"&\s*|\.\s+")


def cmdlet(text: str) -> str:
    """A command or a pattern in small letters, its first word no alias: ``gci -Force`` is ``get-childitem -force``."""
    return _FIRST_WORD.sub(lambda word: _CMDLETS.get(word[0], word[0]), text.lower(), count=1)


def read_powershell(command: str) -> Commands:
    """Every command between ``;``, line ends, ``|``, ``&&``, ``||``, brackets and braces, in small letters."""
    if len(command) > LONGEST_COMMAND or "\0" in command:
        return UNKNOWN
    parts = _split(command.replace("\r\n", "\n"))
    if parts is None:
        return UNKNOWN
    texts: set[str] = set()
    for part in parts:
        text = _ASSIGNED.sub("", _EACH.sub("", part.strip(), count=1), count=1)
        called = _CALL.match(text)
        if called is not None:
            text = text[called.end() :]
            if text[:1] in {"$", "("} or re.match(r'"[^"]*\$', text):
                return UNKNOWN
            text = re.sub(r"^(['\"])(.*?)\1", r"\2", text)
        if text and not text.startswith("$"):
            # A variable that nobody calls is an expression: it runs nothing by its name.
            texts.update(f(text) for f in (str.lower, cmdlet))
            texts.add(" ".join(cmdlet(text).split()))
    return Commands(frozenset(texts), substitutes=bool(re.search(r"\$[\w({:]", command)))


def _split(command: str) -> list[str] | None:
    """The single commands; None: a quote, a comment or a bracket is left open."""
    parts: list[str] = []
    stack: list[tuple[str, list[str]]] = [("", [])]
    """What ends each level that is open, and its text so far."""
    at = 0
    while at < len(command):
        end, written = stack[-1]
        quoted = end in _QUOTES.values()
        piece = (_PIECES_IN_QUOTES if quoted else _PIECES).match(command, at)
        if piece is None or len(stack) > _DEEPEST:
            return None
        at = piece.end()
        text = piece[0]
        match piece.lastgroup:
            case "broken":
                return None
            case "escape":
                written.append(" " if text == "`\n" else text[1:])
            case "comment":
                written.append(" ")
            case "quote" if quoted and text == end:
                stack.pop()
                stack[-1][1].append("".join(written) + text)
            case "quote" if not quoted:
                stack.append((_QUOTES[text[0]], [text]))
            case "open":
                written.append(text)
                stack.append((")" if text.endswith("(") else "}", []))
            case "close":
                if text != end:
                    return None
                stack.pop()
                parts.append("".join(written))
                stack[-1][1].append("".join(written) + text)
            case "part":
                parts.append("".join(written))
                written.clear()
            case _:
                written.append(text)
    if len(stack) != 1:
        return None
    parts.append("".join(stack[0][1]))
    return parts
