"""Owns the exceptions a caller can meet; knows no transport.

::

    ClientError
    ├── BadPayload           the payload is no JSON object, or too large to send (also a ValueError)
    ├── ResponseFailed       the engine answered with an error
    ├── AnswerNotUnderstood  the engine's answer has not the shape the protocol gives it
    └── NoEngine             there is no engine to talk to
        ├── EngineNotFound   its command cannot be started
        ├── EngineDied       it ended, or stopped making sense, while we needed it
        └── ClientClosed     we have closed the connection ourselves
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "AnswerNotUnderstood",
    "BadPayload",
    "ClientClosed",
    "ClientError",
    "EngineDied",
    "EngineNotFound",
    "NoEngine",
    "ResponseFailed",
]


class ClientError(Exception):
    """Base of everything this client raises on purpose."""


class BadPayload(ClientError, ValueError):
    """The payload cannot be sent; nothing was."""


class ResponseFailed(ClientError):
    """The engine answered with an error.

    A handler of a host request may raise it, too: the engine then gets this error as the answer.

    Attributes:
        code: JSON-RPC error code, see ``tenterhook_protocol.jsonrpc.ErrorCode``.
        message: What the engine said.
        data: Details as plain values, or None.
    """

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code
        self.message = message
        self.data = data


class AnswerNotUnderstood(ClientError):
    """The engine's answer has not the shape the protocol gives it."""


class NoEngine(ClientError):
    """There is no engine to talk to."""


class EngineNotFound(NoEngine):
    """The engine's command cannot be started.

    Attributes:
        command: What was tried.
        hint: What to do about it.
    """

    def __init__(self, command: Sequence[str], reason: str, hint: str) -> None:
        super().__init__(f"cannot start {' '.join(command)}: {reason}. {hint}")
        self.command = tuple(command)
        self.hint = hint


class EngineDied(NoEngine):
    """The engine ended, or its output stopped making sense.

    Attributes:
        status: Exit status; negative: the number of the signal; None: unknown, as on a connection without a process.
        stderr_tail: The last 4 KiB that it wrote to stderr.
        reason: How the client noticed.
    """

    def __init__(self, status: int | None, stderr_tail: str, reason: str = "its stdout ended") -> None:
        how = "" if status is None else f" with status {status}"
        said = f"; its last words on stderr:\n{stderr_tail.rstrip()}" if stderr_tail.strip() else ""
        super().__init__(f"the engine ended{how}: {reason}{said}")
        self.status = status
        self.stderr_tail = stderr_tail
        self.reason = reason


class ClientClosed(NoEngine):
    """The client was closed, so the call cannot be made or answered any more."""

    def __init__(self) -> None:
        super().__init__("the client is closed")
