"""The least a server of this wire could be: asyncio, msgspec, no error handling. The baseline of the no-op rate."""

from __future__ import annotations

import asyncio
import sys

import msgspec


class Request(msgspec.Struct):
    id: int
    method: str
    params: msgspec.Raw


class Server(asyncio.Protocol):
    def __init__(self, out: asyncio.WriteTransport, closed: asyncio.Future[None]) -> None:
        self.closed = closed
        self.decode = msgspec.json.Decoder(Request).decode
        self.out = out
        self.buffer = b""

    def data_received(self, data: bytes) -> None:
        data = self.buffer + data
        at = 0
        answers: list[bytes] = []
        while True:
            end = data.find(b"\r\n\r\n", at)
            if end < 0:
                break
            length = int(data[at + 16 : end])
            if len(data) < end + 4 + length:
                break
            request = self.decode(data[end + 4 : end + 4 + length])
            at = end + 4 + length
            body = msgspec.json.encode({"jsonrpc": "2.0", "id": request.id, "result": {"runs": [], "notices": []}})
            answers.append(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.buffer = data[at:]
        if answers:
            self.out.write(b"".join(answers))

    def connection_lost(self, exc: Exception | None) -> None:
        assert exc is None
        self.closed.set_result(None)


async def main() -> None:
    loop = asyncio.get_running_loop()
    out, _ = await loop.connect_write_pipe(asyncio.Protocol, sys.stdout)
    closed = loop.create_future()
    await loop.connect_read_pipe(lambda: Server(out, closed), sys.stdin)
    await closed


big = bytes(1 << 20)
del big
asyncio.run(main())
