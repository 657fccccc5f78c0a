"""The gate against drift: what is committed is what the types say."""

from __future__ import annotations

from pathlib import Path

import pytest
from tenterhook_protocol.generate import COMMAND, REPOSITORY, generate
from tenterhook_protocol.generate.staleness import diff_of, stale

WANTED = generate(REPOSITORY)


@pytest.mark.parametrize("path", WANTED, ids=lambda path: path.relative_to(REPOSITORY).as_posix())
def test_a_derived_file_is_current(path: Path) -> None:
    behind = stale({path: WANTED[path]})
    assert not behind, f"run: {COMMAND}\n{diff_of(behind, REPOSITORY)}"


def test_two_generations_are_equal() -> None:
    assert generate(REPOSITORY) == WANTED


@pytest.mark.parametrize("path", WANTED, ids=lambda path: path.name)
def test_a_derived_file_has_lf_alone_and_ends_with_one(path: Path) -> None:
    content = WANTED[path]
    assert "\r" not in content
    assert content.endswith("\n")
    assert not content.endswith("\n\n")


@pytest.mark.parametrize("folder", ["schema", "typescript"])
def test_a_folder_of_derived_files_holds_nothing_else(folder: str) -> None:
    lying = {path for path in (REPOSITORY / "protocol" / folder).rglob("*") if path.is_file()}
    assert lying == {path for path in WANTED if path.parent.name == folder}
