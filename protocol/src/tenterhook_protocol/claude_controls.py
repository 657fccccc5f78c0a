"""Owns the words in which the table of Claude Code's events says what hooks can do; knows no event.

Source: the published hook reference and type declarations.
"""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from tenterhook_protocol.claude_input import ClaudeInput
from tenterhook_protocol.points import HookType

__all__ = [
    "AGENT_TIMEOUT",
    "HANDLER_TYPES",
    "PROMPT_TIMEOUT",
    "ClaudeEvent",
    "ExitTwo",
    "HandlerType",
    "MatchForm",
    "PlainText",
    "ReasonReader",
    "SystemMessages",
    "Universal",
]

HandlerType = Literal["command", "http", "mcp_tool", "prompt", "agent"]

MatchForm = Literal["text", "tool", "model", "basename"]
"""What of a field a matcher is tested against: its text, the tool's or model's canonical name, or the path's end."""

ExitTwo = Literal["deny", "decline", "halt", "continue", "feedback", "fail", "notice", "none"]
"""What exit code 2 does, and any other way to block.

``deny``: what was about to happen does not.
``decline``: as deny, and the rest of the hook's own answer does not count.
``halt``: the agent stops before it asks the model again.
``continue``: what was about to stop goes on.
``feedback``: nothing is undone; the model gets the reason.
``fail``: any failure of the hook is a failure of the event.
``notice``: nothing is undone; the user gets the reason as the hook's error.
``none``: nothing.
"""

ReasonReader = Literal["model", "user", "subagent", "teammate", "log", "nobody"]

PlainText = Literal["context", "path", "log"]
"""What stdout is that holds no answer object: text for the model, a folder's path, or nothing but a log line."""

SystemMessages = Literal["user", "model", "discarded"]

HANDLER_TYPES: tuple[HandlerType, ...] = get_args(HandlerType)
"""All handler types of settings files."""

PROMPT_TIMEOUT = 30.0
AGENT_TIMEOUT = 60.0
"""Default timeouts of these handler types at every event, in seconds."""


class Universal(Struct, frozen=True, kw_only=True):
    """What becomes of the keys that every answer may have, whatever the event."""

    halt: bool = True
    """Whether ``continue: false`` is honoured."""
    messages: SystemMessages = "user"
    """Where ``systemMessage`` goes."""
    terminal: bool = True
    """Whether ``terminalSequence`` is sent on."""


class ClaudeEvent(Struct, frozen=True):
    """One event: what a matcher sees of it, and what its hooks can do."""

    payload: type[ClaudeInput]
    """The type of its data; it has the event's name."""
    exit_two: ExitTwo
    """What exit code 2 does."""
    reason_to: ReasonReader
    """Who reads what the hook wrote to stderr then."""
    matches: str | None = None
    """The payload key that a matcher is tested against; None: every matcher is met."""
    match_form: MatchForm = "text"
    """What of that key's value is tested."""
    takes_rule: bool = False
    """Whether ``if`` is looked at; elsewhere a hook with an ``if`` never runs."""
    blocks: bool = False
    """Whether a hook can prevent something, or keep something from stopping."""
    takes_block: bool = False
    """Whether ``decision: "block"`` is read; it does what exit code 2 does."""
    answers: tuple[str, ...] = ()
    """The keys of ``hookSpecificOutput`` that are read."""
    universal: Universal = Universal()
    """What becomes of the keys that every answer may have."""
    plain_text: PlainText = "log"
    """What plain text on stdout is."""
    types: tuple[HandlerType, ...] = HANDLER_TYPES
    """The handler types that run."""
    timeout: float = 600.0
    """Default timeout of command, http and mcp_tool handlers, in seconds."""
    shares_timeout: bool = False
    """Whether all its hooks together have that time."""
    timeout_blocks: bool = False
    """Whether a hook that is too slow blocks."""
    in_sequence: bool = False
    """Whether its hooks run one after another."""
    background: bool = False
    """Whether nobody waits for its hooks."""
    env_file: bool = False
    """Whether commands may leave variables for later tool calls in ``CLAUDE_ENV_FILE``."""
    note: str = ""
    """What else its hooks' authors should know, as Markdown."""

    @property
    def name(self) -> str:
        """What the event is called, on the wire and in settings files."""
        return self.payload.__name__

    @property
    def type(self) -> HookType:
        """``observer`` where its hooks control nothing that a host waits for: the method that suits it."""
        return "decision" if (self.blocks or self.answers) and not self.background else "observer"

    def default_timeout(self, handler: str) -> float:
        """How long a handler of a type may run that says nothing of it, in seconds."""
        return {"prompt": PROMPT_TIMEOUT, "agent": AGENT_TIMEOUT}.get(handler, self.timeout)
