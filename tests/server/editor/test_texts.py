"""Open texts stay the editor's own, edit by edit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from engine import Engine
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from server.editor.client import ABSENT, Client, Message
from tenterhook.editor.desk import Desk
from tenterhook.editor.features import FEATURES, Feature
from tenterhook.editor.texts import OpenText

URI = "file:///p/a.txt"


def source(desk: Desk, params: types.HoverParams) -> types.Hover | None:
    text = desk.texts.find(params.text_document.uri)
    return None if text is None else types.Hover(contents=text.source)


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(Engine(tmp_path).service, features=(*FEATURES, Feature("textDocument/hover", source)))


def text_of(client: Client, uri: str = URI) -> str | None:
    params = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    result = client.request(1, "textDocument/hover", params)[0]["result"]
    return None if result is None else result["contents"]


def edit(start: tuple[int, int], end: tuple[int, int], text: str) -> Message:
    places = [{"line": line, "character": character} for line, character in (start, end)]
    return {"range": {"start": places[0], "end": places[1]}, "text": text}


@pytest.mark.parametrize(
    ("before", "edits", "after"),
    [
        ("abc\n", [edit((0, 1), (0, 2), "X")], "aXc\n"),
        ("", [edit((0, 0), (0, 0), "new")], "new"),
        ("a\nb\n", [edit((2, 0), (2, 0), "c")], "a\nb\nc"),
        ("a\nb\n", [edit((0, 0), (2, 0), "")], ""),
        ("a\r\nb\r\nc", [edit((0, 1), (1, 0), "")], "ab\r\nc"),
        ("a\r\nb", [edit((0, 9), (1, 0), "|")], "a|b"),
        ("a\rb", [edit((1, 0), (1, 1), "B")], "a\rB"),
        ("🎣🎣 x", [edit((0, 2), (0, 4), "🪝")], "🎣🪝 x"),
        ("漢字 x", [edit((0, 1), (0, 2), "")], "漢 x"),
        ("a\u2028b\nc", [edit((1, 0), (1, 1), "C")], "a\u2028b\nC"),
        ("a\x85b\x0cc\nd", [edit((1, 0), (1, 1), "D")], "a\x85b\x0cc\nD"),
        ("last", [edit((0, 0), (0, 9999), "line")], "line"),
        ("last", [edit((0, 2), (9999, 0), "")], "la"),
        ("abc", [edit((0, 2), (0, 1), "X")], "abXc"),
        ("ab", [edit((0, 2), (0, 2), "c"), edit((0, 3), (0, 3), "d")], "abcd"),
        ("ab", ["whole", edit((0, 0), (0, 1), "W")], "Whole"),
        ("ab", [], "ab"),
        ("ab", [edit((0, 0), (0, 0), "half \ud83c")], "half \ud83cab"),
    ],
)
def test_edits_are_made_where_the_editor_meant_them(
    client: Client, before: str, edits: list[Message | str], after: str
) -> None:
    client.open(URI, before)
    assert client.change(URI, *edits) == []
    assert text_of(client) == after


WORDS = st.text(st.sampled_from("a\t🎣漢\r\n\u2028"), max_size=12)


@given(WORDS, st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), WORDS), max_size=4))
def test_any_row_of_edits_gives_the_text_that_an_editor_has(before: str, edits: list[tuple[int, int, str]]) -> None:
    text = OpenText(types.TextDocumentItem(uri=URI, language_id="", version=1, text=before))
    expected = before
    for first, second, new in edits:
        start, end = sorted(min(index, len(expected)) for index in (first, second))
        if any(expected[index - 1 : index + 1] == "\r\n" for index in (start, end)):
            continue  # no editor has a position between the two
        text.apply_change(
            types.TextDocumentContentChangePartial(
                range=types.Range(start=position(expected, start), end=position(expected, end)), text=new
            )
        )
        expected = expected[:start] + new + expected[end:]
    assert text.source == expected
    assert "".join(text.lines) == expected


def position(text: str, index: int) -> types.Position:
    """LSP's position of an index, by the letter of its specification."""
    head = text[:index].replace("\r\n", "\n").replace("\r", "\n")
    return types.Position(head.count("\n"), len(head.rpartition("\n")[2].encode("utf-16-le")) // 2)


@pytest.mark.parametrize("version", [2, 1, 0, -7, 99, 2**31 - 1])
def test_edits_count_in_the_order_they_come_in_whatever_their_version(client: Client, version: int) -> None:
    client.open(URI, "a", version=2)
    assert client.change(URI, edit((0, 1), (0, 1), "b"), version=version) == []
    assert client.change(URI, edit((0, 2), (0, 2), "c"), version=version) == []
    assert text_of(client) == "abc"


@pytest.mark.parametrize("version", [None, "three", [2], ABSENT])
def test_an_edit_that_cannot_be_read_ends_the_following_of_its_text(client: Client, version: Any) -> None:
    client.open(URI, "a")
    (logged,) = client.change(URI, "b", version=version)
    assert logged["method"] == "window/logMessage"
    assert "params.textDocument.version" in logged["params"]["message"]
    assert text_of(client) is None
    client.open(URI, "c")
    assert text_of(client) == "c"


def test_an_edit_of_a_text_that_is_not_open_is_logged(client: Client) -> None:
    (logged,) = client.change(URI, "b")
    assert logged["params"] == {"type": 2, "message": f"textDocument/didChange: {URI} is not open"}
    assert text_of(client) is None


def test_a_text_opened_anew_is_the_new_one_and_a_closed_one_is_gone(client: Client) -> None:
    client.open(URI, "a")
    client.open(URI, "b", version=1)
    assert text_of(client) == "b"
    assert client.close(URI) == []
    assert text_of(client) is None
    assert client.close(URI) == []


def test_two_spellings_of_one_uri_are_one_text(client: Client) -> None:
    client.open("file:///my%20work/%E6%BC%A2", "a")
    assert text_of(client, "file:///my work/漢") == "a"
