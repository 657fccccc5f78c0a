from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from engine import Engine, hook_file, present
from tenterhook.model import Hook, Origin, Spec
from tenterhook.policy import Policy, apply, settle, unknown_ids
from tenterhook_protocol.hooks import HookInfo, ListParams, ReloadParams
from tenterhook_protocol.lifecycle import InitializationOptions


def hook(identity: str = "ecc:pre:observe", *, layer: str = "user", **more: Any) -> Hook:
    origin = Origin(layer=layer, path="/settings.json", line=1, column=1)
    return Hook(
        id=identity,
        name=identity,
        system="x",
        point="PreToolUse",
        type="command",
        spec=Spec(),
        timeout=1,
        origin=origin,
        fields={},
        **more,
    )


def settled(environment: dict[str, str], **options: Any) -> Policy:
    policy, complaints = settle(InitializationOptions(**options), environment)
    assert not complaints
    return policy


@pytest.mark.parametrize(
    ("options", "environment", "profile"),
    [
        ({}, {}, "standard"),
        ({}, {"ECC_HOOK_PROFILE": "strict"}, "strict"),
        ({}, {"ECC_HOOK_PROFILE": " Strict "}, "strict"),
        ({}, {"ECC_HOOK_PROFILE": "strict", "TENTERHOOK_PROFILE": "minimal"}, "minimal"),
        ({}, {"ECC_HOOK_PROFILE": "strict", "TENTERHOOK_PROFILE": " "}, "strict"),
        ({"profile": "standard"}, {"ECC_HOOK_PROFILE": "strict", "TENTERHOOK_PROFILE": "minimal"}, "standard"),
        ({"profile": ""}, {"ECC_HOOK_PROFILE": "strict"}, "standard"),
    ],
)
def test_the_profile_of_the_strongest_source_is_in_force(
    options: dict[str, Any], environment: dict[str, str], profile: str
) -> None:
    assert settled(environment, **options).in_force == profile


def test_disabled_ids_of_all_sources_are_united_trimmed_and_lower_case() -> None:
    environment = {"TENTERHOOK_DISABLED_HOOKS": "a, B:c,,", "ECC_DISABLED_HOOKS": " PROBE:Hook ,x;y"}
    assert settled(environment, disabled_hooks=["D "]).disabled == {"a", "b:c", "probe:hook", "x;y", "d"}


@pytest.mark.parametrize(
    ("options", "environment", "expected"),
    [
        ({}, {}, None),
        ({}, {"ECC_HOOKS_ENABLED": "0"}, False),
        ({}, {"ECC_HOOKS_ENABLED": "OFF"}, False),
        ({}, {"ECC_HOOKS_ENABLED": "yes"}, True),
        ({}, {"ECC_HOOKS_ENABLED": "no", "TENTERHOOK_HOOKS_ENABLED": "1"}, True),
        ({"enabled": True}, {"TENTERHOOK_HOOKS_ENABLED": "0"}, True),
        ({"enabled": False}, {}, False),
    ],
)
def test_the_master_switch_of_the_strongest_source_counts(
    options: dict[str, Any], environment: dict[str, str], expected: object
) -> None:
    assert settled(environment, **options).enabled is expected


@pytest.mark.parametrize(
    ("options", "environment", "words"),
    [
        ({"profile": "stict"}, {}, "initializationOptions.profile: unknown profile 'stict', taken as 'standard'"),
        ({}, {"ECC_HOOK_PROFILE": "off"}, "ECC_HOOK_PROFILE: unknown profile 'off'"),
        ({}, {"TENTERHOOK_PROFILE": "stict"}, "did you mean 'strict'?"),
        ({}, {"ECC_HOOKS_ENABLED": "maybe"}, "neither on nor off"),
    ],
)
def test_a_value_that_means_nothing_is_told_of_and_weakens_nothing(
    options: dict[str, Any], environment: dict[str, str], words: str
) -> None:
    policy, complaints = settle(InitializationOptions(**options), environment)
    assert [words in complaint for complaint in complaints] == [True]
    assert (policy.in_force, policy.enabled is not False) == ("standard", True)


@pytest.mark.parametrize(
    ("policy", "of", "code"),
    [
        (Policy(), hook(), None),
        (Policy(), hook(profiles=("strict",)), "disabledByProfile"),
        (Policy(profile="strict"), hook(profiles=("standard",)), "disabledByProfile"),
        (Policy(profile="strict"), hook(profiles=("minimal", "strict")), None),
        (Policy(disabled=frozenset({"ecc:pre:observe"})), hook("ECC:pre:observe"), "disabledById"),
        (Policy(disabled=frozenset({"pre:observe"})), hook(), None),
        (Policy(disabled=frozenset({"pre:observe"})), hook(aliases=("Pre:Observe",)), "disabledById"),
        (Policy(profile="strict", disabled=frozenset({"a"})), hook("a", profiles=("minimal",)), "disabledById"),
        (Policy(enabled=False, switch="X"), hook(), "disabled"),
        (Policy(enabled=False, switch="X"), hook(layer="managed"), None),
        (Policy(disabled=frozenset({"a"})), hook("a", layer="managed:10-base.json"), None),
    ],
)
def test_a_hook_that_is_off_has_one_reason_and_managed_hooks_are_spared(
    policy: Policy, of: Hook, code: str | None
) -> None:
    (judged,) = apply(policy, [of])
    assert (judged.left_out.code if judged.left_out else None) == code


