"""The runner holds a server's own frames to the strict form."""

from __future__ import annotations

import pytest
from conformance.suite.frames import BadFrame, FrameReader, frame


def test_messages_come_out_however_the_bytes_are_cut() -> None:
    data = frame('{"a":"é😀"}'.encode()) + frame(b"[1]", "Content-Type: x\r\nContent-Length: ${length}\r\n\r\n")
    for size in (1, 7, len(data)):
        reader = FrameReader()
        pieces = [data[start : start + size] for start in range(0, len(data), size)]
        assert [message for piece in pieces for message in reader.feed(piece)] == [{"a": "é😀"}, [1]]
        assert reader.rest == b""


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"junk\nContent-Length: 2\r\n\r\n{}", id="text before the frame"),
        pytest.param(b"Content-Length: 2\n\n{}\r\n\r\n", id="line feeds"),
        pytest.param(b"content-length: 2\r\n\r\n{}", id="lower case"),
        pytest.param(b"Content-Length: 1\r\n\r\n{}", id="too short a length"),
        pytest.param(b"Content-Length: 3\r\n\r\nNaN", id="no JSON"),
        pytest.param(b'Content-Length: 13\r\n\r\n{"a":1,"a":2}', id="a key twice"),
        pytest.param(b'Content-Length: 3\r\n\r\n"\xff"', id="no UTF-8"),
        pytest.param(b"Content-Length: 2\r\n\r\n{}\n", id="text after the frame"),
    ],
)
def test_anything_else_is_a_bad_frame(data: bytes) -> None:
    with pytest.raises(BadFrame):
        FrameReader().feed(data)
