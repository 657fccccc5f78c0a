"""Owns the way from a host's URI to a path of the file system; opens nothing.

RFC 8089 with the spellings that editors really send: any case of ``file``, an empty or ``localhost`` authority or none,
and any character percent-encoded.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

__all__ = ["path_of"]

_FILE = re.compile(r"file:(?://(?:localhost)?)?(?P<path>/(?!/)[^?#]*)", re.IGNORECASE)


def path_of(uri: str) -> str | None:
    """The absolute path that a ``file`` URI names; None for every other scheme and for another machine's files.

    Escaped bytes that are no UTF-8 come out as Python's file functions want them.
    """
    found = _FILE.fullmatch(uri)
    if found is None:
        return None
    path = unquote(found["path"], errors="surrogateescape")
    return None if "\0" in path else path
