"""The switches that count for all hooks, the time that SessionEnd hooks share, and files that are one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest
from msgspec import structs
from server.dialects.claude_code.settings_files import ECHO, codes, layer, loaded, one, plugin_layer, reasons
from tenterhook.config.layers import Layer
from tenterhook.dialects.claude_code.load import load
from tenterhook.dialects.claude_code.sources import FileRole, LayerKind
from tenterhook.dialects.claude_code.specs import HttpSpec, PluginRef
from tenterhook.model import Hook

STOP = {"Stop": [{"hooks": [ECHO]}]}
HTTP = {"Stop": [{"hooks": [{"type": "http", "url": "https://x/", "allowedEnvVars": ["A", "B"]}]}]}
KINDS: tuple[LayerKind, ...] = ("managed", "command-line", "local", "project", "user")
FORCED = PluginRef("forced@market", "/plugins/forced", "/data")


def running(files: Mapping[LayerKind, Mapping[str, object]], hooks: object = STOP) -> set[str]:
    """Which kinds of files have a hook that runs. ``forced``: a plugin that managed settings want."""
    layers = [layer(kind, {"hooks": hooks, **files.get(kind, {})}) for kind in KINDS]
    found = loaded(*layers, plugin_layer({"hooks": hooks}), plugin_layer({"hooks": hooks}, FORCED))
    return {"forced" if "forced" in hook.id else hook.id.split(":")[1] for hook in found.hooks if hook.left_out is None}


EVERYTHING = {*KINDS, "plugin", "forced"}
SPARED = {"enabledPlugins": {"forced@market": True, "tools@market": False}}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, EVERYTHING),
        ({"user": {"disableAllHooks": True}}, {"managed"}),
        # Public fault anthropics/claude-code#26637: a local file switched the organisation's hooks off.
        ({"local": {"disableAllHooks": True}}, {"managed"}),
        ({"local": {"disableAllHooks": True}, "managed": SPARED}, {"managed", "forced"}),
        ({"managed": {"disableAllHooks": True, **SPARED}}, set[str]()),
        ({"user": {"disableAllHooks": True}, "project": {"disableAllHooks": False}}, EVERYTHING),
        ({"user": {"disableAllHooks": False}, "project": {"disableAllHooks": True}}, {"managed"}),
        ({"local": {"disableAllHooks": True}, "command-line": {"disableAllHooks": False}}, EVERYTHING),
        ({"local": {"disableAllHooks": True}, "managed": {"disableAllHooks": False}}, EVERYTHING),
        ({"user": {"disableAllHooks": "yes"}}, EVERYTHING),
        ({"project": {"disableAllHooks": "no"}, "user": {"disableAllHooks": True}}, {"managed"}),
        ({"managed": {"allowManagedHooksOnly": True}}, {"managed"}),
        ({"managed": {"allowManagedHooksOnly": True, **SPARED}}, {"managed", "forced"}),
        ({"managed": {"allowManagedHooksOnly": False}}, EVERYTHING),
        ({"managed": {"allowManagedHooksOnly": "true"}}, {"managed"}),
        ({"user": {"allowManagedHooksOnly": True}}, EVERYTHING),
        ({"managed": {"strictPluginOnlyCustomization": True}}, {"managed", "plugin", "forced"}),
        ({"managed": {"strictPluginOnlyCustomization": ["skills", "hooks"]}}, {"managed", "plugin", "forced"}),
        ({"managed": {"strictPluginOnlyCustomization": ["skills"]}}, EVERYTHING),
        ({"managed": {"strictPluginOnlyCustomization": "hooks"}}, {"managed", "plugin", "forced"}),
        ({"project": {"strictPluginOnlyCustomization": True}}, EVERYTHING),
        ({"user": SPARED, "managed": {"allowManagedHooksOnly": True}}, {"managed"}),
    ],
)
def test_a_switch_counts_where_it_is_published_to(
    files: Mapping[LayerKind, Mapping[str, object]], expected: set[str]
) -> None:
    assert running(files) == expected


def test_a_hook_that_a_switch_turns_off_says_which_and_where() -> None:
    found = loaded(layer("project", {"disableAllHooks": True}), layer("user", {"hooks": STOP}))
    left_out = one(found).left_out
    assert left_out is not None
    assert left_out.code == "disabled"
    assert left_out.message == "disableAllHooks is true in /project/settings.json, line 1"


@pytest.mark.parametrize(
    ("kind", "key", "value", "severity", "code"),
    [
        ("user", "disableAllHooks", "yes", "error", "field-type"),
        ("managed", "allowManagedHooksOnly", 1, "error", "field-type"),
        ("managed", "strictPluginOnlyCustomization", "x", "error", "field-type"),
        ("user", "allowManagedHooksOnly", True, "warning", "managed-only"),
        ("project", "strictPluginOnlyCustomization", True, "warning", "managed-only"),
        ("user", "allowedHttpHookUrls", "https://x", "error", "field-type"),
        ("user", "allowedHttpHookUrls", [3], "error", "field-type"),
        ("user", "httpHookAllowedEnvVars", {}, "error", "field-type"),
        ("user", "DisableAllHooks", True, "warning", "unknown-key"),
        ("user", "allowedHttpHooksUrls", [], "warning", "unknown-key"),
    ],
)
def test_a_switch_that_is_not_understood_is_told(
    kind: LayerKind, key: str, value: object, severity: str, code: str
) -> None:
    assert codes(loaded(layer(kind, {key: value})).problems) == [(severity, code, "")]


def test_of_several_managed_files_the_last_is_the_strongest_and_their_lists_are_united() -> None:
    def managed(name: str, content: Mapping[str, object]) -> Layer:
        return structs.replace(layer("managed", content), layer=f"managed{name}", path=f"/m{name}")

    found = loaded(
        managed("", {"disableAllHooks": True, "allowedHttpHookUrls": ["https://a/*"]}),
        managed(":10-x.json", {"disableAllHooks": False, "allowedHttpHookUrls": ["https://b/*"]}),
        layer("user", {"hooks": HTTP}),
    )
    assert one(found).left_out is None
    assert http(one(found)).allowed_urls == ("https://a/*", "https://b/*")


def http(hook: Hook) -> HttpSpec:
    assert isinstance(hook.spec, HttpSpec)
    return hook.spec


@pytest.mark.parametrize(
    ("managed", "user", "for_managed", "for_others"),
    [
        (None, None, None, None),
        (None, ["https://u/*"], None, ("https://u/*",)),
        (["https://m/*"], None, ("https://m/*",), ("https://m/*",)),
        (["https://m/*"], ["https://u/*"], ("https://m/*",), ("https://m/*", "https://u/*")),
        (None, [], None, ()),
        (None, "https://u/*", None, ()),
        (None, ["https://u/*", 3], None, ("https://u/*",)),
    ],
)
def test_address_lists_are_united_and_weaker_files_do_not_bind_managed_hooks(
    managed: object, user: object, for_managed: Sequence[str] | None, for_others: Sequence[str] | None
) -> None:
    def said(value: object) -> Mapping[str, object]:
        return {} if value is None else {"allowedHttpHookUrls": value}

    found = loaded(
        layer("managed", {"hooks": HTTP, **said(managed)}),
        layer("user", {"hooks": HTTP, **said(user)}),
        plugin_layer({"hooks": HTTP}),
    )
    assert [http(hook).allowed_urls for hook in found.hooks] == [for_managed, for_others, for_others]


@pytest.mark.parametrize(
    ("allowed", "variables"), [(None, ("A", "B")), (["B", "C"], ("B",)), ([], ()), ("A", ()), ([1, "A"], ("A",))]
)
def test_variables_of_headers_are_cut_down_by_the_settings(allowed: object, variables: Sequence[str]) -> None:
    found = loaded(
        layer("project", {} if allowed is None else {"httpHookAllowedEnvVars": allowed}), layer("user", {"hooks": HTTP})
    )
    assert http(one(found)).variables == variables


def test_a_plugins_file_has_no_switches() -> None:
    found = loaded(plugin_layer({"hooks": STOP, "disableAllHooks": True, "modules": ["./x.js"], "description": "x"}))
    assert (found.problems, one(found).left_out) == ((), None)


def ending(*timeouts: object) -> Mapping[str, object]:
    handlers = [ECHO if timeout is None else {**ECHO, "timeout": timeout} for timeout in timeouts]
    return {"hooks": {"SessionEnd": [{"hooks": handlers}]}}


@pytest.mark.parametrize(
    ("user", "plugin", "environment", "expected"),
    [
        ([None], [], None, [1.5]),
        ([5, None, 3], [], None, [5, 5, 3]),
        ([1], [], None, [1]),
        ([1, None], [], None, [1, 1.5]),
        ([120, None], [], None, [60, 60]),
        ([None], [30, None], None, [1.5, 1.5, 1.5]),
        ([10], [30, None], None, [10, 10, 10]),
        ([5, None], [], "3000", [3, 3]),
        ([None], [], "90000", [90]),
        ([5], [], "soon", [5]),
        ([5], [], "0", [5]),
        ([5], [], "nan", [5]),
        ([5], [], "", [5]),
    ],
)
def test_the_hooks_of_session_end_share_one_budget(
    user: Sequence[object], plugin: Sequence[object], environment: str | None, expected: Sequence[float]
) -> None:
    """NousResearch/hermes-agent#119893: the time that counts is one number, and what is cut is told of."""
    found = loaded(layer("user", ending(*user), session_end_ms=environment), plugin_layer(ending(*plugin)))
    assert [hook.timeout for hook in found.hooks] == expected
    asked = [timeout for timeout in (*user, *plugin) if isinstance(timeout, int)]
    cut = sum(timeout > max(expected) for timeout in asked)
    assert [problem.code for problem in found.problems] == ["timeout-shared"] * cut


