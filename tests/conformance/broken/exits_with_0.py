"""Owns a server that exits with 0 though nobody asked it to shut down."""

from __future__ import annotations

from base import Server


class ExitsWith0(Server):
    def exit_status(self) -> int:
        return 0


ExitsWith0().serve()
