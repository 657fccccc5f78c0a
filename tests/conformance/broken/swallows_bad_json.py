"""Owns a server that says nothing about a body that is no JSON."""

from __future__ import annotations

from base import Server


class SwallowsBadJson(Server):
    def on_bad_json(self) -> None:
        pass


SwallowsBadJson().serve()
