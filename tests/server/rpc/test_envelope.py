"""A body is a call, a reply, a batch or a fault, and no bytes make the parser raise."""

from __future__ import annotations

import json
import sys
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from tenterhook.rpc.envelope import (
    MAX_DEPTH,
    Batch,
    Call,
    Fault,
    Reply,
    allow_deep_bodies,
    is_too_deep,
    mend_surrogates,
    parse,
)

PARSE_ERROR = -32700
INVALID = -32600


@pytest.fixture
def deep_bodies() -> Iterator[None]:
    """What the process does at its start."""
    limit = sys.getrecursionlimit()
    allow_deep_bodies()
    yield
    sys.setrecursionlimit(limit)


FAULTS: dict[str, tuple[bytes, int, object]] = {
    "nothing": (b"", PARSE_ERROR, None),
    "blanks": (b"  ", PARSE_ERROR, None),
    "no JSON": (b"{jsonrpc}", PARSE_ERROR, None),
    "cut off": (b'{"jsonrpc":"2.0","id":1,"method":"m"', PARSE_ERROR, None),
    "two documents": (b'{"jsonrpc":"2.0","method":"m"}{}', PARSE_ERROR, None),
    "a byte order mark": (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"m"}', PARSE_ERROR, None),
    "UTF-16": ('{"jsonrpc":"2.0","id":1,"method":"m"}'.encode("utf-16"), PARSE_ERROR, None),
    "bad UTF-8 in the method": (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', PARSE_ERROR, None),
    "bad UTF-8 in params": (b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"\xc3("}}', PARSE_ERROR, None),
    "bad UTF-8 in a reply": (b'{"jsonrpc":"2.0","id":1,"result":"\xc3("}', PARSE_ERROR, None),
    "surrogates as UTF-8": (b'{"jsonrpc":"2.0","method":"m","params":{"a":"\xed\xa0\x80"}}', PARSE_ERROR, None),
    "a bad escape in params": (b'{"jsonrpc":"2.0","method":"m","params":{"a":"\\q"}}', PARSE_ERROR, None),
    "a cut escape": (b'{"jsonrpc":"2.0","method":"m","params":{"a":"\\ud8"}}', PARSE_ERROR, None),
    "a raw line feed in a string": (b'{"jsonrpc":"2.0","method":"m","params":{"a":"\n"}}', PARSE_ERROR, None),
    "NaN": (b'{"jsonrpc":"2.0","method":"m","params":{"a":NaN}}', PARSE_ERROR, None),
    "a trailing comma": (b'{"jsonrpc":"2.0","method":"m","params":{"a":1,}}', PARSE_ERROR, None),
    "a comment": (b'{"jsonrpc":"2.0","method":"m"}//', PARSE_ERROR, None),
    "a number": (b"7", INVALID, None),
    "a string": (b'"m"', INVALID, None),
    "null": (b"null", INVALID, None),
    "an empty batch": (b" [ ] ", INVALID, None),
    "an empty object": (b"{}", INVALID, None),
    "no version": (b'{"id":1,"method":"m"}', INVALID, 1),
    "another version": (b'{"jsonrpc":"1.0","id":"a","method":"m"}', INVALID, "a"),
    "a version that is no string": (b'{"jsonrpc":2.0,"id":1,"method":"m"}', INVALID, 1),
    "no version in a notification": (b'{"method":"m"}', INVALID, None),
    "no version in a reply": (b'{"id":1,"result":null}', INVALID, None),
    "a method that is a number": (b'{"jsonrpc":"2.0","id":1,"method":1}', INVALID, 1),
    "a method that is null": (b'{"jsonrpc":"2.0","method":null}', INVALID, None),
    "an id alone": (b'{"jsonrpc":"2.0","id":1}', INVALID, 1),
    "an id of null": (b'{"jsonrpc":"2.0","id":null,"method":"m"}', INVALID, None),
    "an id that is a fraction": (b'{"jsonrpc":"2.0","id":1.5,"method":"m"}', INVALID, None),
    "an id written as a fraction": (b'{"jsonrpc":"2.0","id":1.0,"method":"m"}', INVALID, None),
    "an id of true": (b'{"jsonrpc":"2.0","id":true,"method":"m"}', INVALID, None),
    "an id that is an object": (b'{"jsonrpc":"2.0","id":{},"method":"m"}', INVALID, None),
    "an id that is an array": (b'{"jsonrpc":"2.0","id":[1],"method":"m"}', INVALID, None),
    "an id of too many digits": (b'{"jsonrpc":"2.0","id":' + b"1" * 5000 + b',"method":"m"}', INVALID, None),
    "a result without an id": (b'{"jsonrpc":"2.0","result":1}', INVALID, None),
}


