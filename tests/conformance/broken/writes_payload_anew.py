"""Owns a server that decodes a payload and writes it anew for the hook."""

from __future__ import annotations

import json
from typing import Any

from base import Server


class WritesPayloadAnew(Server):
    def payload(self, params: Any, body: bytes) -> bytes:
        del body
        return json.dumps(params["payload"]).encode()


WritesPayloadAnew().serve()