def test_a_hook_that_never_runs_does_not_raise_the_budget() -> None:
    off = {"type": "prompt", "prompt": "x", "timeout": 40}
    found = loaded(
        {"hooks": {"SessionEnd": [{"hooks": [off, ECHO]}, {"matcher": "(", "hooks": [{**ECHO, "timeout": 9}]}]}}
    )
    assert found.hooks[1].timeout == 1.5


def test_the_budget_is_no_other_events_business() -> None:
    content = {"hooks": {"SessionEnd": [{"hooks": [ECHO]}], **STOP}}
    found = loaded(layer("user", content, session_end_ms="3000"))
    assert [hook.timeout for hook in found.hooks] == [3, 600]


def same_file(name: LayerKind, content: object = None) -> Layer:
    return structs.replace(layer(name, content or {"hooks": STOP}), real_path="/real")


@pytest.mark.parametrize(
    ("layers", "kept"),
    [
        # Public fault code-yeongyu/oh-my-openagent#1297: started at home, every hook ran twice.
        ([same_file("project"), same_file("user")], "user"),
        ([same_file("local"), same_file("user")], "user"),
        ([same_file("local"), same_file("project")], "local"),
        ([same_file("managed"), same_file("user")], "managed"),
        # Public fault anthropics/claude-code#10871, and Yeachan-Heo/oh-my-codex#2187: one file under two names.
        (
            [
                structs.replace(plugin_layer({"hooks": STOP}), real_path="/real"),
                structs.replace(plugin_layer({"hooks": STOP}, name=":x.json"), real_path="/real"),
            ],
            "plugin:tools@market",
        ),
    ],
)
def test_a_file_under_two_names_counts_once(layers: Sequence[Layer], kept: str) -> None:
    found = load(layers, {})
    assert reasons(found) == {f"claude-code:{kept}:Stop[0].hooks[0]": None}


