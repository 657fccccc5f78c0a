"""Owns the way of a call through the engine: params, handler, task, answer; knows no bytes of input and no state.

This is the one place where an exception of a handler becomes an answer.
A call that has nothing to wait for is answered here and now, without a task.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import cast

from msgspec import DecodeError, Struct
from tenterhook_protocol.jsonrpc import ErrorCode, RequestId, ResponseError

from tenterhook.errors import EventStopped, TenterhookError
from tenterhook.later import Later
from tenterhook.model import Sink
from tenterhook.refusals import error_of
from tenterhook.rpc.announce import Trace
from tenterhook.rpc.envelope import Call
from tenterhook.rpc.handlers import HANDLERS, Handle, ReadParams, reader_of
from tenterhook.rpc.pending import InFlight, Respond, Work
from tenterhook.rpc.ports import ServicePort
from tenterhook.rpc.pressure import Gate
from tenterhook.rpc.wire import encode_cancelled, encode_error, encode_result

__all__ = ["TASK_BYTES", "Dispatcher"]

TASK_BYTES = 6144
"""What a waiting event costs beyond its own bytes: many small ones must not grow past the bound on memory."""


class _Route(Struct, frozen=True, gc=False):
    """A method that has been called before: its handler, and a decoder made once."""

    read: ReadParams
    request: Handle | None
    notification: Handle | None


class Dispatcher:
    """Serves the methods of ``HANDLERS`` for one connection."""

    def __init__(self, service: ServicePort, sink: Sink, gate: Gate, flush: Callable[[], None]) -> None:
        self.trace: Trace | None = None
        self._service = service
        self._sink = sink
        self._gate = gate
        self._flush = flush
        self._in_flight = InFlight()
        self._busy = self._in_flight.by_id
        self._tasks: dict[asyncio.Task[None], Work] = {}
        self._routes: dict[str, _Route] = {}

    def request(self, ident: RequestId, call: Call, size: int, respond: Respond) -> None:
        """Serve a request of so many bytes; ``respond`` gets its one answer, now or later."""
        since = perf_counter() if self.trace is not None else 0.0
        method = call.method
        if ident in self._busy:
            respond(_refusal(ident, f"the id {ident!r} is in flight; each request needs its own"))
            return
        route = self._routes.get(method) or self._open(method)
        try:
            if route.request is None:
                respond(_refusal(ident, f"{method} is a notification; send it without an id"))
                return
            result = route.request(self._service, route.read(call.params))
            if type(result) is Later:
                self._begin(Work(ident, method, size, respond, since, cast("Later[object]", result)))
                return
            body = encode_result(ident, result)
        except Exception as error:  # noqa: BLE001 - the boundary: whatever a handler does, its request gets an answer
            body = encode_error(ident, error_of(error, method))
        respond(body)
        if self.trace is not None:
            self.trace.answered(method, ident, since, body)

    def notify(self, call: Call, size: int) -> None:
        """Serve a notification of so many bytes; what goes wrong is logged, never answered."""
        since = perf_counter() if self.trace is not None else 0.0
        method = call.method
        route = self._routes.get(method) or self._open(method)
        if route.notification is None:
            self._sink.log("warning", f"{method} is a request; it does nothing without an id")
            return
        try:
            result = route.notification(self._service, route.read(call.params))
        except Exception as error:  # noqa: BLE001 - the same boundary
            self._complain(method, error)
            return
        if type(result) is Later:
            self._begin(Work(None, method, size, _nowhere, since, cast("Later[object]", result)))
        elif self.trace is not None:
            self.trace.handled(method, since)

    def cancel(self, ident: RequestId) -> bool:
        """Answer a request as cancelled, then stop its work. False: nothing here has that id."""
        work = self._in_flight.take_id(ident)
        if work is None:
            return False
        self._answer_cancelled(work)
        work.later.stop()
        return True

    async def close(self) -> None:
        """Answer everything as cancelled, stop all work, and wait until every process tree is gone."""
        for work in self._in_flight.take_all():
            self._answer_cancelled(work)
        for work in self._tasks.values():
            work.later.stop()
        await self._service.close()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _open(self, method: str) -> _Route:
        handler = HANDLERS[method]
        route = _Route(reader_of(method), handler.request, handler.notification)
        self._routes[method] = route
        return route

    def _begin(self, work: Work) -> None:
        if work.id is not None:
            self._in_flight.add(work.id, work)
        self._gate.work_began(work.size + TASK_BYTES)
        task = asyncio.get_running_loop().create_task(self._carry_out(work))
        self._tasks[task] = work
        task.add_done_callback(lambda done: self._ended(work, done))

    async def _carry_out(self, work: Work) -> None:
        try:
            result = await work.later.run()
            if work.id is not None:
                self._settle(work, encode_result(work.id, result))
            elif self.trace is not None:
                self.trace.handled(work.method, work.since)
        except EventStopped:
            return  # it is answered as cancelled, if it was not already
        except Exception as error:  # noqa: BLE001 - the same boundary, for work that took a task
            if work.id is None:
                self._complain(work.method, error)
            else:
                self._settle(work, encode_error(work.id, error_of(error, work.method)))

    def _settle(self, work: Work, body: bytes) -> None:
        if work.id is not None and self._in_flight.take(work):
            work.respond(body)
            if self.trace is not None:
                self.trace.answered(work.method, work.id, work.since, body)
            self._flush()  # somebody waits for this very answer: a write is quicker than another turn of the loop

    def _ended(self, work: Work, task: asyncio.Task[None]) -> None:
        del self._tasks[task]
        if self._in_flight.take(work):
            self._answer_cancelled(work)
        self._gate.work_ended(work.size + TASK_BYTES)

    def _answer_cancelled(self, work: Work) -> None:
        if work.id is None:
            return
        body = encode_cancelled(work.id, work.method)
        work.respond(body)
        if self.trace is not None:
            self.trace.answered(work.method, work.id, work.since, body)

    def _complain(self, method: str, error: Exception) -> None:
        expected = isinstance(error, TenterhookError | DecodeError)
        told = error_of(error, method).message
        self._sink.log("warning" if expected else "error", told if method in told else f"{method}: {told}")


def _refusal(ident: RequestId, message: str) -> bytes:
    return encode_error(ident, ResponseError(code=ErrorCode.INVALID_REQUEST, message=message))


def _nowhere(_body: bytes) -> None:
    """A notification's answer."""
