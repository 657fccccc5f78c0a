"""Parts that the tests of settings files are made of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from msgspec import UNSET
from tenterhook.config.layers import Layer
from tenterhook.dialects.base import Loaded
from tenterhook.dialects.claude_code.load import load
from tenterhook.dialects.claude_code.sources import FileRole, LayerKind
from tenterhook.dialects.claude_code.specs import PluginRef
from tenterhook.model import Hook, Problem

__all__ = ["ECHO", "PLUGIN", "codes", "layer", "loaded", "one", "plugin_layer", "problem_of", "reasons", "settings"]

ECHO = {"type": "command", "command": "echo"}
PLUGIN = PluginRef("tools@market", "/plugins/tools", "/data/tools")


def settings(*handlers: object, event: str = "PreToolUse", **group: object) -> str:
    """A settings file with one group of one event, in one line."""
    return json.dumps({"hooks": {event: [{**group, "hooks": handlers}]}})


def layer(kind: LayerKind, content: object, *, session_end_ms: str | None = None) -> Layer:
    """A file of a kind. An object is written as JSON."""
    text = content if isinstance(content, (str, bytes)) else json.dumps(content)
    return Layer(
        layer=kind,
        path=f"/{kind}/settings.json",
        content=text.encode() if isinstance(text, str) else text,
        carried=FileRole(kind=kind, home="/home/u", session_end_ms=session_end_ms),
    )


def plugin_layer(content: object, ref: PluginRef = PLUGIN, name: str = "") -> Layer:
    """A plugin's ``hooks.json``."""
    text = content if isinstance(content, str) else json.dumps(content)
    role = FileRole(kind="plugin", plugin=ref)
    return Layer(
        layer=f"plugin:{ref.id}{name}", path=f"{ref.root}/hooks/hooks.json", content=text.encode(), carried=role
    )


def loaded(*contents: object) -> Loaded:
    """The hooks of layers, or of user settings."""
    return load([each if isinstance(each, Layer) else layer("user", each) for each in contents], {})


def one(found: Loaded) -> Hook:
    """The only hook."""
    (hook,) = found.hooks
    return hook


def codes(problems: Sequence[Problem]) -> list[tuple[str, str, str]]:
    """Severity, code and entry of each problem."""
    return [(each.severity, each.code, "" if each.entry is UNSET else str(each.entry)) for each in problems]


def problem_of(found: Loaded) -> Problem:
    """The only problem."""
    (problem,) = found.problems
    return problem


def reasons(found: Loaded) -> Mapping[str, str | None]:
    """By id: why a hook never runs."""
    return {hook.id: None if hook.left_out is None else hook.left_out.code for hook in found.hooks}
