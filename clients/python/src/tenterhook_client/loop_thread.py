"""Owns a thread with an event loop that keeps one asynchronous context open; knows nothing of what is in it."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager, suppress
from typing import Generic, TypeVar

from tenterhook_client.errors import ClientClosed

__all__ = ["LoopThread"]

Thing = TypeVar("Thing")
Result = TypeVar("Result")


class LoopThread(Generic[Thing]):
    """Enters a context on a loop of its own, runs calls there, and leaves it in ``close``."""

    def __init__(self, make: Callable[[], AbstractAsyncContextManager[Thing]]) -> None:
        self._make = make
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._life: asyncio.Task[None] | None = None
        self._ready: concurrent.futures.Future[Thing] = concurrent.futures.Future()
        self._over: concurrent.futures.Future[None] = concurrent.futures.Future()
        self._gate = threading.Lock()
        self._open = True
        self._thread = threading.Thread(target=self._run, name="tenterhook-client", daemon=True)

    def open(self) -> Thing:
        """Start the thread, enter the context, and return what it gives. Raises what entering raises."""
        self._thread.start()
        return self._ready.result()

    def call(self, work: Coroutine[object, object, Result], seconds: float | None) -> Result:
        """Run a coroutine on the loop and wait for it; an interrupt or the timeout cancels it.

        Raises:
            TimeoutError: It took longer than ``seconds``.
            ClientClosed: The context was left.
            RuntimeError: The caller is the loop's own thread, which would wait for itself.
        """
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("a callback must not call the blocking client: its answer could never be read")
        with self._gate:
            if not self._open:
                work.close()
                raise ClientClosed
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(seconds)
        except concurrent.futures.CancelledError:
            raise ClientClosed from None
        finally:
            future.cancel()

    def close(self) -> None:
        """Leave the context and end the thread. An interrupt meanwhile cancels the leaving, and is raised."""
        with self._gate:
            self._open = False
        try:
            self._tell(self._stop.set)
            self._over.result()
        except KeyboardInterrupt:
            self._tell(self._give_up)
            self._over.result()
            raise
        finally:
            self._thread.join()

    def _tell(self, what: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # the loop is closed: all is over already
            self._loop.call_soon_threadsafe(what)

    def _give_up(self) -> None:
        if self._life is not None:
            self._life.cancel()

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._live())
        except BaseException as error:  # noqa: BLE001 - the thread's end: every error belongs to who waits
            if not self._ready.done():
                self._ready.set_exception(error)
        finally:
            self._over.set_result(None)

    async def _live(self) -> None:
        self._life = asyncio.current_task()
        async with self._make() as thing:
            self._ready.set_result(thing)
            await self._stop.wait()
