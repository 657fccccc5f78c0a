"""A connection in memory: a fake engine behind it, and a host that sends and receives whole messages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tenterhook.editor import EditorPort
from tenterhook.errors import RequestFailed, UnknownPoint
from tenterhook.later import Later, Stop
from tenterhook.model import Sink
from tenterhook.rpc.connection import Connection
from tenterhook.rpc.conversation import Surroundings
from tenterhook.rpc.framing import Framer
from tenterhook.rpc.ports import Ask, OpenEditor, ServicePort
from tenterhook_protocol import hooks as wire
from tenterhook_protocol.lifecycle import InitializationOptions
from tenterhook_protocol.points import HookType
from tenterhook_protocol.runs import HookDecision

__all__ = ["INITIALIZE", "FakeEditor", "FakeService", "Host", "frame"]

INITIALIZE: dict[str, Any] = {"processId": None, "capabilities": {}}


def frame(message: object) -> bytes:
    """One message with its header; bytes are taken as a body."""
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class FakeService:
    """An engine that does what the name of the point says.

    ``later…``: work that waits for the event of that name in ``go``; ``later-lingering`` takes its time to stop.
    ``unknown``, ``failed``, ``broken``: raised. Anything else has nothing to run.
    The project ``/refused`` is told of and then cannot be loaded.
    """

    def __init__(self, options: InitializationOptions, sink: Sink) -> None:
        self.options = options
        self.sink = sink
        self.loaded: list[str] = []
        self.seen: list[wire.EmitParams] = []
        self.stopped: list[str] = []
        self.closed = 0
        self.go: dict[str, asyncio.Event] = {}
        self.lingering = asyncio.Event()

    systems: Sequence[str] = ("coding-code",)
    points: Mapping[str, HookType] = {"now": "observer", "later": "observer"}

    def load(self, project_paths: Sequence[str]) -> None:
        self.loaded.extend(project_paths)
        for path in project_paths:
            self.sink.log("info", f"loaded {path}")
            if path == "/refused":
                raise RequestFailed(f"{path} cannot be loaded now")

    def emit(self, params: wire.EmitParams) -> wire.EmitResult | Later[wire.EmitResult]:
        self._see(params)
        result = wire.EmitResult(runs=[], notices=[])
        if not params.point.startswith("later"):
            return result

        async def work(stop: Stop) -> wire.EmitResult:
            await self._wait(params, stop)
            return result

        return Later(work)

    def emit_in_order(self, params: wire.EmitParams) -> Later[None] | None:
        self._see(params)
        return Later(lambda stop: self._wait(params, stop)) if params.point.startswith("later") else None

    def decide(self, params: wire.EmitDecisionParams) -> HookDecision | Later[HookDecision | None] | None:
        self._see(params)
        return HookDecision(decision="deny", reason=params.point) if params.point == "now" else None

    def reload(self, params: wire.ReloadParams) -> wire.ReloadResult:
        raise NotImplementedError(params)

    def list(self, params: wire.ListParams) -> wire.ListResult:
        raise NotImplementedError(params)

    def explain(self, params: wire.ExplainParams) -> wire.ExplainResult:
        raise NotImplementedError(params)

    def test(self, params: wire.TestParams) -> Later[wire.TestResult]:
        raise NotImplementedError(params)

    def stats(self, _params: wire.StatsParams, /) -> wire.StatsResult:
        return wire.StatsResult(points=[], hooks=[], events=len(self.seen))

    async def close(self) -> None:
        self.closed += 1

    def _see(self, params: wire.EmitParams) -> None:
        match params.point:
            case "unknown":
                raise UnknownPoint("unknown point 'unknown'", suggestion="now")
            case "failed":
                raise RequestFailed("it cannot be done now")
            case "broken":
                raise KeyError("secret")
            case _:
                self.seen.append(params)

    async def _wait(self, params: wire.EmitParams, stop: Stop) -> None:
        if params.point == "later-broken":
            raise KeyError("secret")
        if params.point == "later-failed":
            raise RequestFailed("it could not be done")
        stop.add_done_callback(lambda _: self.stopped.append(params.point))
        may_go = asyncio.create_task(self.go.setdefault(params.point, asyncio.Event()).wait())
        await asyncio.wait({may_go, stop}, return_when=asyncio.FIRST_COMPLETED)
        may_go.cancel()
        if stop.done() and params.point == "later-lingering":
            await self.lingering.wait()


class FakeEditor:
    """An editor half that answers every request with the number of messages it was handed."""

    def __init__(self, send: Callable[[bytes], None], initialize_body: bytes) -> None:
        self.send = send
        self.initialize_body = initialize_body
        self.bodies: list[dict[str, Any]] = []

    def handle(self, body: bytes) -> None:
        message: dict[str, Any] = json.loads(body)
        self.bodies.append(message)
        if "id" in message and "method" in message:
            self.send(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": len(self.bodies)}).encode())


class _Reader:
    def __init__(self) -> None:
        self.paused = False

    def pause(self) -> None:
        self.paused = True

    def resume(self) -> None:
        self.paused = False


class _Writer:
    """Takes everything, or keeps it as backlog while ``stuck``."""

    def __init__(self) -> None:
        self.backlog = 0
        self.stuck = False
        self.written: list[bytes] = []
        self.came = asyncio.Event()

    def write(self, data: bytes) -> None:
        self.written.append(data)
        self.came.set()
        if self.stuck:
            self.backlog += len(data)


class Host:
    """The other end of a connection."""

    def __init__(self, *, with_editor: bool = False) -> None:
        self._with_editor = with_editor
        self.reader = _Reader()
        self.writer = _Writer()
        self.ended: list[tuple[int, str]] = []
        self.watched: list[int] = []
        self.editors: list[FakeEditor] = []
        self._services: list[FakeService] = []
        self._framer = Framer(1 << 30)
        self._inbox: list[Any] = []
        around = Surroundings(
            open_service=self._open_service,
            watch_process=self.watched.append,
            end=lambda status, reason: self.ended.append((status, reason)),
        )
        self.connection = Connection(around, self.reader, self.writer, asyncio.get_running_loop().call_soon)

    @property
    def service(self) -> FakeService:
        """The engine; there is one once ``initialize`` has come."""
        return self._services[-1]

    def send(self, *messages: object) -> None:
        """Send messages in one piece; bytes are bodies."""
        self.connection.receive(b"".join(map(frame, messages)))

    def request(self, ident: object, method: str, params: object = None) -> None:
        """Send one request."""
        self.send({"jsonrpc": "2.0", "id": ident, "method": method, "params": params})

    def notify(self, method: str, params: object = None) -> None:
        """Send one notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def emit(self, ident: object, point: str, **payload: object) -> None:
        """Send one event as a request."""
        self.request(ident, "hooks/emit", {"point": point, "payload": payload})

    async def receive(self) -> Any:
        """The next message that the engine sent."""
        async with asyncio.timeout(5):
            while not self._inbox:
                await self.writer.came.wait()
                self.writer.came.clear()
                for data in self.writer.written:
                    self._framer.feed(data)
                self.writer.written.clear()
                for body in self._framer.frames():
                    assert isinstance(body, bytes)
                    self._inbox.append(json.loads(body))
        return self._inbox.pop(0)

    async def receive_code(self) -> tuple[object, int]:
        """Id and error code of the next message, which must be an error."""
        message = await self.receive()
        assert set(message) == {"jsonrpc", "id", "error"}, message
        return message["id"], message["error"]["code"]

    async def nothing_more(self) -> None:
        """Assert that the engine has nothing to say: the next thing it sends is the answer to a new request."""
        self.request("nothing-more", "hooks/stats")
        assert (await self.receive())["id"] == "nothing-more"

    async def initialize(self, **options: object) -> Any:
        """Open the conversation."""
        self.request("init", "initialize", {**INITIALIZE, "initializationOptions": options})
        return await self.receive()

    def _open_service(
        self, options: InitializationOptions, sink: Sink, ask: Ask
    ) -> tuple[ServicePort, OpenEditor | None]:
        self.ask = ask
        self._services.append(FakeService(options, sink))
        return self._services[-1], self._open_editor if self._with_editor else None

    def _open_editor(self, send: Callable[[bytes], None], initialize_body: bytes) -> EditorPort:
        self.editors.append(FakeEditor(send, initialize_body))
        return self.editors[-1]
