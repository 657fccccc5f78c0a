"""Owns the comparison of derived files with what lies on the disk; knows no format and writes nothing."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path

__all__ = ["diff_of", "stale"]


def stale(wanted: Mapping[Path, str]) -> dict[Path, tuple[str | None, str]]:
    """The files that are missing or differ, each with its present content (None: missing) and the wanted one."""
    found: dict[Path, tuple[str | None, str]] = {}
    for path, content in wanted.items():
        # Bytes, not text mode: a CRLF is stale too.
        present = path.read_bytes().decode("utf-8", "replace") if path.is_file() else None
        if present != content:
            found[path] = (present, content)
    return found


def diff_of(behind: Mapping[Path, tuple[str | None, str]], root: Path) -> str:
    """A unified diff from what is there to what is wanted, with paths relative to ``root``."""
    lines: list[str] = []
    for path, (present, content) in behind.items():
        name = path.relative_to(root).as_posix()
        before = [] if present is None else present.splitlines(keepends=True)
        lines += difflib.unified_diff(before, content.splitlines(keepends=True), f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
