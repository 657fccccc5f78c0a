"""Owns what a hook's run and an event's decision look like on the wire; knows no method."""

from __future__ import annotations

from typing import Literal

from tenterhook_protocol.base import UNSET, JsonObject, JsonValue, Message, UnsetType
from tenterhook_protocol.problems import Notice, Origin

__all__ = [
    "ContextEffect",
    "DecisionKind",
    "Effects",
    "HookDecision",
    "HookRun",
    "RunStatus",
]

DecisionKind = Literal["allow", "deny", "ask", "continue", "defer"]

RunStatus = Literal[
    "ok",
    "failed",
    "signalled",
    "timedOut",
    "cancelled",
    "notStarted",
    "badOutput",
    "tooLarge",
    "detached",
    "notReached",
]


class ContextEffect(Message, frozen=True, kw_only=True):
    """One text for the model, with the hook that gave it."""

    hook: str
    """Id of the hook."""
    text: str
    """The text."""


class Effects(Message, frozen=True, kw_only=True):
    """What one system alone can ask of its host, beyond the four fields of a decision."""

    halt: bool | UnsetType = UNSET
    """Stop the session's work altogether."""
    stop_reason: str | UnsetType = UNSET
    """For the user: why the work was halted."""
    contexts: list[ContextEffect] | UnsetType = UNSET
    """Texts for the model, one by one, in the order of the plan."""
    system_messages: list[ContextEffect] | UnsetType = UNSET
    """Texts for the user, one by one, in the order of the plan."""
    updated_tool_output: JsonValue | UnsetType = UNSET
    """Replaces the tool's output."""
    watch_paths: list[str] | UnsetType = UNSET
    """Absolute paths the session wants watched."""
    worktree_path: str | UnsetType = UNSET
    """Where the worktree was made."""
    worktree_failure: str | UnsetType = UNSET
    """Why no worktree was made, or why it could not be removed."""
    elicitation: JsonObject | UnsetType = UNSET
    """An elicitation's ``action`` and ``content``."""
    permission_updates: list[JsonObject] | UnsetType = UNSET
    """Changes to permission rules."""
    retry: bool | UnsetType = UNSET
    """The model may try the denied call again."""
    session_title: str | UnsetType = UNSET
    """A title for the session."""
    initial_user_message: str | UnsetType = UNSET
    """The first message of the session."""
    display_text: str | UnsetType = UNSET
    """Shown on the screen in place of the original text."""
    terminal_sequences: list[str] | UnsetType = UNSET
    """Checked escape sequences for the terminal."""
    environment: dict[str, str] | UnsetType = UNSET
    """Variables for later tool calls."""
    interrupt: bool | UnsetType = UNSET
    """The denial of a permission also stops the model."""
    turn_ends: bool | UnsetType = UNSET
    """The turn is over: the model is not asked again, and the reason is for the user."""
    classifier_context: str | UnsetType = UNSET
    """Text for the classifier that judges the tool's output."""
    reload_skills: bool | UnsetType = UNSET
    """Skills should be read again."""
    suppress_original_prompt: bool | UnsetType = UNSET
    """The message about a blocked prompt does not show the prompt."""
    custom_instructions: str | UnsetType = UNSET
    """Instructions for the summary that a compaction makes."""


class HookRun(Message, frozen=True, kw_only=True):
    """One execution of one hook, or the reason why it was not reached."""

    run_id: str
    """Unique in the life of the engine; the hook sees it as ``TENTERHOOK_RUN_ID``. Empty where nothing was run."""
    event_id: str
    """The event it ran for; the hook sees it as ``TENTERHOOK_EVENT_ID``."""
    hook: str
    """Id of the hook."""
    name: str
    """The name its file gives it."""
    point: str
    """The point or event."""
    project_path: str
    """Real path of the project."""
    session_id: str | UnsetType = UNSET
    """The session, where the payload names one."""
    origin: Origin
    """Where the hook is defined."""
    status: RunStatus
    """How it ended. In ``hooks/started`` it is not known yet and reads ``ok``."""
    duration_ms: float
    """From the start of the process to the end of the run; 0 where nothing was started."""
    exit_code: int | UnsetType = UNSET
    """The exit code, where the process exited."""
    signal: str | UnsetType = UNSET
    """The signal that ended the process, for example ``SIGTERM``."""
    error: str | UnsetType = UNSET
    """What went wrong, where it is, and what to do."""
    stderr: str | UnsetType = UNSET
    """The end of what it wrote to stderr, at most 4 KiB."""
    warnings: list[str] | UnsetType = UNSET
    """Things its author should know though the run went on."""
    decision: HookDecision | UnsetType = UNSET
    """Its answer, where it had an opinion."""
    by: str | UnsetType = UNSET
    """For ``notReached``: id of the hook that ended the chain."""
    overruled: dict[str, str] | UnsetType = UNSET
    """Fields of its answer that did not count, each with the id of the hook whose value did."""
    synthetic: bool | UnsetType = UNSET
    """True where the answer is the hook's ``onFailure`` and not its own."""


class HookDecision(Message, frozen=True, kw_only=True):
    """The answer to an event. All fields are optional; an answer without any of them is no opinion."""

    decision: DecisionKind | UnsetType = UNSET
    """``allow``, ``deny``, ``ask`` or ``continue``; ``defer`` only where the host can do it."""
    reason: str | UnsetType = UNSET
    """Why, for the user or the model."""
    injection: str | UnsetType = UNSET
    """Text for the model's context."""
    modified_input: JsonObject | UnsetType = UNSET
    """Replaces the arguments of the tool call."""
    effects: Effects | UnsetType = UNSET
    """What one system alone can ask for."""
    runs: list[HookRun] | UnsetType = UNSET
    """Every hook of the event and how it ended, in the order of the plan; only with ``trace``."""
    notices: list[Notice] | UnsetType = UNSET
    """What the host should know; only with ``trace``."""
