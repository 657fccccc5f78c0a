"""Owns an engine in memory: a test reads what the client wrote and writes what the engine would say."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

from tenterhook_client import Answers, Client, Listeners
from tenterhook_client.framing import frame, read_frame
from tenterhook_protocol.lifecycle import InitializationOptions

__all__ = ["ENGINE", "Peer", "connected"]

ENGINE: dict[str, Any] = {
    "serverInfo": {"name": "fake", "version": "1"},
    "capabilities": {
        "positionEncoding": "utf-16",
        "textDocumentSync": {"openClose": True, "change": 2},
        "experimental": {"tenterhook": {"version": "0.1", "systems": ["coding-code"], "points": []}},
    },
}


class Peer:
    """The other end. It is also the client's outlet."""

    def __init__(self) -> None:
        self.inlet = asyncio.StreamReader()
        self.bodies: list[bytes] = []
        self.closed = False
        self.room = asyncio.Event()
        self.room.set()
        self._heard = asyncio.StreamReader()

    def write(self, data: bytes, /) -> None:
        self._heard.feed_data(data)

    async def drain(self) -> None:
        await self.room.wait()

    def close(self) -> None:
        self.closed = True
        self._heard.feed_eof()

    async def next(self) -> dict[str, Any]:
        """The next message of the client."""
        body = await read_frame(self._heard, 1 << 30)
        assert body is not None, "the client has ended the stream"
        self.bodies.append(body)
        return cast("dict[str, Any]", json.loads(body))

    async def rest(self) -> list[dict[str, Any]]:
        """All messages up to the end of the stream."""
        messages: list[dict[str, Any]] = []
        while (body := await read_frame(self._heard, 1 << 30)) is not None:
            messages.append(json.loads(body))
        return messages

    def say(self, **message: Any) -> None:
        """Send a message to the client."""
        self.inlet.feed_data(frame(json.dumps({"jsonrpc": "2.0", **message}).encode()))

    async def answer(self, result: Any) -> dict[str, Any]:
        """Take the next message and answer it."""
        message = await self.next()
        self.say(id=message["id"], result=result)
        return message


@asynccontextmanager
async def connected(
    options: InitializationOptions | None = None,
    listeners: Listeners | None = None,
    answers: Answers | None = None,
) -> AsyncGenerator[tuple[Client, Peer]]:
    """An initialized client and its engine. An engine that a test has ended is not waited for."""
    peer = Peer()
    greeting = asyncio.create_task(_greet(peer))
    attached = Client.attach(
        peer.inlet, peer, options=options, listeners=listeners, answers=answers, process_id=None, end_within=0
    )
    async with attached as client:
        await greeting
        yield client, peer


async def _greet(peer: Peer) -> None:
    initialize = await peer.answer(ENGINE)
    assert initialize["method"] == "initialize"
    assert await peer.next() == {"jsonrpc": "2.0", "method": "initialized", "params": {}}
