"""Owns a server that takes a hook's failure as ``allow``."""

from __future__ import annotations

from typing import Any

from base import Server


class FailureIsAllow(Server):
    def judge(self, status: int, stdout: bytes) -> Any:
        return {"decision": "allow"} if status else super().judge(status, stdout)


FailureIsAllow().serve()
