"""Owns a server whose Content-Length is the number of characters instead of bytes."""

from __future__ import annotations

from base import Server


class CountsCharacters(Server):
    def length(self, text: str) -> int:
        return len(text)


CountsCharacters().serve()
