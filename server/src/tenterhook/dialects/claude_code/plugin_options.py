"""Owns ``pluginConfigs`` of settings files: what their user has set for plugins; knows no hook.

Published by use, not in the reference: ``pluginConfigs["name@marketplace"].options``, an object of values by key.
It counts in the user's own, the command line's and managed settings, and nowhere else (reference, 6):
a project must not put its values into what a user's plugin runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from tenterhook.config.document import Document, Entry, Mapped, Node, Scalar, excerpt, plain
from tenterhook.dialects.claude_code.sources import FileRole
from tenterhook.dialects.claude_code.specs import PluginRef
from tenterhook.dialects.claude_code.telling import Teller, described
from tenterhook.model import Problem

__all__ = ["Options", "read_plugin_options", "with_options"]

Options = Mapping[str, Mapping[str, str]]
"""By plugin and key: the value as text."""

_KEY = "pluginConfigs"
_NAME = re.compile(r"\w+", re.ASCII)
_IGNORED = "it is ignored"


def read_plugin_options(files: Sequence[tuple[FileRole, Document]], problems: list[Problem]) -> Options:
    """What the files have set. They come strongest first, and of each key the strongest file counts."""
    found: dict[str, dict[str, str]] = {}
    for role, document in files:
        entry = document.root.get(_KEY) if isinstance(document.root, Mapped) else None
        if entry is None or role.kind == "plugin":
            continue
        tell = Teller(document, _KEY, problems)
        if role.kind in {"local", "project"}:
            message = f"{_KEY} does not count in a project's settings; {_IGNORED}"
            tell.warning("not-in-project", entry.key_span, message, "write it into your own settings")
            continue
        for plugin in _entries(entry, tell):
            options = plugin.value.get("options") if isinstance(plugin.value, Mapped) else None
            if not isinstance(plugin.value, Mapped):
                _entries(plugin, tell)
            for option in () if options is None else _entries(options, tell):
                value = _text_of(option, tell)
                if value is not None:
                    found.setdefault(plugin.key, {}).setdefault(option.key, value)
    return found


def with_options(plugin: PluginRef | None, options: Options) -> PluginRef | None:
    """The plugin with what settings files say beside what its host says; of a key the host's word counts."""
    more = None if plugin is None else options.get(plugin.id)
    if plugin is None or not more:
        return plugin
    return msgspec.structs.replace(plugin, options=tuple({**more, **dict(plugin.options)}.items()))


def _entries(entry: Entry, tell: Teller) -> Sequence[Entry]:
    if isinstance(entry.value, Mapped):
        return entry.value.entries
    message = f"{excerpt(entry.key)} is {described(entry.value)}, not an object; {_IGNORED}"
    tell.error("field-type", entry.value.span, message, 'write "name@marketplace": {"options": {"key": "value"}}')
    return ()


def _text_of(option: Entry, tell: Teller) -> str | None:
    """The value as a variable can hold it; None: not at all."""
    node = option.value
    if isinstance(node, Scalar) and node.value is None:
        return None
    text = node.value if isinstance(node, Scalar) and isinstance(node.value, str) else _written(node)
    if _NAME.fullmatch(option.key) is not None and "\0" not in text:
        return text
    message = f"The option {excerpt(option.key)!r} cannot be a variable; {_IGNORED}"
    tell.warning("option-unusable", option.key_span, message, "a key has letters, digits and '_', a value no U+0000")
    return None


def _written(node: Node) -> str:
    return node.text if isinstance(node, Scalar) else msgspec.json.encode(plain(node)).decode()
