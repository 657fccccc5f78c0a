"""What counts as stale, and what the diff says."""

from __future__ import annotations

from pathlib import Path

from tenterhook_protocol.generate.staleness import diff_of, stale


def test_a_file_with_the_wanted_content_is_not_stale(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"one\n")
    assert stale({path: "one\n"}) == {}


def test_a_missing_file_is_stale(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    behind = stale({path: "one\n"})
    assert behind == {path: (None, "one\n")}
    assert diff_of(behind, tmp_path) == "--- a/a.md\n+++ b/a.md\n@@ -0,0 +1 @@\n+one\n"


def test_other_line_ends_are_stale(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"one\r\n")
    assert stale({path: "one\n"}) == {path: ("one\r\n", "one\n")}


def test_the_diff_goes_from_what_is_there_to_what_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "b" / "a.md"
    path.parent.mkdir()
    path.write_bytes(b"one\ntwo")
    diff = diff_of(stale({path: "one\nthree\n"}), tmp_path)
    assert diff == "--- a/b/a.md\n+++ b/b/a.md\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"