def test_hooks_come_in_the_order_of_files_and_positions() -> None:
    content = {"hooks": {"Stop": [{"hooks": [ECHO, ECHO]}, {"hooks": [ECHO]}]}}
    found = loaded(*(layer(kind, content) for kind in KINDS), plugin_layer(content))
    places = ["Stop[0].hooks[0]", "Stop[0].hooks[1]", "Stop[1].hooks[0]"]
    kinds = [*KINDS, "plugin:tools@market"]
    assert [hook.id for hook in found.hooks] == [f"claude-code:{kind}:{place}" for kind in kinds for place in places]


def test_what_went_wrong_on_the_way_to_the_bytes_is_passed_on() -> None:
    told = loaded({"hooks": []}).problems
    failed = Layer(layer="project", path="/p", content=None, failed=True, problems=told)
    assert load([failed], {}).problems == told


def manifest(hooks: object) -> Layer:
    ref = PluginRef("p", "/p", "/d")
    content = json.dumps({"name": "p", "hooks": hooks}).encode()
    role = FileRole(kind="plugin", plugin=ref, manifest=True)
    return Layer(layer="plugin:p:plugin.json", path="/p/.claude-plugin/plugin.json", content=content, carried=role)


@pytest.mark.parametrize(
    ("hooks", "ids"),
    [
        (STOP, ["Stop[0].hooks[0]"]),
        ({"hooks": STOP}, ["Stop[0].hooks[0]"]),
        ([STOP, "./more.json", {"hooks": STOP}], ["Stop[0].hooks[0]", "Stop[1].hooks[0]"]),
        ("./more.json", list[str]()),
        ([], list[str]()),
    ],
)
def test_a_manifest_may_hold_hooks_itself(hooks: object, ids: Sequence[str]) -> None:
    found = load([manifest(hooks)], {})
    assert found.problems == ()
    assert [hook.id for hook in found.hooks] == [f"claude-code:plugin:p:plugin.json:{name}" for name in ids]


