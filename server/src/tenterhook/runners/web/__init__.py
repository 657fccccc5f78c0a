"""Owns the run of one HTTP request on the side of the loop; knows neither hook systems nor how HTTP is spoken.

HTTP is spoken by a thread over blocking sockets: TLS over asyncio is not there in this process, by design.
The loop keeps the time, and ends the request by taking its socket away, whatever the thread waits for.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from msgspec import structs

from tenterhook.model import HttpLaunch, Outcome, StopReason
from tenterhook.runners.contract import Limits, reason_of
from tenterhook.runners.web.line import Line
from tenterhook.runners.workers import Workers

__all__ = ["WORKERS", "run_request"]


def _drop_old_connections() -> None:
    from tenterhook.runners.web.connecting import drop_old  # noqa: PLC0415 - not before there was a request

    drop_old()


WORKERS = Workers(32, 5.0, _drop_old_connections)
"""The threads of all requests. One lost in a name that does not resolve is back when the resolver gives up."""


async def run_request(launch: HttpLaunch, limits: Limits, stop: asyncio.Future[StopReason]) -> Outcome:
    """Send one request; see ``Runner``. A 2xx answer is ``ok``, with its body as stdout."""
    if stop.done():
        return Outcome(status=reason_of(stop), error="was stopped before it started", warnings=launch.warnings)
    loop = asyncio.get_running_loop()
    started = loop.time()
    over: asyncio.Future[Outcome] = loop.create_future()
    line = Line()

    def settle(outcome: Outcome) -> None:
        if not over.done():
            over.set_result(outcome)

    def stopped(_: asyncio.Future[StopReason]) -> None:
        status = reason_of(stop)
        what = "was stopped on request" if status == "cancelled" else "did not answer within the time of its event"
        settle(Outcome(status=status, error=f"{what}; the connection was closed"))

    def work() -> None:
        if not line.ended:
            outcome = _exchange(launch, limits.max_output, line)
            with suppress(RuntimeError):  # the loop is closed: nobody asks any more
                loop.call_soon_threadsafe(settle, outcome)

    late = Outcome(status="timedOut", error=f"did not answer within {launch.timeout:g} s; the connection was closed")
    timer = loop.call_at(started + launch.timeout, settle, late)
    stop.add_done_callback(stopped)
    try:
        WORKERS.do(work)
        outcome = await over
    except RuntimeError as failure:
        outcome = Outcome(status="notStarted", error=f"nothing was sent, for there is no thread to do it: {failure}")
    finally:
        timer.cancel()
        stop.remove_done_callback(stopped)
        line.end()
    return structs.replace(outcome, duration=loop.time() - started, warnings=launch.warnings + outcome.warnings)


def _exchange(launch: HttpLaunch, limit: int, line: Line) -> Outcome:
    """The whole work of a thread. Whatever goes wrong in it has to become an outcome here: nobody else would see it."""
    try:
        from tenterhook.runners.web.exchange import exchange  # noqa: PLC0415 - it brings in OpenSSL

        return exchange(launch, limit, line)
    except Exception as fault:  # noqa: BLE001 - the top of a thread
        return Outcome(status="failed", error=f"the engine failed: {type(fault).__name__}: {fault}")
