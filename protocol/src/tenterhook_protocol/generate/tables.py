"""Owns the tables of the specification; the sentences around them are the specification's own."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import get_args

from tenterhook_protocol.base import UNSET
from tenterhook_protocol.claude_events import CLAUDE_EVENTS, ClaudeEvent
from tenterhook_protocol.claude_input import AgentInput
from tenterhook_protocol.generate import docs
from tenterhook_protocol.generate.shapes import (
    Anything,
    Choice,
    Field,
    ListOf,
    MapOf,
    Named,
    OneOf,
    Plain,
    Shape,
)
from tenterhook_protocol.generate.type_reading import record_of
from tenterhook_protocol.jsonrpc import ErrorCode
from tenterhook_protocol.lifecycle import InitializationOptions
from tenterhook_protocol.methods import METHODS, Method
from tenterhook_protocol.points import POINTS, Point
from tenterhook_protocol.runs import RunStatus

__all__ = ["ERROR_MEANINGS", "STATUS_MEANINGS", "render", "section"]

ERROR_MEANINGS: dict[ErrorCode, str] = {
    ErrorCode.PARSE_ERROR: "The body is no JSON text in UTF-8, or framing is lost.",
    ErrorCode.INVALID_REQUEST: "The body is no message, its id cannot be used, or this is not the time for it.",
    ErrorCode.METHOD_NOT_FOUND: "There is no such method.",
    ErrorCode.INVALID_PARAMS: "The params do not fit the method. `data.suggestion`: the nearest known name.",
    ErrorCode.INTERNAL_ERROR: "The engine failed. It goes on.",
    ErrorCode.SERVER_NOT_INITIALIZED: "`initialize` has not been answered yet.",
    ErrorCode.REQUEST_CANCELLED: "The host, or the end of the connection, cancelled the request.",
    ErrorCode.REQUEST_FAILED: "The params fit, and it cannot be done now.",
}

STATUS_MEANINGS: dict[str, str] = {
    "ok": "It exited with 0 and what it wrote could be read.",
    "failed": "It exited with a status other than 0.",
    "signalled": "A signal that the engine did not send ended it.",
    "timedOut": "Its time was over and the engine ended it.",
    "cancelled": "The request or the connection ended, and the engine ended it.",
    "notStarted": "It could not be started.",
    "badOutput": "It exited with 0 and what it wrote is no answer.",
    "tooLarge": "It wrote more than `maxOutputBytes`.",
    "detached": "It goes on in the background.",
    "notReached": "Another hook had ended the chain.",
}


def render() -> str:
    """All tables, as Markdown."""
    return "\n".join(
        [
            "# Tables",
            "",
            "Derived from the types; do not edit: `python -m tenterhook_protocol.generate`",
            "",
            *section(
                "Methods", ("method", "direction", "kind", "params", "result", "since"), map(_method, METHODS.values())
            ),
            *section(
                "initializationOptions",
                ("key", "type", "default", "meaning"),
                map(_option, record_of(InitializationOptions).fields),
            ),
            *section("Points", ("point", "type", "payload keys", "when"), map(_point, POINTS.values())),
            *section(
                "Claude Code events", ("event", "type", "payload keys", "when"), map(_event, CLAUDE_EVENTS.values())
            ),
            f"Keys of every payload, some of them optional: {_common_keys()}.",
            "[What a hook can do at which event](../../docs/claude-code-events.md) stands on a page of its own.",
            "",
            *section(
                "Error codes",
                ("code", "name", "meaning"),
                ((str(code.value), f"`{code.name}`", ERROR_MEANINGS[code]) for code in ErrorCode),
            ),
            *section(
                "Run statuses",
                ("status", "meaning"),
                ((f"`{status}`", STATUS_MEANINGS[status]) for status in get_args(RunStatus)),
            ),
        ]
    )


def section(title: str, heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """A heading and a table, as lines of Markdown; an empty line ends it."""
    lines = [f"| {' | '.join(row)} |" for row in (heads, tuple("---" for _ in heads), *rows)]
    return [f"## {title}", "", *lines, ""]


def _method(method: Method) -> tuple[str, ...]:
    result = "none" if method.result is None else f"`{method.result.__name__}`"
    if method.nullable:
        result += " or `null`"
    elif method.result is None and method.kind == "request":
        result = "`null`"
    return (
        f"`{method.name}`",
        "host → engine" if method.direction == "toEngine" else "engine → host",
        "request or notification" if method.kind == "either" else method.kind,
        "none" if method.params is None else f"`{method.params.__name__}`",
        result,
        method.since,
    )


def _option(field: Field) -> tuple[str, ...]:
    default = "none" if field.default is UNSET else f"`{json.dumps(field.default)}`"
    return (f"`{field.name}`", _words(field.shape), default, field.doc)


def _point(point: Point) -> tuple[str, ...]:
    keys = ", ".join(f"`{field.name}`" for field in record_of(point.payload).fields)
    return (f"`{point.name}`", point.type, keys, docs.doc_of_type(point.payload))


def _event(event: ClaudeEvent) -> tuple[str, ...]:
    # The two events of subagents require keys that are optional elsewhere: those are told.
    common = {(field.name, field.required) for field in record_of(AgentInput).fields}
    own = [field.name for field in record_of(event.payload).fields if (field.name, field.required) not in common]
    return (f"`{event.name}`", event.type, ", ".join(f"`{key}`" for key in own), docs.doc_of_type(event.payload))


def _common_keys() -> str:
    return ", ".join(f"`{field.name}`" for field in record_of(AgentInput).fields)


def _words(shape: Shape) -> str:
    match shape:
        case Plain(kind, None, None):
            return kind
        case Plain(kind, least, None):
            return f"{kind}, at least {least}"
        case Plain(kind, least, most):
            return f"{kind}, {least} to {most}"
        case Anything(object_only):
            return "object" if object_only else "any"
        case Choice(values):
            return " or ".join(f"`{value}`" for value in values)
        case ListOf(item):
            return f"list of {_words(item)}"
        case MapOf(value):
            return f"map of {_words(value)}"
        case Named(name):
            return f"`{name}`"
        case OneOf(options):
            return " or ".join(_words(option) for option in options)
