"""Owns what every runner promises; knows no way of running anything."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from msgspec import Struct, field

from tenterhook.model import Outcome, StopReason
from tenterhook.runners.readiness import Readiness, readiness
from tenterhook.runners.start_gate import StartGate

__all__ = ["Lasting", "Limits", "Runner", "reason_of"]


class Lasting(Protocol):
    """Something of a runner that lives longer than a run."""

    def renew(self) -> None:
        """Hook files have been read anew: nothing from before may serve a run that begins later."""
        ...

    async def close(self) -> None:
        """End it. Returns when nothing of it is left."""
        ...


class Limits(Struct, frozen=True, kw_only=True):
    """What a run may use."""

    max_output: int = 1 << 20
    """Bytes kept of stdout, and as many of stderr."""
    grace: float = 2.0
    """Seconds between the polite end of a process tree and the forced one."""
    gate: StartGate = field(default_factory=StartGate)
    """Shared by all runs of an engine."""
    readiness: Readiness = field(default_factory=readiness)
    """Waits for what they write and for their ends; shared likewise."""
    workers: bool = True
    """Whether hooks may run in processes that live on."""
    lasting: dict[str, Lasting] = field(default_factory=dict)
    """What lives longer than a run, by the name its runner gives it. The engine closes it when it ends."""
    drain: float = 0.1
    """Seconds that output may still come after the process has exited, while somebody else holds its pipes."""


class Runner(Protocol):
    """Runs one launch to its end."""

    async def __call__(self, launch: Any, limits: Limits, stop: asyncio.Future[StopReason]) -> Outcome:
        """Run it.

        The runner returns when the run has settled; after a stop or a timeout only when the whole process tree is gone.

        Args:
            launch: What to run, of the kind this runner is for.
            limits: What it may use.
            stop: Resolved by its owner to end the run early. Its result becomes the status of the outcome.

        Returns:
            What became of it. A hook that fails, hangs or cannot be started is an outcome, never an exception.
        """
        ...


def reason_of(stop: asyncio.Future[StopReason]) -> StopReason:
    """Why a run was stopped. ``stop`` is done; one that was given up counts as cancelled."""
    return "cancelled" if stop.cancelled() or stop.exception() is not None else stop.result()
