"""What a user has set for plugins in settings files."""

from __future__ import annotations

import json
from typing import Any

import pytest
from server.dialects.claude_code.settings_files import ECHO, PLUGIN, codes, layer, loaded, plugin_layer, settings
from tenterhook.dialects.base import Loaded
from tenterhook.dialects.claude_code.specs import PluginRef, ShellSpec

HOOKS = settings(ECHO)


def configs(options: Any, plugin: str = PLUGIN.id) -> dict[str, Any]:
    return {"pluginConfigs": {plugin: {"options": options}}}


def options_of(found: Loaded) -> dict[str, str]:
    [spec] = [hook.spec for hook in found.hooks]
    assert isinstance(spec, ShellSpec)
    assert spec.plugin is not None
    return dict(spec.plugin.options)


def test_options_reach_the_plugin_s_hooks_as_texts() -> None:
    values = {"url": "http://x", "n": 3, "on": True, "many": ["a", 1], "f": 1.50, "none": None}
    found = loaded(layer("user", configs(values)), plugin_layer(HOOKS))
    assert found.problems == ()
    assert options_of(found) == {"url": "http://x", "n": "3", "on": "true", "many": '["a",1]', "f": "1.5"}


def test_of_each_key_the_strongest_file_counts_and_what_the_host_says_before_all() -> None:
    layers = [
        layer("managed", configs({"a": "managed"})),
        layer("command-line", configs({"a": "line", "b": "line"})),
        layer("user", configs({"a": "user", "b": "user", "c": "user", "d": "user"})),
    ]
    ref = PluginRef(PLUGIN.id, PLUGIN.root, PLUGIN.data, (("d", "host"),))
    assert options_of(loaded(*layers, plugin_layer(HOOKS, ref))) == {
        "a": "managed",
        "b": "line",
        "c": "user",
        "d": "host",
    }


@pytest.mark.parametrize("kind", ["local", "project"])
def test_a_project_sets_nothing_for_a_plugin_and_is_told_so(kind: Any) -> None:
    found = loaded(layer(kind, configs({"url": "http://evil"})), plugin_layer(HOOKS))
    assert codes(found.problems) == [("warning", "not-in-project", "pluginConfigs")]
    assert options_of(found) == {}


def test_another_plugin_s_options_are_its_own() -> None:
    found = loaded(layer("user", configs({"url": "x"}, "other@market")), plugin_layer(HOOKS))
    assert (found.problems, options_of(found)) == ((), {})


BAD: list[tuple[Any, str]] = [
    (7, "field-type"),
    ({PLUGIN.id: []}, "field-type"),
    ({PLUGIN.id: {"options": "x"}}, "field-type"),
    ({PLUGIN.id: {"options": {"a=b": "x"}}}, "option-unusable"),
    ({PLUGIN.id: {"options": {"a": "\0"}}}, "option-unusable"),
]


@pytest.mark.parametrize(("value", "code"), BAD)
def test_what_cannot_be_used_is_told_and_the_plugin_s_hooks_stand(value: Any, code: str) -> None:
    found = loaded(layer("user", json.dumps({"pluginConfigs": value})), plugin_layer(HOOKS))
    assert [problem.code for problem in found.problems] == [code]
    assert options_of(found) == {}


def test_a_file_without_options_and_other_keys_are_no_problem() -> None:
    found = loaded(layer("user", {"pluginConfigs": {PLUGIN.id: {"mcpServers": {}}}}), plugin_layer(HOOKS))
    assert (found.problems, options_of(found)) == ((), {})
