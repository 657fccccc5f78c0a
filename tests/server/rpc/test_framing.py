"""Bytes in, bodies and faults out, however the bytes are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenterhook.rpc.framing import MAX_HEADER_BYTES, Frame, Framer, FramingLost, TooLong

LIMIT = 64


def frames_of(*chunks: bytes, limit: int = LIMIT) -> list[Frame]:
    framer = Framer(limit)
    frames: list[Frame] = []
    for chunk in chunks:
        framer.feed(chunk)
        frames.extend(framer.frames())
    return frames


ACCEPTED = {
    "as LSP writes it": b"Content-Length: 2\r\n\r\n{}",
    "a name in lower case": b"content-length: 2\r\n\r\n{}",
    "a name in upper case": b"CONTENT-LENGTH: 2\r\n\r\n{}",
    "no blank": b"Content-Length:2\r\n\r\n{}",
    "blanks around the value": b"Content-Length: \t 2 \t\r\n\r\n{}",
    "line feeds alone": b"Content-Length: 2\n\n{}",
    "mixed line ends": b"Content-Length: 2\n\r\n{}",
    "a type before": b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}",
    "a type after": b"Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf8\r\n\r\n{}",
    "a quoted charset": b'Content-Length: 2\r\nContent-Type: a/b; x=y; Charset="UTF-8"\r\n\r\n{}',
    "a type without charset": b"Content-Length: 2\r\nContent-Type: application/json\r\n\r\n{}",
    "a header nobody knows": b"X-Trace: a:b\r\nContent-Length: 2\r\n\r\n{}",
    "leading zeros": b"Content-Length: 0002\r\n\r\n{}",
    "the same length twice": b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
    "a header just within the limit": b"X: " + b"y" * (MAX_HEADER_BYTES - 26) + b"\r\nContent-Length: 2\r\n\r\n{}",
}


@pytest.mark.parametrize("data", ACCEPTED.values(), ids=ACCEPTED)
def test_a_header_is_read_as_http_would(data: bytes) -> None:
    assert frames_of(data + b"Content-Length: 1\r\n\r\n7") == [b"{}", b"7"]


LOST = {
    "no length": b"Content-Type: application/json\r\n\r\n",
    "an empty block": b"\r\n",
    "a negative length": b"Content-Length: -1\r\n\r\n",
    "a signed length": b"Content-Length: +1\r\n\r\n",
    "no digits": b"Content-Length: two\r\n\r\n",
    "a fraction": b"Content-Length: 2.0\r\n\r\n",
    "no value": b"Content-Length:\r\n\r\n",
    "lengths that contradict": b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n",
    "a list of lengths": b"Content-Length: 2, 2\r\n\r\n",
    "digits of another script": "Content-Length: \u0662\r\n\r\n".encode(),
    "an absurd length": b"Content-Length: %d\r\n\r\n" % (LIMIT * 16 + 1),
    "twenty digits": b"Content-Length: 99999999999999999999\r\n\r\n",
    "thousands of digits": b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n",
    "a line without a colon": b"Content-Length 2\r\n",
    "a body where a header is due": b'{"jsonrpc":"2.0"\n',
    "another charset": b"Content-Length: 2\r\nContent-Type: application/json; charset=utf-16\r\n\r\n",
    "a header over the limit": b"X: " + b"y" * (MAX_HEADER_BYTES - 25) + b"\r\nContent-Length: 2\r\n\r\n",
    "a line that never ends": b"y" * MAX_HEADER_BYTES,
    "a bare carriage return": b"Content-Length: 2\r\r\n\r\n",
}


@pytest.mark.parametrize("data", LOST.values(), ids=LOST)
def test_framing_is_lost_for_good(data: bytes) -> None:
    good, *rest = frames_of(b"Content-Length: 2\r\n\r\n{}" + data + b"Content-Length: 2\r\n\r\n{}")

    assert good == b"{}"
    assert len(rest) == 1
    assert isinstance(rest[0], FramingLost)


def test_an_empty_body_is_a_body() -> None:
    assert frames_of(b"Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n7") == [b"", b"7"]


@pytest.mark.parametrize("length", [LIMIT + 1, LIMIT * 16])
def test_a_body_over_the_limit_is_skipped_and_told_of(length: int) -> None:
    data = b"Content-Length: %d\r\n\r\n" % length + b"x" * length + b"Content-Length: 1\r\n\r\n7"

    assert frames_of(data) == [TooLong(length, LIMIT), b"7"]


def test_a_body_over_the_limit_is_told_of_before_its_bytes_have_come() -> None:
    assert frames_of(b"Content-Length: 100\r\n\r\n") == [TooLong(100, LIMIT)]


def test_what_is_not_complete_is_no_frame() -> None:
    assert frames_of(b"Content-Length: 2\r\n\r\n{}Content-Length: 5\r\n\r\n1234") == [b"{}"]


def test_reading_frames_may_stop_between_two_and_go_on_later() -> None:
    framer = Framer(LIMIT)
    framer.feed(b"Content-Length: 1\r\n\r\n1Content-Length: 1\r\n\r\n2Conte")
    first = next(framer.frames())
    framer.feed(b"nt-Length: 1\r\n\r\n3")

    assert [first, *framer.frames()] == [b"1", b"2", b"3"]


def test_the_limit_may_change_between_two_bodies() -> None:
    framer = Framer(LIMIT)
    framer.feed(b"Content-Length: 3\r\n\r\n123" * 2)
    frames = framer.frames()
    first = next(frames)
    framer.max_body = 2

    assert [first, *frames] == [b"123", TooLong(3, 2)]


PIECES = st.sampled_from(
    [
        b"Content-Length: 2\r\n\r\n{}",
        b"content-length:3\n\n\r\n\r",
        b"Content-Length: 0\r\n\r\n",
        b"Content-Length: 70\r\nX: y\r\n\r\n" + b"z" * 70,
        b"Content-Length: 21\r\n\r\nContent-Length: 2\r\n\r\n",
        b"Content-Length: 2000\r\n\r\n",
        b"Content-Length: x\r\n\r\n",
        b"\r\n",
        b"no colon\n",
        b"X: " + b"y" * 5000 + b"\n",
    ]
)


@given(st.lists(PIECES, max_size=6), st.data())
def test_any_cutting_of_the_same_bytes_gives_the_same_frames(pieces: list[bytes], draw: st.DataObject) -> None:
    data = b"".join(pieces)
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(data)), max_size=12)))
    chunks = [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]

    assert frames_of(*chunks) == frames_of(data)


@given(st.lists(PIECES, max_size=3))
def test_bytes_that_come_one_by_one_give_the_same_frames(pieces: list[bytes]) -> None:
    data = b"".join(pieces)[:400]

    assert frames_of(*(bytes([byte]) for byte in data)) == frames_of(data)


@given(st.lists(st.binary(max_size=LIMIT)))
def test_what_is_framed_comes_out_as_it_was(bodies: list[bytes]) -> None:
    assert frames_of(b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies)) == bodies
