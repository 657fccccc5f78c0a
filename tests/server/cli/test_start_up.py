"""What the quick commands load. Each is a process of its own: what a test has imported must not count."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from server.cli.desk import entry, hook_file

HEAVY = {"typer", "click", "rich", "pygls", "lsprotocol", "pydantic", "importlib.metadata"}

QUICK = {
    "serve": ["serve"],
    "serve-as-an-lsp-client-says-it": ["serve", "--stdio", "--clientProcessId=1"],
    "emit": ["emit", "tool.approval.pre", "--payload", "-"],
    "emit-help": ["emit", "--help"],
    "serve-help": ["serve", "--help"],
}


@pytest.mark.parametrize("case", QUICK)
def test_a_quick_command_loads_neither_typer_nor_rich(tmp_path: Path, case: str) -> None:
    (tmp_path / ".codingcode").mkdir()
    (tmp_path / ".codingcode" / "hooks.yaml").write_text(hook_file(entry("no", 'echo \'{"decision": "deny"}\'')))
    ended = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "tenterhook", *QUICK[case]],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path / "home")},
        input=b"{}" if case == "emit" else b"",
        capture_output=True,
        check=False,
        timeout=30,
    )
    loaded = {line.rpartition("|")[2].strip() for line in ended.stderr.decode().splitlines() if "|" in line}
    assert "tenterhook.cli" in loaded
    assert loaded & HEAVY == set()
    if case == "emit":
        assert (ended.returncode, ended.stdout) == (0, b'{"decision":"deny"}\n')
