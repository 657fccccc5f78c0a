"""Owns the page on Claude Code's events for whoever writes hooks; reads the table of events, not their payloads."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from tenterhook_protocol.claude_controls import (
    AGENT_TIMEOUT,
    HANDLER_TYPES,
    PROMPT_TIMEOUT,
    ClaudeEvent,
    ExitTwo,
    PlainText,
    ReasonReader,
    SystemMessages,
)
from tenterhook_protocol.claude_events import CLAUDE_EVENTS
from tenterhook_protocol.generate import docs
from tenterhook_protocol.generate.tables import section

__all__ = ["EXIT_TWO_MEANINGS", "render"]

EXIT_TWO_MEANINGS: dict[ExitTwo, str] = {
    "deny": "What was about to happen does not.",
    "decline": "As `deny`, and the rest of the hook's answer does not count.",
    "halt": "The agent stops before the model is asked again.",
    "continue": "What was about to stop goes on.",
    "feedback": "Nothing is undone; the reason is told.",
    "fail": "Any exit code but 0, and any other failure of the hook, is a failure of the event.",
    "notice": "Nothing is undone; it counts as an error of the hook.",
    "none": "Nothing.",
}

_READERS: dict[ReasonReader, str] = {
    "model": "the model",
    "user": "the user",
    "subagent": "the subagent",
    "teammate": "the teammate",
    "log": "the log",
    "nobody": "nobody",
}
_TEXTS: dict[PlainText, str] = {"context": "for the model", "path": "the worktree's path", "log": "ignored"}
_MESSAGES: dict[SystemMessages, str] = {"user": "the user", "model": "the model", "discarded": "nobody"}

_Column = tuple[str, str, Callable[[ClaudeEvent], str]]
"""Heading, the sentence that explains it, and what stands in it."""


def render() -> str:
    """The page, as Markdown."""
    return "\n".join(
        [
            "# Claude Code's events",
            "",
            "Derived from the protocol's types; do not edit: `python -m tenterhook_protocol.generate`",
            "",
            "This page is for whoever writes hooks for Claude Code: in `settings.json`, or in a plugin's `hooks.json`.",
            "The keys of each event's payload stand in [the tables of the protocol](../protocol/spec/tables.md).",
            "",
            *_part("Which hooks run", _MATCHING),
            *_part("What they can do", _BLOCKING),
            *section("Exit code 2", ("what it does", "meaning"), _meanings()),
            *_part("What else is read of their answers", _ANSWERING),
            *_part("How they run", _RUNNING),
            "## Notes",
            "",
            *(f"- `{event.name}`: {event.note}" for event in CLAUDE_EVENTS.values() if event.note),
            "",
        ]
    )


def _part(title: str, columns: tuple[_Column, ...]) -> list[str]:
    heading, empty, *table = section(
        title,
        ("event", *(head for head, _, _ in columns)),
        ((f"`{event.name}`", *(cell(event) for _, _, cell in columns)) for event in CLAUDE_EVENTS.values()),
    )
    return [heading, empty, *(f"- {head}: {sentence}" for head, sentence, _ in columns), empty, *table]


def _meanings() -> list[tuple[str, str]]:
    return [(f"`{what}`", EXIT_TWO_MEANINGS[what]) for what in get_args(ExitTwo)]


def _matched(event: ClaudeEvent) -> str:
    if event.matches is None:
        return "none"
    key = f"`{event.matches}`"
    match event.match_form:
        case "text" | "tool":
            return key
        case "model":
            return f"{key}, without date and variant"
        case "basename":
            return f"the file's name in {key}"


def _types(event: ClaudeEvent) -> str:
    return "all" if event.types == HANDLER_TYPES else ", ".join(f"`{handler}`" for handler in event.types)


def _timeout(event: ClaudeEvent) -> str:
    shared = ", for all together" if event.shares_timeout else ""
    return f"{event.timeout:g} s{shared}{', then it blocks' if event.timeout_blocks else ''}"


def _order(event: ClaudeEvent) -> str:
    order = "one after another" if event.in_sequence else "all at once"
    return f"{order}, and nobody waits" if event.background else order


def _yes(*, value: bool) -> str:
    return "yes" if value else "no"


_MATCHING: tuple[_Column, ...] = (
    ("when", "The moment at which the event happens.", lambda event: docs.doc_of_type(event.payload)),
    ("matcher", "The payload's key that a `matcher` is tested against; none: every matcher is met.", _matched),
    (
        "`if`",
        "Whether an `if` is looked at; where it is not, a hook that has one never runs.",
        lambda event: _yes(value=event.takes_rule),
    ),
    (
        "method",
        "The method that suits the host: `hooks/emitDecision` where hooks decide, else `hooks/emit`; both are taken.",
        lambda event: "`hooks/emitDecision`" if event.type == "decision" else "`hooks/emit`",
    ),
)

_BLOCKING: tuple[_Column, ...] = (
    (
        "blocks",
        "Whether a hook can prevent something, or keep something from stopping.",
        lambda event: _yes(value=event.blocks),
    ),
    ("exit code 2", "What that does; the next table says what the words mean.", lambda event: event.exit_two),
    (
        "stderr goes to",
        "Who then reads what the hook has written to stderr.",
        lambda event: _READERS[event.reason_to],
    ),
    (
        '`decision: "block"`',
        "Whether that answer is read; it does what exit code 2 does, with the answer's `reason`.",
        lambda event: _yes(value=event.takes_block),
    ),
    (
        "`hookSpecificOutput`",
        "The keys of it that are read.",
        lambda event: ", ".join(f"`{key}`" for key in event.answers) or "none",
    ),
)

_ANSWERING: tuple[_Column, ...] = (
    (
        "`continue: false`",
        "Whether it stops the agent's work.",
        lambda event: "stops" if event.universal.halt else "ignored",
    ),
    ("`systemMessage`", "Who reads it.", lambda event: _MESSAGES[event.universal.messages]),
    (
        "`terminalSequence`",
        "Whether it is handed on.",
        lambda event: _yes(value=event.universal.terminal),
    ),
    (
        "plain stdout",
        "What stdout is that holds no JSON object, from a hook that exits with 0.",
        lambda event: _TEXTS[event.plain_text],
    ),
)

_RUNNING: tuple[_Column, ...] = (
    ("handler types", "The types that run; a hook of another type is left out.", _types),
    (
        "timeout",
        f"How long a hook may run by default; {PROMPT_TIMEOUT:g} s if `prompt`, {AGENT_TIMEOUT:g} s if `agent`.",
        _timeout,
    ),
    ("order", "Whether the matching hooks start together.", _order),
    (
        "`CLAUDE_ENV_FILE`",
        "Whether a command can leave variables there for later tool calls.",
        lambda event: _yes(value=event.env_file),
    ),
)
