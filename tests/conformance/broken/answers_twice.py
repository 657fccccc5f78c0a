"""Owns a server that answers each request twice."""

from __future__ import annotations

from typing import Any

from base import Server


class AnswersTwice(Server):
    def reply(self, id_: Any, result: Any, answer: Any) -> None:
        super().reply(id_, result, answer)
        super().reply(id_, result, answer)


AnswersTwice().serve()
