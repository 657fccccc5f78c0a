"""Owns what of a settings file has to be approved: its hooks, and the switches that count for them; judges neither.

The rest of the file, such as permissions or the model, changes often and runs nothing.
"""

from __future__ import annotations

from tenterhook.config.canonical import canonical
from tenterhook.config.document import Mapped
from tenterhook.config.json_reader import read_json
from tenterhook.config.layers import Layer
from tenterhook.dialects.claude_code.settings import SETTINGS_KEYS

__all__ = ["definitions"]


def definitions(layer: Layer) -> bytes | None:
    """What the file says of hooks, without how it is written; None: nothing, or it cannot be read."""
    if layer.content is None:
        return None
    document = read_json(layer.content, layer.path, layer.layer, lambda path: path[0] == "hooks")
    if document.broken or not isinstance(document.root, Mapped):
        return None
    root = document.root
    entries = [entry for entry in (*root.earlier, *root.entries) if entry.key in SETTINGS_KEYS]
    return canonical(entries) if entries else None
