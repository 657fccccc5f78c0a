"""Owns the recorded session: its events, how each is sent, and whether it came out as recorded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import UNSET, Raw
from tenterhook_client import Client
from tenterhook_protocol.base import Message
from tenterhook_protocol.points import POINTS
from tenterhook_protocol.runs import HookDecision, HookRun

__all__ = ["Recorded", "Step", "differences", "play", "recorded_session"]


class Recorded(Message, frozen=True, kw_only=True):
    """One event of the recording, and what came of it."""

    at_ms: int
    """When it happened, in milliseconds from the start of the turn."""
    point: str
    payload: Raw
    runs: list[str]
    """Names of the hooks that ran, in order."""
    decision: HookDecision | None = None
    said: list[str] = []
    """What the hooks wrote to stderr. Their lines begin with a bracket, an interpreter's own warnings do not."""


class Step(Message, frozen=True, kw_only=True):
    """One event, played."""

    recorded: Recorded
    runs: list[HookRun]
    decision: HookDecision | None


def recorded_session(project: str) -> list[Recorded]:
    """The events, as if they had happened in this project."""
    text = Path(__file__).with_name("session.jsonl").read_text(encoding="utf-8")
    lines = text.replace('"@PROJECT@"', json.dumps(project)).splitlines()
    return [msgspec.json.decode(line, type=Recorded) for line in lines]


async def play(client: Client, recorded: Recorded) -> Step:
    """Send an event by the method that suits its point, and wait for its hooks."""
    if POINTS[recorded.point].type == "observer":
        result = await client.emit(recorded.point, recorded.payload)
        return Step(recorded=recorded, runs=result.runs, decision=None)
    decision = await client.emit_decision(recorded.point, recorded.payload, trace=True)
    runs = decision.runs if decision is not None and decision.runs is not UNSET else []
    opinion = None if decision is None else msgspec.structs.replace(decision, runs=UNSET, notices=UNSET)
    return Step(recorded=recorded, runs=runs, decision=None if opinion == HookDecision() else opinion)


def differences(step: Step) -> Sequence[str]:
    """What did not come out as recorded, one sentence each."""
    recorded, found = step.recorded, list[str]()
    ran = [run.name for run in step.runs]
    if ran != recorded.runs:
        found.append(f"the hooks {ran} ran instead of {recorded.runs}")
    found.extend(
        f"{run.name} ended as {run.status}: {run.error or run.stderr or ''}" for run in step.runs if run.status != "ok"
    )
    if step.decision != recorded.decision:
        found.append(f"the decision was {_json(step.decision)} instead of {_json(recorded.decision)}")
    said = [line for run in step.runs for line in (run.stderr or "").splitlines() if line.startswith("[")]
    if said != recorded.said:
        found.append(f"the hooks said {said} instead of {recorded.said}")
    return found


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
