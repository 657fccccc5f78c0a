"""Owns ``methods.json``: methods, points and events with the names of their types, for client authors; no shapes."""

from __future__ import annotations

import json

from tenterhook_protocol.claude_events import CLAUDE_EVENTS, ClaudeEvent
from tenterhook_protocol.methods import METHODS, PROTOCOL_VERSION
from tenterhook_protocol.points import POINTS

__all__ = ["render"]


def render() -> str:
    """The method table, the points and the events, as JSON."""
    table = {
        "protocolVersion": PROTOCOL_VERSION,
        "methods": [
            {
                "name": method.name,
                "direction": method.direction,
                "kind": method.kind,
                "params": _name(method.params),
                "result": _name(method.result),
                "nullable": method.nullable,
                "since": method.since,
            }
            for method in METHODS.values()
        ],
        "points": [
            {"name": point.name, "type": point.type, "payload": point.payload.__name__} for point in POINTS.values()
        ],
        "events": [_event(event) for event in CLAUDE_EVENTS.values()],
    }
    return json.dumps(table, indent=2) + "\n"


def _event(event: ClaudeEvent) -> dict[str, object]:
    """A row of the table, for whoever explains or checks hooks without the engine."""
    return {
        "name": event.name,
        "type": event.type,
        "payload": event.payload.__name__,
        "matches": event.matches,
        "matchForm": None if event.matches is None else event.match_form,
        "takesRule": event.takes_rule,
        "blocks": event.blocks,
        "exitTwo": event.exit_two,
        "reasonTo": event.reason_to,
        "takesBlock": event.takes_block,
        "answers": list(event.answers),
        "halt": event.universal.halt,
        "systemMessages": event.universal.messages,
        "terminalSequences": event.universal.terminal,
        "plainText": event.plain_text,
        "types": {handler: event.default_timeout(handler) for handler in event.types},
        "sharesTimeout": event.shares_timeout,
        "timeoutBlocks": event.timeout_blocks,
        "together": "sequence" if event.in_sequence else "parallel",
        "background": event.background,
        "envFile": event.env_file,
    }


def _name(cls: type | None) -> str | None:
    return None if cls is None else cls.__name__
