"""Owns reading JSON: bytes to a ``Document`` with places and problems; knows no hooks, and never fails.

The grammar is that of RFC 8259. Comments and commas before a closing bracket are read over, with a warning:
editors write them, and a whole file of guards must not fall for one of them. Everything else that is no JSON
leaves the file unread: whatever could be guessed from the rest might not be what its author meant.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

from msgspec import structs

from tenterhook.config.document import Document, Span
from tenterhook.config.json_text import decode_json_text

__all__ = ["read_json"]


def read_json(
    content: bytes, path: str, layer: str, both_count: Callable[[tuple[str, ...]], bool] | None = None
) -> Document:
    """Reads one file.

    Args:
        content: its bytes: UTF-8, with or without a byte order mark, or UTF-16 with one.
        path: its absolute path, for problems.
        layer: name of its layer, for origins.
        both_count: asked for a key that stands twice in one object, with the keys that lead to it, lists passed over:
            whether the caller uses the earlier entries too (``Mapped.earlier``). It only changes what is told.

    Returns:
        The document. ``broken``: nothing of it can be used, and the last problem says why.
        An empty file is broken too: an editor that is about to write it has emptied it first.
    """
    text, document = decode_json_text(content, Document(path=path, layer=layer, root=None))
    if text is None:
        return document
    # A project without any such file never pays for the expressions of the walk.
    from tenterhook.config.json_tree import GivenUp, TreeBuilder  # noqa: PLC0415

    builder = TreeBuilder(document, text, both_count)
    # The collector would walk the growing tree again and again, and there is no garbage to find.
    collecting = gc.isenabled()
    gc.disable()
    try:
        root = builder.build()
    except GivenUp as given_up:
        problems = (*document.problems, *builder.told(), given_up.problem)
        return structs.replace(document, problems=problems, broken=True)
    finally:
        if collecting:
            gc.enable()
    problems = (*document.problems, *builder.told())
    if root is None:
        message = "The file is empty, which is no JSON; what it said before stays in force"
        empty = document.problem("warning", "json-empty", message, Span(1, 1, 1, 1), hint="write {} for no settings")
        return structs.replace(document, problems=(*problems, empty), broken=True)
    return structs.replace(document, root=root, problems=problems)
