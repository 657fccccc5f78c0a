"""The package as it was published, loaded as a plugin of a whole engine: nothing of it is changed."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from engine import RecordingSink, now, present, raw
from msgspec import UNSET
from tenterhook.service import Service
from tenterhook_protocol.hooks import EmitDecisionParams, EmitParams, ExplainParams, HookInfo, ListParams
from tenterhook_protocol.hooks import TestParams as Try
from tenterhook_protocol.lifecycle import InitializationOptions, PluginFolder
from tenterhook_protocol.runs import HookDecision, HookRun

PRE, POST = "PreToolUse", "PostToolUse"


class TellingSink(RecordingSink):
    """Wakes whoever waits for a run in the background."""

    def __init__(self) -> None:
        super().__init__()
        self.told = asyncio.Event()

    def run_detached_completed(self, run: HookRun, context: str | None, *, wake: bool) -> None:
        super().run_detached_completed(run, context, wake=wake)
        self.told.set()


class Whole:
    """An engine with the plugin, over a home and a project of its own."""

    def __init__(self, folder: Path, package: Path, environment: Mapping[str, str], options: Mapping[str, Any]) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        for place in (self.home, self.project, folder / "tmp"):
            place.mkdir()
        plugin = PluginFolder(id="ecc", root=str(package))
        settled = InitializationOptions(user_home=str(self.home), plugins=[plugin], **options)
        self.sink = TellingSink()
        known = {"PATH": os.environ["PATH"], "HOME": str(self.home), "TMPDIR": str(folder / "tmp")}
        self.service = Service(settled, self.sink, {**known, **environment})
        self.service.load([str(self.project)])

    @property
    def hooks(self) -> list[HookInfo]:
        return self.service.list(ListParams()).projects[0].hooks

    def runnable(self) -> list[str]:
        return [hook.id.removeprefix("ecc:") for hook in self.hooks if hook.left_out is UNSET]

    def payload(self, point: str, keys: Mapping[str, Any]) -> Any:
        known = {"session_id": "s-1", "hook_event_name": point, "cwd": str(self.project)}
        return raw({**known, "projectPath": str(self.project), **keys})

    async def decide(self, point: str, tool: str | None = None, given: Any = None, **keys: Any) -> HookDecision:
        named: dict[str, Any] = {} if tool is None else {"tool_name": tool, "tool_input": given or {}}
        params = EmitDecisionParams(point=point, payload=self.payload(point, {**named, **keys}), trace=True)
        return present(await now(self.service.decide(params)))

    async def emit(self, point: str, **keys: Any) -> list[str]:
        result = await now(self.service.emit(EmitParams(point=point, payload=self.payload(point, keys))))
        return [f"{run.name}={run.status}" for run in result.runs]


Make = Callable[..., Whole]


@pytest.fixture
async def whole(tmp_path: Path, package: Path) -> AsyncGenerator[Make]:
    made: list[Whole] = []

    def make(environment: Mapping[str, str] | None = None, **options: Any) -> Whole:
        folder = tmp_path.resolve() / str(len(made))
        folder.mkdir()
        made.append(Whole(folder, package, environment or {}, options))
        return made[-1]

    yield make
    for one in made:
        await one.service.close()


def test_every_group_of_the_registry_is_taken_over_and_nothing_is_wrong_with_it(whole: Make, package: Path) -> None:
    registry: Mapping[str, list[Mapping[str, Any]]] = json.loads((package / "hooks" / "hooks.json").read_text())[
        "hooks"
    ]
    groups = [group["id"] for groups in registry.values() for group in groups]
    assert len(groups) == 28
    engine = whole()
    assert {hook.system for hook in engine.hooks} == {"ecc"}
    assert len(engine.hooks) == 36
    named = {name for hook in engine.hooks for name in (hook.name, *(hook.aliases or ()))}
    assert set(groups) <= named
    assert engine.service.list(ListParams()).projects[0].problems == []
    assert engine.sink.logged == []


@pytest.mark.parametrize(("profile", "count"), [("minimal", 7), ("standard", 33), ("strict", 36)])
def test_a_profile_leaves_as_many_hooks_as_upstream_has_in_it(whole: Make, profile: str, count: int) -> None:
    assert len(whole({"ECC_HOOK_PROFILE": profile}).runnable()) == count
    assert len(whole(profile=profile).runnable()) == count


@pytest.mark.parametrize(
    ("disabled", "gone"),
    [
        ("pre:observe", {"pre:observe:continuous-learning"}),
        ("pre:observe:continuous-learning", {"pre:observe:continuous-learning"}),
        ("post:edit:accumulate", {"post:edit:accumulator"}),
        ("ecc:stop:cost-tracker", {"stop:cost-tracker"}),
        ("pre:bash:gateguard-fact-force", {"pre:bash:gateguard-fact-force"}),
        (
            "post:bash:dispatcher",
            {f"post:bash:{name}" for name in ("command-log-audit", "command-log-cost", "pr-created", "build-complete")},
        ),
    ],
)
def test_every_id_that_anybody_knows_a_hook_by_switches_it_off(whole: Make, disabled: str, gone: set[str]) -> None:
    assert set(whole().runnable()) - set(whole({"ECC_DISABLED_HOOKS": disabled}).runnable()) == gone


def test_an_id_that_upstream_documents_and_does_not_have_is_told_of(whole: Make) -> None:
    engine = whole({"ECC_DISABLED_HOOKS": "pre:bash:tmux-reminder,post:edit:typecheck"})
    assert [message for _, message in engine.sink.logged] == ["the disabled id 'post:edit:typecheck' names no hook"]


def test_the_plan_says_what_is_off_and_why(whole: Make) -> None:
    engine = whole({"ECC_DISABLED_HOOKS": "pre:config-protection"})
    payload = engine.payload(PRE, {"tool_name": "Write", "tool_input": {"file_path": "a.js"}})
    plan = engine.service.explain(ExplainParams(point=PRE, payload=payload))
    off = {one.hook.name: one.reason.code for one in plan.left_out}
    assert off["pre:config-protection"] == "disabledById"
    assert off["pre:bash:commit-quality"] == "disabledByProfile"
    assert off["pre:bash:block-no-verify"] == "noMatch"
    assert [hook.name for stage in plan.stages for hook in stage.hooks] == [
        "pre:write:doc-file-warning",
        "pre:edit-write:suggest-compact",
        "pre:observe:continuous-learning",
        "pre:governance-capture",
        "pre:mcp-health-check",
        "pre:edit-write:gateguard-fact-force",
    ]


@pytest.mark.parametrize("switch", [{"ECC_HOOKS_ENABLED": "off"}, {"TENTERHOOK_HOOKS_ENABLED": "0"}])
async def test_the_master_switch_keeps_node_from_being_started_at_all(whole: Make, switch: Mapping[str, str]) -> None:
    engine = whole({"PATH": "/nowhere", **switch})
    decision = await engine.decide(PRE, "Bash", {"command": "git commit --no-verify"})
    assert (engine.runnable(), decision.runs) == ([], [])


async def test_a_block_a_denial_and_a_context_reach_the_host(whole: Make) -> None:
    engine = whole({"ECC_HOOK_PROFILE": "strict"})
    refused = await engine.decide(PRE, "Bash", {"command": "git commit --no-verify -m x"})
    assert refused.decision == "deny"
    assert "BLOCKED" in present(refused.reason)
    pushed = await engine.decide(PRE, "Bash", {"command": "git push --force origin main"})
    assert pushed.decision == "deny"
    assert "Review changes before push" in present(pushed.injection)


async def test_a_gate_denies_the_first_edit_of_a_file_and_lets_the_second_pass(whole: Make) -> None:
    engine = whole()
    path = engine.project / "a.js"
    path.write_text("1\n")
    edit = {"file_path": str(path), "old_string": "1", "new_string": "2"}
    assert [(await engine.decide(PRE, "Edit", edit)).decision for _ in range(2)] == ["deny", UNSET]
    assert (await engine.decide(PRE, "Edit", edit, session_id="s-2")).decision == "deny"


async def test_a_switch_of_a_hook_s_own_works_as_upstream_documents_it(whole: Make) -> None:
    engine = whole({"ECC_GATEGUARD": "off"})
    decision = await engine.decide(PRE, "Edit", {"file_path": "a.js"})
    assert decision.decision is UNSET


async def test_a_linter_s_settings_are_protected(whole: Make) -> None:
    """affaan-m/ECC#2697: a wrapper threw the guard's exit code away, and nothing was ever blocked."""
    engine = whole({"ECC_GATEGUARD": "off"})
    path = engine.project / ".eslintrc.js"
    path.write_text("module.exports = {}\n")
    decision = await engine.decide(PRE, "Edit", {"file_path": str(path), "old_string": "a", "new_string": "b"})
    assert decision.decision == "deny"
    assert ".eslintrc.js" in present(decision.reason)


