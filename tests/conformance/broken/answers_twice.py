"""Owns a server that answers each decision twice."""

from __future__ import annotations

from typing import Any

from base import Server


class AnswersTwice(Server):
    def decide(self, id_: Any, params: Any, payload: bytes) -> None:
        super().decide(id_, params, payload)
        self.reply(id_, None, self.write)


AnswersTwice().serve()
