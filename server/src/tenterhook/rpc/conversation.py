"""Owns which call may come when, and who serves it; knows no bytes on their way in.

The state is the function that takes the next call: before ``initialize``, running, after ``shutdown``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import cast

from msgspec import UNSET, DecodeError, Struct
from tenterhook_protocol.jsonrpc import ErrorCode, RequestId, ResponseError
from tenterhook_protocol.lifecycle import CancelParams, InitializationOptions, InitializeParams, SetTraceParams

from tenterhook.refusals import error_of, print_trace
from tenterhook.rpc import opening
from tenterhook.rpc.announce import Trace, WireSink
from tenterhook.rpc.dispatch import Dispatcher
from tenterhook.rpc.editor_door import EditorDoor
from tenterhook.rpc.envelope import Call, Reply
from tenterhook.rpc.handlers import HANDLERS, reader_of
from tenterhook.rpc.held import Held
from tenterhook.rpc.outgoing import Outgoing
from tenterhook.rpc.pending import BatchAnswer, Respond
from tenterhook.rpc.ports import Ask, OpenService
from tenterhook.rpc.pressure import Gate
from tenterhook.rpc.wire import encode_error, encode_notification, encode_result

__all__ = ["OWN_NOTIFICATIONS", "OWN_REQUESTS", "Conversation", "Surroundings"]

OWN_REQUESTS = frozenset({"initialize", "shutdown"})
"""Requests that open and close a conversation."""

OWN_NOTIFICATIONS = frozenset({"initialized", "exit", "$/cancelRequest", "$/setTrace", "$/progress"})
"""Notifications that steer it."""

_CLOSING_SPARE = 3.0
"""Seconds that stopping everything may take beyond the grace of a hook."""


class Surroundings(Struct, frozen=True, kw_only=True):
    """What a conversation can reach."""

    open_service: OpenService
    """Makes the engine and what makes its editor half."""
    watch_process: Callable[[int], None]
    """Begins to watch the host's process."""
    end: Callable[[int, str], None]
    """Told that the conversation is over, with the exit status and the reason in words."""


