"""Owns one process's service of one host, from the first byte to the exit status; knows no method."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn, cast

from tenterhook_protocol.lifecycle import InitializationOptions

from tenterhook.model import Sink
from tenterhook.rpc.body_text import allow_deep_bodies
from tenterhook.rpc.connection import Connection
from tenterhook.rpc.conversation import Surroundings
from tenterhook.rpc.lifetime import Lifetime
from tenterhook.rpc.ports import EditorPort, ServicePort
from tenterhook.rpc.streams import OutputStream, open_input
from tenterhook.rpc.takeover import Streams
from tenterhook.runners import restore_inherited, seal_inherited
from tenterhook.service import Service

__all__ = ["run"]

_FLUSH_DEADLINE = 2.0
"""Seconds that a host has to read what is left."""


def run(streams: Streams) -> NoReturn:
    """Serve on these streams, then end the process: no finalisation, which would take longer than all else."""
    seal_inherited()
    restore_inherited()
    _leave_terminal()
    allow_deep_bodies()
    status = asyncio.new_event_loop().run_until_complete(_serve(streams))
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(status)


def _leave_terminal() -> None:
    """Begin a session of our own: a hook that opens the host's terminal would be stopped until its timeout."""
    with suppress(OSError):  # the leader of a group cannot; then the terminal stays
        os.setsid()


async def _serve(streams: Streams) -> int:
    loop = asyncio.get_running_loop()
    ending: asyncio.Future[int] = loop.create_future()

    def end(status: int, reason: str) -> None:
        ending.set_result(status)
        if status:
            # A dead host has closed stderr too, and that must not keep the engine from ending.
            with suppress(OSError, ValueError):
                print(f"tenterhook: {reason}", file=sys.stderr)  # noqa: T201 - stderr is where a host's log looks

    source = open_input(streams.input, loop)
    output = OutputStream(streams.output, loop, streams.input)
    lifetime = Lifetime(loop)
    around = Surroundings(
        open_service=_open_service,
        open_editor=_open_editor,
        watch_process=lifetime.watch_process,
        end=end,
    )
    connection = Connection(around, source, output, loop.call_soon)
    lifetime.start(connection.end, connection.host_died)
    output.start(connection.output_drained, connection.output_broken)
    source.start(connection.receive, connection.input_ended)

    status = await ending
    await connection.close()
    await output.flushed(_FLUSH_DEADLINE)
    output.restore()
    return status


def _open_service(options: InitializationOptions, sink: Sink) -> ServicePort:
    return Service(options, sink, dict(os.environ))


def _open_editor(service: ServicePort, send: Callable[[bytes], None], initialize_body: bytes) -> EditorPort:
    from tenterhook.editor import open_editor  # noqa: PLC0415 - it loads pygls

    return open_editor(cast("Service", service), send, initialize_body)  # _open_service has made it
