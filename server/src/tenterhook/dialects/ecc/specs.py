"""Owns what an ECC hook does when it runs, as a value; knows neither files nor events."""

from __future__ import annotations

from typing import Literal

from tenterhook.dialects.claude_code.specs import ShellSpec

__all__ = ["NAME", "EccSpec", "Shape"]

NAME = "ecc"
"""The system's name."""

Shape = Literal["bootstrap", "inline", "direct", "dispatcher"]
"""How a registry's command starts its script: through ``plugin-hook-bootstrap.js``, by a program of its own,
by ``run-with-flags.js`` itself, or as one of several that a dispatcher calls."""


class EccSpec(ShellSpec, frozen=True, kw_only=True):
    """One script of the plugin. ``command`` is the registry's own line, which is not run any more."""

    root: str
    """The plugin's folder."""
    hook_id: str
    """The id that the policy and the script know: the runtime id (contract, 1.2)."""
    script: str
    """Relative to the plugin's root."""
    shape: Shape
    mode: str = ""
    """What the script's ``run`` is given as its second argument instead of the usual options."""

    def words(self) -> tuple[str, ...]:
        """The program and the script."""
        return ("node", self.script, *((self.mode,) if self.mode else ()))
