"""The death of a host is noticed, with pidfd and without."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from tenterhook.rpc.lifetime import Lifetime


@pytest.fixture(params=["pidfd", "looking"])
def _way_of_watching(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "looking":
        monkeypatch.delattr(os, "pidfd_open")


@pytest.fixture
def host() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


class Watching:
    """A lifetime and the first cause it tells."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.cause: asyncio.Future[object] = loop.create_future()
        self.lifetime = Lifetime(loop, look_every=0.01)
        self.lifetime.start(lambda status, _reason: self._tell(status), self._tell)

    async def first_cause(self) -> object:
        return await asyncio.wait_for(self.cause, 5)

    def _tell(self, cause: object) -> None:
        if not self.cause.done():
            self.cause.set_result(cause)


@pytest.mark.usefixtures("_way_of_watching")
async def test_a_process_that_dies_is_noticed(host: subprocess.Popen[bytes]) -> None:
    watching = Watching()
    watching.lifetime.watch_process(host.pid)
    host.kill()
    await asyncio.to_thread(host.wait)

    assert await watching.first_cause() == f"the host's process {host.pid} died"


@pytest.mark.usefixtures("_way_of_watching")
async def test_a_process_that_is_dead_already_is_noticed(host: subprocess.Popen[bytes]) -> None:
    host.kill()
    host.wait()
    watching = Watching()
    watching.lifetime.watch_process(host.pid)

    assert await watching.first_cause() == f"the host's process {host.pid} died"


@pytest.mark.parametrize("pid", [0, 1, -5])
async def test_a_number_that_is_no_hosts_is_not_watched(pid: int) -> None:
    watching = Watching()
    watching.lifetime.watch_process(pid)
    os.kill(os.getpid(), signal.SIGTERM)

    assert await watching.first_cause() == 143


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
async def test_a_signal_is_a_cause_with_its_status(number: signal.Signals, status: int) -> None:
    watching = Watching()
    os.kill(os.getpid(), number)

    assert await watching.first_cause() == status
