"""Owns what it means that a value fits a pattern; knows no server, no case file and no step.

A pattern is JSON.
Everything in it is compared exactly, unless it is one of the placeholders in ``PLACEHOLDERS`` or ``OPERATORS``.
``true`` and ``1`` are different; ``1`` and ``1.0`` are the same number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from .kinds import is_list, is_number, is_object
from .placeholders import substitute

__all__ = ["OPERATORS", "PLACEHOLDERS", "Captures", "mismatch"]

Captures = dict[str, str]
"""Texts that ``$capture`` has taken out of messages; later patterns and messages write them ``${name}``."""


def mismatch(pattern: Any, value: Any, captures: Captures, path: str = "$") -> str | None:
    """Why ``value`` does not fit ``pattern``, with the path of the first difference; None: it fits."""
    if isinstance(pattern, str):
        pattern = substitute(pattern, captures)
    if isinstance(pattern, str) and pattern in PLACEHOLDERS:
        return None if PLACEHOLDERS[pattern](value) else f"{path}: expected {pattern}, got {short(value)}"
    if is_object(pattern):
        operator = next(iter(pattern), "")
        if len(pattern) == 1 and operator in OPERATORS:
            return OPERATORS[operator](pattern[operator], value, captures, path)
        return _object(pattern, value, captures, path, open_ended=False)
    if is_list(pattern):
        return _list(pattern, value, captures, path)
    if type(pattern) is not type(value) and not (is_number(pattern) and is_number(value)):
        return f"{path}: expected {short(pattern)}, got {short(value)}"
    return None if pattern == value else f"{path}: expected {short(pattern)}, got {short(value)}"


def short(value: Any) -> str:
    """A value as JSON, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 600 else f"{text[:400]} ... {text[-150:]} ({len(text)} characters)"


def _object(pattern: dict[str, Any], value: Any, captures: Captures, path: str, *, open_ended: bool) -> str | None:
    if not is_object(value):
        return f"{path}: expected an object, got {short(value)}"
    for key, wanted in pattern.items():
        if wanted == {"$absent": True}:
            if key in value:
                return f"{path}.{key}: expected to be absent, got {short(value[key])}"
            continue
        if key not in value:
            return f"{path}: member {key!r} is missing in {short(value)}"
        nested = is_object(wanted) and next(iter(wanted), "") not in OPERATORS
        if open_ended and nested:
            found = _object(wanted, value[key], captures, f"{path}.{key}", open_ended=True)
        else:
            found = mismatch(wanted, value[key], captures, f"{path}.{key}")
        if found:
            return found
    extra = [key for key in value if key not in pattern]
    if extra and not open_ended:
        return f"{path}: unexpected member {extra[0]!r}: {short(value[extra[0]])}"
    return None


def _list(pattern: list[Any], value: Any, captures: Captures, path: str) -> str | None:
    if not is_list(value):
        return f"{path}: expected a list, got {short(value)}"
    if len(pattern) != len(value):
        return f"{path}: expected {len(pattern)} items, got {len(value)}: {short(value)}"
    for index, wanted in enumerate(pattern):
        if found := mismatch(wanted, value[index], captures, f"{path}[{index}]"):
            return found
    return None


def _subset(wanted: Any, value: Any, captures: Captures, path: str) -> str | None:
    return _object(wanted, value, captures, path, open_ended=True)


def _contains(wanted: Any, value: Any, _captures: Captures, path: str) -> str | None:
    if isinstance(value, str) and wanted in value:
        return None
    return f"{path}: expected a text with {wanted!r}, got {short(value)}"


def _starts_with(wanted: Any, value: Any, _captures: Captures, path: str) -> str | None:
    if isinstance(value, str) and value.startswith(wanted):
        return None
    return f"{path}: expected a text that begins with {wanted!r}, got {short(value)}"


def _regex(wanted: Any, value: Any, _captures: Captures, path: str) -> str | None:
    if isinstance(value, str) and re.search(wanted, value):
        return None
    return f"{path}: expected a text like {wanted!r}, got {short(value)}"


