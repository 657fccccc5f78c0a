"""A home, a project and a command line at them: what a user of the commands has in front of them."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from tenterhook.cli import main

POINT = "tool.approval.pre"


class Ended(Struct, frozen=True):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Desk:
    """Runs commands in a project folder, with a home of its own."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self.home = root / "home"
        self.project = root / "app"
        self._patch = monkeypatch
        self._capture = capture
        for folder in (self.home, self.project):
            folder.mkdir()
        for name in [name for name in os.environ if name.startswith(("TENTERHOOK_", "_TENTERHOOK"))]:
            monkeypatch.delenv(name)
        monkeypatch.setenv("HOME", str(self.home))
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.chdir(self.project)

    def hooks(self, text: str, *, of: Path | None = None, name: str = "hooks.yaml") -> Path:
        """Write the hook file of the project, or of another folder."""
        path = (of or self.project) / ".codingcode" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def payload(self, content: str = "{}") -> str:
        """Write a payload and return its path as typed."""
        (self.project / "payload.json").write_text(content, encoding="utf-8")
        return "payload.json"

    def run(self, *words: str, stdin: str | None = None) -> Ended:
        """Run one command line."""
        if stdin is not None:
            self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        self._capture.readouterr()
        code = main(words)
        captured = self._capture.readouterr()
        return Ended(code, captured.out, captured.err)


def entry(
    name: str, script: str = "cat", *, kind: str = "decision", point: str = POINT, more: Sequence[str] = ()
) -> str:
    """One entry of a hook file that runs a shell script."""
    lines = [f"  - name: {name}", f"    point: {point}", f"    type: {kind}", "    command: sh"]
    lines += [f"    args: [-c, {json.dumps(script)}]", *(f"    {line}" for line in more)]
    return "\n".join(lines) + "\n"


def hook_file(*entries: str) -> str:
    """A hook file of these entries."""
    return "hooks:\n" + "".join(entries)
