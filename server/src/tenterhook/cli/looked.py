"""Owns saying in a few words where hook files were looked for; looks for none itself."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from tenterhook.cli.render import near
from tenterhook.config.layers import Source

__all__ = ["nothing_found", "places"]


def places(paths: Iterable[str]) -> str:
    """The folders whose hook files these are, each once: the nearest first, the system's own last."""
    found = dict.fromkeys(near(_owner(path)) for path in paths)
    return _listed(sorted(found, key=lambda place: (place != ".", place.startswith("/"))), "and")


def nothing_found(sources: Sequence[Source]) -> str:
    """What a person needs to know who has no hook file: where one was looked for, and where to write one."""
    own = [near(source.path) for source in sources if source.from_project] or [near(sources[0].path)]
    return f"looked in {places(source.path for source in sources)}; a project's own hooks stand in {_listed(own, 'or')}"


def _owner(path: str) -> str:
    folder = os.path.dirname(path)
    return os.path.dirname(folder) if os.path.basename(folder).startswith(".") else folder


def _listed(words: Sequence[str], last: str) -> str:
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)