async def test_the_output_of_a_tool_is_seen_under_ecc_s_name(whole: Make) -> None:
    engine = whole()
    response = {"stdout": "https://github.com/o/r/pull/7\n", "stderr": ""}
    await engine.emit(POST, tool_name="Bash", tool_input={"command": "gh pr create"}, tool_response=response)
    await finished(engine, "post:bash:pr-created")
    (run,) = [run for run, _, _ in engine.sink.detached if run.name == "post:bash:pr-created"]
    assert "PR created: https://github.com/o/r/pull/7" in present(run.stderr)


async def finished(engine: Whole, *names: str) -> None:
    """When these hooks in the background have ended."""
    async with asyncio.timeout(60):
        while not set(names) <= {run.name for run, _, _ in engine.sink.detached}:
            engine.sink.told.clear()
            await engine.sink.told.wait()


async def test_hooks_of_a_stop_run_and_those_in_the_background_hold_nobody_up(whole: Make) -> None:
    engine = whole()
    ran = await engine.emit("Stop", stop_hook_active=False)
    waited = ["stop:format-typecheck=ok", "stop:check-console-log=ok"]
    let_go = [f"stop:{name}=detached" for name in ("session-end", "evaluate-session", "cost-tracker", "desktop-notify")]
    assert ran == [*waited, *let_go]
    await finished(engine, *(name.partition("=")[0] for name in let_go))
    assert {run.status for run, _, _ in engine.sink.detached} == {"ok"}


