"""The client reads every frame an LSP peer may write, and says so when it cannot."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenterhook_client.framing import FramingLost, frame, read_frame


def _stream(data: bytes) -> asyncio.StreamReader:
    stream = asyncio.StreamReader()
    stream.feed_data(data)
    stream.feed_eof()
    return stream


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 2\r\n\r\n",
        b"content-length:2\r\n\r\n",
        b"CONTENT-LENGTH :   2  \r\n\r\n",
        b"Content-Length: 2\n\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n",
        b"Content-Length: 2\r\nContent-Language: a:b\r\n\r\n",
        b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n",
        b"Content-Length: 0002\r\n\r\n",
    ],
)
async def test_every_spelling_of_a_header_is_read(head: bytes) -> None:
    stream = _stream(head + b"{}" + frame(b"[1]"))
    assert await read_frame(stream, 100) == b"{}"
    assert await read_frame(stream, 100) == b"[1]"
    assert await read_frame(stream, 100) is None


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"Traceback (most recent call last)\n", "no header: 'Traceback"),
        (b"no line end", "inside a header: 'no line end'"),
        (b"Content-Length: 2\r\n", "inside a header"),
        (b"Content-Length: -2\r\n\r\n{}", "no length: '-2'"),
        (b"Content-Length: two\r\n\r\n{}", "no length: 'two'"),
        (b"Content-Length: \r\n\r\n{}", "no length: ''"),
        (b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n{}", "no length"),
        (b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "two lengths for one message: 2 and 3"),
        (b"DEBUG: ready\n", "no header: 'DEBUG: ready'"),
        (b"Content-Type: y\r\n\r\n{}", "no Content-Length"),
        (b"\r\n{}", "no Content-Length"),
        (b"Content-Type: y\r\n" * 600, "longer than 8192"),
        (b"X" * 100_000, "longer than 8192"),
        (b"Content-Length: 101\r\n\r\n", "a message of 101 bytes is longer than the 100"),
        (b"Content-Length: 9\r\n\r\n{}", "ended after 2 of 9 bytes"),
    ],
)
async def test_what_is_no_frame_is_named(data: bytes, said: str) -> None:
    with pytest.raises(FramingLost) as lost:
        await read_frame(_stream(data), 100)
    assert said in str(lost.value)


@given(bodies=st.lists(st.binary(max_size=40), max_size=5), cuts=st.lists(st.integers(1, 30), min_size=1, max_size=20))
def test_where_the_stream_is_cut_makes_no_difference(bodies: list[bytes], cuts: list[int]) -> None:
    async def read_all() -> list[bytes]:
        stream = asyncio.StreamReader()

        async def feed() -> None:
            data, turn = b"".join(map(frame, bodies)), 0
            while data:
                size = cuts[turn % len(cuts)]
                stream.feed_data(data[:size])
                data, turn = data[size:], turn + 1
                await asyncio.sleep(0)
            stream.feed_eof()

        feeding = asyncio.create_task(feed())
        read: list[bytes] = []
        while (body := await read_frame(stream, 100)) is not None:
            read.append(body)
        await feeding
        return read

    assert asyncio.run(read_all()) == bodies
