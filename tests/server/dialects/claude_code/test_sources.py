"""Where settings lie: which files, in which order, and which of them came with the project."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from msgspec import Raw
from tenterhook.config.files import read_layer, read_layers
from tenterhook.dialects.base import Ground
from tenterhook.dialects.claude_code.load import load
from tenterhook.dialects.claude_code.sources import FileRole, sources
from tenterhook.dialects.claude_code.specs import PluginRef
from tenterhook_protocol.lifecycle import PluginFolder

STOP = {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}
SYSTEM = "/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code"


def places(project: str, ground: Ground) -> list[tuple[str, str, bool]]:
    return [(source.layer, source.path, source.from_project) for source in sources(project, ground)]


def test_the_files_come_in_the_order_in_which_answers_are_joined() -> None:
    ground = Ground(home="/h", settings=b"{}", plugins=(PluginFolder(id="a@m", root="/plugins/a"),))
    assert places("/p", ground) == [
        ("managed", f"{SYSTEM}/managed-settings.json", False),
        ("command-line", "--settings", False),
        ("local", "/p/.claude/settings.local.json", True),
        ("project", "/p/.claude/settings.json", True),
        ("user", "/h/.claude/settings.json", False),
        ("plugin:a@m", "/plugins/a/hooks/hooks.json", False),
        ("plugin:a@m:plugin.json", "/plugins/a/.claude-plugin/plugin.json", False),
    ]


@pytest.mark.parametrize(
    ("managed", "path", "folder"),
    [
        (None, f"{SYSTEM}/managed-settings.json", f"{SYSTEM}/managed-settings.d"),
        ("/m", "/m/managed-settings.json", "/m/managed-settings.d"),
        ("/m/policy.json", "/m/policy.json", "/m/managed-settings.d"),
    ],
)
def test_managed_settings_lie_where_the_host_says(managed: str | None, path: str, folder: str) -> None:
    source = sources("/p", Ground(home="/h", managed=managed))[0]
    assert (source.path, source.folder) == (path, folder)


@pytest.mark.parametrize(
    ("wanted", "path"),
    [
        ("/cfg", "/cfg/settings.json"),
        ("/cfg//x/", "/cfg/x/settings.json"),
        ("", "/h/.claude/settings.json"),
        ("relative", "/h/.claude/settings.json"),
    ],
)
def test_the_users_settings_lie_where_the_environment_says(wanted: str, path: str) -> None:
    ground = Ground(home="/h", environment={"CLAUDE_CONFIG_DIR": wanted})
    assert ("user", path, False) in places("/p", ground)


# Public fault code-yeongyu/oh-my-openagent#1297: started in the home folder, each hook ran twice.
def test_a_home_that_is_the_project_has_its_settings_once_and_they_are_its_users() -> None:
    assert places("/h", Ground(home="/h"))[1:] == [
        ("local", "/h/.claude/settings.local.json", False),
        ("user", "/h/.claude/settings.json", False),
    ]


def test_a_home_that_is_the_project_keeps_its_shared_settings_where_the_users_lie_elsewhere() -> None:
    ground = Ground(home="/h", environment={"CLAUDE_CONFIG_DIR": "/cfg"})
    assert [place[0] for place in places("/h", ground)] == ["managed", "local", "project", "user"]


def test_a_config_folder_in_the_project_is_one_layer() -> None:
    ground = Ground(home="/h", environment={"CLAUDE_CONFIG_DIR": "/p/.claude"})
    assert [place[0] for place in places("/p", ground)] == ["managed", "local", "user"]


def test_a_source_carries_what_load_needs_of_the_environment() -> None:
    variable = "CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS"
    for source in sources("/p", Ground(home="/h", environment={variable: "3000"})):
        assert isinstance(source.carried, FileRole)
        assert (source.carried.session_end_ms, source.carried.home) == ("3000", "/h")


@pytest.mark.parametrize(
    ("folder", "ref"),
    [
        (PluginFolder(id="a@m", root="/a/"), PluginRef("a@m", "/a", "/h/.claude/plugins/data/a-m")),
        (PluginFolder(id="a", root="/a", data_dir="/d"), PluginRef("a", "/a", "/d")),
        (
            PluginFolder(
                id="a", root="/a", data_dir="/d", options=Raw(b'{"k":"v\\n","n":1.50,"t":true,"z":null,"o":{"x":1}}')
            ),
            PluginRef("a", "/a", "/d", (("k", "v\n"), ("n", "1.50"), ("t", "true"), ("o", '{"x":1}'))),
        ),
        (PluginFolder(id="a", root="/a", data_dir="/d", options=Raw(b"[]")), PluginRef("a", "/a", "/d")),
    ],
)
def test_a_plugins_files_carry_what_its_placeholders_stand_for(folder: PluginFolder, ref: PluginRef) -> None:
    for source in sources("/p", Ground(home="/h", plugins=(folder,)))[-2:]:
        assert isinstance(source.carried, FileRole)
        assert source.carried.plugin == ref


def test_no_two_sources_share_the_name_of_a_layer() -> None:
    folders = tuple(PluginFolder(id="a", root=root) for root in ("/a", "/b", "/a/"))
    names = [place[0] for place in places("/p", Ground(home="/h", plugins=folders))]
    assert len(set(names)) == len(names) == 8


def write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def hooks_of(project: Path, ground: Ground) -> list[str]:
    layers = [layer for _, layer in read_layers(sources(str(project), ground), read_layer)]
    found = load(layers, {})
    assert [problem.message for problem in found.problems] == []
    return [hook.id.removeprefix("claude-code:") for hook in found.hooks]


# Public fault anthropics/claude-code#10871: a manifest that names the default file loaded it twice.
@pytest.mark.parametrize(
    "named",
    [
        "./hooks/hooks.json",
        "hooks/hooks.json",
        "./hooks/../hooks/hooks.json",
        "${CLAUDE_PLUGIN_ROOT}/hooks/hooks.json",
        "./link.json",
    ],
)
def test_a_manifest_that_names_the_default_file_does_not_load_it_twice(tmp_path: Path, named: str) -> None:
    root = tmp_path / "plugin"
    write(root / "hooks" / "hooks.json", {"hooks": STOP})
    write(root / ".claude-plugin" / "plugin.json", {"name": "p", "hooks": [named, named]})
    (root / "link.json").symlink_to(root / "hooks" / "hooks.json")
    ground = Ground(home=str(tmp_path / "h"), managed=str(tmp_path), plugins=(PluginFolder(id="p", root=str(root)),))
    assert hooks_of(tmp_path / "p", ground) == ["plugin:p:Stop[0].hooks[0]"]


def test_a_manifest_names_further_files_of_its_plugin(tmp_path: Path) -> None:
    root = tmp_path / "plugin"
    write(root / "more" / "a.json", {"hooks": STOP})
    write(root / ".claude-plugin" / "plugin.json", {"name": "p", "hooks": "./more/a.json"})
    ground = Ground(home=str(tmp_path / "h"), managed=str(tmp_path), plugins=(PluginFolder(id="p", root=str(root)),))
    assert hooks_of(tmp_path / "p", ground) == ["plugin:p:more/a.json:Stop[0].hooks[0]"]


def test_the_files_of_the_managed_folder_count_as_managed(tmp_path: Path) -> None:
    write(tmp_path / "managed-settings.json", {"hooks": STOP, "disableAllHooks": True})
    write(tmp_path / "managed-settings.d" / "20-x.json", {"hooks": STOP, "disableAllHooks": False})
    ground = Ground(home=str(tmp_path / "h"), managed=str(tmp_path))
    assert hooks_of(tmp_path / "p", ground) == ["managed:Stop[0].hooks[0]", "managed:20-x.json:Stop[0].hooks[0]"]


def test_a_project_whose_folder_links_to_the_users_has_one_file(tmp_path: Path) -> None:
    write(tmp_path / "h" / ".claude" / "settings.json", {"hooks": STOP})
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / ".claude").symlink_to(tmp_path / "h" / ".claude")
    ground = Ground(home=str(tmp_path / "h"), managed=str(tmp_path / "m"))
    assert hooks_of(tmp_path / "p", ground) == ["user:Stop[0].hooks[0]"]


def test_a_config_folder_that_is_relative_is_told_and_the_usual_one_counts(tmp_path: Path) -> None:
    ground = Ground(home=str(tmp_path), environment={"CLAUDE_CONFIG_DIR": "cfg\nx"})
    layers = [layer for _, layer in read_layers(sources("/p", ground), read_layer)]
    [problem] = load(layers, {}).problems
    assert (problem.severity, problem.code, problem.path) == (
        "warning",
        "config-dir-relative",
        f"{tmp_path}/.claude/settings.json",
    )
    assert "CLAUDE_CONFIG_DIR is 'cfg\\nx'" in problem.message
    assert load([read_layer(each) for each in sources("/p", Ground(home=str(tmp_path)))], {}).problems == ()


SIMPLE = [("1", set[str]()), ("true", set[str]()), ("0", {"user", "plugin:p"}), ("", {"user", "plugin:p"})]


@pytest.mark.parametrize(("value", "run"), SIMPLE)
def test_the_simple_mode_switches_the_hooks_of_files_off(tmp_path: Path, value: str, run: set[str]) -> None:
    """Reference, 3.4: hooks of plugins that managed settings switch on are spared, and nothing else is."""
    root = tmp_path / "p"
    for path in (tmp_path / ".claude" / "settings.json", root / "hooks" / "hooks.json"):
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps({"hooks": STOP}), encoding="utf-8")
    managed = tmp_path / "managed-settings.json"
    environment = {"CLAUDE_CODE_SIMPLE": value}
    plugins = (PluginFolder(id="p", root=str(root)),)
    ground = Ground(home=str(tmp_path), environment=environment, plugins=plugins, managed=str(managed))

    def running() -> set[str]:
        hooks = load([layer for _, layer in read_layers(sources("/p", ground), read_layer)], {}).hooks
        assert {hook.left_out.message for hook in hooks if hook.left_out is not None} <= {
            "CLAUDE_CODE_SIMPLE is set in the environment"
        }
        return {hook.origin.layer for hook in hooks if hook.left_out is None}

    assert running() == run
    managed.write_text('{"enabledPlugins": {"p": true}}', encoding="utf-8")
    assert running() == run | {"plugin:p"}
