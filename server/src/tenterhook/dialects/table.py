"""Owns the list of systems: a new one is a folder beside this file and one line in it."""

from __future__ import annotations

from tenterhook.dialects.base import Dialect
from tenterhook.dialects.coding_code.dialect import CODING_CODE

__all__ = ["DIALECTS"]

DIALECTS: dict[str, Dialect] = {CODING_CODE.name: CODING_CODE}
"""Every system by its name."""
