"""Owns being told by the system that something in some folders has changed; looks at no file, knows no hook.

A thread waits for the system and wakes the loop. Watching other folders is another notifier.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

__all__ = ["Notifier"]

_GATHER_MS = 400
"""So long at most a burst of changes is gathered."""
_STEP_MS = 40
"""So long it must be quiet for a burst to be over. The thread looks up as often, too."""
_POLL_MS = 1000
"""Where the system has no watch left, folders are looked at this often."""


class Notifier:
    """Watches folders, not what is below them, from ``start`` until ``stop``.

    Args:
        folders: absolute paths.
        changed: called on the loop, again and again, after something in them has changed.
        troubled: called on the loop, with the reason in words, where the system does not watch as it should.
    """

    def __init__(self, folders: Sequence[str], changed: Callable[[], None], troubled: Callable[[str], None]) -> None:
        self._folders = list(folders)
        self._changed = changed
        self._troubled = troubled
        self._stopped = threading.Event()
        self._armed: asyncio.Future[None] | None = None

    async def start(self) -> None:
        """Returns when the folders are watched, or cannot be: what changes from now on is not missed."""
        loop = asyncio.get_running_loop()
        self._armed = loop.create_future()
        threading.Thread(target=self._work, args=(loop,), name="tenterhook-watch", daemon=True).start()
        await self._armed

    def stop(self) -> None:
        """Tells nothing more; the thread ends by itself."""
        self._stopped.set()

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        refusal = self._watch(loop, polled=False)
        if refusal is not None:
            self._tell(loop, f"files are looked at every second, for the system does not watch them: {refusal}")
            refusal = self._watch(loop, polled=True)
        if refusal is not None:
            self._tell(loop, f"files are not watched: {refusal}")
        self._tell_armed(loop)

    def _watch(self, loop: asyncio.AbstractEventLoop, *, polled: bool) -> str | None:
        """Watch until it is stopped. Otherwise the reason why the system cannot."""
        from watchfiles._rust_notify import RustNotify  # noqa: PLC0415 - few engines watch; watchfiles documents it

        below, lenient, quiet = False, True, False
        try:
            with RustNotify(self._folders, quiet, polled, _POLL_MS, below, lenient) as system:
                self._tell_armed(loop)
                while not isinstance(system.watch(_GATHER_MS, _STEP_MS, 0, self._stopped), str):
                    self._call(loop, self._changed)
        except (OSError, RuntimeError) as error:
            return str(error)
        return None

    def _tell_armed(self, loop: asyncio.AbstractEventLoop) -> None:
        armed = self._armed

        def tell() -> None:
            if armed is not None and not armed.done():
                armed.set_result(None)

        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(tell)

    def _tell(self, loop: asyncio.AbstractEventLoop, reason: str) -> None:
        self._call(loop, lambda: self._troubled(reason))

    def _call(self, loop: asyncio.AbstractEventLoop, function: Callable[[], None]) -> None:
        def call() -> None:
            if not self._stopped.is_set():
                function()

        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(call)
