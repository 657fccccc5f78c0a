"""How the end of a child is noticed, and its status taken."""

from __future__ import annotations

import asyncio
import subprocess
import threading
from collections.abc import Callable

import pytest
from tenterhook.runners.exits import Ending, watch_by_pidfd, watch_by_thread


@pytest.mark.parametrize("watch", [watch_by_pidfd, watch_by_thread])
async def test_an_end_is_told_once_and_the_status_taken_when_asked_for(
    watch: Callable[[asyncio.AbstractEventLoop, Ending], None],
) -> None:
    child = subprocess.Popen(["/bin/sh", "-c", "read _; exit 5"], stdin=subprocess.PIPE)  # noqa: ASYNC220 - at once
    told = asyncio.Event()
    ending = Ending(child.pid, told.set)
    watch(asyncio.get_running_loop(), ending)
    ending.reap()
    assert (ending.exited, ending.code, ending.lost) == (False, None, False)
    child.communicate(b"\n")
    await told.wait()
    assert ending.exited
    ending.reap()
    assert (ending.code, ending.lost) == (None, True)  # Popen was quicker


@pytest.mark.parametrize("watch", [watch_by_pidfd, watch_by_thread])
async def test_the_status_is_kept(watch: Callable[[asyncio.AbstractEventLoop, Ending], None]) -> None:
    child = subprocess.Popen(["/bin/sh", "-c", "exit 5"])  # noqa: ASYNC220 - at once
    told = asyncio.Event()
    ending = Ending(child.pid, told.set)
    watch(asyncio.get_running_loop(), ending)
    await told.wait()
    ending.reap()
    ending.reap()
    assert (ending.code, ending.lost) == (5, False)
    child.wait()


def test_a_watching_thread_outlives_its_loop_in_silence() -> None:
    child = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE)
    loop = asyncio.new_event_loop()
    watch_by_thread(loop, Ending(child.pid, lambda: None))
    loop.close()
    watchers = [thread for thread in threading.enumerate() if thread.name == f"wait-{child.pid}"]
    assert len(watchers) == 1
    child.communicate()
    watchers[0].join()
