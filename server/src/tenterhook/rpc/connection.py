"""Owns one connection: bytes in, messages to the conversation, bytes out; knows no method, descriptor or process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import structs
from tenterhook_protocol.jsonrpc import ErrorCode, ResponseError
from tenterhook_protocol.lifecycle import InitializationOptions

from tenterhook.rpc.conversation import Conversation, Surroundings
from tenterhook.rpc.envelope import Batch, Call, Fault, Incoming, Reply, parse
from tenterhook.rpc.framing import Framer, FramingLost, TooLong
from tenterhook.rpc.held import Held
from tenterhook.rpc.outgoing import Outgoing, Writer
from tenterhook.rpc.pending import Asked, BatchAnswer
from tenterhook.rpc.pressure import Gate
from tenterhook.rpc.wire import encode_error

__all__ = ["URGENT", "Connection", "Reader"]

URGENT = frozenset({"$/cancelRequest", "shutdown", "exit"})
"""Calls that never wait for others: like responses, they are what lets waiting ones go on, or ends them."""

_AT_ONCE = 500
"""So many waiting calls are handled in one turn of the loop."""

_DEFAULTS = InitializationOptions()


class Reader(Protocol):
    """The stream that input comes from."""

    def pause(self) -> None:
        """Read no more for now."""
        ...

    def resume(self) -> None:
        """Read on. Does nothing where it reads."""
        ...


class Connection:
    """A host on the other end of two streams.

    Args:
        around: what its conversation can reach; ``end`` is called at most once.
        reader: paused while the engine cannot take more.
        writer: takes what the engine sends.
        soon: runs a function in the loop's next turn.
    """

    def __init__(
        self, around: Surroundings, reader: Reader, writer: Writer, soon: Callable[[Callable[[], None]], object]
    ) -> None:
        self._reader = reader
        self._soon = soon
        self._end = around.end
        self._gate = Gate(lambda: soon(self._pump), _DEFAULTS.max_queued_bytes)
        self._out = Outgoing(writer, self._gate, soon)
        self._framer = Framer(_DEFAULTS.max_message_bytes)
        self._asked = Asked(self._out.send)
        self._held = Held(self._out.send, _DEFAULTS.max_queued_bytes)
        around = structs.replace(around, end=self.end)
        self._conversation = Conversation(around, self._out, self._asked.ask, self._gate, self._held, self._adjust)
        self.ask = self._asked.ask
        """Ask the host; see ``Asked.ask``."""

    def receive(self, chunk: bytes) -> None:
        """Take bytes as they came."""
        self._framer.feed(chunk)
        self._pump()

    def input_ended(self) -> None:
        """No more bytes will come."""
        self.end(self._conversation.exit_status, "the input ended")

    def output_broken(self) -> None:
        """Nobody reads the output any more."""
        self.end(self._conversation.exit_status, "the output was closed")

    def host_died(self, reason: str) -> None:
        """Whoever spoke here is gone."""
        self.end(self._conversation.exit_status, reason)

    def output_drained(self) -> None:
        """The host reads again."""
        self._out.drained()

    def end(self, status: int, reason: str) -> None:
        """Handle nothing more. Only the first end counts."""
        if not self._gate.closed:
            self._gate.close()
            self._reader.pause()
            self._end(status, reason)

    async def close(self) -> None:
        """Answer what is in flight, stop every hook within a deadline, and hand the last output to the writer."""
        await self._conversation.close()
        self._asked.close()  # not before: a hook whose question fails has an answer, one that was stopped has none
        self._out.flush()

    def _pump(self) -> None:
        """Handle what has been read, message by message, until it is used up or must wait."""
        gate = self._gate
        held = self._held
        if held and not gate.shut:
            self._take_held()
        if not held and not gate.shut:
            conversation = self._conversation
            for frame in self._framer.frames():
                if type(frame) is bytes:
                    message = parse(frame)
                    if type(message) is Call:
                        conversation.take(message, frame, None)
                    else:
                        self._handle(message, frame, None)
                elif not isinstance(frame, bytes):
                    self._faulty(frame)
                if gate.shut:
                    break
            else:
                self._reader.resume()
                return
        self._read_past_held()

    def _take_held(self) -> None:
        """Handle calls that waited, as far as the gate lets them; after some of them the loop has its turn."""
        gate = self._gate
        for _ in range(_AT_ONCE):
            waiting = None if gate.shut else self._held.take()
            if waiting is None:
                return
            call, body, batch = waiting
            self._conversation.take(call, body, batch)
            if batch is not None:
                batch.done()
        self._soon(self._pump)

    def _read_past_held(self) -> None:
        """Calls wait. Read on for what must not wait, and hold the rest, as long as there is room to hold it."""
        gate = self._gate
        held = self._held
        frames = self._framer.frames()
        while not gate.stuck and not held.full:
            frame = next(frames, None)
            if frame is None:
                self._reader.resume()
                return
            if isinstance(frame, bytes):
                self._handle(parse(frame), frame, None)
            else:
                self._faulty(frame)
        self._reader.pause()

    def _handle(self, message: Incoming, body: bytes, batch: BatchAnswer | None) -> None:
        match message:
            case Call():
                if (self._gate.shut or self._held) and message.method not in URGENT:
                    self._held.add(message, body, batch)
                else:
                    self._conversation.take(message, body, batch)
            case Reply():
                self._replied(message, body)
            case Fault():
                respond = self._out.send if batch is None else batch.expect()
                respond(encode_error(message.id, ResponseError(code=message.code, message=message.message)))
            case Batch():
                answer = BatchAnswer(self._out.send)
                for member, its_body in message.members():
                    if self._gate.closed:
                        break
                    self._handle(member, its_body, answer)
                answer.done()

    def _faulty(self, frame: TooLong | FramingLost) -> None:
        if isinstance(frame, TooLong):
            text = f"a message of {frame.length} bytes was skipped; the limit is {frame.limit}"
            self._complain(ErrorCode.INVALID_REQUEST, text)
        else:
            self._complain(ErrorCode.PARSE_ERROR, f"{frame.reason}; the next message cannot be found")
            self.end(1, frame.reason)

    def _replied(self, reply: Reply, body: bytes) -> None:
        if not self._asked.answered(reply):
            self._conversation.unasked(reply, body)

    def _complain(self, code: ErrorCode, message: str) -> None:
        self._out.send(encode_error(None, ResponseError(code=code, message=message)))

    def _adjust(self, options: InitializationOptions) -> None:
        self._framer.max_body = options.max_message_bytes
        self._gate.max_queued = options.max_queued_bytes
        self._held.max_size = options.max_queued_bytes
