"""The demo over the real package comes out as it has to, and says what is missing where something is."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from tenterhook.cli.demo import ecc
from tenterhook.cli.demo.ecc.package import find_package
from tenterhook.cli.demo.ecc.session import differences, session_in
from tenterhook.errors import BadParams, RequestFailed


def test_the_demo_blocks_protects_gates_and_ends_well(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("ECC_GATEGUARD", "off")
    monkeypatch.setenv("ECC_HOOK_PROFILE", "minimal")
    shown = io.StringIO()
    assert ecc.run(str(package), shown) == 0, shown.getvalue()
    text = shown.getvalue()
    assert re.search(r"=> deny: BLOCKED: Modifying \.eslintrc\.json is not allowed", text)
    assert re.search(r"=> deny: BLOCKED: --no-verify flag", text)
    assert "=> deny: [Fact-Forcing Gate]" in text
    assert "stop:format-typecheck" in text
    assert re.search(r"11 events, 62 hooks run, decisions: 1 answer, 4 deny", text)
    assert list(tmp_path.iterdir()) == []


def test_a_session_that_goes_another_way_is_noticed() -> None:
    blocked = session_in("/p")[1]
    assert differences(blocked, "deny", ["pre:config-protection"]) == []
    assert differences(blocked, "deny", ["other"]) == ["pre:config-protection did not decide, only other"]
    assert differences(blocked, None, []) == ["the decision was none instead of deny"]


def test_a_folder_that_is_not_the_package_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadParams, match=r"no hooks/hooks\.json is in it"):
        find_package(str(tmp_path), {}, print)


def test_without_npm_the_message_says_what_to_do(tmp_path: Path) -> None:
    told: list[str] = []
    with pytest.raises(RequestFailed, match=r"npm was not found on PATH: install Node\.js 20 or newer, or name"):
        find_package(None, {"XDG_CACHE_HOME": str(tmp_path), "PATH": "/nowhere"}, told.append)
    assert told == [f"ecc-universal 2.0.0 is installed by npm into {tmp_path}/tenterhook/ecc-universal-2.0.0"]


def test_what_npm_says_when_it_fails_is_told(tmp_path: Path) -> None:
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho 'npm error: no network' >&2\nexit 1\n")
    npm.chmod(0o755)
    with pytest.raises(RequestFailed, match=r"npm could not install ecc-universal@2\.0\.0: npm error: no network"):
        find_package(None, {"XDG_CACHE_HOME": str(tmp_path), "PATH": f"{tmp_path}:/bin"}, print)


def test_what_npm_has_installed_is_found_again(tmp_path: Path) -> None:
    place = tmp_path / "tenterhook" / "ecc-universal-2.0.0" / "node_modules" / "ecc-universal"
    (place / "hooks").mkdir(parents=True)
    (place / "hooks" / "hooks.json").write_text("{}")
    assert find_package(None, {"XDG_CACHE_HOME": str(tmp_path), "PATH": "/nowhere"}, print) == str(place)