def _absent(_wanted: Any, value: Any, _captures: Captures, path: str) -> str | None:
    return f"{path}: expected to be absent, got {short(value)}"


def _capture(wanted: Any, value: Any, captures: Captures, path: str) -> str | None:
    if not isinstance(value, str):
        return f"{path}: expected a text to capture, got {short(value)}"
    captures[wanted] = value
    return None


def _error(wanted: Any, value: Any, captures: Captures, path: str) -> str | None:
    """A JSON-RPC error object of that code; its message is any text, its data whatever it likes."""
    shape: dict[str, Any] = {"code": wanted, "message": "$string"}
    if is_object(value) and "data" in value:
        shape["data"] = "$any"
    return mismatch(shape, value, captures, path)


def _includes(wanted: Any, value: Any, captures: Captures, path: str) -> str | None:
    if not is_list(value):
        return f"{path}: expected a list, got {short(value)}"
    for pattern in wanted:
        if all(mismatch(pattern, item, captures, path) for item in value):
            return f"{path}: no item like {short(pattern)} in {short(value)}"
    return None


def _in_any_order(wanted: Any, value: Any, captures: Captures, path: str) -> str | None:
    if not is_list(value) or len(value) != len(wanted):
        return f"{path}: expected {len(wanted)} items in any order, got {short(value)}"
    rest = list(value)
    for pattern in wanted:
        found = next((item for item in rest if mismatch(pattern, item, captures, path) is None), rest)
        if found is rest:
            return f"{path}: no item like {short(pattern)} in {short(value)}"
        rest.remove(found)
    return None


def _any_of(wanted: Any, value: Any, captures: Captures, path: str) -> str | None:
    if any(mismatch(pattern, value, captures, path) is None for pattern in wanted):
        return None
    return f"{path}: expected one of {short(wanted)}, got {short(value)}"


def _not(wanted: Any, value: Any, captures: Captures, path: str) -> str | None:
    if mismatch(wanted, value, captures, path) is None:
        return f"{path}: expected anything but {short(wanted)}, got {short(value)}"
    return None


def _literal(wanted: Any, value: Any, _captures: Captures, path: str) -> str | None:
    if json.dumps(wanted, sort_keys=True) == json.dumps(value, sort_keys=True):
        return None
    return f"{path}: expected {short(wanted)}, got {short(value)}"


def _at_least(wanted: Any, value: Any, _captures: Captures, path: str) -> str | None:
    return None if is_number(value) and value >= wanted else f"{path}: expected {wanted} or more, got {short(value)}"


def _at_most(wanted: Any, value: Any, _captures: Captures, path: str) -> str | None:
    return None if is_number(value) and value <= wanted else f"{path}: expected {wanted} or less, got {short(value)}"


def _length(wanted: Any, value: Any, _captures: Captures, path: str) -> str | None:
    if (isinstance(value, str) or is_list(value)) and len(value) == wanted:
        return None
    return f"{path}: expected a length of {wanted}, got {short(value)}"


PLACEHOLDERS: dict[str, Callable[[Any], bool]] = {
    "$any": lambda _value: True,
    "$string": lambda value: isinstance(value, str),
    "$number": is_number,
    "$integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "$boolean": lambda value: isinstance(value, bool),
    "$object": is_object,
    "$list": is_list,
}
"""Texts that stand for any value of a kind."""

OPERATORS: dict[str, Callable[[Any, Any, Captures, str], str | None]] = {
    "$subset": _subset,
    "$contains": _contains,
    "$startsWith": _starts_with,
    "$regex": _regex,
    "$absent": _absent,
    "$capture": _capture,
    "$error": _error,
    "$includes": _includes,
    "$inAnyOrder": _in_any_order,
    "$anyOf": _any_of,
    "$not": _not,
    "$literal": _literal,
    "$atLeast": _at_least,
    "$atMost": _at_most,
    "$length": _length,
}
"""Objects with this one member stand for every value that passes the test."""