def test_an_id_is_known_by_every_name_of_a_hook() -> None:
    hooks = [hook("plugin:one", aliases=("One", "registry:one"))]
    assert unknown_ids({"plugin:one", "one", "registry:one", "two"}, hooks) == ["two"]


def with_control(root: Path, control: object, *, layer: str = "global", **options: Any) -> Engine:
    engine = Engine(root, **options)
    engine.hooks(hook_file({"name": "judge", "profiles": ["standard", "strict"]}))
    path = (engine.home if layer == "global" else engine.project) / ".codingcode" / "hooks.yaml"
    path.parent.mkdir(exist_ok=True)
    hooks: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**hooks, "tenterhook": control}))
    engine.load()
    return engine


def codes(engine: Engine) -> list[str]:
    return [problem.code for problem in engine.service.list(ListParams()).projects[0].problems]


def judge(engine: Engine) -> HookInfo:
    return engine.service.list(ListParams()).projects[0].hooks[0]


@pytest.mark.parametrize(
    ("control", "code"),
    [
        ({"profile": "Minimal"}, "disabledByProfile"),
        ({"disabledHooks": ["Coding-Code:Judge"]}, "disabledById"),
        ({"disabledHooks": "a, coding-code:judge"}, "disabledById"),
        ({"enabled": False}, "disabled"),
    ],
)
def test_the_user_s_hooks_yaml_has_a_say(tmp_path: Path, control: object, code: str) -> None:
    engine = with_control(tmp_path, control)
    assert present(judge(engine).left_out).code == code


def test_the_user_s_settings_have_a_say_for_hooks_of_every_system(tmp_path: Path) -> None:
    engine = Engine(tmp_path)
    folder = engine.home / ".claude"
    folder.mkdir()
    (folder / "settings.json").write_text(json.dumps({"tenterhook": {"disabledHooks": ["coding-code:judge"]}}))
    engine.hooks(hook_file("judge"))
    engine.load()
    assert present(judge(engine).left_out).code == "disabledById"


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_project_s_settings_have_none_and_are_told(tmp_path: Path, name: str) -> None:
    engine = Engine(tmp_path)
    engine.hooks(hook_file("judge"))
    engine.settings({}, name=name, tenterhook={"enabled": False})
    engine.load()
    assert isinstance(judge(engine).left_out, type(judge(engine).matcher))
    assert codes(engine) == ["control-not-users"]


async def test_a_project_s_hooks_yaml_has_none_and_is_told(tmp_path: Path) -> None:
    engine = with_control(tmp_path, {"enabled": False}, layer="project")
    assert codes(engine) == ["control-not-users"]
    await engine.decide("tool.approval.pre")
    assert engine.runner.ran == ["judge"]


async def test_what_the_host_says_comes_before_the_user_s_file(tmp_path: Path) -> None:
    engine = with_control(tmp_path, {"profile": "minimal", "enabled": False}, profile="strict", enabled=True)
    await engine.decide("tool.approval.pre")
    assert engine.runner.ran == ["judge"]


@pytest.mark.parametrize(
    ("control", "expected"),
    [
        ({"profile": "stict"}, ["profile-unknown"]),
        ({"profile": None}, ["profile-unknown"]),
        ({"enabled": "no"}, ["field-type"]),
        ({"disabledHooks": [3]}, ["field-type"]),
        ({"disabledHooks": ["no-such"]}, ["disabled-unknown"]),
        ({"profil": "strict"}, ["unknown-key"]),
        ("off", ["field-type"]),
    ],
)
async def test_a_mistake_in_the_section_is_a_problem_and_switches_nothing_off(
    tmp_path: Path, control: object, expected: list[str]
) -> None:
    engine = with_control(tmp_path, control)
    assert codes(engine) == expected
    await engine.decide("tool.approval.pre")
    assert engine.runner.ran == ["judge"]


def test_a_reload_takes_the_section_anew(tmp_path: Path) -> None:
    engine = with_control(tmp_path, {"enabled": False})
    (engine.home / ".codingcode" / "hooks.yaml").write_text("tenterhook: {enabled: true}\n")
    assert engine.service.reload(ReloadParams()).projects[0].hooks == 1
