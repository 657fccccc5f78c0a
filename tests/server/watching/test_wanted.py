"""Which files are watched for whom; and what counts as a change of one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tenterhook.watching.looks import Look, changed, folders_of, look_at, look_inside
from tenterhook.watching.wanted import HookFile, Watcher, wanted_by


def watcher(session: str = "s", cwd: str = "/p", named: tuple[str, ...] = (), listed: tuple[str, ...] = ()) -> Watcher:
    return Watcher(session, "/p", cwd, named, listed)


WANTED: list[tuple[str, list[Watcher], dict[str, list[str]]]] = [
    ("nothing", [watcher()], {}),
    ("a name lies in the session's folder", [watcher(named=(".env",), cwd="/p/src")], {"/p/src/.env": ["s"]}),
    ("a name may have a folder", [watcher(named=("a/../b",))], {"/p/b": ["s"]}),
    ("what an answer names is absolute", [watcher(listed=("/etc/x",))], {"/etc/x": ["s"]}),
    ("what is not absolute is not watched", [watcher(cwd="", named=("a",), listed=("b", "/c\0"))], {}),
    ("once for each session", [watcher(named=("a",), listed=("/p/a", "/p//a"))], {"/p/a": ["s"]}),
    ("two sessions", [watcher("s", named=("a",)), watcher("t", named=("a",))], {"/p/a": ["s", "t"]}),
]


@pytest.mark.parametrize(("name", "watchers", "files"), WANTED, ids=[row[0] for row in WANTED])
def test_a_session_watches_what_its_hooks_and_answers_name(
    name: str, watchers: list[Watcher], files: dict[str, list[str]]
) -> None:
    assert wanted_by(watchers, ()).sessions == files, name


def test_one_hook_file_may_count_for_several_projects() -> None:
    files = [HookFile("x", project, "user", "/h/settings.json") for project in ("/p", "/q")]
    wanted = wanted_by((), [*files, HookFile("x", "/p", "managed", "/m.d", folder=True)])
    assert (list(wanted.hook_files), list(wanted.folders), bool(wanted)) == (["/h/settings.json"], ["/m.d"], True)
    assert [file.project for file in wanted.hook_files["/h/settings.json"]] == ["/p", "/q"]


A, B = Look((1,)), Look((2,))
CHANGES = [
    (None, None, None),
    (None, A, "add"),
    (A, None, "unlink"),
    (A, A, None),
    (A, B, "change"),
    (Look((1,), b"x"), Look((2,), b"x"), None),
    (Look((1,), b"x"), Look((1,), b"y"), "change"),
]


@pytest.mark.parametrize(("before", "after", "kind"), CHANGES)
def test_a_change_is_told_by_two_looks(before: Look | None, after: Look | None, kind: str | None) -> None:
    assert changed(before, after) == kind


def test_writing_the_same_again_changes_a_watched_file_but_not_a_hook_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("x", encoding="utf-8")
    looks = [look_at(str(path)), look_at(str(path), closely=True)]
    os.utime(path, ns=(1, 1))
    again = [look_at(str(path)), look_at(str(path), closely=True)]
    assert [changed(*pair) for pair in zip(looks, again, strict=True)] == ["change", None]


@pytest.mark.parametrize("name", ["none", "a\0b", "x" * 300])
def test_a_file_that_cannot_be_there_looks_like_none(tmp_path: Path, name: str) -> None:
    assert look_at(str(tmp_path / name)) is None


def test_a_pipe_is_looked_at_without_waiting_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert look_at(str(tmp_path / "pipe"), closely=True) is not None


def test_a_folder_of_settings_looks_different_when_one_of_them_does(tmp_path: Path) -> None:
    assert look_inside(str(tmp_path / "none")) is None
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    empty = look_inside(str(tmp_path))
    (tmp_path / "a.json").write_text("{}", encoding="utf-8")
    one = look_inside(str(tmp_path))
    (tmp_path / "a.json").write_text("[]", encoding="utf-8")
    assert [changed(empty, one), changed(one, look_inside(str(tmp_path)))] == ["change", "change"]


def test_a_file_whose_folder_is_not_there_is_watched_from_the_nearest_one_above(tmp_path: Path) -> None:
    found = folders_of([str(tmp_path / "a" / "b" / "file")], ())
    assert list(found) == [str(tmp_path)]
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert list(folders_of([str(tmp_path / "a" / "b" / "file")], ())) == [str(tmp_path / "a" / "b")]


def test_a_folder_that_was_made_again_is_another(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    before = folders_of([str(folder / "x")], ())
    folder.rename(tmp_path / "moved")
    folder.mkdir()
    assert folders_of([str(folder / "x")], ()) != before


def test_what_a_link_leads_to_is_watched_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "file").write_text("", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "real" / "file")
    assert set(folders_of([str(tmp_path / "link")], ())) == {str(tmp_path), str(tmp_path / "real")}
