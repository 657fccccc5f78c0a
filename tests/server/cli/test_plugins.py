from __future__ import annotations

import json
from pathlib import Path

import pytest
from tenterhook.cli.explaining import explain
from tenterhook.cli.listing import list_hooks
from tenterhook.cli.testing import try_hook
from tenterhook.errors import BadParams


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "greeter"
    (folder / "hooks").mkdir(parents=True)
    handler = {"type": "command", "command": "echo hello"}
    groups = {"SessionStart": [{"id": "hello", "hooks": [handler]}]}
    (folder / "hooks" / "hooks.json").write_text(json.dumps({"hooks": groups}))
    return folder


def test_a_plugin_that_is_named_has_its_hooks_listed(
    plugin: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path)
    for written, identity in ((str(plugin), "greeter:hello"), (f"own={plugin}", "own:hello")):
        assert list_hooks(project=folder, home=folder, as_json=True, plugins=[written]) == 0
        hooks = json.loads(capsys.readouterr().out)["projects"][0]["hooks"]
        assert [hook["id"] for hook in hooks] == [identity]


def test_a_plugin_that_is_named_counts_for_a_plan_and_a_trial(
    plugin: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, payload = str(tmp_path), tmp_path / "event.json"
    payload.write_text("{}")
    assert explain("SessionStart", None, project=folder, home=folder, as_json=True, plugins=[str(plugin)]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert [hook["id"] for stage in plan["stages"] for hook in stage["hooks"]] == ["greeter:hello"]
    words = ("greeter:hello", str(payload))
    assert try_hook(*words, project=folder, home=folder, as_json=True, plugins=[str(plugin)]) == 0
    assert json.loads(capsys.readouterr().out)["stdout"] == "hello\n"


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadParams, match="--plugin"):
        list_hooks(project=str(tmp_path), home=str(tmp_path), as_json=True, plugins=[str(tmp_path / "gone")])
