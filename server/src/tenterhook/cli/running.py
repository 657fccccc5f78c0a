"""Owns running the engine's work to its end in a command, and stopping it on a signal; knows no command."""

from __future__ import annotations

import asyncio
import signal
from typing import TypeVar

from tenterhook.cli.ending import Stopped
from tenterhook.errors import EventStopped
from tenterhook.later import Later
from tenterhook.runners import restore_inherited, seal_inherited
from tenterhook.runners.descriptors import raise_limit
from tenterhook.runners.orphans import adoption
from tenterhook.service import Service

__all__ = ["finish"]

T = TypeVar("T")


def finish(service: Service, later: Later[T]) -> T:
    """Run the work and return when every process tree of it is gone.

    Raises:
        KeyboardInterrupt: Ctrl-C; the hooks are stopped.
        Stopped: SIGTERM or SIGHUP; the hooks are stopped.
    """
    seal_inherited()
    restore_inherited()
    raise_limit()
    adoption.want()
    return asyncio.run(_finish(service, later))


async def _finish(service: Service, later: Later[T]) -> T:
    loop = asyncio.get_running_loop()
    work = asyncio.create_task(later.run())
    received: list[int] = []

    def stop(number: int) -> None:
        received.append(number)
        later.stop()

    for number in (signal.SIGTERM, signal.SIGHUP):
        # A command that was started to outlive its terminal (nohup) keeps ignoring what it was told to ignore.
        if signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, stop, number)
    try:
        return await work
    except EventStopped:
        if received:
            raise Stopped(received[0]) from None
        raise
    finally:
        await service.close()
