"""Owns where Claude Code's settings lie, and what is known of each file before it is read; opens none of them.

The files come in the order in which answers are joined: managed, command line, local, project, user, plugins.
"""

from __future__ import annotations

import os.path
import re
import sys
from collections.abc import Sequence
from functools import partial
from typing import Literal, get_args

import msgspec
from msgspec import Raw, Struct, structs
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.lifecycle import PluginFolder

from tenterhook.config.layers import Layer, Source
from tenterhook.dialects.base import Ground
from tenterhook.dialects.claude_code.plugin_manifest import named_files
from tenterhook.dialects.claude_code.specs import PluginRef

__all__ = ["COMMAND_LINE", "CONFIG_FOLDER", "SIMPLE", "FileRole", "LayerKind", "role_of", "sources"]

LayerKind = Literal["managed", "command-line", "local", "project", "user", "plugin"]

SIMPLE = "CLAUDE_CODE_SIMPLE"
"""The variable that switches off all hooks but those of plugins that managed settings switch on."""

CONFIG_FOLDER = "CLAUDE_CONFIG_DIR"
"""The variable that names the folder of the user's own settings."""

COMMAND_LINE = "--settings"
"""What stands for the path of the settings that a host brings along."""

_MANAGED = "/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code"
_BUDGET = "CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS"
_KINDS: dict[str, LayerKind] = {kind: kind for kind in get_args(LayerKind)}


class FileRole(Struct, frozen=True, kw_only=True):
    """What a file is to the engine; its source carries it to ``load``."""

    kind: LayerKind
    plugin: PluginRef | None = None
    manifest: bool = False
    """It is a plugin's ``plugin.json``."""
    home: str | None = None
    """The user's home folder: what ``~`` in a rule means."""
    session_end_ms: str | None = None
    """What the environment says of the time that all SessionEnd hooks share, in milliseconds."""
    simple: bool = False
    """The environment wants no hooks of files."""
    instead_of: str | None = None
    """The folder that the environment names for the user's file, where it is none that can be meant."""


def role_of(layer: Layer) -> FileRole:
    """What a layer's file is. An editor's unsaved text carries nothing: then the layer's name says enough to judge."""
    if isinstance(layer.carried, FileRole):
        return layer.carried
    kind = _KINDS.get(layer.layer.partition(":")[0], "project")
    plugin = PluginRef(layer.layer.partition(":")[2], "", "") if kind == "plugin" else None
    return FileRole(kind=kind, plugin=plugin, manifest=kind == "plugin" and layer.path.endswith("/plugin.json"))


def sources(project: str, ground: Ground) -> Sequence[Source]:
    """The files that count for a project, in the order in which answers are joined.

    Where the home is the project its shared settings are the user's own file, which counts once.
    """
    simple = ground.environment.get(SIMPLE, "").strip().lower() in {"1", "true", "yes", "on"}
    known = FileRole(kind="user", home=ground.home, session_end_ms=ground.environment.get(_BUDGET), simple=simple)
    home = _config_folder(ground)
    own = _beside(project)
    found = [_managed(ground.managed, known)]
    if ground.settings is not None:
        role = structs.replace(known, kind="command-line")
        found.append(Source("command-line", COMMAND_LINE, content=ground.settings, carried=role))
    in_project = own != _beside(ground.home)
    found.append(_settings("local", f"{own}/settings.local.json", known, from_project=in_project))
    if own != home:
        found.append(_settings("project", f"{own}/settings.json", known, from_project=True))
    found.append(_settings("user", f"{home}/settings.json", structs.replace(known, instead_of=_not_meant(ground))))
    names: set[str] = set()
    roots: set[str] = set()
    for plugin in ground.plugins:
        root = os.path.normpath(plugin.root)
        if root not in roots:
            roots.add(root)
            found.extend(_plugin(plugin, root, _unused(f"plugin:{plugin.id}", names), home, known))
    return tuple(found)


def _beside(folder: str) -> str:
    return f"{folder.rstrip('/')}/.claude"


def _config_folder(ground: Ground) -> str:
    wanted = ground.environment.get(CONFIG_FOLDER, "")
    return os.path.normpath(wanted) if os.path.isabs(wanted) else _beside(ground.home)


def _not_meant(ground: Ground) -> str | None:
    """A relative folder: it would be another one wherever the engine is started."""
    wanted = ground.environment.get(CONFIG_FOLDER, "")
    return wanted if wanted and not os.path.isabs(wanted) else None


def _settings(kind: LayerKind, path: str, known: FileRole, *, from_project: bool = False) -> Source:
    role = structs.replace(known, kind=kind)
    return Source(kind, path, from_project=from_project, carried=role)


def _managed(place: str | None, known: FileRole) -> Source:
    """``place`` is the file itself, or the folder that it lies in."""
    path = place if place is not None and place.endswith(".json") else f"{place or _MANAGED}/managed-settings.json"
    folder = f"{os.path.dirname(path)}/managed-settings.d"
    return Source("managed", path, carried=structs.replace(known, kind="managed"), folder=folder)


def _plugin(plugin: PluginFolder, root: str, layer: str, home: str, known: FileRole) -> list[Source]:
    data = plugin.data_dir
    folder = re.sub(r"[^A-Za-z0-9_-]", "-", plugin.id)
    ref = PluginRef(plugin.id, root, f"{home}/plugins/data/{folder}" if data is UNSET else data, _options(plugin))
    role = structs.replace(known, kind="plugin", plugin=ref)
    manifest = structs.replace(role, manifest=True)
    default = f"{root}/hooks/hooks.json"
    return [
        Source(layer, default, carried=role, watched=False),
        Source(
            f"{layer}:plugin.json",
            f"{root}/.claude-plugin/plugin.json",
            carried=manifest,
            watched=False,
            follow=partial(_followed, layer=layer, role=role, default=default),
        ),
    ]


def _followed(content: bytes, *, layer: str, role: FileRole, default: str) -> Sequence[Source]:
    root = "" if role.plugin is None else role.plugin.root
    paths = dict.fromkeys(path for path in named_files(content, root) if path != default)
    return [Source(f"{layer}:{os.path.relpath(path, root)}", path, carried=role, watched=False) for path in paths]


def _unused(name: str, names: set[str]) -> str:
    candidate, count = name, 1
    while candidate in names:
        count += 1
        candidate = f"{name}#{count}"
    names.add(candidate)
    return candidate


def _options(plugin: PluginFolder) -> tuple[tuple[str, str], ...]:
    """The user's settings for a plugin as texts; null is none."""
    if plugin.options is UNSET:
        return ()
    try:
        options = msgspec.json.decode(plugin.options, type=dict[str, Raw])
        return tuple((key, _as_text(value)) for key, value in options.items() if bytes(value) != b"null")
    except msgspec.DecodeError:
        return ()


def _as_text(value: Raw) -> str:
    written = bytes(value)
    return msgspec.json.decode(written, type=str) if written.startswith(b'"') else written.decode()
