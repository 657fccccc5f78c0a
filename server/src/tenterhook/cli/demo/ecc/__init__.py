"""Owns ``tenterhook demo ecc``: a session over the published package ECC, unchanged; knows none of its hooks."""

from __future__ import annotations

from tenterhook.cli.demo.ecc.running import run

__all__ = ["run"]
