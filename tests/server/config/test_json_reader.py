"""What JSON files mean, where things stand in them, and what is told of files that are none."""

from __future__ import annotations

import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from tenterhook.config.document import Document, Listing, Mapped, Node, Scalar, Span
from tenterhook.config.json_reader import read_json
from tenterhook.config.json_tree import MAX_DEPTH, MAX_VALUES

Value = None | bool | int | float | str | list["Value"] | dict[str, "Value"]


def read(text: str | bytes) -> Document:
    return read_json(text.encode() if isinstance(text, str) else text, "/f.json", "user")


def plain(node: Node | None) -> Value:
    assert node is not None
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Listing):
        return [plain(item) for item in node.items]
    return {entry.key: plain(entry.value) for entry in node.entries}


def value_of(text: str) -> Value:
    document = read(text)
    assert (document.problems, document.broken) == ((), False)
    return plain(document.root)


def mapping(text: str) -> Mapped:
    root = read(text).root
    assert isinstance(root, Mapped)
    return root


WRITTEN: list[tuple[str, Value]] = [
    ("null", None),
    ("true", True),
    ("false", False),
    ("0", 0),
    ("-0", 0),
    ("12", 12),
    ("1.10", 1.1),
    ("-1.5E-2", -0.015),
    ("1e3", 1000.0),
    ("1e400", math.inf),
    ("1" * 5000, math.inf),
    ("9" * 19, int("9" * 19)),
    ('""', ""),
    ('"a b"', "a b"),
    (r'"\"\\\/\b\f\n\r\t"', '"\\/\b\f\n\r\t'),
    (r'"\u65e5\ud83d\ude00"', "日😀"),
    ('"钩子"', "钩子"),
    ('"\u2028\x7f"', "\u2028\x7f"),
    ("[]", []),
    ("{}", {}),
    (' [ 1 , [ ] , { "a" : [ { } ] } ] ', [1, [], {"a": [{}]}]),
    ('{"a":"x","b":1,"c":"y"}', {"a": "x", "b": 1, "c": "y"}),
    ('{"a\\"b":"c\\"d"}', {'a"b': 'c"d'}),
]


@pytest.mark.parametrize(("written", "value"), WRITTEN)
def test_a_value_means_what_json_says(written: str, value: Value) -> None:
    got = value_of(written)
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize("written", ["1.10", "12", "true", "null", "-0", "1e3"])
def test_a_scalar_keeps_the_text_it_was_written_as(written: str) -> None:
    value = mapping(f'{{"v": {written}}}').entries[0].value
    assert isinstance(value, Scalar)
    assert value.text == written


@pytest.mark.parametrize(
    "content", [b'\xef\xbb\xbf{"a":[1]}', b'{"a":\r\n[1]}\r\n', b'{"a":\r[1]}', b'\n\t {"a":[1]} \n\n']
)
def test_byte_order_marks_and_line_ends_change_no_value(content: bytes) -> None:
    document = read(content)
    assert (document.problems, plain(document.root)) == ((), {"a": [1]})


@pytest.mark.parametrize("content", ['{"a":1}'.encode("utf-16"), b"\xfe\xff" + '{"a":1}'.encode("utf-16-be")])
def test_utf_16_is_read_and_told(content: bytes) -> None:
    document = read(content)
    (problem,) = document.problems
    assert (problem.severity, problem.code, plain(document.root)) == ("warning", "json-encoding", {"a": 1})


def test_places_are_lines_and_code_points_from_1() -> None:
    root = mapping('{"😀": "日本",\n  "list": [\n    {"n": 1.5},\r\n    null ],\r "last": {}\n}')
    emoji, listing, last = root.entries
    assert (emoji.key_span, emoji.value.span) == (Span(1, 2, 1, 5), Span(1, 7, 1, 11))
    assert listing.key_span == Span(2, 3, 2, 9)
    assert listing.value.span == Span(2, 11, 4, 11)
    assert isinstance(listing.value, Listing)
    inner, null = listing.value.items
    assert (inner.span, null.span) == (Span(3, 5, 3, 15), Span(4, 5, 4, 9))
    assert isinstance(inner, Mapped)
    assert inner.entries[0].value.span == Span(3, 11, 3, 14)
    assert (last.key_span, last.value.span) == (Span(5, 2, 5, 8), Span(5, 10, 5, 12))
    assert root.span == Span(1, 1, 6, 2)


