"""Owns a server that prints a line where only messages may stand."""

from __future__ import annotations

import sys
from typing import Any

from base import Server


class PrintsToStdout(Server):
    def on_request(self, id_: Any, method: str, params: Any, body: bytes, answer: Any) -> None:
        sys.stdout.write(f"handling {method}\n")
        sys.stdout.flush()
        super().on_request(id_, method, params, body, answer)


PrintsToStdout().serve()
