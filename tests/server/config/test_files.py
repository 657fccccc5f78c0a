"""The way from a path to bytes: nothing on a disk can stop it or make it raise."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from tenterhook.config.files import MAX_FILE_BYTES, read_layer
from tenterhook.config.layers import Layer, Source


def source(folder: Path) -> Source:
    return Source("global", str(folder / "hooks.yaml"), str(folder / "hooks.yml"))


def refused(layer: Layer) -> str:
    """What an unreadable file is told as."""
    assert (layer.content, layer.failed, layer.real_path) == (None, True, None)
    (problem,) = layer.problems
    assert (problem.severity, problem.code, problem.path) == ("error", "file-unreadable", layer.path)
    assert (problem.line, problem.column, problem.end_line, problem.end_column) == (1, 1, 1, 1)
    assert problem.message.endswith("None of its hooks is loaded")
    return problem.message


def test_the_preferred_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "hooks.yaml"
    path.write_bytes(b"hooks: []\n")
    assert read_layer(source(tmp_path)) == Layer(
        layer="global", path=str(path), content=b"hooks: []\n", real_path=str(path.resolve())
    )


def test_the_fallback_counts_where_the_preferred_file_is_absent(tmp_path: Path) -> None:
    path = tmp_path / "hooks.yml"
    path.write_bytes(b"")
    layer = read_layer(source(tmp_path))
    assert (layer.path, layer.content, layer.problems) == (str(path), b"", ())


def test_a_fallback_beside_the_preferred_file_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "hooks.yaml").write_bytes(b"a")
    (tmp_path / "hooks.yml").write_bytes(b"b")
    layer = read_layer(source(tmp_path))
    assert (layer.content, layer.failed) == (b"a", False)
    (problem,) = layer.problems
    assert (problem.severity, problem.code, problem.path) == ("warning", "file-shadowed", str(tmp_path / "hooks.yml"))
    assert str(tmp_path / "hooks.yaml") in problem.message


def test_a_fallback_does_not_stand_in_for_a_preferred_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "hooks.yaml").mkdir()
    (tmp_path / "hooks.yml").write_bytes(b"b")
    layer = read_layer(source(tmp_path))
    assert (layer.content, layer.failed) == (None, True)
    assert [problem.code for problem in layer.problems] == ["file-unreadable", "file-shadowed"]


@pytest.mark.parametrize("below", ["", "missing", "file"])
def test_no_file_is_no_problem(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert read_layer(source(tmp_path / below)) == Layer(
        layer="global", path=str(tmp_path / below / "hooks.yaml"), content=None
    )


def test_a_source_without_a_fallback_has_none(tmp_path: Path) -> None:
    (tmp_path / "hooks.yml").write_bytes(b"b")
    assert read_layer(Source("global", str(tmp_path / "hooks.yaml"))).content is None


def test_a_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "hooks.yaml").mkdir()
    assert "a directory, not a file" in refused(read_layer(source(tmp_path)))


def test_a_named_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "hooks.yaml")
    assert "a named pipe, not a file" in refused(read_layer(source(tmp_path)))


def test_a_device_is_refused(tmp_path: Path) -> None:
    (tmp_path / "hooks.yaml").symlink_to("/dev/zero")
    assert "a device, not a file" in refused(read_layer(source(tmp_path)))


def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("hooks.yaml")
        refused(read_layer(source(tmp_path)))


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    (tmp_path / "hooks.yaml").symlink_to(tmp_path / "other")
    (tmp_path / "other").symlink_to(tmp_path / "hooks.yaml")
    layer = read_layer(source(tmp_path))
    refused(layer)
    assert "circle" in str(layer.problems[0].hint)


def test_a_link_that_leads_nowhere_is_no_absent_file(tmp_path: Path) -> None:
    (tmp_path / "hooks.yaml").symlink_to(tmp_path / "gone")
    assert "leads nowhere" in refused(read_layer(source(tmp_path)))


def test_a_link_is_followed_and_the_real_path_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_bytes(b"x")
    (tmp_path / "hooks.yaml").symlink_to(target)
    layer = read_layer(source(tmp_path))
    assert (layer.path, layer.real_path) == (str(tmp_path / "hooks.yaml"), str(target.resolve()))


@pytest.mark.parametrize(("size", "fits"), [(MAX_FILE_BYTES, True), (MAX_FILE_BYTES + 1, False)])
def test_a_file_over_the_limit_is_refused(tmp_path: Path, size: int, *, fits: bool) -> None:
    with (tmp_path / "hooks.yaml").open("wb") as file:
        file.truncate(size)
    layer = read_layer(source(tmp_path))
    assert layer.failed is not fits
    if not fits:
        assert str(MAX_FILE_BYTES) in refused(layer)


@pytest.mark.parametrize("name", ["hooks\0.yaml", "\udcff\ud800", "x" * 300])
def test_a_path_that_no_file_can_have_is_no_exception(tmp_path: Path, name: str) -> None:
    refused(read_layer(Source("global", f"{tmp_path}/{name}")))


def test_a_file_that_the_system_refuses_is_told_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_arguments: object) -> int:
        raise PermissionError(13, "Permission denied")

    # Root may read everything, so that the refusal itself has to be made up.
    monkeypatch.setattr(os, "open", denied)
    layer = read_layer(source(tmp_path))
    assert "Permission denied" in refused(layer)
    assert "chmod" in str(layer.problems[0].hint)
