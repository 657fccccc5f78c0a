"""What words in a YAML file mean, and where things stand in it."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenterhook.config.document import Listing, Mapped, Node, Scalar, Span
from tenterhook.config.yaml_reader import read_yaml

Value = None | bool | int | float | str | list["Value"] | dict[str, "Value"]


def plain(node: Node | None) -> Value:
    if node is None:
        return None
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Listing):
        return [plain(item) for item in node.items]
    return {entry.key: plain(entry.value) for entry in node.entries}


def value_of(text: str) -> Value:
    document = read_yaml(text.encode(), "/f", "global")
    assert document.problems == ()
    return plain(document.root)


def mapping(text: str) -> Mapped:
    root = read_yaml(text.encode(), "/f", "global").root
    assert isinstance(root, Mapped)
    return root


@pytest.mark.parametrize(
    ("written", "value"),
    [
        *[(word, word) for word in ("yes", "no", "on", "off", "y", "n", "Yes", "ON", "tRue", "nULL")],
        *[(word, True) for word in ("true", "True", "TRUE")],
        *[(word, False) for word in ("false", "False", "FALSE")],
        *[(word, None) for word in ("null", "Null", "NULL", "~", "")],
        ("012", 12),
        ("0o14", 12),
        ("0x1F", 31),
        ("+7", 7),
        ("-0", 0),
        ("0b11", "0b11"),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("12:30:45", "12:30:45"),
        ("2024-01-01", "2024-01-01"),
        ("1.10", 1.1),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("-1.5E-2", -0.015),
        ("1e", "1e"),
        ("+", "+"),
        ("-", [None]),
        (".", "."),
        (".inf", math.inf),
        ("+.Inf", math.inf),
        ("-.INF", -math.inf),
        ("inf", "inf"),
        ("nan", "nan"),
        ("1" * 5000, math.inf),
        ("-" + "1" * 5000, -math.inf),
        ("1" + "0" * 308, 1e308),
        ("9" * 309, math.inf),
        ("0x" + "f" * 300, math.inf),
        ("0x" + "f" * 10_000, math.inf),
        ("0o" + "7" * 400, math.inf),
        ("0x1" + "0" * 255, 2.0**1020),
        ("0x" + "0" * 300 + "1", 1.0),
        ("1e400", math.inf),
        ("!!float 0x" + "f" * 300, math.inf),
        ("9" * 19, int("9" * 19)),
        ("'12'", "12"),
        ('"true"', "true"),
        ("''", ""),
        ("! 12", "12"),
        ("!!str 12", "12"),
        ("!!int '12'", 12),
        ("!!float 1", 1.0),
        ("!!null ''", None),
        ("!!map {}", {}),
        ("!!seq []", []),
        ("<<", "<<"),
        ("${HOME}", "${HOME}"),
        ("钩子", "钩子"),
        ('"\\u65e5\\U0001F600\\t"', "日😀\t"),
        ("|\n  one\n  two\n", "one\ntwo\n"),
        (">-\n  one\n  two\n", "one two"),
    ],
)
def test_a_word_means_what_the_core_schema_of_yaml_1_2_says(written: str, value: Value) -> None:
    got = value_of(f"v: {written}\n" if not written.startswith("-") or written[1:] else f"v:\n  {written}\n")
    assert got == {"v": value}
    assert isinstance(got, dict)
    assert type(got["v"]) is type(value)


@pytest.mark.parametrize("written", [".nan", ".NaN", ".NAN"])
def test_not_a_number_is_a_number(written: str) -> None:
    value = mapping(f"v: {written}").entries[0].value
    assert isinstance(value, Scalar)
    assert isinstance(value.value, float)
    assert math.isnan(value.value)


@pytest.mark.parametrize("written", ["1.10", "012", "0x1F", "no", "true", "~", "12:30", "2024-01-01", "1e3"])
def test_a_scalar_keeps_the_text_it_was_written_as(written: str) -> None:
    value = mapping(f"v: {written}").entries[0].value
    assert isinstance(value, Scalar)
    assert value.text == written


@pytest.mark.parametrize("key", ["on", "no", "y", "<<", "钩子", "a b"])
def test_a_key_is_the_text_it_is_written_as(key: str) -> None:
    assert value_of(f"{key}: 1") == {key: 1}


@pytest.mark.parametrize(
    "content",
    [b"", b"\n\n", b"# a comment\n", b"\xef\xbb\xbf", b"---\n", b"---\n...\n", b"# a\n---\n# b\n"],
)
def test_a_file_without_a_value_has_no_root_and_no_problem(content: bytes) -> None:
    document = read_yaml(content, "/f", "global")
    assert (document.root, document.problems, document.broken) == (None, (), False)


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbfa: [1]\n",
        b"a:\r\n  - 1\r\n",
        b"a:\r  - 1\r",
        "a: [1]\n".encode("utf-16"),
        b"\xff\xfe" + "a: [1]\n".encode("utf-16-le"),
        b"\xfe\xff" + "a: [1]\n".encode("utf-16-be"),
        b"%YAML 1.2\n---\na: [1]\n...\n",
        b"a: [1]",
        b"a:\t[1]\n",
        b"x: &x [1]\na: *x\n",
    ],
)
def test_encodings_line_ends_directives_and_aliases_change_no_value(content: bytes) -> None:
    document = read_yaml(content, "/f", "global")
    assert document.problems == ()
    root = plain(document.root)
    assert isinstance(root, dict)
    assert root["a"] == [1]


def test_line_breaks_of_yaml_1_1_are_characters_like_any_other() -> None:
    root = mapping("a: one\u2028two\u2029three\x85four # \x85 and on\nb: 1\n")
    assert plain(root) == {"a": "one\u2028two\u2029three\x85four", "b": 1}
    assert root.entries[1].key_span == Span(2, 1, 2, 2)


def test_places_are_lines_and_code_points_from_1() -> None:
    root = mapping("😀: x\nlist:\n  - name: '日本'   # comment\n    n: [1, 2]\n\n# end\nlast:\n")
    emoji, listing, last = root.entries
    assert emoji.key_span == Span(1, 1, 1, 2)
    assert emoji.value.span == Span(1, 4, 1, 5)
    assert isinstance(listing.value, Listing)
    item = listing.value.items[0]
    assert isinstance(item, Mapped)
    assert item.span == Span(3, 5, 4, 14)
    assert item.entries[0].value.span == Span(3, 11, 3, 15)
    assert item.entries[1].value.span == Span(4, 8, 4, 14)
    assert listing.value.span == Span(3, 3, 4, 14)
    assert last.value.span == Span(7, 6, 7, 6)
    assert root.span == Span(1, 1, 7, 6)


def test_an_alias_ends_a_block_where_it_stands_and_is_the_very_value_that_it_names() -> None:
    root = mapping("a: &x [1]\nb:\n  c: *x\n")
    inner = root.entries[1].value
    assert isinstance(inner, Mapped)
    assert inner.entries[0].value is root.entries[0].value
    assert inner.span == Span(3, 3, 3, 8)


def test_an_anchor_may_be_defined_anew() -> None:
    assert value_of("a: &x 1\nb: *x\nc: &x 2\nd: *x\n") == {"a": 1, "b": 1, "c": 2, "d": 2}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)


def quoted(text: str) -> str:
    escaped = (sign if sign.isprintable() and sign not in '"\\' else f"\\U{ord(sign):08x}" for sign in text)
    return f'"{"".join(escaped)}"'


def written(value: Value, indent: int) -> str:
    """The value as block YAML, every text in double quotes."""
    pad = "\n" + " " * indent
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dict) and value:
        return "".join(f"{pad}{quoted(key)}: {written(item, indent + 2)}" for key, item in value.items())
    if isinstance(value, list) and value:
        return "".join(f"{pad}- {written(item, indent + 2)}" for item in value)
    if isinstance(value, float):
        return {math.inf: ".inf", -math.inf: "-.inf"}.get(value, repr(value))
    return json.dumps(value)


@given(VALUES)
def test_every_core_value_is_read_as_it_was_written(value: Value) -> None:
    document = read_yaml(written(value, 0).encode(), "/f", "global")
    assert document.problems == ()
    assert plain(document.root) == value
