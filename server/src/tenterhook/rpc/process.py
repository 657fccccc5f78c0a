"""Owns one process's service of one host, from the first byte to the exit status; knows no method."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from functools import partial
from typing import NoReturn

from tenterhook_protocol.lifecycle import InitializationOptions

from tenterhook.editor import open_editor
from tenterhook.model import Sink
from tenterhook.rpc.connection import Connection
from tenterhook.rpc.conversation import Surroundings
from tenterhook.rpc.envelope import allow_deep_bodies
from tenterhook.rpc.lifetime import Lifetime
from tenterhook.rpc.ports import Ask, OpenEditor, ServicePort
from tenterhook.rpc.streams import OutputStream, open_input
from tenterhook.rpc.wire_host import WireHost
from tenterhook.runners import restore_inherited, runners_for, seal_inherited
from tenterhook.runners.descriptors import raise_limit
from tenterhook.runners.orphans import adoption
from tenterhook.service import Service
from tenterhook.watching import Rounds

__all__ = ["run"]

_FLUSH_DEADLINE = 2.0
"""Seconds that a host has to read what is left."""


def run(source: int, target: int) -> NoReturn:
    """Serve on these descriptors, then end the process: no finalisation, which would take longer than all else."""
    seal_inherited()
    restore_inherited()
    raise_limit()
    adoption.want()
    _leave_terminal()
    allow_deep_bodies()
    status = asyncio.new_event_loop().run_until_complete(_serve(source, target))
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(status)


def _leave_terminal() -> None:
    """Begin a session of our own: a hook that cannot have one would be stopped when it reads from the terminal."""
    with suppress(OSError):  # the leader of a group cannot; then the terminal stays
        os.setsid()


async def _serve(source: int, target: int) -> int:
    loop = asyncio.get_running_loop()
    ending: asyncio.Future[int] = loop.create_future()

    def end(status: int, reason: str) -> None:
        ending.set_result(status)
        if status:
            # A dead host has closed stderr too, and that must not keep the engine from ending.
            with suppress(OSError, ValueError):
                print(f"tenterhook: {reason}", file=sys.stderr)  # noqa: T201 - stderr is where a host's log looks

    given = open_input(source, loop)
    output = OutputStream(target, loop, source)
    lifetime = Lifetime(loop)
    around = Surroundings(
        open_service=_open_service,
        watch_process=lifetime.watch_process,
        end=end,
    )
    connection = Connection(around, given, output, loop.call_soon)
    lifetime.start(connection.end, connection.host_died)
    output.start(connection.output_drained, connection.output_broken)
    given.start(connection.receive, connection.input_ended)

    status = await ending
    await connection.close()
    await output.flushed(_FLUSH_DEADLINE)
    output.restore()
    return status


def _open_service(options: InitializationOptions, sink: Sink, ask: Ask) -> tuple[ServicePort, OpenEditor | None]:
    host = WireHost(options.host, ask)
    service = Service(options, sink, dict(os.environ), runners_for(host), host)
    Rounds(service, sink, hook_files=options.watch)
    return service, partial(open_editor, service)
