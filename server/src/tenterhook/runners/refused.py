"""Owns the outcome of a hook that cannot be run as it is written; starts nothing."""

from __future__ import annotations

import asyncio

from tenterhook.model import Outcome, RefusedLaunch, StopReason
from tenterhook.runners.contract import Limits

__all__ = ["run_refused"]


async def run_refused(launch: RefusedLaunch, limits: Limits, stop: asyncio.Future[StopReason]) -> Outcome:
    """Say why; see ``Runner``."""
    del limits, stop  # it is over before anybody could stop it
    return Outcome(status="notStarted", error=launch.reason)
