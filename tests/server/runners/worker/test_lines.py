"""The lines between the engine and a worker."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenterhook.runners.worker.lines import Splitter, decode_answer, encode_request

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


MEMBERS = ["id", "exitCode", "stdout", "stderr", "answer", "last", "error"]
ANSWERS = st.dictionaries(st.sampled_from(MEMBERS), JSON).map(lambda value: json.dumps(value).encode())


@given(event=st.dictionaries(st.text(), JSON), indent=st.sampled_from([None, 2]))
def test_every_payload_is_one_line_that_says_the_same(event: dict[str, object], indent: int | None) -> None:
    line = encode_request(7, json.dumps(event, indent=indent).encode() + b"\r\n", {"cwd": "/p"})
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"id": 7, "event": event, "cwd": "/p"}


def test_a_payload_s_numbers_and_keys_are_as_the_host_wrote_them() -> None:
    line = encode_request(1, b'{"b": 1.10, "a": 1E400, "a": 12345678901234567890123}', {})
    assert line == b'{"id":1,"event":{"b": 1.10, "a": 1E400, "a": 12345678901234567890123}}\n'


@given(
    lines=st.lists(st.binary(max_size=40).map(lambda line: line.replace(b"\n", b"")), max_size=8),
    size=st.integers(1, 9),
)
def test_lines_come_whole_however_a_pipe_cuts_them(lines: list[bytes], size: int) -> None:
    stream = b"".join(line + b"\n" for line in lines)
    splitter = Splitter(100)
    found = [line for start in range(0, len(stream), size) for line in splitter.feed(stream[start : start + size])]
    assert found == [stripped for line in lines if (stripped := line.strip(b" \t\r"))]


@pytest.mark.parametrize("stream", [b"x" * 11, b"x" * 11 + b"\n", b"short\n" + b"x" * 20])
def test_a_line_without_end_is_noticed(stream: bytes) -> None:
    splitter = Splitter(10)
    assert b"x" not in b"".join(splitter.feed(stream))
    assert splitter.too_long


NO_ANSWERS = [b"", b"hello", b"{}", b"[]", b'{"id":"7"}', b'{"id":1.5}', b'{"id":true}', b'{"id"', b"[" * 100_000]


@pytest.mark.parametrize("line", NO_ANSWERS, ids=range(len(NO_ANSWERS)))
def test_a_line_without_an_id_is_no_answer(line: bytes) -> None:
    assert decode_answer(line) is None


@pytest.mark.parametrize("line", [b'{"id":7,"exitCode":"2"}', b'{"id":7,"stdout":5}', b'{"id":7,"exitCode":1.5}'])
def test_an_answer_that_does_not_fit_says_so(line: bytes) -> None:
    answer = decode_answer(line)
    assert answer is not None
    assert (answer.id, "does not fit" in str(answer.error)) == (7, True)


@given(line=st.binary() | JSON.map(lambda value: json.dumps(value).encode()) | ANSWERS)
def test_whatever_a_worker_prints_can_be_read(line: bytes) -> None:
    answer = decode_answer(line)
    assert answer is None or isinstance(answer.output, bytes)


def test_what_an_answer_leaves_out_is_nothing() -> None:
    answer = decode_answer(b'{"id":7,"more":1}')
    assert answer is not None
    assert (answer.exit_code, answer.output, answer.stderr) == (0, b"", "")


def test_an_answer_may_be_a_value_in_place_of_a_text() -> None:
    answer = decode_answer(b'{"id":7,"answer":{"decision":"deny","n":1.10}}')
    assert answer is not None
    assert answer.output == b'{"decision":"deny","n":1.10}'