@pytest.mark.parametrize(("body", "code", "ident"), FAULTS.values(), ids=FAULTS)
def test_what_is_no_message_is_a_fault_with_the_right_code(body: bytes, code: int, ident: object) -> None:
    fault = parse(body)

    assert isinstance(fault, Fault)
    assert (fault.code, fault.id) == (code, ident)


CALLS: dict[str, tuple[bytes, object, bytes]] = {
    "a request": (b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}', 1, b'{"a":1}'),
    "a notification": (b'{"jsonrpc":"2.0","method":"m"}', UNSET, b""),
    "a string id": (b'{"jsonrpc":"2.0","id":"1","method":"m"}', "1", b""),
    "an empty id": (b'{"jsonrpc":"2.0","id":"","method":"m"}', "", b""),
    "a huge id": (
        b'{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"m"}',
        123456789012345678901234567890,
        b"",
    ),
    "params of null": (b'{"jsonrpc":"2.0","id":1,"method":"m","params":null}', 1, b"null"),
    "members in any order": (b'{"params":[],"method":"m","id":-1,"jsonrpc":"2.0"}', -1, b"[]"),
    "members nobody knows": (b'{"jsonrpc":"2.0","id":1,"method":"m","x":{"id":2}}', 1, b""),
    "an envelope inside params": (
        b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"jsonrpc":"1.0","id":2,"method":3}}',
        1,
        b'{"jsonrpc":"1.0","id":2,"method":3}',
    ),
    "numbers and key order survive": (
        b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"b":1.10,"a":1e400,"b":2}}',
        1,
        b'{"b":1.10,"a":1e400,"b":2}',
    ),
    "UTF-8": ('{"jsonrpc":"2.0","id":"é","method":"m","params":{"a":"漢😀"}}'.encode(), "é", '{"a":"漢😀"}'.encode()),
    "a surrogate pair": (
        b'{"jsonrpc":"2.0","id":1,"method":"m","params":["\\ud83d\\ude00"]}',
        1,
        b'["\\ud83d\\ude00"]',
    ),
    "a lone surrogate": (b'{"jsonrpc":"2.0","id":1,"method":"m","params":["\\ud83d!"]}', 1, b'["\\ufffd!"]'),
    "blanks around": (b' \n{ "jsonrpc" : "2.0" , "id" : 1 , "method" : "m" , "params" : { } } ', 1, b"{ }"),
}


@pytest.mark.parametrize(("body", "ident", "params"), CALLS.values(), ids=CALLS)
def test_a_call_keeps_its_id_and_the_bytes_of_its_params(body: bytes, ident: object, params: bytes) -> None:
    call = parse(body)

    assert isinstance(call, Call)
    assert (call.method, call.id, type(call.id), bytes(call.params)) == ("m", ident, type(ident), params)


def test_a_reply_is_told_from_a_call() -> None:
    result = parse(b'{"jsonrpc":"2.0","id":"a","result":{"x":1}}')
    error = parse(b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}')

    assert isinstance(result, Reply)
    assert (result.id, bytes(result.result or b""), result.error) == ("a", b'{"x":1}', None)
    assert isinstance(error, Reply)
    assert (error.id, error.result) == (None, None)


