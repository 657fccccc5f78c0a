"""Tables: broken files keep the last good layer, untrusted layers are dropped before the merge, unsaved text counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from engine import Engine, hook_file, present
from tenterhook.errors import RequestFailed
from tenterhook_protocol.hooks import ListParams, ReloadParams
from tenterhook_protocol.hooks import TestParams as OneHook


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(tmp_path)


BROKEN = "hooks: [\n"


def names(engine: Engine) -> list[str]:
    return [hook.name for hook in engine.service.list(ListParams()).projects[0].hooks if hook.left_out == hook.matcher]


async def test_a_broken_file_on_reload_keeps_the_last_good_layer_and_is_told_of(engine: Engine) -> None:
    engine.hooks(hook_file("global-hook"), layer="global")
    engine.hooks(hook_file("project-hook"))
    service = engine.load()
    path = engine.hooks(BROKEN)
    result = service.reload(ReloadParams()).projects[0]
    assert [(problem.severity, problem.path) for problem in result.problems] == [("error", str(path))]
    assert result.hooks == 2
    assert names(engine) == ["global-hook", "project-hook"]


async def test_a_broken_file_at_the_start_takes_down_only_its_own_layer(engine: Engine) -> None:
    engine.hooks(hook_file("global-hook"), layer="global")
    engine.hooks(BROKEN)
    engine.load()
    assert names(engine) == ["global-hook"]
    assert [problem.severity for _, problems in engine.sink.problems for problem in problems] == ["error"]


async def test_a_mended_file_counts_again(engine: Engine) -> None:
    engine.hooks(hook_file("old"))
    service = engine.load()
    engine.hooks(BROKEN)
    service.reload(ReloadParams())
    engine.hooks(BROKEN)
    service.reload(ReloadParams())
    assert names(engine) == ["old"]
    engine.hooks(hook_file("new"))
    assert service.reload(ReloadParams()).projects[0].problems == []
    assert names(engine) == ["new"]


async def test_a_removed_file_takes_its_hooks_with_it(engine: Engine) -> None:
    path = engine.hooks(hook_file("hook"))
    service = engine.load()
    path.unlink()
    assert service.reload(ReloadParams()).projects[0].hooks == 0


@pytest.mark.parametrize("trust", ["user", "pinned"])
async def test_an_untrusted_project_cannot_patch_away_a_user_s_guard(tmp_path: Path, trust: str) -> None:
    engine = Engine(tmp_path, trust=trust)
    engine.hooks(hook_file("guard"), layer="global")
    engine.hooks('{"hooks": [{"name": "guard", "enabled": false}, %s]}' % hook_file("mine")[11:-2])  # noqa: UP031 - braces
    engine.load()
    engine.runner.answers("guard", {"decision": "deny"})
    assert present(await engine.decide("tool.approval.pre")).decision == "deny"
    mine = next(hook for hook in engine.service.list(ListParams()).projects[0].hooks if hook.name == "mine")
    assert (mine.trusted, present(mine.left_out).code) == (False, "notTrusted")


@pytest.mark.parametrize(
    ("options", "environment", "code"),
    [
        ({"disabled_hooks": ["Coding-Code:Judge "]}, {}, "disabledById"),
        ({}, {"TENTERHOOK_DISABLED_HOOKS": "x, coding-code:judge"}, "disabledById"),
        ({}, {"TENTERHOOK_HOOKS_ENABLED": "false"}, "disabled"),
        ({"profile": "minimal"}, {}, "disabledByProfile"),
        ({}, {"TENTERHOOK_PROFILE": "minimal"}, "disabledByProfile"),
        ({"profile": "strict"}, {"TENTERHOOK_PROFILE": "minimal"}, None),
        ({}, {"TENTERHOOK_PROFILE": "no-such"}, None),
    ],
)
async def test_the_control_plane_leaves_hooks_out_with_a_reason(
    tmp_path: Path, options: dict[str, object], environment: dict[str, str], code: str | None
) -> None:
    engine = Engine(tmp_path, **options)
    engine.set_environment(**environment)
    engine.hooks(hook_file({"name": "judge", "profiles": ["standard", "strict"]}))
    engine.load()
    await engine.decide("tool.approval.pre")
    hook = engine.service.list(ListParams()).projects[0].hooks[0]
    assert (present(hook.left_out).code if code else None) == code
    assert engine.runner.ran == ([] if code else ["judge"])


async def test_a_disabled_id_that_names_no_hook_is_told_of(tmp_path: Path) -> None:
    engine = Engine(tmp_path, disabled_hooks=["coding-code:nobody"])
    engine.load()
    assert any("coding-code:nobody" in message for _, message in engine.sink.logged)


async def test_unsaved_text_is_judged_together_with_the_other_layer(engine: Engine) -> None:
    engine.hooks(hook_file({"name": "guard", "locked": True}), layer="global")
    path = engine.hooks(hook_file("fine"))
    engine.load()
    unsaved = b"hooks:\n  - name: guard\n    enabled: false\n"
    problems = engine.service.registry.check(str(path), unsaved)
    assert problems is not None
    assert [(problem.line, problem.severity) for problem in problems] == [(2, "error")]
    assert engine.service.registry.check(str(path), path.read_bytes()) == []


async def test_a_file_that_is_no_hook_file_has_no_problems_to_tell(engine: Engine) -> None:
    engine.load()
    assert engine.service.registry.check(str(engine.project / "notes.yaml"), b"a: [") is None


async def test_a_hook_file_of_a_project_that_is_not_loaded_is_judged_too(engine: Engine) -> None:
    other = engine.root / "other" / ".codingcode" / "hooks.yaml"
    problems = engine.service.registry.check(str(other), b"hooks: 5\n")
    assert problems is not None
    assert [problem.severity for problem in problems] == ["error"]


async def test_what_an_untrusted_project_would_change_or_mend_is_told_of(tmp_path: Path) -> None:
    engine = Engine(tmp_path, trust="user")
    unfinished = {"name": "unfinished", "point": "agent.turn.end", "type": "observer", "command": None}
    engine.hooks(hook_file("guard", unfinished), layer="global")
    path = engine.hooks('{"hooks": [{"name": "guard", "enabled": false}, {"name": "unfinished", "command": "x"}]}')
    engine.load()
    told = [(problem.code, problem.entry) for _, problems in engine.sink.problems for problem in problems]
    assert ("patch-not-trusted", "guard") in told
    assert ("patch-not-trusted", "unfinished") in told
    assert any(entry == "unfinished" and code != "patch-not-trusted" for code, entry in told)
    assert any(problem.path == str(path) for _, problems in engine.sink.problems for problem in problems)


async def test_a_hook_that_is_not_trusted_is_not_tested_either(tmp_path: Path) -> None:
    engine = Engine(tmp_path, trust="user")
    engine.hooks(hook_file("mine"))
    service = engine.load()
    with pytest.raises(RequestFailed, match="not approved"):
        service.test(OneHook(hook="mine", payload=engine.payload()))
