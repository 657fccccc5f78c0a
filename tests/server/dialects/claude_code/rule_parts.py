"""Parts that the tests of rules and matchers are made of."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Raw
from tenterhook.dialects.base import Undecided
from tenterhook.dialects.claude_code.rules import rule_out
from tenterhook.dialects.claude_code.specs import HandlerSpec, PluginRef, ShellSpec
from tenterhook.model import Event, Hook, LeftOut, Origin

__all__ = ["doubt", "event", "hook", "left_out", "met", "raw_event"]

_PATHS = {
    "managed": "/etc/claude-code/managed-settings.json",
    "project": "/p/.claude/settings.json",
    "local": "/p/.claude/settings.local.json",
    "user": "/home/u/.claude/settings.json",
    "plugin:x": "/plugins/x/hooks/hooks.json",
}


def hook(
    rule: str | None = None,
    *,
    matcher: str | None = None,
    point: str = "PreToolUse",
    layer: str = "project",
    name: str = "guard",
) -> Hook:
    """A handler of type ``command``."""
    plugin = PluginRef("x", "/plugins/x", "/data/x") if layer.startswith("plugin") else None
    spec: HandlerSpec = ShellSpec(command="true", plugin=plugin)
    return Hook(
        id=f"claude-code:{name}",
        name=name,
        system="claude-code",
        point=point,
        type="command",
        spec=spec,
        timeout=60.0,
        origin=Origin(layer=layer, path=_PATHS[layer], line=1, column=1),
        fields={},
        matcher=matcher,
        rule=rule,
    )


def event(tool: str, given: Mapping[str, object], *, point: str = "PreToolUse", cwd: str = "/p") -> Event:
    """A tool call as the host tells of it."""
    payload = msgspec.json.encode({"tool_name": tool, "tool_input": given, "cwd": cwd})
    return raw_event(payload, point=point, subject=tool)


def raw_event(payload: bytes, *, point: str = "PreToolUse", subject: str | None = None) -> Event:
    """An event with any payload."""
    return Event(
        id="e1", system="claude-code", point=point, mode="decide", payload=Raw(payload), project="/p", subject=subject
    )


def left_out(rule: str, happened: Event, *, layer: str = "project") -> LeftOut | None:
    """Why a hook with this rule does not run; None: it runs."""
    one = hook(rule, layer=layer, point=happened.point)
    why = rule_out([one], happened).get(one.id)
    return None if isinstance(why, Undecided) else why


def doubt(rule: str, happened: Event) -> str | None:
    """Why nobody can tell whether this rule is met; None: it is certain."""
    one = hook(rule)
    why = rule_out([one], happened).get(one.id)
    return why.why if isinstance(why, Undecided) else None


def met(rule: str, tool: str, given: Mapping[str, object], *, cwd: str = "/p", layer: str = "project") -> bool:
    """Whether a hook with this rule runs for a call."""
    why = left_out(rule, event(tool, given, cwd=cwd), layer=layer)
    assert why is None or why.code == "ruleNotMet", why
    return why is None
