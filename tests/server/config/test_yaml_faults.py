"""Everything that can be wrong with a YAML file is a problem with a place, and never an exception."""

from __future__ import annotations

import gc
import sys

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tenterhook.config.document import Document, Listing, Mapped
from tenterhook.config.yaml_reader import read_yaml
from tenterhook.config.yaml_tree import MAX_DEPTH, MAX_SIZE
from tenterhook_protocol.problems import Problem


def read(content: str | bytes) -> Document:
    return read_yaml(content if isinstance(content, bytes) else content.encode(), "/f/hooks.yaml", "project")


def only(document: Document) -> Problem:
    assert len(document.problems) == 1
    return document.problems[0]


BROKEN: list[tuple[str | bytes, str, int, int, str]] = [
    ("a:\n\t- b\n", "yaml-tab", 2, 1, "with a tab"),
    ("a:\n  b: 1\n\tc: 2\n", "yaml-tab", 3, 1, "with a tab"),
    ("a:\n  \tb: 1\n\tc: 2\n", "yaml-tab", 2, 3, "with a tab"),
    ("a: [1, 2\nb: 3\n", "yaml-syntax", 2, 2, "list that begins in line 1"),
    ("a: {b: 1\nc: 2\n", "yaml-syntax", 2, 2, "mapping that begins in line 1"),
    ("a: 'x\nb: y\n", "yaml-syntax", 1, 4, "no closing quote"),
    ('a: "x\n', "yaml-syntax", 1, 4, "no closing quote"),
    ("a: @b\n", "yaml-syntax", 1, 4, "cannot begin with '@'"),
    ("a: `b`\n", "yaml-syntax", 1, 4, "cannot begin with '`'"),
    ("a: b: c\n", "yaml-syntax", 1, 5, "no value can begin"),
    ("a: 😀 b: c\n", "yaml-syntax", 1, 7, "no value can begin"),
    ("a: b\n c: d\n", "yaml-syntax", 2, 3, "no value can begin"),
    ("- a\nb: 1\n", "yaml-syntax", 2, 1, "does not fit"),
    ("a:\n  - b\n c: 1\n", "yaml-syntax", 3, 2, "does not fit"),
    ("a: 1\nb\n", "yaml-syntax", 2, 1, "without ': '"),
    ('a: "\\q"\n', "yaml-syntax", 1, 5, "backslash"),
    ("a: 1\n...\nb: 2\n", "yaml-syntax", 3, 1, "end of the document"),
    ("%FOO\n---\na\n", "yaml-syntax", 1, 5, "not YAML"),
    ("!x!y a\n", "yaml-syntax", 1, 1, "not YAML"),
    ('a: "\\ud800"\n', "yaml-syntax", 1, 7, "half of a surrogate pair"),
    ('a: "\\ud83d\\ude00"\n', "yaml-syntax", 1, 7, "half of a surrogate pair"),
    ('a: "\\U00110000"\n', "yaml-syntax", 1, 7, "character that there is not"),
    ("a: *x\n", "yaml-alias", 1, 4, "names nothing"),
    ("a: 1\nb: &x [1, *x]\n", "yaml-alias", 2, 11, "contains itself"),
    (b"a: 1\nb: \xff\n", "yaml-encoding", 2, 4, "0xff"),
    ("ä: ".encode() + b"\xc3(\n", "yaml-encoding", 1, 4, "0xc3"),
    (b"\r\n\r\xe4: 1", "yaml-encoding", 3, 1, "UTF-8"),
    (b"\xff\xfea\x00\x00\xd8", "yaml-encoding", 1, 2, "UTF-16"),
    ("a: 1\nb: x\x00y\n", "yaml-character", 2, 5, "U+0000"),
    ("a: \x07\n", "yaml-character", 1, 4, "U+0007"),
    ("a: b\ufeffc\n", "yaml-character", 1, 5, "U+FEFF"),
    ("a: \x7f\n", "yaml-character", 1, 4, "U+007F"),
    ("a: 1".encode("utf-16-le"), "yaml-character", 1, 2, "U+0000"),
    (b"\xff\xfe\x00\x00" + "a".encode("utf-32-le"), "yaml-character", 1, 1, "U+0000"),
    ("- " * (MAX_DEPTH + 1) + "a", "yaml-too-deep", 1, 2 * MAX_DEPTH + 1, str(MAX_DEPTH)),
    ("- " * 50_000 + "a", "yaml-too-deep", 1, 2 * MAX_DEPTH + 1, str(MAX_DEPTH)),
    ("{a: " * (MAX_DEPTH + 1), "yaml-too-deep", 1, 4 * MAX_DEPTH + 1, str(MAX_DEPTH)),
    ("[" * 50_000, "yaml-syntax", 1, 1001, "nested too deeply"),
]


