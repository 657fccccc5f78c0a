"""Owns the life of a conversation: reading from its first byte, noticing its end, closing it in order.

It knows no method but ``shutdown`` and ``exit``.
"""

from __future__ import annotations

import asyncio

from tenterhook_client.child import Child
from tenterhook_client.connection import Answerer, Connection, Hearer, Outlet
from tenterhook_client.errors import ClientClosed, ClientError, EngineDied

__all__ = ["Supervisor"]

_GRACE = 1.0
"""Seconds: for the rest of stdout once the process is gone, and between TERM and KILL."""


class Supervisor:
    """Starts reading when it is made; every call fails with ``EngineDied`` once the engine is lost."""

    def __init__(
        self,
        inlet: asyncio.StreamReader,
        outlet: Outlet,
        hear: Hearer,
        answer: Answerer,
        max_message_bytes: int,
        child: Child | None,
    ) -> None:
        self.connection = Connection(inlet, outlet, hear, answer, max_message_bytes)
        self.engine_pid = None if child is None else child.pid
        self._outlet = outlet
        self._child = child
        self._reading = asyncio.create_task(self.connection.run())
        self._watching = asyncio.create_task(self._watch())

    async def close(self, seconds: float) -> None:
        """``shutdown``, ``exit``, and see the engine out; after ``seconds`` TERM, then KILL.

        Cancelling it kills the engine at once.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        try:
            await self._say_goodbye(deadline)
            self.connection.end(ClientClosed)
            # What follows is our own doing; only reading goes on, lest the engine block on its last words.
            self._watching.cancel()
            self._outlet.close()
            if self._child is not None:
                await self._child.end(max(0.0, deadline - loop.time()), _GRACE)
        finally:
            self.connection.end(ClientClosed)
            self._watching.cancel()
            self._reading.cancel()
            if self._child is not None:
                await self._child.put_down()
        await asyncio.wait([self._watching, self._reading])

    async def _say_goodbye(self, deadline: float) -> None:
        try:
            async with asyncio.timeout_at(deadline):
                await self.connection.request("shutdown", None)
                await self.connection.notify("exit", None)
        except (TimeoutError, ClientError):
            # An engine that does not answer, or is gone, is ended without its consent.
            return

    async def _watch(self) -> None:
        reading = self._reading
        signs = {asyncio.create_task(self.connection.outlet_broken.wait()): "it takes no bytes any more"}
        if self._child is not None:
            signs[asyncio.create_task(self._child.exited.wait())] = "it exited"
            signs[asyncio.create_task(self._child.stdin_lost.wait())] = "it closed its stdin"
        try:
            await asyncio.wait([reading, *signs], return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                # What it wrote before the end is still on its way.
                await asyncio.wait([reading], timeout=_GRACE)
            noticed = ", ".join(why for sign, why in signs.items() if sign.done())
            reason = _why(reading) if reading.done() else noticed
        finally:
            for sign in signs:
                sign.cancel()
        await self._lose(reason)

    async def _lose(self, reason: str) -> None:
        child = self._child
        if child is None:
            self.connection.end(lambda: EngineDied(None, "", reason))
            return
        child.close()
        await child.end(_GRACE, _GRACE)
        status, tail = child.status, child.stderr_tail
        self.connection.end(lambda: EngineDied(status, tail, reason))


def _why(reading: asyncio.Task[str]) -> str:
    # A fault of the client's own must end the calls as well: they would wait for ever.
    fault = reading.exception()
    return reading.result() if fault is None else f"the client failed at reading: {fault!r}"
