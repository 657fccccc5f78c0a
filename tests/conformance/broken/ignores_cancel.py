"""Owns a server that does not hear of cancellation."""

from __future__ import annotations

from typing import Any

from base import Server


class IgnoresCancel(Server):
    def on_cancel(self, id_: Any) -> None:
        pass


IgnoresCancel().serve()