@pytest.mark.parametrize(("content", "code", "line", "column", "words"), BROKEN)
def test_a_file_that_is_no_yaml_is_broken_with_one_problem_at_the_place(
    content: str | bytes, code: str, line: int, column: int, words: str
) -> None:
    document = read(content)
    problem = only(document)
    assert (document.root, document.broken) == (None, True)
    assert (problem.code, problem.line, problem.column) == (code, line, column)
    assert words in problem.message
    assert problem.message.endswith("nothing of this file is loaded")
    assert (problem.severity, problem.path) == ("error", "/f/hooks.yaml")
    assert problem.hint
    assert (problem.end_line, problem.end_column) > (line, column) or code in {"yaml-too-deep", "yaml-too-large"}


def laughs(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "content",
    [
        laughs(9),
        f"a: &a '{'x' * 100_000}'\nb: [{', '.join(['*a'] * 300)}]",
        "[" + "a," * (MAX_SIZE + 1) + "]",
    ],
)
def test_a_file_that_grows_beyond_measure_is_given_up(content: str) -> None:
    document = read(content)
    assert document.broken
    assert only(document).code == "yaml-too-large"


def test_aliases_that_stay_small_are_no_bomb() -> None:
    document = read(laughs(4))
    assert document.problems == ()
    assert isinstance(document.root, Mapped)


def test_aliases_count_in_the_depth() -> None:
    lines = ["a0: &a0 [x]", *(f"a{level}: &a{level} [*a{level - 1}]" for level in range(1, MAX_DEPTH + 5))]
    problem = only(read("\n".join(lines)))
    assert (problem.code, problem.line) == ("yaml-too-deep", MAX_DEPTH)


TOLD: list[tuple[str, str, str, tuple[int, int, int, int]]] = [
    ("a: 1\nb: 2\na: 3\n", "error", "yaml-duplicate-key", (3, 1, 3, 2)),
    ('x: {a: 1, "a": 2}\n', "error", "yaml-duplicate-key", (1, 11, 1, 14)),
    ("a: 1\n---\nb: 2\n", "error", "yaml-documents", (2, 1, 2, 4)),
    ("a: 1\n---\n[\n", "error", "yaml-documents", (2, 1, 2, 4)),
    ("a: !foo b\n", "error", "yaml-tag", (1, 4, 1, 10)),
    ("a: !!python/object/apply:os.system ['true']\n", "error", "yaml-tag", (1, 4, 1, 44)),
    ("a: !!python/name:os.system ''\n", "error", "yaml-tag", (1, 4, 1, 30)),
    ("a: !!binary aGk=\n", "error", "yaml-tag", (1, 4, 1, 17)),
    ("a: !!timestamp 2024-01-01\n", "error", "yaml-tag", (1, 4, 1, 26)),
    ("a: !!set {b}\n", "error", "yaml-tag", (1, 4, 1, 11)),
    ("a: !!int b\n", "error", "yaml-tag", (1, 4, 1, 11)),
    ("a: !!map [1]\n", "error", "yaml-tag", (1, 4, 1, 11)),
    ("? [a, b]\n: 1\n", "error", "yaml-key", (1, 3, 1, 9)),
    ("{a: 1}: 1\n", "error", "yaml-key", (1, 1, 1, 7)),
    ("12: 1\n", "warning", "yaml-key", (1, 1, 1, 3)),
    ("true: 1\n", "warning", "yaml-key", (1, 1, 1, 5)),
    ("?\n: 1\n", "warning", "yaml-key", (1, 2, 1, 2)),
]


