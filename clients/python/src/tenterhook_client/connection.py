"""Owns one JSON-RPC conversation over a pair of streams; knows no process and no meaning of any method.

Everything lives on one event loop. ``run`` is the only reader.
Notifications are handled while reading, so none waits in a queue; requests of the engine run as tasks, a bounded
number at once, and beyond it reading stops until one is answered.
One message at a time waits for the engine to take it; the others are not buffered.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from typing import Protocol

import msgspec
from msgspec import UNSET, Raw
from tenterhook_protocol.jsonrpc import ErrorCode, RequestId, ResponseError
from tenterhook_protocol.lifecycle import CancelParams

from tenterhook_client import envelope
from tenterhook_client.envelope import BadEnvelope, Incoming
from tenterhook_client.errors import AnswerNotUnderstood, BadPayload, ClientError, ResponseFailed
from tenterhook_client.framing import FramingLost, frame, read_frame

__all__ = ["MAX_HOST_REQUESTS", "Answerer", "Connection", "Hearer", "Outlet"]

MAX_HOST_REQUESTS = 256
"""So many requests of the engine are answered at once."""

MAX_ANSWER_BYTES = 1 << 30
"""A longer message from the engine ends the connection."""

Hearer = Callable[[str, Raw], None]
"""Gets every notification: method and params (``null`` where there are none)."""

Answerer = Callable[[str, Raw], Coroutine[object, object, Raw]]
"""Answers every request of the engine: method and params to result. ``ResponseFailed`` becomes the error answer."""


class Outlet(Protocol):
    """Where bytes go: an ``asyncio.StreamWriter``, or anything that behaves like one."""

    def write(self, data: bytes, /) -> None:
        """Queue bytes."""
        ...

    async def drain(self) -> None:
        """Wait until there is room again."""
        ...

    def close(self) -> None:
        """Send what is queued, then end the stream."""
        ...


class Connection:
    """A conversation. Create it, run ``run`` in a task, call ``end`` when that task is over."""

    def __init__(
        self, inlet: asyncio.StreamReader, outlet: Outlet, hear: Hearer, answer: Answerer, max_message_bytes: int
    ) -> None:
        self.outlet_broken = asyncio.Event()
        """Set when the engine does not take our bytes any more."""
        self._inlet = inlet
        self._outlet = outlet
        self._hear = hear
        self._answer = answer
        self._max_message_bytes = max_message_bytes
        self._numbers = itertools.count(1)
        self._pending: dict[int, asyncio.Future[Raw]] = {}
        self._turn = asyncio.Lock()
        self._ended: Callable[[], ClientError] | None = None
        self._places = asyncio.Semaphore(MAX_HOST_REQUESTS)
        self._working: dict[RequestId, asyncio.Task[Raw]] = {}
        self._responding: set[asyncio.Task[None]] = set()

    async def request(self, method: str, params: object) -> Raw:
        """Call the engine.

        Cancelling the call tells the engine so and waits for nothing; a late answer is dropped.

        Raises:
            ResponseFailed: The engine answered with an error.
            BadPayload: The message is longer than the engine takes.
            NoEngine: The conversation has ended.
        """
        if self._ended:
            raise self._ended()
        number = next(self._numbers)
        message = self._frame(envelope.request(number, method, params))
        future: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
        self._pending[number] = future
        written = False
        try:
            async with self._turn:
                written = True
                await self._write(message)
            return await future
        except asyncio.CancelledError:
            if written and (not future.done() or future.cancelled()):
                self._outlet.write(frame(envelope.notification("$/cancelRequest", CancelParams(id=number))))
            raise
        finally:
            del self._pending[number]
            _forget(future)

    async def notify(self, method: str, params: object) -> None:
        """Tell the engine something. Returns when there is room for more.

        Raises:
            BadPayload: The message is longer than the engine takes.
            NoEngine: The conversation has ended.
        """
        if self._ended:
            raise self._ended()
        await self._send(self._frame(envelope.notification(method, params)))
        if self._ended:
            raise self._ended()

    async def run(self) -> str:
        """Read until nothing more can come, and say in words why not."""
        try:
            while (body := await read_frame(self._inlet, MAX_ANSWER_BYTES)) is not None:
                await self._take(envelope.read(body))
        except (FramingLost, BadEnvelope, OSError) as error:
            return str(error)
        return "its stdout ended"

    def end(self, error: Callable[[], ClientError]) -> None:
        """Raise an error in every pending and later call. The first caller's error stays."""
        self._ended = self._ended or error
        for future in self._pending.values():
            if not future.done():
                future.set_exception(self._ended())
        for work in self._working.values():
            work.cancel()

    def _frame(self, body: bytes) -> bytes:
        if len(body) > self._max_message_bytes:
            raise BadPayload(
                f"a message of {len(body)} bytes is longer than maxMessageBytes, {self._max_message_bytes}"
            )
        return frame(body)

    async def _send(self, message: bytes) -> None:
        async with self._turn:
            await self._write(message)

    async def _write(self, message: bytes) -> None:
        """Write one message and wait for room. Who holds the turn calls it: all others keep theirs to themselves."""
        try:
            self._outlet.write(message)
            await self._outlet.drain()
        except ConnectionError:
            # Who reads the engine's stdout also learns its status and last words; that error is the better one.
            self.outlet_broken.set()

    async def _take(self, message: Incoming) -> None:
        if message.method is UNSET:
            self._take_response(message)
        elif message.id is UNSET or message.id is None:
            self._take_notification(message.method, message.params or Raw(b"null"))
        else:
            await self._places.acquire()
            work = asyncio.create_task(self._answer(message.method, message.params or Raw(b"null")))
            self._working[message.id] = work
            responding = asyncio.create_task(self._respond(message.id, message.method, work))
            self._responding.add(responding)
            responding.add_done_callback(self._responding.discard)

    def _take_response(self, message: Incoming) -> None:
        if isinstance(message.id, int):
            future = self._pending.get(message.id)
            if future is not None and not future.done():
                _settle(future, message)
        elif message.id is None and message.error:
            # The engine cannot say which message it could not read: a call that never returns would be worse.
            for future in self._pending.values():
                if not future.done():
                    _settle(future, message)

    def _take_notification(self, method: str, params: Raw) -> None:
        if method != "$/cancelRequest":
            self._hear(method, params)
            return
        try:
            wanted = msgspec.json.decode(params, type=CancelParams)
        except msgspec.DecodeError:
            return
        work = self._working.get(wanted.id)
        if work is not None:
            work.cancel()

    async def _respond(self, number: RequestId, method: str, work: asyncio.Task[Raw]) -> None:
        try:
            await asyncio.wait([work])
            body = _answer_of(number, method, work)
            if len(body) > self._max_message_bytes:
                body = envelope.failure(number, ErrorCode.REQUEST_FAILED, f"the answer to {method} is too long")
            if not self._ended:
                await self._send(frame(body))
        finally:
            self._working.pop(number, None)
            self._places.release()


def _answer_of(number: RequestId, method: str, work: asyncio.Task[Raw]) -> bytes:
    try:
        return envelope.answer(number, work.result())
    except ResponseFailed as failed:
        return envelope.failure(number, failed.code, failed.message, failed.data)
    except asyncio.CancelledError:
        return envelope.failure(number, ErrorCode.REQUEST_CANCELLED, f"{method} was cancelled")


def _forget(future: asyncio.Future[Raw]) -> None:
    """Nobody waits for it any more: an error that came meanwhile is nobody's."""
    if not future.cancel() and not future.cancelled():
        future.exception()


def _settle(future: asyncio.Future[Raw], message: Incoming) -> None:
    if message.error is not UNSET:
        future.set_exception(_failed(message.error))
    elif message.result is not UNSET:
        future.set_result(message.result)
    else:
        future.set_exception(AnswerNotUnderstood("a response has neither a result nor an error"))


def _failed(error: ResponseError) -> ResponseFailed:
    try:
        data: object = None if error.data is UNSET else msgspec.json.decode(error.data)
    except msgspec.DecodeError:
        data = None
    return ResponseFailed(error.code, error.message, data)
