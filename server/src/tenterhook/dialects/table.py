"""Owns the list of systems: a new one is a folder beside this file and one line in it."""

from __future__ import annotations

from tenterhook.dialects.base import Dialect
from tenterhook.dialects.claude_code.dialect import CLAUDE_CODE
from tenterhook.dialects.coding_code.dialect import CODING_CODE
from tenterhook.dialects.ecc.dialect import ECC

__all__ = ["DIALECTS"]

DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in (CODING_CODE, CLAUDE_CODE, ECC)}
"""Every system by its name."""
