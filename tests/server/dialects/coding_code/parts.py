"""Parts that the tests of this folder are made of."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, Raw, structs
from tenterhook.dialects.base import LaunchContext, Layer, Loaded
from tenterhook.dialects.table import DIALECTS
from tenterhook.model import CommandSpec, Event, Hook, Mode, Origin, Problem
from tenterhook_protocol.points import HookType

__all__ = [
    "CODING_CODE",
    "CONTEXT",
    "GLOBAL_PATH",
    "PROJECT_PATH",
    "codes",
    "event",
    "hook",
    "hooks_file",
    "load",
    "one",
    "spec_of",
]

CODING_CODE = DIALECTS["coding-code"]
GLOBAL_PATH = "/home/u/.codingcode/hooks.yaml"
PROJECT_PATH = "/p/.codingcode/hooks.yaml"

_HOOK = Hook(
    id="coding-code:guard",
    name="guard",
    system="coding-code",
    point="tool.approval.pre",
    type="decision",
    spec=CommandSpec("node"),
    timeout=30.0,
    origin=Origin(layer="global", path=GLOBAL_PATH, line=2, column=5),
    fields={},
)


def hook(name: str = "guard", **changes: object) -> Hook:
    """A decision hook that can run."""
    return structs.replace(_HOOK, id=f"coding-code:{name}", name=name, **changes)


def event(
    point: str = "tool.approval.pre",
    *,
    mode: Mode = "decide",
    subject: str | None = None,
    payload: bytes = b"{}",
    project: str = "/p",
    traceparent: str | None = None,
) -> Event:
    """An event as the service makes it."""
    return Event(
        id="e1",
        system="coding-code",
        point=point,
        mode=mode,
        payload=Raw(payload),
        project=project,
        subject=subject,
        traceparent=traceparent,
    )


def hooks_file(*entries: str) -> str:
    """A hook file of entries in flow style, one a line: entry n stands in line n + 2."""
    return "hooks:\n" + "".join(f"  - {entry}\n" for entry in entries)


def load(
    user: str | bytes | None = None, project: str | bytes | None = None, points: dict[str, HookType] | None = None
) -> Loaded:
    """The hooks of a global and a project file."""
    layers = [_layer("global", GLOBAL_PATH, user), _layer("project", PROJECT_PATH, project)]
    return CODING_CODE.load(layers, {**CODING_CODE.points, **(points or {})})


def _layer(name: str, path: str, content: str | bytes | None) -> Layer:
    return Layer(layer=name, path=path, content=content.encode() if isinstance(content, str) else content)


def one(loaded: Loaded) -> Hook:
    """The only hook."""
    assert len(loaded.hooks) == 1
    return loaded.hooks[0]


def codes(problems: Sequence[Problem]) -> list[tuple[str, str, str]]:
    """Severity, code and entry of each problem."""
    return [
        (problem.severity, problem.code, "" if problem.entry is UNSET else str(problem.entry)) for problem in problems
    ]


CONTEXT = LaunchContext(run_id="r1", environment={}, home="/home/u", version="9.9", scratch="/tmp/x")


def spec_of(configured: Hook) -> CommandSpec:
    """What a hook of this system starts."""
    assert isinstance(configured.spec, CommandSpec)
    return configured.spec
