"""Owns a server for which ``{}`` is an answer, so that it ends the chain."""

from __future__ import annotations

import json
from typing import Any

from base import Server


class EmptyAnswerEndsChain(Server):
    def judge(self, status: int, stdout: bytes) -> Any:
        return json.loads(stdout or b"null") if status == 0 else None


EmptyAnswerEndsChain().serve()
