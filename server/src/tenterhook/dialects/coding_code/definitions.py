"""Owns what of a hook file has to be approved: all that it says; judges nothing of it."""

from __future__ import annotations

from tenterhook.config.canonical import canonical
from tenterhook.config.document import Mapped
from tenterhook.config.layers import Layer
from tenterhook.config.yaml_reader import read_yaml

__all__ = ["definitions"]


def definitions(layer: Layer) -> bytes | None:
    """What the file says, without how it is written; None: it says nothing, or cannot be read."""
    if layer.content is None:
        return None
    document = read_yaml(layer.content, layer.path, layer.layer)
    if document.broken or document.root is None:
        return None
    if isinstance(document.root, Mapped):
        return canonical(document.root.entries)
    return canonical((), document.root)
