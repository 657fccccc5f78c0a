"""Owns a server that keeps silent about batches."""

from __future__ import annotations

from typing import Any

from base import Server


class IgnoresBatches(Server):
    def on_batch(self, messages: list[Any], body: bytes) -> None:
        pass


IgnoresBatches().serve()
