"""Owns a server that takes ``1`` and ``"1"`` as one id."""

from __future__ import annotations

from typing import Any

from base import Server


class MixesUpIds(Server):
    def key(self, id_: Any) -> Any:
        return str(id_)


MixesUpIds().serve()
