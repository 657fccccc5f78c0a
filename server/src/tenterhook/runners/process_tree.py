"""Owns ending everything that a run has started; knows neither pipes nor outcomes.

What belongs to a run: its process group, the descendants of its processes, and, wherever it has gone, every process
with the run's mark (``TENTERHOOK_RUN_ID``) in its environment or with one of its output pipes open.
An orphan that the engine has adopted belongs to it too where it can be of no other run.
Signals go through pidfds, checked after they were opened, so that a pid used anew is never hit; only the run's own
group is signalled by number, which stays its own as long as the leader is not reaped.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from msgspec import Struct

from tenterhook.runners.exits import Ending
from tenterhook.runners.orphans import adoption
from tenterhook.runners.proc_scan import Process, Traits, find_members, is_still

__all__ = ["TreeEnd", "end_tree_by_group", "end_tree_by_scan"]

_LAST_WAIT = 5.0
"""Seconds to wait after SIGKILL. Only a process of another user, or one stuck in the kernel, needs more."""

_POLL = 0.02
"""Seconds between two looks where nothing tells of an end."""


class TreeEnd(Struct, frozen=True):
    """How a process tree ended."""

    forced: bool = False
    """SIGTERM and the grace time were not enough."""
    left: tuple[int, ...] = ()
    """Pids that survived even SIGKILL; the leader's where nobody could look."""


async def end_tree_by_scan(leader: Ending, run_id: str, pipes: frozenset[str], grace: float) -> TreeEnd:
    """End a run's tree: SIGTERM, ``grace`` seconds, SIGKILL, until two looks at all processes find nothing.

    What the tree starts during the grace time, to clean up behind itself, is left alone until that is over.

    Args:
        leader: The run's first process, not reaped.
        run_id: The mark.
        pipes: Output pipes that somebody may hold, named as in ``Traits``.
        grace: Seconds.

    Returns:
        Whether force was needed, and what is left.
    """
    hunt = _Hunt(leader.pid, f"TENTERHOOK_RUN_ID={run_id}".encode(errors="surrogateescape"), pipes)
    deadline = hunt.loop.time() + grace
    try:
        # Looked for before anything ends: afterwards a process without the mark has no parent to know it by.
        strays = [process for process in await hunt.look() if process.group != leader.pid]
        for number in (signal.SIGTERM, signal.SIGCONT):  # a stopped process heeds SIGTERM only when it goes on
            _signal_group(leader.pid, number)
            for stray in strays:
                hunt.signal(stray, number)
        if await hunt.until_gone(deadline, lambda _: None):
            return TreeEnd()
        _signal_group(leader.pid, signal.SIGKILL)
        kill = partial(hunt.signal, number=signal.SIGKILL)
        for process in hunt.alive():
            kill(process)
        gone = await hunt.until_gone(hunt.loop.time() + _LAST_WAIT, kill)
        left = tuple(process.pid for process in hunt.alive()) or (leader.pid,)
        return TreeEnd(forced=True, left=() if gone else left)
    finally:
        hunt.close()


async def end_tree_by_group(leader: Ending, run_id: str, pipes: frozenset[str], grace: float) -> TreeEnd:
    """End a run's process group: all that can be found where there is no ``/proc``, neither by mark nor by pipe."""
    del run_id, pipes
    loop = asyncio.get_running_loop()

    async def gone_by(deadline: float) -> bool:
        while loop.time() < deadline:
            leader.reap()  # a leader that has ended and is not reaped would look like a living member
            if not _signal_group(leader.pid, 0):
                return True
            await asyncio.sleep(_POLL)
        return False

    for number in (signal.SIGTERM, signal.SIGCONT):
        _signal_group(leader.pid, number)
    if await gone_by(loop.time() + grace):
        return TreeEnd()
    _signal_group(leader.pid, signal.SIGKILL)
    gone = await gone_by(loop.time() + _LAST_WAIT)
    return TreeEnd(forced=True, left=() if gone else (leader.pid,))


class _Hunt:
    """The living processes of one run, each held by a pidfd that the loop watches."""

    def __init__(self, leader: int, mark: bytes, pipes: frozenset[str]) -> None:
        self.loop = asyncio.get_running_loop()
        self._leader = leader
        self._mark = mark
        self._pipes = pipes
        self._held: dict[Process, int] = {}
        self._known: set[Process] = set()
        self._unheld = 0
        self._wake: asyncio.Future[None] | None = None

    def alive(self) -> tuple[Process, ...]:
        """Those found and not yet ended."""
        return tuple(self._held)

    async def look(self) -> list[Process]:
        """Look at all processes; hold and return the members not seen before."""
        fresh: list[Process] = []
        self._unheld = 0
        traits = Traits(self._mark, self._pipes, adoption.belongs_to(self._leader))
        try:
            found = await find_members(self._leader, traits, self._known)
        except OSError:
            self._unheld = 1  # no descriptors are left to look with
            return fresh
        for process in found:
            if process not in self._held:
                self._known.add(process)
                try:
                    held = self._hold(process)
                except OSError:
                    self._unheld += 1
                else:
                    fresh += [process] if held else []
        return fresh

    def signal(self, process: Process, number: signal.Signals) -> None:
        """Send a signal to exactly this process."""
        fd = self._held.get(process)
        if fd is not None:
            with suppress(OSError):  # it has just ended, or it belongs to another user
                signal.pidfd_send_signal(fd, number)

    async def until_gone(self, deadline: float, newcomer: Callable[[Process], None]) -> bool:
        """Wait for the end of all; ``newcomer`` is told of those that turn up meanwhile. False: out of time.

        One look may miss a process in the middle of its ``exec``, or a child whose parent ends while it is being
        looked for; so two in a row must find nothing.
        """
        empty = 0
        while empty < 2:
            if not await self._all_ended(deadline):
                return False
            for process in await self.look():
                newcomer(process)
            empty = 0 if self._held or self._unheld else empty + 1
        return True

    def close(self) -> None:
        """Let go of all."""
        for process in self.alive():
            self._ended(process)

    def _hold(self, process: Process) -> bool:
        """Have the loop watch for its end; False when that has come."""
        try:
            fd = os.pidfd_open(process.pid)
        except ProcessLookupError:
            return False
        try:
            still = is_still(process)
        except OSError:
            os.close(fd)
            raise
        if not still:
            os.close(fd)
            return False
        self._held[process] = fd
        self.loop.add_reader(fd, self._ended, process)
        return True

    async def _all_ended(self, deadline: float) -> bool:
        if self._unheld and not self._held:
            await asyncio.sleep(_POLL)
            return self.loop.time() < deadline
        if not self._held:
            return True
        self._wake = self.loop.create_future()
        timer = self.loop.call_at(deadline, self._stop_waiting)
        try:
            await self._wake
        finally:
            timer.cancel()
            self._wake = None
        return not self._held

    def _ended(self, process: Process) -> None:
        fd = self._held.pop(process)
        self.loop.remove_reader(fd)
        os.close(fd)
        if not self._held:
            self._stop_waiting()

    def _stop_waiting(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)


def _signal_group(group: int, number: int) -> bool:
    """Signal a process group; False when it has no members."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # members of another user: there, and out of reach
    return True