@pytest.mark.parametrize(("content", "severity", "code", "place"), TOLD)
def test_what_can_be_read_all_the_same_is_read_with_a_problem(
    content: str, severity: str, code: str, place: tuple[int, int, int, int]
) -> None:
    document = read(content)
    problem = only(document)
    assert not document.broken
    assert isinstance(document.root, Mapped)
    assert (problem.severity, problem.code) == (severity, code)
    assert (problem.line, problem.column) == place[:2]
    assert problem.hint


def test_the_last_of_equal_keys_counts_and_both_places_are_told() -> None:
    document = read("a: 1\nb: 2\n  \na: 3\n")
    root = document.root
    assert isinstance(root, Mapped)
    assert [(entry.key, entry.key_span.line) for entry in root.entries] == [("a", 4), ("b", 2)]
    assert "line 1, column 1" in only(document).message
    assert only(document).line == 4


def test_the_first_of_several_documents_counts() -> None:
    root = read("- 1\n---\n- 2\n").root
    assert isinstance(root, Listing)
    assert len(root.items) == 1


def test_a_tag_is_left_away_and_runs_nothing() -> None:
    root = read("a: !!python/object/apply:os.system ['true']\n").root
    assert isinstance(root, Mapped)
    assert isinstance(root.entries[0].value, Listing)


def test_a_key_that_is_a_list_is_left_out_with_its_value() -> None:
    root = read("? [a]\n: {b: 1}\nc: 2\n").root
    assert isinstance(root, Mapped)
    assert [entry.key for entry in root.entries] == ["c"]


def test_the_collector_is_left_as_it_was() -> None:
    assert gc.isenabled()
    read("a: 1")
    read("a: [")
    assert gc.isenabled()
    gc.disable()
    try:
        read("a: 1")
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_the_pure_loader_reads_and_tells_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def both(content: str | bytes) -> Document:
        fast = read(content)
        with monkeypatch.context() as patch:
            patch.delattr(yaml, "CSafeLoader")
            slow = read(content)
        assert slow.root == fast.root
        assert [problem.code for problem in slow.problems] == [problem.code for problem in fast.problems]
        return slow

    for escape in ("\\U00110000", "\\UFFFFFFFF"):
        problem = only(both(f'a: "x"\nb: "{escape}"\n'))
        assert (problem.code, problem.line) == ("yaml-syntax", 2)
        assert "character that there is not" in problem.message
    both("hooks:\n  - name: a\n    args: [1.10, '2', ~]\n    env: {A: 012}\n")
    for content, _, code, _ in TOLD:
        assert only(both(content)).code == code
    for content, code, line, _, _ in BROKEN:
        if "nested" not in code and len(content) < 100 and content != "%FOO\n---\na\n":
            assert only(both(content)).line == line


@given(st.binary(max_size=200))
@example(b"\xff\xfe")
@example(b"\xfe\xff\xd8")
@example(b"\x00")
@example(b"&a")
@example(b"*")
@example(b"? ? ? :")
def test_no_bytes_are_an_exception(content: bytes) -> None:
    document = read(content)
    assert document.problems or not document.broken


@settings(max_examples=300)
@given(st.text(alphabet="ab:-?[]{},&*!|>'\"%@`#~<. \n\r\t\x85\u2028\ufeff😀0", max_size=60))
def test_no_text_is_an_exception_and_every_place_lies_in_the_file(text: str) -> None:
    document = read(text)
    last = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    for problem in document.problems:
        assert 1 <= problem.line <= last
        assert problem.column >= 1
        assert (problem.end_line, problem.end_column) >= (problem.line, problem.column)


def test_reading_needs_no_deep_stack() -> None:
    def deep(levels: int) -> Document:
        return read("- " * (MAX_DEPTH - 1) + "a") if levels == 0 else deep(levels - 1)

    assert not deep(sys.getrecursionlimit() - 300).broken