@pytest.mark.parametrize(
    ("hooks", "code"),
    [
        (3, "manifest-hooks-type"),
        (None, "manifest-hooks-type"),
        ([True], "manifest-hooks-type"),
        ("", "manifest-path"),
        ("/etc/passwd", "manifest-path"),
        ("../other/hooks.json", "manifest-path"),
        ("./a/../../b.json", "manifest-path"),
        ("./gone.json", "manifest-path-missing"),
    ],
)
def test_a_manifest_that_names_no_file_of_its_plugin_is_told(hooks: object, code: str) -> None:
    gone = Layer(layer="plugin:p:gone.json", path="/p/gone.json", content=None)
    found = load([manifest(hooks), gone], {})
    assert [problem.code for problem in found.problems] == [code]
    assert found.hooks == ()


def test_a_manifest_without_hooks_is_no_problem() -> None:
    role = FileRole(kind="plugin", plugin=PluginRef("p", "/p", "/d"), manifest=True)
    found = load([Layer(layer="x", path="/p/plugin.json", content=b'{"name": "p", "Stop": []}', carried=role)], {})
    assert (found.hooks, found.problems) == ((), ())


@pytest.mark.parametrize(
    ("name", "path", "code"),
    [
        ("user", "/h/.claude/settings.json", "event-outside-hooks"),
        ("managed:10-x.json", "/m/10-x.json", "event-outside-hooks"),
        ("plugin:p", "/p/hooks/hooks.json", "event-outside-hooks"),
        ("plugin:p:plugin.json", "/p/.claude-plugin/plugin.json", None),
    ],
)
def test_an_editors_unsaved_text_is_judged_by_the_name_of_its_layer(name: str, path: str, code: str | None) -> None:
    found = load([Layer(layer=name, path=path, content=b'{"Stop": []}')], {})
    assert [problem.code for problem in found.problems] == ([] if code is None else [code])
