"""Owns a server that reads nothing while a hook runs."""

from __future__ import annotations

import threading
from typing import Any

from base import Server


class StopsReading(Server):
    def on_message(self, message: Any, body: bytes, answer: Any) -> None:
        super().on_message(message, body, answer)
        for worker in [thread for thread in threading.enumerate() if thread.name == "hook"]:
            worker.join()


StopsReading().serve()