# Public fault raymondchins/agentmap#19: comments were stripped, and a trailing comma still broke the file.
@pytest.mark.parametrize(
    ("text", "value", "told"),
    [
        ('{"a":1,}', {"a": 1}, [("json-trailing-comma", 1, 7)]),
        ("[1,\n]", [1], [("json-trailing-comma", 1, 3)]),
        ('{"a":"x",}', {"a": "x"}, [("json-trailing-comma", 1, 9)]),
        ("// hello\n[1] // bye", [1], [("json-comment", 1, 1)]),
        ('{ /* a */ "a" /**/ : /* , */ "x" // "\n}', {"a": "x"}, [("json-comment", 1, 3)]),
        ("[/* * / **/]", [], [("json-comment", 1, 2)]),
        ("[1 /*x*/ , 2 /*y*/]", [1, 2], [("json-comment", 1, 4)]),
        ('{// c\n"a":1,// d\n}', {"a": 1}, [("json-comment", 1, 2), ("json-trailing-comma", 2, 6)]),
        ('["// no comment", "/* nor here */"]', ["// no comment", "/* nor here */"], []),
    ],
)
def test_comments_and_trailing_commas_are_read_over_with_one_warning_each(
    text: str, value: Value, told: list[tuple[str, int, int]]
) -> None:
    document = read(text)
    assert plain(document.root) == value
    assert [(problem.code, problem.line, problem.column) for problem in document.problems] == told
    assert {problem.severity for problem in document.problems} <= {"warning"}
    assert all(problem.hint is not UNSET for problem in document.problems)


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ('{"a":1 "b":2}', (1, 8, 9), "',' or '}'", "missing ','"),
        ("[1 2]", (1, 4, 5), "',' or ']'", "missing ','"),
        ('{"a":1;}', (1, 7, 8), "';'", "missing ','"),
        ("[1,2", (1, 5, 6), "list that begins in line 1 is not closed", "was the file cut"),
        ('{\n"a":{"b":1}\n', (3, 1, 2), "object that begins in line 1 is not closed", "was the file cut"),
        ('{"a":', (1, 6, 7), "ends too early", "was the file cut"),
        ('{"a"', (1, 5, 6), "ends too early", "was the file cut"),
        ('{"a":[1,2}', (1, 10, 11), "'}' cannot close the list", "with ']' first"),
        ("{'a':1}", (1, 2, 3), "straight double quotes", 'write "..."'),
        ("{“a”:1}", (1, 2, 3), "straight double quotes", 'write "..."'),
        ("{a:1}", (1, 2, 3), "key stands in double quotes", 'write "a"'),
        ('{"a" 1}', (1, 6, 7), "After a key comes ':'", 'write "key": value'),
        ("{,}", (1, 2, 3), "second ','", "delete it"),
        ("{1:2}", (1, 2, 3), "key stands in double quotes", 'write "1"'),
        ("{[]:2}", (1, 2, 3), "key or '}' was expected", 'write "key": value'),
        ("[,1]", (1, 2, 3), "value was expected", "write a value"),
        ("[1,,2]", (1, 4, 5), "value was expected", "write a value"),
        ('{"a":True}', (1, 6, 10), "'True'", "write true"),
        ('{"a":None}', (1, 6, 10), "'None'", "write null"),
        ('{"a":tru}', (1, 6, 9), "'tru'", 'double quotes: "tru"'),
        ('{"a":truex}', (1, 6, 11), "'truex'", 'double quotes: "truex"'),
        ("[NaN]", (1, 2, 5), "'NaN'", "finite numbers"),
        ("[-Infinity]", (1, 2, 11), "'-Infinity'", "finite numbers"),
        ("[012]", (1, 2, 5), "'012'", "leading zeros"),
        ("[+1]", (1, 2, 4), "'+1'", "'+'"),
        ("[.5]", (1, 2, 4), "'.5'", "numbers like"),
        ("[0x1F]", (1, 2, 6), "'0x1F'", "other bases"),
        ('["a\nb"]', (1, 2, 4), "no closing quote in its line", "\\n"),
        ('{"a":"x', (1, 6, 8), "no closing quote in its line", "closing quote"),
        ('["a\tb"]', (1, 4, 5), "U+0009", "write \\t"),
        ('["a\x01b"]', (1, 4, 5), "U+0001", "write \\u0001"),
        (r'["C:\Users"]', (1, 5, 7), r"'\U'", "write \\\\ for a backslash"),
        (r'{"a":"x\q"}', (1, 8, 10), r"'\q'", "write \\\\ for a backslash"),
        (r'{"\q":1}', (1, 3, 5), r"'\q'", "write \\\\ for a backslash"),
        (r'["\u12"]', (1, 3, 9), "'\\u12", "four hexadecimal digits"),
        ('{"a":1}{}', (1, 8, 9), "The value has ended", "one JSON value"),
        ('{"a":1}]', (1, 8, 9), "The value has ended", "one JSON value"),
        ("/* x", (1, 1, 3), "comment that begins here is not closed", "delete it"),
        ("[1 /* x", (1, 4, 6), "comment that begins here is not closed", "delete it"),
        ("# c\n{}", (1, 1, 2), "no comments", "delete the comment"),
        ("hooks:\n  - a", (1, 1, 6), "'hooks'", "double quotes"),
    ],
)
def test_what_is_no_json_is_told_with_place_and_hint(
    text: str, place: tuple[int, int, int], message: str, hint: str
) -> None:
    document = read(text)
    assert (document.root, document.broken) == (None, True)
    problem = document.problems[-1]
    assert (problem.severity, problem.code, problem.path) == ("error", "json-syntax", "/f.json")
    assert (problem.line, problem.column, problem.end_column) == place
    assert message in problem.message
    assert problem.message.endswith("; nothing of this file is loaded")
    assert hint in str(problem.hint)


