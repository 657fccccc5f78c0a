"""Owns the requests that wait for an answer, the host's and our own in separate tables; knows no method.

Exactly one answer a request: whoever takes a request out of its table answers it, and nobody else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count

import msgspec
from msgspec import Raw
from tenterhook_protocol.base import Message
from tenterhook_protocol.jsonrpc import RequestId, ResponseError
from tenterhook_protocol.lifecycle import CancelParams

from tenterhook.errors import RequestFailed
from tenterhook.later import Later
from tenterhook.rpc.envelope import Reply
from tenterhook.rpc.wire import encode_notification, encode_request

__all__ = ["Asked", "BatchAnswer", "InFlight", "Respond", "Work"]

Respond = Callable[[bytes], None]
"""Where an answer goes: straight out, or into its batch."""


class Work:
    """A request or notification whose work is a task.

    ``size`` is what its message counts in the queue, in bytes; ``since`` is when it was read, for the trace.
    """

    __slots__ = ("id", "later", "method", "respond", "since", "size")

    def __init__(
        self, ident: RequestId | None, method: str, size: int, respond: Respond, since: float, later: Later[object]
    ) -> None:
        self.id = ident
        self.method = method
        self.size = size
        self.respond = respond
        self.since = since
        self.later = later


class InFlight:
    """The host's requests that are not answered. Python keeps ``1`` and ``"1"`` apart as keys, as the wire must."""

    def __init__(self) -> None:
        self.by_id: dict[RequestId, Work] = {}

    def add(self, ident: RequestId, work: Work) -> None:
        """A request waits. The caller has seen that the id is free."""
        self.by_id[ident] = work

    def take(self, work: Work) -> bool:
        """Take it out in order to answer it; False: someone else has. Its id may be another request's by then."""
        if work.id is None or self.by_id.get(work.id) is not work:
            return False
        del self.by_id[work.id]
        return True

    def take_id(self, ident: RequestId) -> Work | None:
        """Take out whatever has this id."""
        return self.by_id.pop(ident, None)

    def take_all(self) -> list[Work]:
        """Take out everything, the oldest first."""
        works = list(self.by_id.values())
        self.by_id.clear()
        return works


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

    def begin(self) -> None:
        """A member waits for its turn."""
        self._expected += 1

    def done(self) -> None:
        """All members have been read, or one that waited has had its turn."""
        self._settle()

    def _add(self, body: bytes) -> None:
        self._bodies.append(body)
        self._settle()

    def _settle(self) -> None:
        self._expected -= 1
        if not self._expected and self._bodies:
            self._send(b"[" + b",".join(self._bodies) + b"]")


_GIVEN_UP_KEPT = 1024


class Asked:
    """Our own requests that the host has not answered."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._numbers = count(1)
        self._waiting: dict[RequestId, asyncio.Future[Raw]] = {}
        self._given_up: set[RequestId] = set()
        self._closed = False

    async def ask(self, method: str, params: Message, timeout: float) -> Raw:  # noqa: ASYNC109 - every wait has its own
        """Ask the host and wait for its result.

        Args:
            method: a method of direction ``toHost``.
            params: its params.
            timeout: in seconds.

        Raises:
            RequestFailed: the host answered with an error, or not in time, or the connection has ended.
        """
        if self._closed:
            raise RequestFailed(f"the host cannot be asked for {method}: the connection has ended")
        ident = f"tenterhook-{next(self._numbers)}"
        answer: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
        self._waiting[ident] = answer
        self._send(encode_request(ident, method, params))
        try:
            return await asyncio.wait_for(answer, timeout)
        except TimeoutError:
            self._give_up(ident)
            raise RequestFailed(f"the host did not answer {method} within {timeout:g} s") from None
        except asyncio.CancelledError:
            self._give_up(ident)
            raise
        finally:
            self._waiting.pop(ident, None)

    def answered(self, reply: Reply) -> bool:
        """Hand an answer to whoever waits for it; False: nobody does."""
        if reply.id is None:
            return False
        if reply.id in self._given_up:
            self._given_up.discard(reply.id)
            return True
        answer = self._waiting.pop(reply.id, None)
        if answer is None or answer.done():
            return False
        if reply.error is not None:
            answer.set_exception(RequestFailed(f"the host answered with an error: {_message_of(reply.error)}"))
        else:
            answer.set_result(reply.result or Raw(b"null"))
        return True

    def close(self) -> None:
        """No answer will come any more: whoever waits for one, or asks from now on, is told so at once."""
        self._closed = True
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(RequestFailed("the connection has ended, and the host will not answer"))

    def _give_up(self, ident: str) -> None:
        """Tell the host that nobody waits any more; an answer that comes all the same is no surprise."""
        if len(self._given_up) >= _GIVEN_UP_KEPT:
            self._given_up.clear()
        self._given_up.add(ident)
        self._send(encode_notification("$/cancelRequest", CancelParams(id=ident)))


def _message_of(error: Raw) -> str:
    try:
        told = msgspec.json.decode(error, type=ResponseError)
    except msgspec.DecodeError:
        return bytes(error).decode("utf-8", "replace")[:200]
    return f"{told.message} ({told.code})"
