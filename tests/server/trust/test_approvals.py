"""The file of approvals: nothing is lost, and nothing counts that another could have written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tenterhook.errors import RequestFailed
from tenterhook.trust import Approval, Store, default_place

APPROVAL = Approval("sha256:0", "2026-12-01T00:00:00Z")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "state" / "tenterhook" / "trust.json"))


def content(store: Store) -> str:
    return Path(store.path).read_text(encoding="utf-8")


def write(store: Store, text: str | bytes) -> Path:
    path = Path(store.path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path.chmod(0o600)
    return path


def test_nothing_is_approved_where_there_is_no_file_yet(store: Store) -> None:
    approvals, complaints = store.read()
    assert (approvals.of("/p"), complaints) == ({}, ())


def test_what_was_approved_is_found_again_for_its_project_alone(store: Store) -> None:
    store.change("/p", {"coding-code:project": APPROVAL})
    store.change("/p", {"claude-code:local": APPROVAL})
    approvals, _ = store.read()
    assert set(approvals.of("/p")) == {"coding-code:project", "claude-code:local"}
    assert approvals.of("/q") == {}


def test_what_is_taken_back_is_gone_and_the_rest_stays(store: Store) -> None:
    store.change("/p", {"x:project": APPROVAL})
    store.change("/q", {"x:project": APPROVAL})
    store.change("/p", None)
    assert set(json.loads(content(store))["projects"]) == {"/q"}


def test_only_the_user_can_read_and_write_it(store: Store) -> None:
    store.change("/p", {"x:project": APPROVAL})
    assert os.stat(store.path).st_mode & 0o777 == 0o600
    assert [name for name in os.listdir(os.path.dirname(store.path)) if name.startswith(".trust-")] == []


def _writable(path: Path) -> None:
    path.chmod(0o666)


def _a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _as_it_is(path: Path) -> None:
    del path


UNUSABLE: list[tuple[str, str | bytes, Callable[[Path], None], str]] = [
    ("others may write it", '{"projects": {"/p": {"x:project": {"digest": "d"}}}}', _writable, "chmod go-w"),
    ("a folder", "{}", _a_folder, "no regular file"),
    ("a pipe", "{}", _a_pipe, "no regular file"),
    ("no JSON", "{", _as_it_is, "broken"),
    ("another shape", '{"projects": {"/p": ["x"]}}', _as_it_is, "broken"),
    ("no UTF-8", b'{"projects": {"\xff": {}}}', _as_it_is, "broken"),
    ("deep", "[" * 100_000, _as_it_is, "broken"),
    ("a later version", '{"version": 2}', _as_it_is, "version 2"),
    ("huge", b" " * (8 * 1024 * 1024 + 1), _as_it_is, "more than"),
]


@pytest.mark.parametrize(("name", "text", "change", "said"), UNUSABLE, ids=[row[0] for row in UNUSABLE])
def test_a_file_that_cannot_be_trusted_approves_nothing_and_is_kept(
    store: Store, name: str, text: str | bytes, change: Callable[[Path], None], said: str
) -> None:
    change(write(store, text))
    approvals, complaints = store.read()
    assert approvals.projects == {}
    assert [said in line and store.path in line for line in complaints] == [True]
    told = store.change("/p", {"x:project": APPROVAL})
    assert any("unusable-1" in line for line in told), name
    assert set(store.read()[0].of("/p")) == {"x:project"}
    assert os.path.lexists(f"{store.path}.unusable-1")


def test_a_place_that_cannot_be_written_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(RequestFailed, match="cannot be kept in"):
        Store(str(tmp_path / "file" / "trust.json")).change("/p", {})


def test_engines_that_approve_at_the_same_time_lose_nothing_of_each_other(store: Store) -> None:
    write(store, "{}")
    program = (
        "import sys; from tenterhook.trust import Approval, Store\n"
        "for n in range(20): Store(sys.argv[1]).change(f'/{sys.argv[2]}-{n}', {'x:project': Approval('d')})\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", program, store.path, name]) for name in "ab"]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert len(store.read()[0].projects) == 40


PLACES: list[tuple[dict[str, str], bool, str]] = [
    ({}, True, "/h/.local/state/tenterhook/trust.json"),
    ({"XDG_STATE_HOME": "/s"}, True, "/s/tenterhook/trust.json"),
    ({"XDG_STATE_HOME": "relative"}, True, "/h/.local/state/tenterhook/trust.json"),
    ({"XDG_STATE_HOME": "/s"}, False, "/h/.local/state/tenterhook/trust.json"),
]


@pytest.mark.parametrize(("environment", "own", "place"), PLACES)
def test_it_lies_where_a_user_s_state_lies(environment: dict[str, str], own: bool, place: str) -> None:  # noqa: FBT001 - a table's column
    assert default_place("/h", environment, own_home=own) == place
