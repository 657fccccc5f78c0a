"""Files that follow others: those of a folder, and those that a file names."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import Struct
from tenterhook.config import files
from tenterhook.config.files import read_layer, read_layers
from tenterhook.config.layers import Layer, Source


class Note(Struct, frozen=True):
    """Something that a system wants back."""

    text: str


def layers(*sources: Source) -> list[Layer]:
    return [layer for _, layer in read_layers(sources, read_layer)]


def test_a_source_that_brings_its_content_along_needs_no_file() -> None:
    note = Note("x")
    (layer,) = layers(Source("command-line", "--settings", content=b"{}", carried=note))
    assert layer == Layer(layer="command-line", path="--settings", content=b"{}", carried=note)


@pytest.mark.parametrize("there", [True, False])
def test_what_a_source_carries_comes_back_with_its_layer(tmp_path: Path, *, there: bool) -> None:
    if there:
        (tmp_path / "a.json").write_bytes(b"{}")
    (layer,) = layers(Source("user", str(tmp_path / "a.json"), carried=Note("x")))
    assert (layer.carried, layer.content is not None) == (Note("x"), there)


def test_the_files_of_a_folder_follow_by_name_and_each_is_a_layer_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "more.d"
    folder.mkdir()
    for name in ("20-b.json", "10-a.json", ".hidden.json", "notes.txt"):
        (folder / name).write_bytes(name.encode())
    first = Source("managed", str(tmp_path / "main.json"), folder=str(folder), from_project=True, carried=Note("x"))
    found = read_layers([first, Source("user", str(tmp_path / "u.json"))], read_layer)
    assert [(layer.layer, layer.content) for _, layer in found] == [
        ("managed", None),
        ("managed:10-a.json", b"10-a.json"),
        ("managed:20-b.json", b"20-b.json"),
        ("user", None),
    ]
    assert [source.from_project for source, _ in found] == [True, True, True, False]
    assert found[1][1].carried == Note("x")


def test_a_folder_that_is_not_there_is_no_problem(tmp_path: Path) -> None:
    (layer,) = layers(Source("managed", str(tmp_path / "main.json"), folder=str(tmp_path / "none")))
    assert layer.problems == ()


def test_a_folder_that_cannot_be_read_is_told_and_takes_nothing_else_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(_path: str) -> list[str]:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "main.json").write_bytes(b"{}")
    # Root may look everywhere, so that the refusal itself has to be made up.
    monkeypatch.setattr(os, "listdir", denied)
    main, folder = layers(Source("managed", str(tmp_path / "main.json"), folder=str(tmp_path / "more.d")))
    assert (main.content, main.failed) == (b"{}", False)
    assert (folder.layer, folder.failed, folder.problems[0].path) == ("managed:more.d", True, str(tmp_path / "more.d"))
    assert "Permission denied" in folder.problems[0].message


def test_a_folder_of_too_many_files_is_not_read(tmp_path: Path) -> None:
    for index in range(files.MAX_FOLDER_FILES + 1):
        (tmp_path / f"{index}.json").write_bytes(b"{}")
    _, folder = layers(Source("managed", str(tmp_path / "main"), folder=str(tmp_path)))
    assert folder.failed


def test_what_a_file_names_follows_it_and_is_not_followed_in_turn(tmp_path: Path) -> None:
    def follow(content: bytes) -> Sequence[Source]:
        return [Source("more", str(tmp_path / content.decode()), follow=follow)]

    (tmp_path / "a").write_bytes(b"b")
    (tmp_path / "b").write_bytes(b"c")
    assert [layer.content for layer in layers(Source("user", str(tmp_path / "a"), follow=follow))] == [b"b", b"c"]
    assert [layer.content for layer in layers(Source("user", str(tmp_path / "none"), follow=follow))] == [None]


def test_what_stands_in_for_the_disk_is_asked_for_every_file(tmp_path: Path) -> None:
    def unsaved(source: Source) -> Layer:
        return Layer(layer=source.layer, path=source.path, content=b"unsaved")

    def follow(content: bytes) -> Sequence[Source]:
        return [Source(content.decode(), "/x")]

    found = read_layers([Source("user", str(tmp_path / "a"), follow=follow)], unsaved)
    assert [(layer.layer, layer.content) for _, layer in found] == [("user", b"unsaved"), ("unsaved", b"unsaved")]
