"""How many descriptors are waited for at the price of one."""

from __future__ import annotations

import asyncio
import os
import select
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from server.runners.hooklets import launch, open_descriptors, run
from tenterhook.runners import Limits
from tenterhook.runners.readiness import Readiness, readiness


@pytest.fixture(params=["epoll", "kept epoll", "loop"])
def readers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Readiness:
    """That of Linux, as a single run and as an engine has it, then that of other systems."""
    if request.param == "loop":
        monkeypatch.delattr(select, "epoll")
        return readiness()
    return readiness(keeps=request.param == "kept epoll")


class Line:
    """A pipe."""

    def __init__(self) -> None:
        self.fd, self._other = os.pipe()

    def write(self) -> None:
        os.write(self._other, b"x")

    def read(self) -> None:
        os.read(self.fd, 1)

    def close(self) -> None:
        os.close(self.fd)
        os.close(self._other)


@pytest.fixture
def lines() -> Iterator[list[Line]]:
    """More than are served in one turn of the loop."""
    with ExitStack() as stack:
        made = [Line() for _ in range(100)]
        for line in made:
            stack.callback(line.close)
        yield made


async def test_what_is_ready_is_called_until_it_is_removed(readers: Readiness, lines: list[Line]) -> None:
    line, calls = lines[0], asyncio.Queue[None]()
    readers.add_reader(line.fd, lambda: calls.put_nowait(None))
    line.write()
    await calls.get()
    await calls.get()  # nobody has read it
    readers.remove_reader(line.fd)
    readers.remove_reader(line.fd)
    while not calls.empty():
        calls.get_nowait()
    await served(lines[1], readers)
    assert calls.empty()


async def test_however_many_are_ready_all_are_served(readers: Readiness, lines: list[Line]) -> None:
    left, done = {line.fd for line in lines}, asyncio.Event()

    def ready(line: Line) -> None:
        line.read()
        readers.remove_reader(line.fd)
        left.remove(line.fd)
        if not left:
            done.set()

    for line in lines:
        readers.add_reader(line.fd, lambda line=line: ready(line))
        line.write()
    await done.wait()


async def test_one_that_was_removed_in_the_same_turn_is_not_called(readers: Readiness, lines: list[Line]) -> None:
    called: list[int] = []
    done = asyncio.Event()

    def ready(line: Line) -> None:
        called.append(line.fd)
        for other in lines[:10]:
            readers.remove_reader(other.fd)
        done.set()

    for line in lines[:10]:
        readers.add_reader(line.fd, lambda line=line: ready(line))
        line.write()
    await done.wait()
    await served(lines[10], readers)
    assert len(called) == 1


def test_another_loop_may_follow_one_that_ended_while_it_waited(readers: Readiness, lines: list[Line]) -> None:
    async def leave() -> None:
        readers.add_reader(lines[0].fd, lambda: None)

    asyncio.run(leave())
    asyncio.run(served(lines[1], readers))
    asyncio.run(served(lines[2], readers))


async def test_after_the_first_run_no_run_leaves_another_descriptor(readers: Readiness) -> None:
    limits = Limits(readiness=readers)
    assert (await run(launch("cat", stdin=b"payload"), limits)).stdout == b"payload"
    before = open_descriptors()
    assert (await run(launch("cat", stdin=b"payload"), limits)).stdout == b"payload"
    assert open_descriptors() == before


async def served(line: Line, readers: Readiness) -> None:
    """Return when a later one has been served."""
    done = asyncio.Event()
    readers.add_reader(line.fd, done.set)
    line.write()
    await done.wait()
    readers.remove_reader(line.fd)
