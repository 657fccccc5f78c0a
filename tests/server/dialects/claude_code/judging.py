"""Parts that the tests of launching, reading and joining are made of."""

from __future__ import annotations

import json
from collections.abc import Mapping

from msgspec import UNSET, Raw, structs
from tenterhook.dialects.base import Counters, LaunchContext, Verdict
from tenterhook.dialects.claude_code.join import join_answers
from tenterhook.dialects.claude_code.read import read_outcome
from tenterhook.dialects.claude_code.specs import AskSpec, HttpSpec, PluginRef, ShellSpec, ToolSpec
from tenterhook.model import Answer, Event, Hook, HookDecision, Judged, Origin, Outcome, Spec
from tenterhook_protocol.runs import DecisionKind, Effects, RunStatus

__all__ = [
    "ASK",
    "CONTEXT",
    "HTTP",
    "PLUGIN",
    "TOOL",
    "answer",
    "context",
    "effects",
    "event",
    "exited",
    "hook",
    "join",
    "kind_of",
    "read",
    "said",
    "specific",
    "texts",
]

CONTEXT = LaunchContext(run_id="r1", environment={}, home="/home/u", version="9.9", scratch="/tmp/x")
PLUGIN = PluginRef("p@m", "/plugins/my p", "/data/p", (("api_key", "s3cret"), ("mode", "fast")))
HTTP = HttpSpec(url="https://hooks.example/x")
TOOL = ToolSpec(server="s", tool="t")
ASK = AskSpec(kind="prompt", prompt="Is it done?")
TYPES: dict[type[Spec], str] = {ShellSpec: "command", HttpSpec: "http", ToolSpec: "mcp_tool"}


def context(**environment: str) -> LaunchContext:
    """A launch by an engine of this environment."""
    return structs.replace(CONTEXT, environment=environment)


def hook(name: str = "guard", point: str = "PreToolUse", spec: Spec | None = None, **changes: object) -> Hook:
    """A hook that can run."""
    spec = ShellSpec(command=name) if spec is None else spec
    plain = Hook(
        id=f"claude-code:{name}",
        name=name,
        system="claude-code",
        point=point,
        type=spec.kind if isinstance(spec, AskSpec) else TYPES[type(spec)],
        spec=spec,
        timeout=600.0,
        origin=Origin(layer="project", path="/p/.claude/settings.json", line=1, column=1),
        fields={},
    )
    return structs.replace(plain, **changes)


def event(
    point: str = "PreToolUse",
    subject: str | None = None,
    payload: Mapping[str, object] | None = None,
    *,
    session: str | None = "s1",
    traceparent: str | None = None,
) -> Event:
    """An event as the service makes it."""
    full = {"session_id": "s1", "cwd": "/p/sub", "hook_event_name": point, **(payload or {})}
    return Event(
        id="e1",
        system="claude-code",
        point=point,
        mode="decide",
        payload=Raw(json.dumps(full).encode()),
        project="/p",
        session=session,
        subject=subject,
        traceparent=traceparent,
    )


def exited(code: int = 0, stdout: str | bytes = b"", stderr: str = "", **more: object) -> Outcome:
    """A process that has ended by itself."""
    plain = Outcome(
        status="ok" if code == 0 else "failed",
        exit_code=code,
        stdout=stdout.encode() if isinstance(stdout, str) else stdout,
        stderr=stderr.encode(),
        error=None if code == 0 else f"exited with code {code}",
    )
    return structs.replace(plain, **more)


def said(stdout: str) -> Outcome:
    """A host or a server that has answered well."""
    return Outcome(status="ok", stdout=stdout.encode())


def read(outcome: Outcome, point: str = "PreToolUse", subject: str | None = None, **changes: object) -> Answer:
    """What an outcome means at an event."""
    return read_outcome(hook(point=point, **changes), event(point, subject), outcome, CONTEXT)  # pyright: ignore[reportArgumentType] - rows of a table


def specific(point: str = "PreToolUse", **fields: object) -> str:
    """An answer object with fields for its event."""
    return json.dumps({"hookSpecificOutput": {"hookEventName": point, **fields}})


def kind_of(answer: Answer) -> DecisionKind | None:
    """Its decision."""
    decision = answer.decision
    return None if decision is None or decision.decision is UNSET else decision.decision


def effects(decision: HookDecision | None) -> Effects:
    """Its effects, which may be none."""
    return Effects() if decision is None or decision.effects is UNSET else decision.effects


def texts(decision: HookDecision | None) -> list[str]:
    """What the user is told, one by one."""
    messages = effects(decision).system_messages
    return [] if messages is UNSET else [one.text for one in messages]


def answer(kind: DecisionKind | None = None, *, status: RunStatus = "ok", **fields: object) -> Answer:
    """An answer as it is read."""
    decision = HookDecision(decision=UNSET if kind is None else kind)
    return Answer(status=status, decision=structs.replace(decision, **fields))


def join(
    *answers: Answer, point: str = "PreToolUse", ranks: tuple[int, ...] = (), counters: Counters | None = None
) -> Verdict:
    """What answers in this order come to. They have finished in the order of the plan where ``ranks`` are not given."""
    order = ranks or tuple(range(len(answers)))
    judged = [Judged(hook(f"h{index}", point), one, order[index]) for index, one in enumerate(answers)]
    return join_answers(point, judged, counters or Counters())
