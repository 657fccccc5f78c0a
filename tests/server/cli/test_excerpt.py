"""The piece of a hook file that is shown under a problem, and the mark below it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tenterhook.cli.excerpt import excerpt, lines_of
from tenterhook_protocol.problems import Problem


def problem(line: int, column: int, end_line: int, end_column: int) -> Problem:
    return Problem(
        severity="error",
        code="x",
        message="x",
        path="/x",
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
    )


# what stands in the line, (column, end column), what is shown, columns before the mark, columns of the mark
MARKS = {
    "a-word": ("  point: x", (10, 11), "  point: x", 9, 1),
    "an-empty-span-is-one-column": ("name: x", (1, 1), "name: x", 0, 1),
    "behind-the-end": ("name:", (9, 9), "name:", 5, 1),
    "wide-characters-take-two-columns": ("名前: 値", (5, 6), "名前: 値", 6, 2),
    "a-tab-takes-four": ("\tname: x", (2, 6), "    name: x", 4, 4),
    "control-characters-are-spelled-out": ("a\x1b[31m: x", (7, 8), "a\\x1b[31m: x", 9, 1),
    "a-long-line-is-cut-at-its-end": ("key: " + "v" * 99, (1, 4), "key: " + "v" * 32 + "...", 0, 3),
    "a-mark-far-to-the-right": (
        "x" * 99 + "YY" + "z" * 99,
        (100, 102),
        "..." + "x" * 17 + "YY" + "z" * 15 + "...",
        20,
        2,
    ),
    "a-long-mark-is-cut": ("k: " + "v" * 99, (4, 103), "k: " + "v" * 34 + "...", 3, 37),
}


@pytest.mark.parametrize("case", MARKS)
def test_the_mark_stands_below_what_it_marks(case: str) -> None:
    line, (column, end), shown, offset, length = MARKS[case]
    cut = excerpt(problem(1, column, 1, end), [line], 40)
    assert cut is not None
    assert (cut.before + cut.marked + cut.after, cut.offset, cut.length) == (shown, offset, length)


def test_a_mark_over_several_lines_ends_with_the_first() -> None:
    cut = excerpt(problem(1, 3, 3, 2), ["  - name: x  ", "    b: 1", "}"], 40)
    assert cut is not None
    assert (cut.marked, cut.length) == ("- name: x", 9)


@pytest.mark.parametrize("line", [0, 2, 3])
def test_a_line_that_is_not_there_or_empty_has_no_excerpt(line: int) -> None:
    assert excerpt(problem(line, 1, line, 1), ["x", "  "], 40) is None


LINES = {
    "unix": (b"a\nb", ["a", "b"]),
    "windows": (b"a\r\nb\r\n", ["a", "b", ""]),
    "old-mac": (b"a\rb", ["a", "b"]),
    "byte-order-mark": (b"\xef\xbb\xbfa", ["a"]),
    "utf-16": ("a\né".encode("utf-16"), ["a", "é"]),
    "broken-bytes": (b"a\xff", ["a\ufffd"]),
    "other-separators-are-characters": ("a\u2028b\x85c".encode(), ["a\u2028b\x85c"]),
}


@pytest.mark.parametrize("case", LINES)
def test_lines_are_counted_as_the_reader_counts_them(tmp_path: Path, case: str) -> None:
    content, lines = LINES[case]
    path = tmp_path / "hooks.yaml"
    path.write_bytes(content)
    assert lines_of(str(path)) == lines


def test_a_file_that_cannot_be_read_has_no_lines(tmp_path: Path) -> None:
    assert list(lines_of(str(tmp_path))) == []
    assert list(lines_of("\0")) == []
