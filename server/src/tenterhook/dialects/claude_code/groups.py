"""Owns the structure around handlers: events, their groups, the matcher of each; judges no field of a handler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from tenterhook_protocol.claude_events import CLAUDE_EVENTS

from tenterhook.config.document import Entry, Listing, Mapped, Scalar, Span, excerpt
from tenterhook.dialects.claude_code.declared import HANDLER_KEYS, REQUIRED_KEYS
from tenterhook.dialects.claude_code.fields import text_of
from tenterhook.dialects.claude_code.telling import Teller, described, start_of
from tenterhook.dialects.claude_code.tool_names import matcher_for

__all__ = ["Group", "Placed", "read_groups"]

_FOREIGN_EVENTS = {
    "BeforeTool": "PreToolUse",
    "AfterTool": "PostToolUse",
    "BeforeAgent": "UserPromptSubmit",
    "AfterAgent": "Stop",
    "PreCompress": "PreCompact",
}
"""Events of another assistant whose settings have the same form, and what they are called here."""

_SHAPE = '{"matcher": "...", "hooks": [{"type": "command", "command": "..."}]}'


class Group(Struct, frozen=True, kw_only=True):
    """What the handlers of one group share."""

    event: str
    """As written."""
    matcher: str | None = None
    matcher_span: Span | None = None
    id: str | None = None
    description: str | None = None
    wrong: str | None = None
    """Why none of its handlers can run."""


class Placed(Struct, frozen=True, kw_only=True):
    """A handler as it stands in its group."""

    name: str
    """``PreToolUse[0].hooks[1]``."""
    node: Mapped
    group: Group
    alone: bool
    """No other handler is in the group."""


def read_groups(blocks: Sequence[Mapped], tell: Teller) -> Iterator[Placed]:
    """The handlers of objects of events, in the order of the file.

    An event that stands twice counts twice; its groups are numbered on.
    """
    counts: dict[str, int] = {}
    entries = [entry for block in blocks for entry in (*block.entries, *block.earlier)]
    for entry in sorted(entries, key=lambda entry: (entry.key_span.line, entry.key_span.column)):
        event, start = entry.key, counts.get(entry.key, 0)
        inert = None if event in CLAUDE_EVENTS else _unknown_event(entry, tell.of(event))
        if not isinstance(entry.value, Listing):
            _tell_of_event_type(entry, tell.of(event))
            continue
        counts[event] = start + len(entry.value.items)
        for index, node in enumerate(entry.value.items, start):
            label = f"{excerpt(event)}[{index}]"
            if isinstance(node, Mapped):
                yield from _group(event, label, node, inert, tell.of(label))
            else:
                message = f"{label} is {described(node)}, not an object; it is left out"
                tell.of(label).error("group-type", node.span, message, f"write {_SHAPE}")


def _unknown_event(entry: Entry, tell: Teller) -> str:
    near = _FOREIGN_EVENTS.get(entry.key) or _meant(entry.key, tell)
    hint = f"did you mean {near!r}?" if near else f"the events are {', '.join(CLAUDE_EVENTS)}"
    message = f"There is no event {excerpt(entry.key)!r}; its hooks are kept, and never run"
    tell.warning("event-unknown", entry.key_span, message, hint)
    return f"there is no event {excerpt(entry.key)!r}" + (f"; did you mean {near!r}?" if near else "")


def _meant(event: str, tell: Teller) -> str | None:
    """The event that this one was probably meant to be. It makes no difference to what runs."""
    if tell.guesses.left <= 0:
        return None
    return tell.misspelt(event, CLAUDE_EVENTS) or tell.guesses.nearest(event, CLAUDE_EVENTS)


def _tell_of_event_type(entry: Entry, tell: Teller) -> None:
    value, key = entry.value, excerpt(entry.key)
    if isinstance(value, Scalar) and value.value is None:
        tell.warning("field-null", entry.key_span, f"{key} is null: it has no hooks", f'write "{key}": []')
    else:
        message = f"{key} is {described(value)}, not a list; nothing of it is loaded"
        tell.error("event-type", start_of(value.span), message, f'write "{key}": [{_SHAPE}]')


def _group(event: str, label: str, node: Mapped, inert: str | None, tell: Teller) -> Iterator[Placed]:
    hooks = node.get("hooks")
    if hooks is None and any(node.get(key) for keys in REQUIRED_KEYS.values() for key in ("type", *keys)):
        message = f"{label} is a handler without its group; it is left out"
        tell.error("group-flat", start_of(node.span), message, f"put it in the list of a group: {_SHAPE}")
        group = Group(event=event, wrong="it stands where a group is expected")
        yield Placed(name=label, node=node, group=group, alone=True)
        return
    wrong = _keys(node, tell)
    matcher, span, unusable = _matcher(event, node, tell)
    group = Group(
        event=event,
        matcher=matcher,
        matcher_span=span,
        id=_note(node, "id"),
        description=_note(node, "description"),
        wrong=inert or unusable or wrong,
    )
    if hooks is None:
        near = next((entry.key for entry in node.entries if tell.misspelt(entry.key, ["hooks"])), None)
        hint = f"write {near!r} as 'hooks'" if near else f"write {_SHAPE}"
        tell.error("group-without-hooks", start_of(node.span), f"{label} has no hooks; nothing of it is loaded", hint)
    elif not isinstance(hooks.value, Listing):
        message = f"hooks is {described(hooks.value)}, not a list; nothing of {label} is loaded"
        tell.error("hooks-type", start_of(hooks.value.span), message, 'write "hooks": [{"type": "command", ...}]')
    else:
        items = hooks.value.items
        for index, item in enumerate(items):
            name = f"{label}.hooks[{index}]"
            if isinstance(item, Mapped):
                yield Placed(name=name, node=item, group=group, alone=len(items) == 1)
                continue
            text = text_of(item)
            hint = 'write {"type": "command", "command": ' + (f'"{excerpt(text)}"}}' if text else '"..."}')
            message = f"{name} is {described(item)}, not an object; it is left out"
            tell.of(name).error("handler-type", item.span, message, hint)


def _note(node: Mapped, key: str) -> str | None:
    entry = node.get(key)
    text = None if entry is None else text_of(entry.value)
    return text if text and text.strip() else None


def _keys(node: Mapped, tell: Teller) -> str | None:
    """Tells of keys that belong elsewhere. Says why the handlers cannot run, if one was meant to restrict them."""
    wrong: str | None = None
    for entry in node.entries:
        key, span = entry.key, entry.key_span
        if key in {"matcher", "hooks", "id", "description"}:
            continue
        near = tell.misspelt(key, ["matcher", "hooks"])
        if near == "matcher" and node.get("matcher") is None:
            message = (
                f"There is no key {excerpt(key)!r}; without its matcher the group would always run: it is left out"
            )
            tell.error("unknown-key", span, message, "did you mean 'matcher'?")
            wrong = f"{excerpt(key)!r} is no key, and was surely meant as 'matcher'"
        elif key == "if":
            message = "`if` belongs to a handler; without it this group would always run: it is left out"
            tell.error("key-of-handler", span, message, "move it into the handlers of the group")
            wrong = "its `if` stands on the group, where it does not count"
        elif key in HANDLER_KEYS:
            tell.warning("key-of-handler", span, f"{key} belongs to a handler; it is ignored", "move it into a handler")
    return wrong


def _matcher(event: str, node: Mapped, tell: Teller) -> tuple[str | None, Span | None, str | None]:
    """Text and place of the matcher, and why the handlers cannot run, if they cannot."""
    entry = node.get("matcher")
    if entry is None:
        return None, None, None
    text, span = text_of(entry.value), entry.key_span
    known = CLAUDE_EVENTS.get(event)
    if known is not None and known.matches is None:
        # Published: such a matcher is passed over in silence.
        return text, span, None
    if text is not None:
        error = matcher_for(event, text).error
        if error is None:
            return text, span, None
        message = f"matcher is neither a list of names nor a pattern: {error}; its handlers are left out"
        hint = "join whole names with '|', or write a JavaScript regular expression; .* stands for anything"
        tell.error("matcher-invalid", entry.value.span, message, hint)
        return text, span, f"its matcher {excerpt(text)!r} is no pattern"
    if isinstance(entry.value, Scalar) and entry.value.value is None:
        tell.warning("field-null", span, "matcher is null; it means everything", "delete it, or give it a value")
        return None, span, None
    names = [text_of(item) for item in entry.value.items] if isinstance(entry.value, Listing) else []
    hint = (
        f'write "matcher": "{excerpt("|".join(name or "" for name in names))}"' if names else "put it in double quotes"
    )
    message = f"matcher is {described(entry.value)}, not a text; its handlers are left out"
    tell.error("field-type", entry.value.span, message, hint)
    return None, span, "its matcher cannot be used"
