"""Owns taking a server's messages in turn and judging each one; knows no step and no case file."""

from __future__ import annotations

from typing import Any

from .casefile import encoded
from .frames import frame
from .kinds import is_list, is_object
from .matching import Captures, mismatch, short
from .process import Server
from .wire_schema import Checker

__all__ = ["ALLOWED", "Conversation", "StepFailed"]

ALLOWED: tuple[Any, ...] = (
    {"jsonrpc": "2.0", "method": "window/logMessage", "params": "$object"},
    {"jsonrpc": "2.0", "method": "hooks/problems", "params": "$object"},
    {"jsonrpc": "2.0", "method": "hooks/reloaded", "params": "$object"},
)
"""Messages that may come at any time, where a case does not say otherwise."""


class StepFailed(Exception):
    """What was due did not happen."""

    def __init__(self, expected: str, got: str) -> None:
        super().__init__(f"expected {expected}, got {got}")
        self.expected = expected
        self.got = got


class Conversation:
    """One server, what it may say unasked, and how long anything may take."""

    def __init__(
        self,
        server: Server,
        *,
        allowed: list[Any] | None,
        check: Checker,
        deadline: float,
        captures: Captures,
    ) -> None:
        self.server = server
        self.deadline = deadline
        self._allowed = list(ALLOWED) if allowed is None else allowed
        self._check = check
        self._captures = captures
        self._markers = 0
        self._asked: dict[str, str] = {}

    def send(self, *messages: Any) -> None:
        """Send messages, framed, in one piece."""
        for message in messages:
            self._remember(message)
        self.server.send(b"".join(frame(encoded(message)) for message in messages))
        self.server.pump(0)

    def expect(self, patterns: list[Any]) -> None:
        """Take messages until each pattern has had one, in any order; nothing else but what is allowed may come."""
        open_patterns = list(patterns)
        while open_patterns:
            message = self._next(open_patterns)
            misfits: list[str] = []
            for index, pattern in enumerate(open_patterns):
                misfit = mismatch(pattern, message, self._captures)
                if misfit is None:
                    del open_patterns[index]
                    break
                misfits.append(misfit)
            else:
                if not self._is_allowed(message):
                    due = "one of " if len(open_patterns) > 1 else ""
                    raise StepFailed(due + "; ".join(map(short, open_patterns)), f"{short(message)} ({misfits[0]})")

    def expect_nothing(self) -> None:
        """Ask for a sign of life; nothing but what is allowed may come before it."""
        self._markers += 1
        marker = f"marker {self._markers}"
        self.send({"jsonrpc": "2.0", "id": marker, "method": "hooks/stats", "params": {}})
        while True:
            message = self._next([{"id": marker}])
            if is_object(message) and message.get("id") == marker:
                return
            if not self._is_allowed(message):
                raise StepFailed("nothing", short(message))

    def expect_no_more(self) -> None:
        """Nothing is left but what is allowed, and no half frame."""
        for message in self.server.messages:
            self._judge(message)
            if not self._is_allowed(message):
                raise StepFailed("no further message", short(message))
        if self.server.rest and self.server.reading:
            raise StepFailed("whole frames", repr(self.server.rest[:300]))

    def _remember(self, message: Any) -> None:
        """Note which method an id stands for, so that its result can be checked; an id in flight stands for none."""
        parts: list[Any] = message if is_list(message) else [message]
        for part in parts:
            if is_object(part) and isinstance(part.get("method"), str):
                again = _id_of(part) in self._asked
                self._asked[_id_of(part)] = "" if again else part["method"]

    def _next(self, awaited: list[Any]) -> Any:
        server = self.server
        server.wait_for(lambda: bool(server.messages) or server.stdout_ended, self.deadline)
        if not server.messages:
            server.wait_for(server.exited, 0.5 if server.stdout_ended else 0)
            code = server.exit_code()
            state = f"the server has exited with {code}" if code is not None else f"nothing within {self.deadline} s"
            raise StepFailed("; ".join(map(short, awaited)), state)
        message = server.messages.popleft()
        self._judge(message)
        return message

    def _judge(self, message: Any) -> None:
        parts: list[Any] = message if is_list(message) else [message]
        for part in parts:
            if wrong := self._check(part, self._asked.pop(_id_of(part), None)):
                raise StepFailed("a message that fits the protocol's schema", f"{short(part)} ({wrong})")

    def _is_allowed(self, message: Any) -> bool:
        return any(mismatch(pattern, message, {}) is None for pattern in self._allowed)


def _id_of(message: Any) -> str:
    """A key for a message's id that keeps ``1`` and ``"1"`` apart."""
    return repr(message.get("id")) if is_object(message) else ""
