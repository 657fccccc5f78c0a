"""Owns judging one value of a handler: what it means, or why it means nothing; knows no handler as a whole.

A judge gives the value; UNSET where it counts as not declared; None where the handler cannot run with it.
Whatever is not the plain value is told of. A restriction that is not understood never widens what a hook does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import isfinite

import msgspec
from msgspec import UNSET, UnsetType

from tenterhook.config.document import Listing, Mapped, Node, Scalar, excerpt, plain
from tenterhook.dialects.claude_code.telling import Teller, described

__all__ = ["FIELD_JUDGES", "MAX_TIMEOUT", "text_of"]

MAX_TIMEOUT = 86_400.0
"""Seconds. A longer timeout is cut to this."""

_LEFT_OUT = "this handler is left out"
_NOT_DECLARED = "it counts as not declared"
_URL = re.compile(r"https?://[^\s/?#]+[^\s]*", re.IGNORECASE)
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_LOOKS_LIKE_MS = 1000


def text_of(node: Node | None) -> str | None:
    """The text that a value is, or None."""
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None


def _text(field: str, node: Node, tell: Teller) -> str | None:
    text = text_of(node)
    if text is None:
        hint = f'write "{field}": "{excerpt(node.text)}"' if isinstance(node, Scalar) else f'write "{field}": "..."'
        tell.error("field-type", node.span, f"{field} is {described(node)}, not a text; {_LEFT_OUT}", hint)
    elif not text.strip():
        tell.error("field-empty", node.span, f"{field} is an empty text; {_LEFT_OUT}", f"give {field} a value")
        return None
    elif "\0" in text:
        message = f"{field} contains the character U+0000, which no program can be given; {_LEFT_OUT}"
        tell.error("field-character", node.span, message, "delete it")
        return None
    return text


def _note(field: str, node: Node, tell: Teller) -> str | UnsetType:
    """A text that decides nothing."""
    text = text_of(node)
    if text is not None and text.strip():
        return text
    if text is None:
        message = f"{field} is {described(node)}, not a text; {_NOT_DECLARED}"
        tell.warning("field-type", node.span, message, f'write "{field}": "..."')
    return UNSET


def _flag(field: str, node: Node, tell: Teller) -> bool | UnsetType:
    if isinstance(node, Scalar) and isinstance(node.value, bool):
        return node.value
    message = f"{field} is {described(node)}, not true or false; {_NOT_DECLARED}"
    tell.error("field-type", node.span, message, f'write "{field}": true, without quotes')
    return UNSET


def _args(field: str, node: Node, tell: Teller) -> tuple[str, ...] | None:
    if not isinstance(node, Listing):
        hint = 'write a list: "args": ["--flag", "value"]'
        tell.error("field-type", node.span, f"{field} is {described(node)}, not a list; {_LEFT_OUT}", hint)
        return None
    texts: list[str] = []
    for index, item in enumerate(node.items):
        text = text_of(item)
        if text is None or "\0" in text:
            what = f"{described(item)}, not a text" if text is None else "a text with the character U+0000"
            message = f"{field}[{index}] is {what}; {_LEFT_OUT}"
            tell.error("field-type", item.span, message, "put the value in double quotes")
            return None
        texts.append(text)
    return tuple(texts)


def _shell(field: str, node: Node, tell: Teller) -> str | None:
    text = text_of(node)
    if text in {"bash", "powershell"}:
        return text
    message = f"{field} is {described(node)}; {_LEFT_OUT}"
    tell.error("shell-unknown", node.span, message, 'write "bash" or "powershell", or delete the key for sh')
    return None


def _timeout(field: str, node: Node, tell: Teller) -> float | UnsetType:
    value = node.value if isinstance(node, Scalar) else None
    number = _number(value) if isinstance(value, str) else None if isinstance(value, bool) else value
    if number is None or not number > 0:
        message = f"{field} is {described(node)}, not a number over 0; {_NOT_DECLARED}"
        tell.error("field-type", node.span, message, f'write "{field}": 30; the unit is seconds')
        return UNSET
    if isinstance(value, str):
        message = f"{field} is {described(node)}; it counts as the number"
        tell.warning("field-numeric-text", node.span, message, f'write "{field}": {value.strip()} without quotes')
    meant = number / 1000 if isfinite(number) else number
    if number >= _LOOKS_LIKE_MS and meant <= MAX_TIMEOUT and (number % 500 == 0 or number > MAX_TIMEOUT):
        then = f"it is cut to {MAX_TIMEOUT:g}" if number > MAX_TIMEOUT else "it counts as it stands"
        message = f"{field} is {number:g} seconds, which looks like milliseconds; {then}"
        tell.warning("timeout-in-milliseconds", node.span, message, f"the unit is seconds: did you mean {meant:g}?")
    elif number > MAX_TIMEOUT:
        message = f"{field} is over {MAX_TIMEOUT:g} seconds; it is cut to that"
        tell.warning("timeout-too-long", node.span, message, "lower it")
    return min(float(number), MAX_TIMEOUT) if isfinite(number) else MAX_TIMEOUT


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _on_failure(field: str, node: Node, tell: Teller) -> bool:
    """Whether a failure blocks."""
    text = text_of(node)
    if text in {"continue", "block"}:
        return text == "block"
    # Whoever writes the key wants a guard that fails to count for something.
    message = f"{field} is {described(node)}, neither continue nor block; it counts as block"
    tell.warning("on-failure-unknown", node.span, message, 'write "continue" or "block"')
    return True


def _url(field: str, node: Node, tell: Teller) -> str | None:
    text = _text(field, node, tell)
    if text is not None and _URL.fullmatch(text) is None:
        message = f"{field} is {described(node)}, no address of http or https; {_LEFT_OUT}"
        tell.error("url-invalid", node.span, message, 'write "https://host/path"')
        return None
    return text


def _headers(field: str, node: Node, tell: Teller) -> tuple[tuple[str, str], ...] | None:
    if not isinstance(node, Mapped):
        hint = 'write "headers": {"Name": "value"}'
        tell.error("field-type", node.span, f"{field} is {described(node)}, not an object; {_LEFT_OUT}", hint)
        return None
    headers: list[tuple[str, str]] = []
    for entry in node.entries:
        text = text_of(entry.value)
        if text is None:
            message = f"{field}.{excerpt(entry.key)} is {described(entry.value)}, not a text; {_LEFT_OUT}"
            tell.error("field-type", entry.value.span, message, "put the value in double quotes")
            return None
        if _HEADER_NAME.fullmatch(entry.key) is None or any(sign in text for sign in "\r\n\0"):
            message = f"{field}.{excerpt(entry.key)} cannot be a header of a request; {_LEFT_OUT}"
            tell.error(
                "header-invalid", entry.key_span, message, "write letters, digits and '-', and a value in one line"
            )
            return None
        headers.append((entry.key, text))
    return tuple(headers)


def _variables(field: str, node: Node, tell: Teller) -> tuple[str, ...]:
    if not isinstance(node, Listing):
        message = f"{field} is {described(node)}, not a list; no variable is filled in"
        tell.error("field-type", node.span, message, f'write "{field}": ["NAME"]')
        return ()
    names: list[str] = []
    for item in node.items:
        text = text_of(item)
        if text is None:
            message = f"{field} holds {described(item)}, not a text; it allows nothing"
            tell.error("field-type", item.span, message, "write the variable's name in double quotes")
        else:
            names.append(text.removeprefix("$"))
    return tuple(names)


def _input(field: str, node: Node, tell: Teller) -> bytes | None:
    if isinstance(node, Mapped):
        return msgspec.json.encode(plain(node))
    hint = f'write "{field}": {{"argument": "${{tool_input.file_path}}"}}'
    tell.error("field-type", node.span, f"{field} is {described(node)}, not an object; {_LEFT_OUT}", hint)
    return None


FieldJudge = Callable[[str, Node, Teller], object]

FIELD_JUDGES: Mapping[str, FieldJudge] = {
    "if": _text,
    "timeout": _timeout,
    "statusMessage": _note,
    "once": _flag,
    "id": _note,
    "description": _note,
    "command": _text,
    "args": _args,
    "shell": _shell,
    "async": _flag,
    "asyncRewake": _flag,
    "prompt": _text,
    "model": _note,
    "continueOnBlock": _flag,
    "url": _url,
    "headers": _headers,
    "allowedEnvVars": _variables,
    "server": _text,
    "tool": _text,
    "input": _input,
    "onFailure": _on_failure,
}
"""The judge of each field, by its key. ``type`` is judged with the handler."""
