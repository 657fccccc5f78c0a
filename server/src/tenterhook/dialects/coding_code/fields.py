"""Owns judging the value of each single field of an entry; knows neither layers nor what fields mean together.

A judge takes a value and tells what is wrong with it. It returns the value to go by, or
``UNSET``: the field counts as not declared; or ``None``: the entry is left out.
An entry is left out for what says which program runs, how, and when: half of that would be another hook.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from math import isfinite, isnan

from msgspec import UNSET, UnsetType
from tenterhook_protocol.lifecycle import PROFILES

from tenterhook.config.document import Listing, Mapped, Node, Scalar, Span, excerpt
from tenterhook.config.yaml_scalars import resolve_plain
from tenterhook.dialects.coding_code.settings import OnFailure
from tenterhook.dialects.coding_code.telling import Teller, described
from tenterhook.dialects.matching import compile_matcher

__all__ = ["JUDGES", "MAX_TIMEOUT"]

MAX_TIMEOUT = 3600.0
"""Seconds. A longer timeout is cut to this."""

_LEFT_OUT = "this entry is left out"


def _text(field: str, node: Node, tell: Teller) -> str | None:
    """A text that is not empty, or None after a problem."""
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        hint = f'write {field}: "{excerpt(node.text)}"' if isinstance(node, Scalar) else f"write {field}: some text"
        tell.error("field-type", node.span, f"{field} is {described(node)}, not a text; {_LEFT_OUT}", hint)
        return None
    if not node.value.strip():
        tell.error("field-empty", node.span, f"{field} is an empty text; {_LEFT_OUT}", f"give {field} a value")
        return None
    return node.value if _without_nul(field, node.value, node.span, tell) else None


def _without_nul(field: str, text: str, span: Span, tell: Teller) -> bool:
    if "\0" in text:
        message = f"{field} contains the character U+0000, which no program can be given; {_LEFT_OUT}"
        tell.error("field-character", span, message, "delete it")
        return False
    return True


def _one_of(field: str, node: Node, known: Iterable[str], tell: Teller, then: str) -> str | None:
    """One of a few words, or None after a problem."""
    words = list(known)
    if isinstance(node, Scalar) and isinstance(node.value, str) and node.value in words:
        return node.value
    near = tell.guesses.nearest(node.text.lower(), words) if isinstance(node, Scalar) else None
    hint = f"did you mean {near!r}?" if near else f"write one of: {', '.join(words)}"
    if isinstance(node, Scalar) and isinstance(node.value, str):
        tell.error(f"{_kebab(field)}-unknown", node.span, f"There is no {field} {excerpt(node.value)!r}; {then}", hint)
    else:
        tell.error("field-type", node.span, f"{field} is {described(node)}, not a text; {then}", hint)
    return None


def _kebab(field: str) -> str:
    return "".join(f"-{sign.lower()}" if sign.isupper() else sign for sign in field)


def _point(node: Node, tell: Teller) -> str | None:
    return _one_of("point", node, tell.points, tell, _LEFT_OUT)


def _type(node: Node, tell: Teller) -> str | None:
    return _one_of("type", node, ("observer", "decision"), tell, _LEFT_OUT)


def _description(node: Node, tell: Teller) -> str | UnsetType:
    if isinstance(node, Scalar):
        if not isinstance(node.value, str):
            message = f"description is {described(node)}, not a text; it is shown as written"
            tell.warning("field-type", node.span, message, f'write description: "{excerpt(node.text)}"')
        return node.text
    message = f"description is {described(node)}, not a text; it is not shown"
    tell.warning("field-type", node.span, message, "write description: some text")
    return UNSET


def _command(node: Node, tell: Teller) -> str | None:
    if isinstance(node, Listing):
        message = f"command is a list, not a text; {_LEFT_OUT}"
        tell.error("field-type", node.span, message, "name the program in command and give the rest to args")
        return None
    return _text("command", node, tell)


def _args(node: Node, tell: Teller) -> tuple[str, ...] | None:
    if not isinstance(node, Listing):
        hint = 'write a list: args: ["--flag", "value"]'
        tell.error("field-type", node.span, f"args is {described(node)}, not a list; {_LEFT_OUT}", hint)
        return None
    texts: list[str] = []
    for index, item in enumerate(node.items):
        field = f"args[{index}]"
        if not isinstance(item, Scalar):
            tell.error("field-type", item.span, f"{field} is {described(item)}, not a text; {_LEFT_OUT}", "quote it")
            return None
        if item.value is None:
            message = f"{field} has no value; the hook gets the text {excerpt(item.text)!r}"
            tell.warning("field-null", item.span, message, 'write "" for an empty argument')
        if not _without_nul(field, item.text, item.span, tell):
            return None
        texts.append(item.text)
    return tuple(texts)


def _env(node: Node, tell: Teller) -> tuple[tuple[str, str | None], ...] | None:
    if not isinstance(node, Mapped):
        hint = "write a mapping: env: {NAME: value}"
        tell.error("field-type", node.span, f"env is {described(node)}, not a mapping; {_LEFT_OUT}", hint)
        return None
    variables: list[tuple[str, str | None]] = []
    for entry in node.entries:
        field = f"env.{excerpt(entry.key)}"
        if not entry.key or "=" in entry.key or "\0" in entry.key:
            message = f"{excerpt(entry.key)!r} cannot be the name of a variable; {_LEFT_OUT}"
            tell.error("env-name", entry.key_span, message, "write NAME: value, without '='")
            return None
        value = entry.value
        if not isinstance(value, Scalar):
            message = f"{field} is {described(value)}, not a text; {_LEFT_OUT}"
            tell.error("field-type", value.span, message, "put the value in quotes")
            return None
        if not _without_nul(field, value.text, value.span, tell):
            return None
        variables.append((entry.key, None if value.value is None else value.text))
    return tuple(variables)


def _cwd(node: Node, tell: Teller) -> str | None:
    return _text("cwd", node, tell)


def _matcher(node: Node, tell: Teller) -> str | None:
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        hint = "join names with '|': matcher: read_file|write_file" if isinstance(node, Listing) else "put it in quotes"
        tell.error("field-type", node.span, f"matcher is {described(node)}, not a text; {_LEFT_OUT}", hint)
        return None
    error = compile_matcher(node.value).error
    if error is not None:
        hint = "join whole names with '|', or write a JavaScript regular expression; .* stands for anything"
        message = f"matcher is neither a list of names nor a pattern: {error}; {_LEFT_OUT}"
        tell.error("matcher-invalid", node.span, message, hint)
        return None
    return node.value


def _number(field: str, node: Node, tell: Teller) -> float | None:
    """A number; a text that is one counts with a warning. None: it is none, and nothing has been told."""
    if not isinstance(node, Scalar):
        return None
    value = resolve_plain(node.value.strip()) if isinstance(node.value, str) else node.value
    if value is None or isinstance(value, (bool, str)) or isnan(value):
        return None
    if isinstance(node.value, str):
        message = f"{field} is {described(node)}; it counts as the number"
        hint = f"write {field}: {excerpt(node.value.strip())} without quotes"
        tell.warning("field-numeric-text", node.span, message, hint)
    # A float on the wire is finite.
    return min(max(float(value), -sys.float_info.max), sys.float_info.max)


def _priority(node: Node, tell: Teller) -> float | UnsetType:
    number = _number("priority", node, tell)
    if number is not None:
        return number
    message = f"priority is {described(node)}, not a number; it counts as {tell.counts_as('0')}"
    tell.error("field-type", node.span, message, "write priority: 10; smaller numbers run first")
    return UNSET if tell.patch else 0.0


def _enabled(node: Node, tell: Teller) -> bool | UnsetType:
    if isinstance(node, Scalar) and isinstance(node.value, bool):
        return node.value
    message = f"enabled is {described(node)}, not true or false; it counts as {tell.counts_as('enabled')}"
    tell.error("field-type", node.span, message, "write enabled: false to switch the hook off, or leave it out")
    return UNSET if tell.patch else True


def _timeout(node: Node, tell: Teller) -> float | UnsetType:
    number = _number("timeout", node, tell)
    if number is None or number <= 0:
        message = f"timeout is {described(node)}, not a number over 0; it counts as not declared"
        tell.error("field-type", node.span, message, "write timeout: 30; the unit is seconds")
        return UNSET
    if number > MAX_TIMEOUT:
        message = f"timeout is over {MAX_TIMEOUT:.0f} seconds; it counts as {MAX_TIMEOUT:.0f}"
        meant = number / 1000
        hint = (
            f"the unit is seconds: did you mean {meant:g}?" if isfinite(meant) and meant <= MAX_TIMEOUT else "lower it"
        )
        tell.warning("timeout-too-long", node.span, message, hint)
        return MAX_TIMEOUT
    return number


_ON_FAILURE: Mapping[str, OnFailure] = {"ignore": "ignore", "deny": "deny", "ask": "ask"}


def _on_failure(node: Node, tell: Teller) -> OnFailure | UnsetType:
    # Whoever writes the field wants a guard that fails to count for something: an unreadable wish may not widen it.
    word = _one_of("onFailure", node, _ON_FAILURE, tell, f"it counts as {tell.counts_as('deny')}")
    if word is not None:
        return _ON_FAILURE[word]
    return UNSET if tell.patch else "deny"


def _locked(node: Node, tell: Teller) -> bool:
    if isinstance(node, Scalar) and isinstance(node.value, bool):
        return node.value
    message = f"locked is {described(node)}, not true or false; it counts as locked"
    tell.error("field-type", node.span, message, "write locked: true, or leave it out")
    return True


def _profiles(node: Node, tell: Teller) -> tuple[str, ...] | UnsetType | None:
    if not isinstance(node, Listing) or not node.items:
        what = "an empty list" if isinstance(node, Listing) else f"{described(node)}, not a list"
        hint = (
            f"write profiles: [{excerpt(node.text)}]"
            if isinstance(node, Scalar) and node.text
            else "write profiles: [strict]"
        )
        tell.error("field-type", node.span, f"profiles is {what}; {_LEFT_OUT}", hint)
        return None
    names: dict[str, Span] = {}
    for index, item in enumerate(node.items):
        name = _text(f"profiles[{index}]", item, tell)
        if name is None:
            return None
        names.setdefault(name.strip().lower(), item.span)
    return _known_profiles(names, tell)


def _known_profiles(names: Mapping[str, Span], tell: Teller) -> tuple[str, ...] | UnsetType:
    some = not names.keys().isdisjoint(PROFILES)
    none = tell.counts_as("a list of none, and the hook never runs")
    then = "this name is passed over" if some else f"profiles counts as {none}"
    for name, span in names.items():
        if name not in PROFILES:
            near = tell.guesses.nearest(name, PROFILES)
            hint = f"did you mean {near!r}?" if near else f"the profiles are {', '.join(PROFILES)}"
            tell.warning("profile-unknown", span, f"There is no profile {excerpt(name)!r}; {then}", hint)
    return tuple(names) if some or not tell.patch else UNSET


def _worker(node: Node, tell: Teller) -> bool | UnsetType:
    if isinstance(node, Scalar) and isinstance(node.value, bool):
        return node.value
    message = f"worker is {described(node)}, not true or false; it counts as not declared"
    tell.error("field-type", node.span, message, "write worker: true, or leave it out")
    return UNSET


Judge = Callable[[Node, Teller], object]

JUDGES: Mapping[str, Judge] = {
    "point": _point,
    "type": _type,
    "description": _description,
    "command": _command,
    "args": _args,
    "env": _env,
    "cwd": _cwd,
    "matcher": _matcher,
    "priority": _priority,
    "enabled": _enabled,
    "timeout": _timeout,
    "onFailure": _on_failure,
    "locked": _locked,
    "profiles": _profiles,
    "worker": _worker,
}
"""The judge of each field, by the spelling of its key. ``name`` is judged with the entry."""
