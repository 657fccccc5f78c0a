"""A hook that cannot be run as it is written."""

from __future__ import annotations

import asyncio

from tenterhook.model import Outcome, RefusedLaunch, StopReason
from tenterhook.runners import RUNNERS, Limits


async def test_a_refused_launch_has_not_started_and_says_why() -> None:
    stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
    launch = RefusedLaunch(timeout=1.0, run_id="r1", reason="there is no such setting")
    outcome = await RUNNERS[RefusedLaunch](launch, Limits(), stop)
    assert outcome == Outcome(status="notStarted", error="there is no such setting")
