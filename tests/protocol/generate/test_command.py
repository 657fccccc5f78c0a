"""The command line of the generator."""

from __future__ import annotations

from pathlib import Path

import pytest
from tenterhook_protocol.generate import __main__ as command
from tenterhook_protocol.generate import generate


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    specification = tmp_path / "protocol" / "spec" / "specification.md"
    specification.parent.mkdir(parents=True)
    specification.write_text("# Text\n\n- **[BASE-01]** It MUST answer.\n", encoding="utf-8")
    monkeypatch.setattr(command, "REPOSITORY", tmp_path)
    return tmp_path


def test_a_fresh_checkout_gets_every_file_and_is_then_current(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([]) == 0
    assert {path: path.read_text(encoding="utf-8") for path in generate(checkout)} == generate(checkout)
    capsys.readouterr()
    assert command.main(["--check"]) == 0
    assert capsys.readouterr().out == ""


def test_a_check_of_a_stale_checkout_writes_nothing_and_tells_the_command(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command.main([])
    stale = checkout / "protocol" / "spec" / "requirements.json"
    stale.write_text("{}\n", encoding="utf-8")
    capsys.readouterr()
    assert command.main(["--check"]) == 1
    said = capsys.readouterr().out
    assert "--- a/protocol/spec/requirements.json" in said
    assert "1 derived files are stale; run: python -m tenterhook_protocol.generate" in said
    assert stale.read_text(encoding="utf-8") == "{}\n"


def test_outside_a_checkout_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "REPOSITORY", tmp_path)
    assert command.main([]) == 1
    assert capsys.readouterr().err.startswith("not a checkout of tenterhook: ")
