"""Owns noticing that files change, and what the engine does about it by itself; knows no wire.

Nothing of it is loaded before there is something to watch.
"""

from __future__ import annotations

from tenterhook.watching.rounds import Rounds

__all__ = ["Rounds"]
