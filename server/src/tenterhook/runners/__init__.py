"""Owns running one launch to its end, whatever the hook does; knows neither hook systems nor the wire.

A runner gets a ``Launch`` and hands back an ``Outcome``.
It never raises for what a hook did, and it leaves nothing behind: no process, no descriptor, no reader.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from tenterhook.model import (
    Host,
    HostLaunch,
    HttpLaunch,
    Launch,
    Outcome,
    ProcessLaunch,
    RefusedLaunch,
    StopReason,
    WorkerLaunch,
)
from tenterhook.runners.asking import NoHost, asker
from tenterhook.runners.contract import Limits, Runner
from tenterhook.runners.descriptors import seal_inherited
from tenterhook.runners.process import run_process
from tenterhook.runners.refused import run_refused
from tenterhook.runners.signals import restore_inherited
from tenterhook.runners.start_gate import Places

__all__ = ["RUNNERS", "Limits", "Places", "Runner", "restore_inherited", "run_process", "runners_for", "seal_inherited"]


def runners_for(host: Host | None) -> Mapping[type[Launch], Runner]:
    """The runner of each kind of launch, for an engine with this host; None: with none that can do anything."""
    return {
        ProcessLaunch: run_process,
        HttpLaunch: _run_request,
        HostLaunch: asker(NoHost() if host is None else host),
        RefusedLaunch: run_refused,
        WorkerLaunch: _run_worker,
    }


async def _run_request(launch: HttpLaunch, limits: Limits, stop: asyncio.Future[StopReason]) -> Outcome:
    from tenterhook.runners.web import run_request  # noqa: PLC0415 - few engines ever send a request

    return await run_request(launch, limits, stop)


async def _run_worker(launch: WorkerLaunch, limits: Limits, stop: asyncio.Future[StopReason]) -> Outcome:
    from tenterhook.runners.worker import run_worker  # noqa: PLC0415 - few engines have workers

    return await run_worker(launch, limits, stop)


RUNNERS: Mapping[type[Launch], Runner] = runners_for(None)
"""The runners of an engine without a host."""
