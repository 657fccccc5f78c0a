"""Owns ``${NAME}`` in the texts of a case; knows no file, no message and no server."""

from __future__ import annotations

import re
from typing import Any

from .kinds import is_list, is_object

__all__ = ["substitute"]


def substitute(value: Any, known: dict[str, str]) -> Any:
    """The value with every known ``${NAME}`` in its texts replaced; unknown names stay as they are.

    ``${NAME:int}`` as a whole text becomes a number.
    """
    if isinstance(value, str):
        whole = re.fullmatch(r"\$\{(\w+):int\}", value)
        if whole and whole.group(1) in known:
            return int(known[whole.group(1)])
        return re.sub(r"\$\{(\w+)\}", lambda found: known.get(found.group(1), found.group(0)), value)
    if is_list(value):
        return [substitute(item, known) for item in value]
    if is_object(value):
        return {substitute(key, known): substitute(item, known) for key, item in value.items()}
    return value
