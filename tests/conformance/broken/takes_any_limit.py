"""Owns a server that takes any limit, sensible or not."""

from __future__ import annotations

from typing import Any

from base import Server


class TakesAnyLimit(Server):
    def limits_fit(self, options: Any) -> bool:
        del options
        return True


TakesAnyLimit().serve()