@pytest.mark.parametrize(
    ("content", "code", "line", "column"),
    [
        (b'{"a":\n "\xff"}', "json-encoding", 2, 3),
        (b'{"a": "\xed\xa0\x80"}', "json-encoding", 1, 8),
        ('{"a":1}'.encode("utf-16-le"), "json-encoding", 1, 1),
        (b"\xff\xfe{", "json-encoding", 1, 1),
        (b"[" * (MAX_DEPTH + 1), "json-too-deep", 1, MAX_DEPTH + 1),
        (b'{"a":' * 100_000, "json-too-deep", 1, 5 * MAX_DEPTH + 1),
        (b"[" + b"1," * MAX_VALUES + b"1]", "json-too-large", 1, 2 * MAX_VALUES),
        (b"", "json-empty", 1, 1),
        (b"\xef\xbb\xbf \n", "json-empty", 1, 1),
        (b"// nothing\n", "json-empty", 1, 1),
    ],
)
def test_bytes_that_cannot_be_used_leave_what_was_there_before(
    content: bytes, code: str, line: int, column: int
) -> None:
    document = read(content)
    assert (document.root, document.broken) == (None, True)
    problem = document.problems[-1]
    assert (problem.code, problem.line, problem.column) == (code, line, column)


def test_the_deepest_and_the_largest_allowed_files_are_read() -> None:
    assert not read("[" * MAX_DEPTH + "]" * MAX_DEPTH).broken
    assert not read("[" + "1," * (MAX_VALUES - 2) + "1]").broken


@pytest.mark.parametrize("content", ["12", '"x"', "null", "[1]"])
def test_a_file_may_be_any_value(content: str) -> None:
    document = read(content)
    assert (plain(document.root), document.problems) == (json.loads(content), ())


def test_half_a_surrogate_pair_becomes_a_character_that_can_be_written() -> None:
    document = read(r'{"a": "x\ud800y"}')
    assert plain(document.root) == {"a": "x\ufffdy"}
    assert [(problem.severity, problem.code, problem.column) for problem in document.problems] == [
        ("warning", "json-surrogate", 7)
    ]


