"""What is one JSON object, and where something is not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenterhook.dialects.strict_json import MAX_DEPTH, JsonFault, JsonObject, read_object


@pytest.mark.parametrize(
    "content", [b"", b" \r\n\t", b"\xef\xbb\xbf", b"null", b" null\n", b"{}", b"\xef\xbb\xbf {}\n"]
)
def test_nothing_and_null_and_the_empty_object_have_no_fields(content: bytes) -> None:
    read = read_object(content)
    assert isinstance(read, JsonObject)
    assert read.fields == {}


FAULTS: list[tuple[bytes, int, int, str]] = [
    (b"[]", 1, 1, "object was expected"),
    (b" true", 1, 2, "object was expected"),
    (b'"deny"', 1, 1, "object was expected"),
    (b"12", 1, 1, "object was expected"),
    (b"hello", 1, 1, "no JSON"),
    (b'log line\n{"a": 1}', 1, 1, "no JSON"),
    (b'{"a": 1}\nlog line', 2, 1, "more text follows"),
    (b'{"a": 1} {"b": 2}', 1, 10, "more text follows"),
    (b"{} {}", 1, 4, "more text follows"),
    (b"null null", 1, 6, "more text follows"),
    (b'{"a": NaN}', 1, 7, "no JSON"),
    (b'{"a": Infinity}', 1, 7, "no JSON"),
    (b'{"a": 1,}', 1, 9, "trailing comma"),
    (b"{'a': 1}", 1, 2, "no JSON"),
    (b'{"a": 01}', 1, 8, "number"),
    (b'{"a": "\n"}', 1, 8, "no JSON"),
    (b'{"a": 1', 1, 8, "ends too early"),
    (b'{\n  "a": "b', 2, 10, "ends too early"),
    (b'{\n  "a": "\xff"}', 2, 9, "0xff"),
    ('{"日本": "'.encode() + b'\xe6\x97"}', 1, 9, "0xe6"),
    (b'{"a": "\\ud800"}', 1, 8, "surrogate"),
    (b'{"a": "\\udc00"}', 1, 8, "surrogate"),
    (b'{"a": "\\ud83d\\ude00 \\\\ud800", "b": "\\ud800\\u0041"}', 1, 37, "surrogate"),
    (b'{"a": "\\ud83d\\ude00', 1, 20, "ends too early"),
    (b'{"a": 1, "a": 2}', 1, 10, "'a' stands twice"),
    (b'{"a": 1, "\\u0061": 2}', 1, 10, "'a' stands twice"),
    (b'{"a": [{"b": 1,\n"b": 2}]}', 2, 1, "'b' stands twice"),
    (b"\xef\xbb\xbf\xef\xbb\xbf{}", 1, 1, "no JSON"),
    (b'{"a":' * (MAX_DEPTH + 1) + b"1" + b"}" * (MAX_DEPTH + 1), 1, 5 * MAX_DEPTH + 1, "inside each other"),
    (b"[" * 1_000_000, 1, MAX_DEPTH + 1, "inside each other"),
]


@pytest.mark.parametrize(("content", "line", "column", "words"), FAULTS)
def test_a_fault_has_its_place(content: bytes, line: int, column: int, words: str) -> None:
    fault = read_object(content)
    assert isinstance(fault, JsonFault)
    assert (fault.line, fault.column) == (line, column)
    assert words in fault.message
    assert f"line {line}, column {column}: " in str(fault)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"a": "' + b'\\"' * 500_000 + b"{" * (MAX_DEPTH + 1), "ends too early"),
        (b'{"a": "' + b"{" * 1_000_000, "ends too early"),
        (b'{"a": "' + b"\\" * 999_999, "ends too early"),
        (b'{"a": "' + b'\\"' * 500_000 + b'"} x' + b"{" * (MAX_DEPTH + 1), "inside each other"),
        (b'"{' * 500_000, "inside each other"),
        (b"[" * MAX_DEPTH + b'"' + b"\\ud83d\\ude00" * 80_000 + b"\\ud83d" + b"[" * 10, "surrogate"),
    ],
)
def test_a_long_output_that_is_no_json_is_judged_in_one_pass(content: bytes, words: str) -> None:
    fault = read_object(content)
    assert isinstance(fault, JsonFault)
    assert words in fault.message


def test_a_fault_quotes_its_place_in_one_short_line() -> None:
    fault = read_object(b'{"a": nope\n\x1b[31m' + b"x" * 100)
    assert isinstance(fault, JsonFault)
    assert str(fault).endswith(", at `ope  [31mxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…`")
    assert str(fault).isprintable()
    assert len(fault.excerpt) <= 41


def test_equal_keys_of_different_objects_are_no_fault() -> None:
    read = read_object(b'{"a": {"a": [{"a": 1}, {"a": 2}]}, "b": {"a": "a: a, \\"a\\": {"}}')
    assert isinstance(read, JsonObject)
    assert list(read.fields) == ["a", "b"]


def test_a_value_keeps_its_bytes_and_its_place() -> None:
    read = read_object('{"é": "x",\n "n" : {"z": 1.10, "a": 1e999}}'.encode())
    assert isinstance(read, JsonObject)
    assert bytes(read.fields["n"]) == b'{"z": 1.10, "a": 1e999}'
    fault = read.fault("n", "wrong")
    assert (fault.line, fault.column) == (2, 8)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(max_size=4), JSON, max_size=5), st.booleans())
def test_every_object_is_read_as_it_was_written(value: dict[str, Any], ascii_only: bool) -> None:  # noqa: FBT001 - drawn
    read = read_object(json.dumps(value, ensure_ascii=ascii_only).encode())
    assert isinstance(read, JsonObject)
    assert {key: json.loads(bytes(raw)) for key, raw in read.fields.items()} == value
    for key, raw in read.fields.items():
        fault = read.fault(key, "here")
        assert read.text.split("\n")[fault.line - 1][fault.column - 1 :].encode().startswith(bytes(raw))


@given(st.binary(max_size=60) | st.text(alphabet='{}[]",:\\u0ad8 \nntrue1-e.', max_size=30).map(str.encode))
def test_no_bytes_are_an_exception_and_what_is_read_is_json(content: bytes) -> None:
    read = read_object(content)
    if isinstance(read, JsonObject) and read.text.strip():
        assert json.loads(read.text) in (None, {key: json.loads(bytes(raw)) for key, raw in read.fields.items()})