@pytest.mark.parametrize(
    ("point", "keys", "names"),
    [
        ("SessionStart", {"source": "startup"}, ["session:start"]),
        ("PreCompact", {"trigger": "manual"}, ["pre:compact"]),
        ("SessionEnd", {"reason": "other"}, ["session:end:marker"]),
        ("PostToolUseFailure", {"tool_name": "mcp__a__b", "tool_input": {}, "error": "x"}, ["post:mcp-health-check"]),
    ],
)
async def test_every_other_event_runs_its_hooks(
    whole: Make, point: str, keys: Mapping[str, Any], names: list[str]
) -> None:
    engine = whole()
    ran = await engine.emit(point, **keys)
    assert [name.partition("=")[0] for name in ran] == names
    assert {name.partition("=")[2] for name in ran} <= {"ok", "detached"}


async def test_a_quiet_call_of_every_kind_of_tool_has_no_opinion_and_no_warning(whole: Make) -> None:
    engine = whole({"ECC_GATEGUARD": "off"})
    calls: list[tuple[str, Any]] = [
        ("Bash", {"command": "ls"}),
        ("Write", {"file_path": "src/a.py", "content": "x"}),
        ("Read", {}),
    ]
    for tool, given in calls:
        for point, more in ((PRE, {}), (POST, {"tool_response": {"stdout": ""}})):
            decision = await engine.decide(point, tool, given, **more)
            assert (decision.decision, decision.injection) == (UNSET, UNSET)
            wrong = [(run.name, run.error, run.warnings) for run in present(decision.runs) if run.warnings or run.error]
            assert wrong == []


async def test_one_hook_can_be_tried_by_its_id(whole: Make) -> None:
    engine = whole()
    payload = engine.payload(PRE, {"tool_name": "Bash", "tool_input": {"command": "git push --no-verify"}})
    result = await now(engine.service.test(Try(hook="ecc:pre:bash:block-no-verify", payload=payload)))
    assert present(present(result.answer).decision) == "deny"
