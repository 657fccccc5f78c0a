"""Owns the key ``hooks`` of a plugin's manifest: a path, an inline object, or a list of both; reads no other file."""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Sequence

from tenterhook.config.document import Document, Listing, Mapped, Node, Scalar
from tenterhook.config.json_reader import read_json
from tenterhook.dialects.claude_code.telling import Teller, described

__all__ = ["inline_hooks", "named_files", "path_in_plugin", "tell_of_manifest"]

_ROOT = "${CLAUDE_PLUGIN_ROOT}/"


def named_files(content: bytes, root: str) -> Sequence[str]:
    """The files that a manifest names, as absolute paths inside the plugin."""
    document = read_json(content, "", "")
    written = [node.value for node in _parts(document) if isinstance(node, Scalar) and isinstance(node.value, str)]
    return [path for each in written if (path := path_in_plugin(each, root)) is not None]


def path_in_plugin(written: str, root: str) -> str | None:
    """The absolute path that is meant; None where it is none inside the plugin."""
    relative = written.removeprefix(_ROOT)
    if not relative.strip() or os.path.isabs(relative) or "\0" in relative:
        return None
    path = os.path.normpath(f"{root}/{relative}")
    return path if path.startswith(f"{root}/") else None


def inline_hooks(document: Document) -> Iterator[Mapped]:
    """The objects of a manifest that are hooks themselves: by event, or what a file of hooks holds."""
    for node in _parts(document):
        if isinstance(node, Mapped):
            inner = node.get("hooks")
            yield inner.value if inner is not None and isinstance(inner.value, Mapped) else node


def tell_of_manifest(document: Document, root: str, missing: set[str], tell: Teller) -> None:
    """Tells of what names no file and is none. ``missing``: absolute paths where there is no file."""
    for node in _parts(document):
        if isinstance(node, Mapped):
            continue
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            message = f"hooks is {described(node)}, neither a path nor an object; it is ignored"
            tell.error("manifest-hooks-type", node.span, message, 'write "hooks": "./hooks/hooks.json"')
            continue
        path = path_in_plugin(node.value, root)
        if path is None:
            message = "This is no path inside the plugin; nothing is loaded from it"
            tell.error("manifest-path", node.span, message, "write a path from the plugin's folder: ./hooks/more.json")
        elif path in missing:
            message = f"There is no file {path}; nothing is loaded from it"
            tell.error("manifest-path-missing", node.span, message, "correct the path, or write the file")


def _parts(document: Document) -> Sequence[Node]:
    entry = document.root.get("hooks") if isinstance(document.root, Mapped) else None
    if entry is None:
        return ()
    return entry.value.items if isinstance(entry.value, Listing) else (entry.value,)
