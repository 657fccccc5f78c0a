"""Owns a server that serves requests before it was initialized."""

from __future__ import annotations

from typing import Any

from base import Server


class ServesBeforeInitialize(Server):
    def on_request(self, id_: Any, method: str, params: Any, body: bytes, answer: Any) -> None:
        if method != "initialize":
            self.initialized = True
        super().on_request(id_, method, params, body, answer)


ServesBeforeInitialize().serve()
