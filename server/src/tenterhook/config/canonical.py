"""Owns telling whether two values of hook files say the same; knows no format and no hooks.

Places, comments, quotes and blanks say nothing; the order of keys does.
"""

from __future__ import annotations

import msgspec

from tenterhook.config.document import Entry, Listing, Mapped, Node, Scalar

__all__ = ["canonical"]


def canonical(entries: tuple[Entry, ...] | list[Entry], root: Node | None = None) -> bytes:
    """Bytes that are the same for the same entries, and different for different ones.

    Args:
        entries: keys with their values, in the order of the file.
        root: what stands in the file where it is no mapping; None: nothing.
    """
    return msgspec.json.encode(["file", _of(entries), None if root is None else _plain(root)])


def _plain(node: Node) -> object:
    if isinstance(node, Mapped):
        # A key that stands twice may count twice: its earlier value is part of what the file says.
        return ["mapping", _of(node.entries), _of(node.earlier)]
    if isinstance(node, Listing):
        return ["list", [_plain(item) for item in node.items]]
    return _scalar(node)


def _of(entries: tuple[Entry, ...] | list[Entry]) -> list[object]:
    return [[entry.key, _plain(entry.value)] for entry in entries]


def _scalar(node: Scalar) -> object:
    # As text: numbers beyond 64 bits, infinities and lone surrogates have no JSON of their own.
    return [type(node.value).__name__, repr(node.value)]
