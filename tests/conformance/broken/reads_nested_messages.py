"""Owns a server that takes any object with a ``jsonrpc`` key for a message, and loses the request it stands in."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from base import Server


def as_message(found: dict[str, Any]) -> dict[str, Any]:
    return found if "jsonrpc" not in found else {"method": found["method"], **found}


class ReadsNestedMessages(Server):
    def on_body(self, body: bytes) -> None:
        with suppress(KeyError):
            super().on_body(body)

    def parse(self, body: bytes) -> Any:
        return json.loads(body.decode(), object_hook=as_message)


ReadsNestedMessages().serve()