class Conversation:
    """The calls of one host.

    Args:
        around: what it can reach.
        out: the way out.
        ask: asks the host.
        gate: told of work that waits.
        held: calls that wait for the gate; what cancels a request looks there too.
        adjust: told of the host's options once they are in force.
    """

    def __init__(
        self,
        around: Surroundings,
        out: Outgoing,
        ask: Ask,
        gate: Gate,
        held: Held,
        adjust: Callable[[InitializationOptions], None],
    ) -> None:
        self.exit_status = 1
        """The status that ``exit`` would give now."""
        self.take: Callable[[Call, bytes, BatchAnswer | None], None] = self._before_initialize
        """Takes a call, its body, and the batch it came in."""
        self._around = around
        self._send = out.send
        self._flush = out.flush
        self._ask = ask
        self._gate = gate
        self._held = held
        self._sink = WireSink(out.send)
        self._editor: EditorDoor | None = None
        self._adjust = adjust
        self._dispatcher: Dispatcher | None = None
        self._closing: asyncio.Task[None] | None = None
        self._answering: asyncio.Task[None] | None = None
        self._deadline = _CLOSING_SPARE

    async def close(self) -> None:
        """Answer what waits or is in flight as cancelled and stop every hook. May be called twice; has a deadline."""
        self._held.cancel_all()
        if self._dispatcher is not None:
            if self._closing is None:
                self._closing = asyncio.get_running_loop().create_task(_close(self._dispatcher))
            await asyncio.wait({self._closing}, timeout=self._deadline)

    def unasked(self, reply: Reply, body: bytes) -> None:
        """Take a response to no request of the wire's: the editor half may have asked."""
        if self._editor is not None and self._editor.pass_on("a response", body):
            return
        if self._dispatcher is not None:
            self._sink.log("log", f"a response with id {reply.id!r} that nobody asked for")

    def _before_initialize(self, call: Call, body: bytes, batch: BatchAnswer | None) -> None:
        ident = call.id
        if ident is UNSET:
            if call.method == "exit":
                self._exit()
        elif call.method == "initialize":
            self._initialize(ident, call, body, self._way_back(batch))
        else:
            self._refuse(ident, batch, ErrorCode.SERVER_NOT_INITIALIZED, f"{call.method} came before initialize")

    def _running(self, call: Call, body: bytes, batch: BatchAnswer | None) -> None:
        ident = call.id
        dispatcher = cast("Dispatcher", self._dispatcher)  # initialize has made it
        if call.method in HANDLERS:
            if ident is UNSET:
                dispatcher.notify(call, len(body))
            else:
                dispatcher.request(ident, call, len(body), self._send if batch is None else batch.expect())
        elif ident is UNSET:
            self._notified(call, body)
        else:
            self._requested(ident, call, body, batch)

    def _after_shutdown(self, call: Call, _body: bytes, batch: BatchAnswer | None) -> None:
        ident = call.id
        if ident is not UNSET:
            message = f"{call.method} came after shutdown; only exit may follow"
            self._refuse(ident, batch, ErrorCode.INVALID_REQUEST, message)
        elif call.method == "exit":
            self._exit()

    def _requested(self, ident: RequestId, call: Call, body: bytes, batch: BatchAnswer | None) -> None:
        method = call.method
        if method == "shutdown":
            self._shutdown(ident, self._way_back(batch))
        elif method == "initialize":
            self._refuse(ident, batch, ErrorCode.INVALID_REQUEST, "initialize came before; it comes once")
        elif method in OWN_NOTIFICATIONS:
            message = f"{method} is a notification; send it without an id"
            self._refuse(ident, batch, ErrorCode.INVALID_REQUEST, message)
        elif self._editor is None or not self._editor.wants(method):
            self._refuse(ident, batch, ErrorCode.METHOD_NOT_FOUND, f"there is no method {method!r}")
        elif batch is not None:
            message = f"{method} cannot be answered in a batch; send it alone"
            self._refuse(ident, batch, ErrorCode.INVALID_REQUEST, message)
        else:
            self._editor.request(ident, method, body)

    def _notified(self, call: Call, body: bytes) -> None:
        match call.method:
            case "exit":
                self._exit()
            case "$/cancelRequest":
                self._cancel(call)
            case "$/setTrace":
                self._steer_trace(call)
            case "initialized" | "$/progress":
                pass  # they change nothing
            case method if method in OWN_REQUESTS:
                self._sink.log("warning", f"{method} is a request; it does nothing without an id")
            case method if self._editor is not None and self._editor.wants(method):
                self._editor.notify(method, body)
            case method if not method.startswith("$/"):
                self._sink.log("log", f"there is no notification {method!r}")
            case _:
                pass  # LSP leaves it to the receiver whether it knows a method of this kind

    def _initialize(self, ident: RequestId, call: Call, body: bytes, respond: Respond) -> None:
        try:
            params = cast("InitializeParams", reader_of("initialize")(call.params))
            wish = opening.read_wish(params)
            self._sink = WireSink(self._send)  # a new one: what a failed attempt had to tell is told to nobody
            service, open_editor = self._around.open_service(wish.options, self._sink, self._ask)
            service.load(wish.project_paths)
            result = encode_result(ident, opening.answer(service))
        except Exception as error:  # noqa: BLE001 - a boundary: the host gets an answer and may try again
            respond(encode_error(ident, error_of(error, "initialize")))
            return
        self._adjust(wish.options)
        self._deadline = wish.options.kill_grace_ms / 1000 + _CLOSING_SPARE
        self._dispatcher = Dispatcher(service, self._sink, self._gate, self._flush)
        if open_editor is not None:
            self._editor = EditorDoor(partial(open_editor, self._send, body), self._send, self._sink)
        self._set_trace("off" if params.trace is UNSET else params.trace)
        self.take = self._running
        respond(result)
        self._sink.open()
        for uri in wish.passed_over:
            self._sink.log("warning", f"the folder {uri!r} is not loaded: it is no file: URI")
        if wish.process_id is not None:
            self._around.watch_process(wish.process_id)

    def _shutdown(self, ident: RequestId, respond: Respond) -> None:
        self.take = self._after_shutdown
        self.exit_status = 0
        self._held.cancel_all()
        self._gate.ignore_work()

        async def close_and_answer() -> None:
            await self.close()
            respond(encode_result(ident, None))

        self._answering = asyncio.get_running_loop().create_task(close_and_answer())

    def _exit(self) -> None:
        self._around.end(self.exit_status, "exit came" if not self.exit_status else "exit came without shutdown")

    def _cancel(self, call: Call) -> None:
        try:
            params = cast("CancelParams", reader_of("$/cancelRequest")(call.params))
        except DecodeError:
            return
        if self._dispatcher is None or self._dispatcher.cancel(params.id) or self._held.cancel(params.id):
            return
        if self._editor is not None:
            self._editor.pass_on(call.method, encode_notification(call.method, params))

    def _steer_trace(self, call: Call) -> None:
        try:
            params = cast("SetTraceParams", reader_of("$/setTrace")(call.params))
        except DecodeError as error:
            self._sink.log("warning", error_of(error, call.method).message)
            return
        self._set_trace(params.value)

    def _set_trace(self, value: str) -> None:
        if self._dispatcher is not None:
            self._dispatcher.trace = None if value == "off" else Trace(self._send, verbose=value == "verbose")

    def _way_back(self, batch: BatchAnswer | None) -> Respond:
        return self._send if batch is None else batch.expect()

    def _refuse(self, ident: RequestId, batch: BatchAnswer | None, code: ErrorCode, message: str) -> None:
        self._way_back(batch)(encode_error(ident, ResponseError(code=code, message=message)))


async def _close(dispatcher: Dispatcher) -> None:
    try:
        await dispatcher.close()
    except Exception as error:  # noqa: BLE001 - a boundary: the process ends all the same
        print_trace(error)
