"""Pipes, sockets and files: nothing is lost, nothing blocks, and a closed end is noticed."""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path

from tenterhook.rpc.outgoing import LOW_WATER
from tenterhook.rpc.streams import OutputStream, open_input

NOBODY = -1
"""No input to share a socket with."""


class Reading:
    """What an input stream hands over."""

    def __init__(self, fd: int) -> None:
        self.data = b""
        self.ended = asyncio.Event()
        self.came = asyncio.Event()
        self.stream = open_input(fd, asyncio.get_running_loop())
        self.stream.start(self._take, self.ended.set)

    def _take(self, data: bytes) -> None:
        self.data += data
        self.came.set()


class Writing:
    """An output stream and what it tells."""

    def __init__(self, fd: int, watched_input: int = NOBODY) -> None:
        self.drained = asyncio.Event()
        self.broken = asyncio.Event()
        self.stream = OutputStream(fd, asyncio.get_running_loop(), watched_input)
        self.stream.start(self.drained.set, self.broken.set)


async def soon(event: asyncio.Event) -> None:
    async with asyncio.timeout(5):
        await event.wait()


async def test_a_pipe_is_read_to_its_end_and_not_while_paused() -> None:
    here, there = os.pipe()
    reading = Reading(here)
    os.write(there, b"one")
    await soon(reading.came)
    reading.stream.pause()
    os.write(there, b"two")
    os.close(there)
    await asyncio.sleep(0)
    assert reading.data == b"one"
    assert not reading.ended.is_set()

    reading.stream.resume()
    await soon(reading.ended)
    assert reading.data == b"onetwo"
    os.close(here)


async def test_a_file_is_read_to_its_end(tmp_path: Path) -> None:
    content = os.urandom(300_000)
    (tmp_path / "file").write_bytes(content)
    with (tmp_path / "file").open("rb") as file:
        reading = Reading(file.fileno())
        await soon(reading.ended)

    assert reading.data == content


async def test_a_file_is_not_read_while_paused(tmp_path: Path) -> None:
    content = os.urandom(300_000)
    (tmp_path / "file").write_bytes(content)
    with (tmp_path / "file").open("rb") as file:
        reading = Reading(file.fileno())
        await soon(reading.came)
        reading.stream.pause()
        await asyncio.to_thread(lambda: None)
        # The chunk that was on its way may come; the end may not.
        assert len(reading.data) <= 2 * 65536
        reading.stream.resume()
        await soon(reading.ended)

    assert reading.data == content


async def test_the_null_device_ends_at_once() -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    await soon(Reading(nothing).ended)
    os.close(nothing)


async def test_what_a_pipe_does_not_take_is_kept_in_order_and_told_when_it_drains() -> None:
    here, there = os.pipe()
    writing = Writing(there)
    pieces = [bytes([number]) * 200_000 for number in range(5)]
    for piece in pieces:
        writing.stream.write(piece)
    backlog = writing.stream.backlog
    assert backlog > LOW_WATER

    reading = Reading(here)
    await soon(writing.drained)
    assert writing.stream.backlog <= LOW_WATER
    await writing.stream.flushed(5)
    assert writing.stream.backlog == 0
    writing.stream.restore()
    assert os.get_blocking(there)
    asyncio.get_running_loop().remove_reader(there)
    os.close(there)
    await soon(reading.ended)
    assert reading.data == b"".join(pieces)
    os.close(here)


async def test_flushing_has_a_deadline() -> None:
    here, there = os.pipe()
    writing = Writing(there)
    writing.stream.write(bytes(1_000_000))
    await writing.stream.flushed(0.01)

    assert writing.stream.backlog
    os.close(here)
    await soon(writing.broken)
    os.close(there)


async def test_a_closed_pipe_is_noticed_without_a_write_and_takes_no_more() -> None:
    here, there = os.pipe()
    writing = Writing(there)
    os.close(here)
    await soon(writing.broken)
    writing.stream.write(b"for nobody")

    assert writing.stream.backlog == 0
    await writing.stream.flushed(5)
    os.close(there)


async def test_a_pipe_that_closes_while_bytes_wait_is_noticed() -> None:
    here, there = os.pipe()
    writing = Writing(there)
    writing.stream.write(bytes(1_000_000))
    os.close(here)
    await soon(writing.broken)

    assert writing.stream.backlog == 0
    os.close(there)


async def test_input_on_the_socket_of_the_output_is_no_end_of_output() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        writing = Writing(theirs.fileno(), watched_input=theirs.fileno())
        reading = Reading(theirs.fileno())
        ours.send(b"hello")
        await soon(reading.came)
        writing.stream.write(b"world")

        assert (reading.data, ours.recv(5)) == (b"hello", b"world")
        assert not writing.broken.is_set()
        reading.stream.pause()


async def test_words_on_a_socket_of_output_alone_are_dropped_and_its_end_is_noticed() -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        writing = Writing(theirs.fileno())
        ours.send(b"what?")
        ours.close()
        await soon(writing.broken)


async def test_a_file_takes_everything(tmp_path: Path) -> None:
    content = os.urandom(300_000)
    with (tmp_path / "file").open("wb") as file:
        writing = Writing(file.fileno())
        writing.stream.write(content)

    assert writing.stream.backlog == 0
    assert (tmp_path / "file").read_bytes() == content
