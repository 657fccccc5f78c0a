"""Owns the gathering of a batch's answers into one array; knows no method and no stream."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["BatchAnswer"]


class BatchAnswer:
    """The answers of one batch. They leave together, when the last one is there."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._bodies: list[bytes] = []
        self._expected = 1  # the reading of the batch itself, so that it cannot be complete before its end

    def expect(self) -> Callable[[bytes], None]:
        """One more member will be answered: here."""
        self._expected += 1
        return self._add

    def read_through(self) -> None:
        """All members have been read."""
        self._settle()

    def _add(self, body: bytes) -> None:
        self._bodies.append(body)
        self._settle()

    def _settle(self) -> None:
        self._expected -= 1
        if not self._expected and self._bodies:
            self._send(b"[" + b",".join(self._bodies) + b"]")
