"""Places between problems (1-based code points) and LSP (0-based UTF-16 units)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenterhook.editor.places import Lines

TEXTS = st.text(st.sampled_from("ab\t🎣漢é\r\n\x85\u2028\x0c"), max_size=30)


@pytest.mark.parametrize(
    ("text", "place", "position"),
    [
        ("abc", (1, 1), (0, 0)),
        ("abc", (1, 3), (0, 2)),
        ("a\nbc", (2, 2), (1, 1)),
        ("a\r\nbc", (2, 2), (1, 1)),
        ("a\rbc", (2, 2), (1, 1)),
        ("🎣x", (1, 2), (0, 2)),
        ("a🎣🎣x", (1, 4), (0, 5)),
        ("漢字x", (1, 3), (0, 2)),
        ("e\u0301x", (1, 3), (0, 2)),
        ("\tx", (1, 2), (0, 1)),
        ("a\u2028b\nc", (1, 3), (0, 2)),
        ("a\x85b\nc", (2, 1), (1, 0)),
        ("a\x0cb\nc", (2, 1), (1, 0)),
        ("abc\n", (1, 99), (0, 3)),
        ("abc\r\nd", (1, 99), (0, 3)),
        ("abc\n", (2, 1), (1, 0)),
        ("abc\n", (9, 1), (1, 0)),
        ("🎣", (9, 9), (0, 2)),
        ("", (1, 1), (0, 0)),
        ("\ufeffabc\nd", (1, 2), (0, 2)),
        ("\ufeffabc\nd", (2, 1), (1, 0)),
    ],
)
def test_a_problems_place_is_told_in_utf16_units_from_zero(
    text: str, place: tuple[int, int], position: tuple[int, int]
) -> None:
    assert Lines(text).position(*place) == position


@pytest.mark.parametrize(
    ("text", "position", "before"),
    [
        ("abc", (0, 2), "ab"),
        ("abc", (0, 99), "abc"),
        ("abc\nd", (0, 99), "abc"),
        ("abc\r\nd", (0, 4), "abc"),
        ("a\rb", (1, 1), "a\rb"),
        ("🎣x", (0, 2), "🎣"),
        ("🎣x", (0, 1), ""),
        ("x🎣", (0, 99), "x🎣"),
        ("漢🎣\nb", (1, 1), "漢🎣\nb"),
        ("abc\n", (1, 0), "abc\n"),
        ("abc\n", (7, 3), "abc\n"),
        ("", (0, 0), ""),
        ("", (3, 3), ""),
        ("a\u2028b\nc", (1, 0), "a\u2028b\n"),
    ],
)
def test_a_clients_position_cuts_the_text_where_lsp_says(text: str, position: tuple[int, int], before: str) -> None:
    assert text[: Lines(text).offset(*position)] == before


@given(TEXTS)
def test_every_place_in_a_text_leads_there_and_back(text: str) -> None:
    lines = Lines(text)
    assert "".join(lines.with_ends) == text
    begin = 0
    for number, line in enumerate([*lines.with_ends, ""], start=1):
        for column in range(1, len(line.rstrip("\r\n")) + 2):
            assert lines.offset(*lines.position(number, column)) == begin + column - 1
        begin += len(line)