def test_a_batch_holds_what_its_members_are_alone() -> None:
    batch = parse(
        b'[{"jsonrpc":"2.0","method":"m"}, 1, [], [{"jsonrpc":"2.0","method":"m"}],{"jsonrpc":"2.0","id":1,"result":2}]'
    )

    assert isinstance(batch, Batch)
    members = list(batch.members())
    assert [type(member) for member, _ in members] == [Call, Fault, Fault, Fault, Reply]
    assert {member.code for member, _ in members if isinstance(member, Fault)} == {INVALID}
    assert [body for _, body in members][1:3] == [b"1", b"[]"]


@pytest.mark.usefixtures("deep_bodies")
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_a_thousand_levels_are_good_and_one_more_is_a_fault(opening: bytes, closing: bytes) -> None:
    def body(levels: int) -> bytes:
        return b'{"jsonrpc":"2.0","id":1,"method":"m","params":' + opening * levels + b"1" + closing * levels + b"}"

    deepest = parse(body(MAX_DEPTH - 1))
    too_deep = parse(body(MAX_DEPTH))

    assert isinstance(deepest, Call)
    assert isinstance(too_deep, Fault)
    assert (too_deep.code, too_deep.id) == (PARSE_ERROR, None)


def test_brackets_in_strings_are_no_depth() -> None:
    assert not is_too_deep(json.dumps({"a": ["[" * 5000, '\\"{' * 5000, "\\"]}).encode())


def test_many_brackets_side_by_side_are_no_depth() -> None:
    assert not is_too_deep(b"[" + b",".join([b"[{}]"] * 3000) + b"]")


def test_depth_is_counted_through_thousands_of_strings_in_little_memory() -> None:
    strings = b'"[{", "\\"", ' * 50_000
    good = b"[" * MAX_DEPTH + strings + b"1" + b"]" * MAX_DEPTH
    deep = b"[" * (MAX_DEPTH - 1) + strings + b"[[1]]" + b"]" * (MAX_DEPTH - 1)
    tracemalloc.start()
    try:
        assert not is_too_deep(good)
        assert is_too_deep(deep)
        assert tracemalloc.get_traced_memory()[1] < len(good)
    finally:
        tracemalloc.stop()


@given(
    st.recursive(
        st.integers(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
    )
)
def test_depth_is_counted_as_a_parser_would(value: object) -> None:
    def depth(item: object) -> int:
        match item:
            case list():
                return 1 + max(map(depth, item), default=0)  # pyright: ignore[reportUnknownArgumentType] - any JSON
            case dict():
                return 1 + max(map(depth, item.values()), default=0)  # pyright: ignore[reportUnknownArgumentType] - any JSON
            case _:
                return 0

    wrapped = b"[" * (MAX_DEPTH - 5) + json.dumps(value).encode() + b"]" * (MAX_DEPTH - 5)

    assert is_too_deep(wrapped) == (depth(value) > 5)


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        (rb"\ud83d", rb"\ufffd"),
        (rb"\uDE00\uD83D", rb"\ufffd\ufffd"),
        (rb"\ud83d\ude00", rb"\ud83d\ude00"),
        (rb"\ud83d\ud83d\ude00", rb"\ufffd\ud83d\ude00"),
        (rb"\\ud83d", rb"\\ud83d"),
        (rb"\\\ud83d", rb"\\\ufffd"),
        (rb"\u00e9\n", rb"\u00e9\n"),
        (rb"plain", rb"plain"),
    ],
)
def test_only_half_pairs_are_mended(text: bytes, mended: bytes) -> None:
    assert mend_surrogates(text) == mended


@given(
    st.binary()
    | st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists).map(
        lambda value: json.dumps(value).encode()
    )
)
def test_whatever_the_bytes_are_the_parser_answers(body: bytes) -> None:
    assert isinstance(parse(body), Call | Reply | Fault | Batch)
