"""Owns one connection: bytes in, messages to the conversation, bytes out; knows no method, descriptor or process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tenterhook_protocol.jsonrpc import ErrorCode, RequestId, ResponseError
from tenterhook_protocol.lifecycle import InitializationOptions

from tenterhook.rpc.batch import BatchAnswer
from tenterhook.rpc.conversation import Conversation, Surroundings
from tenterhook.rpc.envelope import Batch, Call, Fault, Reply, parse
from tenterhook.rpc.framing import Framer, FramingLost, TooLong
from tenterhook.rpc.outgoing import Outgoing, Writer
from tenterhook.rpc.pending import Asked
from tenterhook.rpc.pressure import Gate
from tenterhook.rpc.wire import encode_error

__all__ = ["Connection", "Reader"]

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
        self._end = around.end
        self._gate = Gate(lambda: soon(self._pump), _DEFAULTS.max_queued_bytes)
        self._out = Outgoing(writer, self._gate, soon)
        self._framer = Framer(_DEFAULTS.max_message_bytes)
        self._asked = Asked(self._out.send)
        around = Surroundings(
            open_service=around.open_service,
            open_editor=around.open_editor,
            watch_process=around.watch_process,
            end=self.end,
        )
        self._conversation = Conversation(around, self._out, self._gate, self._adjust)
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
        self._out.flush()

    def _pump(self) -> None:
        """Handle what has been read, message by message, until it is used up or must wait."""
        gate = self._gate
        if gate.shut:
            return
        conversation = self._conversation
        for frame in self._framer.frames():
            if type(frame) is bytes:
                message = parse(frame)
                if type(message) is Call:
                    conversation.take(message, frame, None)
                else:
                    self._handle(message, frame)
            elif isinstance(frame, TooLong):
                text = f"a message of {frame.length} bytes was skipped; the limit is {frame.limit}"
                self._complain(ErrorCode.INVALID_REQUEST, text)
            elif isinstance(frame, FramingLost):
                self._complain(ErrorCode.PARSE_ERROR, f"{frame.reason}; the next message cannot be found")
                self.end(1, frame.reason)
            if gate.shut:
                self._reader.pause()
                return
        self._reader.resume()

    def _handle(self, message: Call | Reply | Batch | Fault, body: bytes) -> None:
        match message:
            case Call():
                self._conversation.take(message, body, None)
            case Reply():
                self._replied(message, body)
            case Fault():
                self._complain(message.code, message.message, message.id)
            case Batch():
                self._handle_batch(message)

    def _handle_batch(self, batch: Batch) -> None:
        answer = BatchAnswer(self._out.send)
        for member, body in batch.members:
            match member:
                case Call():
                    self._conversation.take(member, body, answer)
                case Reply():
                    self._replied(member, body)
                case Fault():
                    error = ResponseError(code=member.code, message=member.message)
                    answer.expect()(encode_error(member.id, error))
            if self._gate.closed:
                break
        answer.read_through()

    def _replied(self, reply: Reply, body: bytes) -> None:
        if self._asked.answered(reply):
            return
        editor = self._conversation.editor
        if editor is None or not editor.pass_on("a response", body):
            self._conversation.sink.log("log", f"a response with id {reply.id!r} that nobody asked for")

    def _complain(self, code: ErrorCode, message: str, ident: RequestId | None = None) -> None:
        self._out.send(encode_error(ident, ResponseError(code=code, message=message)))

    def _adjust(self, options: InitializationOptions) -> None:
        self._framer.max_body = options.max_message_bytes
        self._gate.max_queued = options.max_queued_bytes
