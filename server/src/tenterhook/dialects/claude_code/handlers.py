"""Owns going through one handler of a settings file, key by key; knows no layers and no other handlers."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET, Struct, structs
from tenterhook_protocol.claude_events import CLAUDE_EVENTS

from tenterhook.config.document import Mapped, Scalar, Span, excerpt
from tenterhook.dialects.claude_code.declared import (
    COMMON_KEYS,
    HANDLER_KEYS,
    OWN_KEYS,
    REQUIRED_KEYS,
    Declared,
    Scope,
    field_of,
    make_spec,
)
from tenterhook.dialects.claude_code.events import not_allowed
from tenterhook.dialects.claude_code.fields import FIELD_JUDGES, text_of
from tenterhook.dialects.claude_code.fitting import on_failure_counts, unfit
from tenterhook.dialects.claude_code.rule_syntax import RuleFault, parse_rule
from tenterhook.dialects.claude_code.specs import HandlerSpec
from tenterhook.dialects.claude_code.telling import Teller, described, start_of
from tenterhook.model import LeftOut

__all__ = ["Handler", "read_handler"]


class Handler(Struct, frozen=True, kw_only=True):
    """One handler as its file declares it."""

    type: str
    """As written; empty where there is none."""
    said: Declared
    spec: HandlerSpec
    span: Span
    places: Mapping[str, Span]
    """Of the key of each declared field."""
    left_out: LeftOut | None = None
    """Why it can never run."""


def read_handler(node: Mapped, event: str, scope: Scope, tell: Teller) -> Handler:
    """A handler, whatever is wrong with it.

    Args:
        node: the object.
        event: the event's name as written; it need not be a known one.
        scope: what is the same for the whole file.
        tell: told of everything that is wrong.
    """
    kind, wrong = _type(node, event, tell)
    values: dict[str, object] = {}
    places: dict[str, Span] = {}
    for entry in node.entries:
        key = entry.key
        if key == "type":
            places[key] = entry.key_span
        elif key not in FIELD_JUDGES:
            wrong = _unknown(key, entry.key_span, node, tell) or wrong
        elif kind in OWN_KEYS and key not in COMMON_KEYS and key not in OWN_KEYS[kind]:
            _tell_of_foreign(key, entry.key_span, kind, tell)
        elif isinstance(entry.value, Scalar) and entry.value.value is None:
            message = f"{key} is null; it counts as not declared"
            tell.warning("field-null", entry.key_span, message, f"give {key} a value, or delete it")
        else:
            value = FIELD_JUDGES[key](key, entry.value, tell)
            if value is not UNSET:
                places[key] = entry.key_span
            if value is None:
                wrong = wrong or f"{key} cannot be used"
            elif value is not UNSET:
                values[field_of(key)] = value
    said = structs.replace(Declared(), **values)
    wrong = _missing(kind, node, tell) or wrong
    said = structs.replace(said, on_failure=on_failure_counts(kind, event, said, places, tell))
    wrong = wrong or unfit(kind, said, places, scope, tell)
    return Handler(
        type=kind,
        said=said,
        spec=make_spec(kind, said, scope),
        span=node.span,
        places=places,
        left_out=_ruled_out(event, said, places, tell) if wrong is None else _invalid(wrong),
    )


def _invalid(why: str) -> LeftOut:
    return LeftOut(code="invalid", message=f"{why}; the problems of its file say more")


def _type(node: Mapped, event: str, tell: Teller) -> tuple[str, str | None]:
    """The type as written, and why the handler cannot run, if it cannot."""
    entry = node.get("type")
    if entry is None:
        near = next((each for each in node.entries if tell.misspelt(each.key, ["type"]) is not None), None)
        likely = next((kind for kind, keys in REQUIRED_KEYS.items() if all(node.get(key) for key in keys)), "command")
        hint = f'add "type": "{likely}"' if near is None else "write the key as 'type'"
        span = start_of(node.span) if near is None else near.key_span
        tell.error("field-missing", span, "The handler has no type; it is left out", hint)
        return "", "it has no type"
    text = text_of(entry.value)
    if text is None:
        message = f"type is {described(entry.value)}, not a text; the handler is left out"
        tell.error("field-type", entry.value.span, message, f"write one of: {', '.join(OWN_KEYS)}")
        return "", "type cannot be used"
    if text not in OWN_KEYS:
        near_type = tell.misspelt(text.strip(), OWN_KEYS)
        hint = f"did you mean {near_type!r}?" if near_type else f"write one of: {', '.join(OWN_KEYS)}"
        message = f"There is no handler type {excerpt(text)!r}; the handler is left out"
        tell.error("type-unknown", entry.value.span, message, hint)
        return text, f"there is no handler type {excerpt(text)!r}"
    why = not_allowed(event, text) if event in CLAUDE_EVENTS else None
    if why is not None:
        message = f"{why}; the handler is left out"
        tell.error("type-not-for-event", entry.value.span, message, "use another type, or another event")
    return text, why


def _unknown(key: str, span: Span, node: Mapped, tell: Teller) -> str | None:
    """Tells of a misspelt key, and says why the handler cannot run, if it was meant as a restriction.

    Any other key is its author's own, or that of a newer version.
    """
    near = tell.misspelt(key, HANDLER_KEYS)
    if near is None or near == "type" or node.get(near) is not None:
        return None
    hint = f"did you mean {near!r}?"
    if near == "if":
        message = f"There is no key {excerpt(key)!r}; without its `if` the handler would always run, so it is left out"
        tell.error("unknown-key", span, message, hint)
        return f"{excerpt(key)!r} is no key, and was surely meant as 'if'"
    if near == "timeout" and key.lower().endswith("ms"):
        hint = "write 'timeout', in seconds"
    tell.warning("unknown-key", span, f"There is no key {excerpt(key)!r} in a handler; it is ignored", hint)
    return None


def _tell_of_foreign(key: str, span: Span, kind: str, tell: Teller) -> None:
    types = " and ".join(other for other, keys in OWN_KEYS.items() if key in keys)
    message = f"{key} counts only for handlers of type {types}; it is ignored"
    tell.warning("key-of-other-type", span, message, f"delete it: this handler is of type {kind}")


def _missing(kind: str, node: Mapped, tell: Teller) -> str | None:
    missing = [
        key
        for key in REQUIRED_KEYS.get(kind, ())
        if (entry := node.get(key)) is None or (isinstance(entry.value, Scalar) and entry.value.value is None)
    ]
    if not missing:
        return None
    words = " and no ".join(missing)
    hint = f"add {', '.join(f'{key!r}' for key in missing)}"
    message = f"The handler of type {kind} has no {words}; it is left out"
    tell.error("field-missing", start_of(node.span), message, hint)
    return f"it has no {words}"


def _ruled_out(event: str, said: Declared, places: Mapping[str, Span], tell: Teller) -> LeftOut | None:
    """Why the handler's ``if`` can never be met, if it cannot."""
    if said.rule is None:
        return None
    known = CLAUDE_EVENTS.get(event)
    if known is not None and not known.takes_rule:
        message = f"{event} does not look at `if`: a handler that has one never runs there"
        hint = "delete the `if`, and let the hook itself look at the event"
        tell.error("rule-never-met", places["if"], message, hint)
        return LeftOut(code="ruleNotMet", message=f"{event} does not look at `if`")
    rule = parse_rule(said.rule)
    if isinstance(rule, RuleFault):
        message = f"{excerpt(said.rule)!r} is no rule: {rule.message}; the handler is left out"
        tell.error("rule-invalid", places["if"], message, 'write "if": "Bash(git push *)"')
        return _invalid(f"its rule {excerpt(said.rule)!r} is none")
    return None
