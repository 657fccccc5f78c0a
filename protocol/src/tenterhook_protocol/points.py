"""Owns the twelve points of Coding Code and their payloads (source: its hook document); knows no method.

Payloads are open: a host may send more keys, and the engine hands them to the hook unchanged.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tenterhook_protocol.base import UNSET, JsonObject, JsonValue, Open, UnsetType

__all__ = [
    "POINTS",
    "AgentStepBefore",
    "AgentSubagentComplete",
    "AgentSubagentSpawnAfter",
    "AgentSubagentSpawnBefore",
    "AgentTurnEnd",
    "AgentTurnStart",
    "AgentTurnStop",
    "ApprovalDecision",
    "HookType",
    "Point",
    "PointPayload",
    "ToolApprovalPost",
    "ToolApprovalPre",
    "ToolExecuteAfter",
    "ToolExecuteBefore",
    "ToolExecuteError",
]

HookType = Literal["observer", "decision"]


class PointPayload(Open, frozen=True, kw_only=True):
    """What every payload carries."""

    projectPath: str  # noqa: N815 - payload keys are the system's own
    """Absolute path of the project; it says which hooks apply."""


class ToolExecuteBefore(PointPayload, frozen=True, kw_only=True):
    """A tool is about to run; it has been approved."""

    toolName: str  # noqa: N815
    """Name of the tool."""
    args: JsonObject
    """Arguments of the call."""
    sessionId: str  # noqa: N815
    """The session."""
    turnId: str  # noqa: N815
    """The turn."""
    callId: str  # noqa: N815
    """The call."""


class ToolExecuteAfter(ToolExecuteBefore, frozen=True, kw_only=True):
    """A tool has run."""

    result: JsonValue
    """What the tool returned."""
    durationMs: float  # noqa: N815
    """How long it ran, in milliseconds."""


class ToolExecuteError(PointPayload, frozen=True, kw_only=True):
    """A tool has failed."""

    toolName: str  # noqa: N815
    """Name of the tool."""
    args: JsonObject
    """Arguments of the call."""
    error: JsonValue
    """What went wrong."""


class ToolApprovalPre(PointPayload, frozen=True, kw_only=True):
    """A tool call is about to be judged."""

    toolName: str  # noqa: N815
    """Name of the tool."""
    args: JsonObject
    """Arguments of the call."""
    sessionId: str  # noqa: N815
    """The session."""


class ApprovalDecision(Open, frozen=True, kw_only=True):
    """What the approval layers decided."""

    type: str
    """``allow``, ``deny`` or ``ask``."""
    source: str
    """The layer that decided."""
    reason: str | UnsetType = UNSET
    """Why."""


class ToolApprovalPost(PointPayload, frozen=True, kw_only=True):
    """A tool call has been judged. A denied tool fires no ``tool.execute.*``; this is where its end is read."""

    tool: str
    """Name of the tool."""
    input: JsonObject
    """Arguments of the call."""
    decision: ApprovalDecision
    """The verdict."""
    layers: list[JsonValue]
    """What each approval layer said."""


class AgentTurnStart(PointPayload, frozen=True, kw_only=True):
    """A turn begins."""

    sessionId: str  # noqa: N815
    """The session."""


class AgentStepBefore(PointPayload, frozen=True, kw_only=True):
    """A step of reasoning is about to begin. No host reads the answer today."""

    sessionId: str  # noqa: N815
    """The session."""
    step: int
    """Number of the step in its turn, from 1."""


class AgentTurnStop(PointPayload, frozen=True, kw_only=True):
    """The turn made no tool call and is about to stop; ``continue`` keeps it going."""

    sessionId: str  # noqa: N815
    """The session."""
    content: str
    """The last text of the model."""
    turnId: str  # noqa: N815
    """The turn."""


class AgentTurnEnd(PointPayload, frozen=True, kw_only=True):
    """A turn has ended."""

    sessionId: str  # noqa: N815
    """The session."""
    turnId: str  # noqa: N815
    """The turn."""
    status: str
    """``done``, ``error``, ``aborted`` or ``maxSteps``."""


class AgentSubagentSpawnBefore(PointPayload, frozen=True, kw_only=True):
    """A subagent is about to be created; only ``deny`` is read."""

    agentName: str  # noqa: N815
    """Name of the subagent."""
    prompt: str
    """What it is asked to do."""
    parentSessionId: str  # noqa: N815
    """The session that creates it."""


class AgentSubagentSpawnAfter(PointPayload, frozen=True, kw_only=True):
    """A subagent has been created."""

    childSessionId: str  # noqa: N815
    """The subagent's own session."""
    agentName: str  # noqa: N815
    """Name of the subagent."""


class AgentSubagentComplete(PointPayload, frozen=True, kw_only=True):
    """A subagent has finished."""

    childSessionId: str  # noqa: N815
    """The subagent's own session."""
    agentName: str  # noqa: N815
    """Name of the subagent."""
    status: str
    """``completed`` or ``failed``."""


class Point(Struct, frozen=True):
    """One point: its name, the type of hook that suits it, and the type of its payload."""

    name: str
    type: HookType
    payload: type[PointPayload]


POINTS: dict[str, Point] = {
    point.name: point
    for point in (
        Point("tool.execute.before", "observer", ToolExecuteBefore),
        Point("tool.execute.after", "observer", ToolExecuteAfter),
        Point("tool.execute.error", "observer", ToolExecuteError),
        Point("tool.approval.pre", "decision", ToolApprovalPre),
        Point("tool.approval.post", "observer", ToolApprovalPost),
        Point("agent.turn.start", "observer", AgentTurnStart),
        Point("agent.step.before", "decision", AgentStepBefore),
        Point("agent.turn.stop", "decision", AgentTurnStop),
        Point("agent.turn.end", "observer", AgentTurnEnd),
        Point("agent.subagent.spawn.before", "decision", AgentSubagentSpawnBefore),
        Point("agent.subagent.spawn.after", "observer", AgentSubagentSpawnAfter),
        Point("agent.subagent.complete", "observer", AgentSubagentComplete),
    )
}
"""The twelve points in the order of the founding document. The one list that all others are derived from."""