def test_of_a_key_that_stands_twice_the_last_counts_and_the_earlier_one_is_kept_beside() -> None:
    document = read('{"a": 1, "b": 2,\n "a": 3, "\\u0061": 4}')
    root = document.root
    assert isinstance(root, Mapped)
    assert plain(root) == {"a": 4, "b": 2}
    assert [(entry.key, plain(entry.value), entry.key_span.line) for entry in root.earlier] == [
        ("a", 1, 1),
        ("a", 3, 2),
    ]
    first, second = document.problems
    assert (first.severity, first.code, first.line, first.column) == ("error", "json-duplicate-key", 2, 2)
    assert "in line 1, column 2; only this last one counts" in first.message
    assert "in line 2, column 2" in second.message


def test_where_the_caller_uses_both_of_two_equal_keys_that_is_what_is_told() -> None:
    asked: list[tuple[str, ...]] = []

    def both_count(path: tuple[str, ...]) -> bool:
        asked.append(path)
        return path == ("hooks", "Stop")

    document = read_json(b'{"hooks": {"Stop": [{"x":1,"x":2}], "Stop": []}}', "/f", "user", both_count)
    assert asked == [("hooks", "Stop", "x"), ("hooks", "Stop")]
    assert [(problem.severity, "both count here" in problem.message) for problem in document.problems] == [
        ("error", False),
        ("warning", True),
    ]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=30,
)


@given(value=VALUES, indent=st.sampled_from([None, 0, 2]), ascii_only=st.booleans())
def test_every_value_is_read_as_it_was_written_and_stands_where_its_span_says(
    value: Value, indent: int | None, *, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    document = read(text)
    assert document.problems == ()
    assert plain(document.root) == value
    lines = re.split("\r\n|\r|\n", text)
    assert document.root is not None
    pending: list[Node] = [document.root]
    while pending:
        node = pending.pop()
        assert json.loads(cut(lines, node.span)) == plain(node)
        if isinstance(node, Listing):
            pending.extend(node.items)
        elif isinstance(node, Mapped):
            pending.extend(entry.value for entry in node.entries)
            assert [json.loads(cut(lines, entry.key_span)) for entry in node.entries] == [e.key for e in node.entries]


def cut(lines: list[str], span: Span) -> str:
    """The text of a span."""
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    first, last = lines[span.line - 1][span.column - 1 :], lines[span.end_line - 1][: span.end_column - 1]
    return "\n".join([first, *lines[span.line : span.end_line - 1], last])


SIGNS = ["{", "}", "[", "]", ",", ":", '"a"', '"', "'", "\\", "\\u", "00e9", "1", "-", ".", "e", "true", "nul"]
COMMENTS = ["//", "/*", "*/", "#", "NaN", "😀"]
PIECES = st.lists(st.sampled_from([*SIGNS, *COMMENTS, " ", "\n", "\r", "\t", "\0"])).map(
    lambda pieces: "".join(pieces).encode()
)


@given(st.binary() | PIECES)
def test_no_bytes_at_all_make_the_reader_fail(content: bytes) -> None:
    document = read(content)
    assert document.broken == (document.root is None)
    assert all(problem.line >= 1 and problem.column >= 1 for problem in document.problems)
    if document.broken:
        assert document.problems
    else:
        assert {problem.severity for problem in document.problems} <= {"warning", "error"}


@given(PIECES)
def test_what_others_read_is_read_alike_and_what_they_refuse_is_told(content: bytes) -> None:
    try:
        expected = json.loads(content.decode(), parse_constant=refuse)
    except ValueError:
        assert read(content).problems
    else:
        assert plain(read(content).root) == expected


def refuse(name: str) -> object:
    raise ValueError(name)


@pytest.mark.parametrize(
    "part", [b'"' + b"\\\\" * 500_000, b"[ " + b" " * 1_000_000, b'{"a": ' + b"/" + b"*" * 1_000_000]
)
def test_a_hostile_file_is_no_slower_than_its_length(part: bytes) -> None:
    assert read(part).broken
