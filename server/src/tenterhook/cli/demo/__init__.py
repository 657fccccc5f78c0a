"""Owns ``tenterhook demo``: a recorded session of an agent, played against a real engine; knows nothing of its inside.

It speaks to the engine as any host does, through ``tenterhook_client``.
It fails where the session does not come out as recorded, and so is a test of the whole.
"""

from __future__ import annotations

from tenterhook.cli.demo.running import run

__all__ = ["run"]
