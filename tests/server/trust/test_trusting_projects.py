"""``trust: pinned``: a project's file counts while it says what its user has approved."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from engine import Engine, hook_file, present
from tenterhook.errors import RequestFailed
from tenterhook.tables import Table
from tenterhook.trust import Approval, Store
from tenterhook_protocol.hooks import ListParams, ReloadParams
from tenterhook_protocol.host import TrustAnswer, TrustRequest
from tenterhook_protocol.lifecycle import HostAbilities

GUARD = {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "guard"}]}]}


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(tmp_path, trust="pinned")


def table_of(engine: Engine) -> Table:
    return present(engine.service.registry.find(str(engine.project)))


def store_of(engine: Engine) -> Store:
    return present(engine.service.registry.recipe.trust.store)


def approve(engine: Engine) -> None:
    """What ``tenterhook trust --yes`` keeps."""
    approvals = {
        f"{one.system}:{one.layer}": Approval(one.standing.digest, "2026-12-01") for one in table_of(engine).own_layers
    }
    store_of(engine).change(table_of(engine).project, approvals)


def runnable(engine: Engine) -> list[str]:
    return sorted(hook.spec.words()[0] for hooks in table_of(engine).runnable.values() for hook in hooks)


def reasons(engine: Engine) -> list[str]:
    hooks = engine.service.list(ListParams()).projects[0].hooks
    return [present(hook.left_out).message for hook in hooks if not hook.trusted]


async def test_a_project_s_hooks_count_from_their_approval_on(engine: Engine) -> None:
    engine.hooks(hook_file("mine"))
    engine.settings(GUARD)
    service = engine.load()
    assert runnable(engine) == []
    assert [f"`tenterhook trust {engine.project}`" in reason for reason in reasons(engine)] == [True, True]
    approve(engine)
    service.reload(ReloadParams())
    assert runnable(engine) == ["guard", "mine"]


def stop(command: str) -> dict[str, Any]:
    return {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}


def guarded(matcher: str, command: str) -> dict[str, Any]:
    return {"PreToolUse": [{"matcher": matcher, "hooks": [{"type": "command", "command": command}]}]}


def rewritten(text: str) -> Callable[[Engine], object]:
    return lambda engine: engine.settings(GUARD).write_text(text, encoding="utf-8")


CHANGES: list[tuple[str, Callable[[Engine], object], bool]] = [
    ("another command", lambda engine: engine.settings(guarded("Bash", "evil")), False),
    ("another matcher", lambda engine: engine.settings(guarded("*", "guard")), False),
    ("another event", lambda engine: engine.settings({"PostToolUse": GUARD["PreToolUse"]}), False),
    ("one hook more", lambda engine: engine.settings({**GUARD, **stop("evil")}), False),
    ("a switch", lambda engine: engine.settings(GUARD, disableAllHooks=False), False),
    ("the same in another layer", lambda engine: engine.settings(GUARD, name="settings.local.json"), False),
    ("permissions", lambda engine: engine.settings(GUARD, permissions={"allow": ["Bash"]}, model="m"), True),
    ("blanks", rewritten(json.dumps({"hooks": GUARD}, indent=8)), True),
    ("a comment", rewritten("// mine\n" + json.dumps({"hooks": GUARD})), True),
]


@pytest.mark.parametrize(("name", "change", "counts"), CHANGES, ids=[row[0] for row in CHANGES])
async def test_what_changes_a_settings_file_has_to_be_approved_again_if_it_changes_what_runs(
    engine: Engine,
    name: str,
    change: Callable[[Engine], object],
    counts: bool,  # noqa: FBT001 - a table's column
) -> None:
    engine.settings(GUARD)
    service = engine.load()
    approve(engine)
    change(engine)
    service.reload(ReloadParams())
    layers = {one.layer: one.standing.state for one in table_of(engine).own_layers}
    assert all(state == "approved" for state in layers.values()) is counts, name
    if not counts and layers["project"] != "approved":
        assert any("changed since it was approved on 2026-12-01" in reason for reason in reasons(engine))


async def test_a_second_value_of_a_key_is_part_of_what_is_approved(engine: Engine) -> None:
    path = engine.settings(GUARD)
    service = engine.load()
    approve(engine)
    path.write_text(f'{{"hooks": {json.dumps(stop("evil"))}, "hooks": {json.dumps(GUARD)}}}', encoding="utf-8")
    service.reload(ReloadParams())
    assert runnable(engine) == []


async def test_a_file_that_breaks_after_its_approval_stays_as_it_was_approved(engine: Engine) -> None:
    path = engine.settings(GUARD)
    service = engine.load()
    approve(engine)
    service.reload(ReloadParams())
    path.write_text("{", encoding="utf-8")
    service.reload(ReloadParams())
    assert runnable(engine) == ["guard"]


async def test_a_patch_counts_from_its_approval_on(engine: Engine) -> None:
    engine.hooks(hook_file("guard"), layer="global")
    engine.hooks("hooks: [{name: guard, enabled: false}]")
    service = engine.load()
    assert runnable(engine) == ["guard"]
    assert [hook.name for one in table_of(engine).own_layers for hook in one.hooks] == ["guard"]
    approve(engine)
    service.reload(ReloadParams())
    assert runnable(engine) == []


async def test_an_approval_of_one_project_is_none_of_another_with_the_same_files(engine: Engine) -> None:
    engine.settings(GUARD)
    service = engine.load()
    approve(engine)
    other = engine.root / "other"
    (other / ".claude").mkdir(parents=True)
    (other / ".claude" / "settings.json").write_text(json.dumps({"hooks": GUARD}), encoding="utf-8")
    service.load([str(other)])
    assert present(service.registry.find(str(other))).runnable == {}


async def test_a_store_that_does_not_count_is_told_of_once(engine: Engine) -> None:
    engine.settings(GUARD)
    service = engine.load()
    approve(engine)
    os.truncate(store_of(engine).path, 1)
    service.reload(ReloadParams())
    service.reload(ReloadParams())
    assert sum("approvals in" in message for _, message in engine.sink.logged) == 1


class ScriptedPerson:
    """Says what the test says, when it is asked."""

    def __init__(self, *answers: TrustAnswer | RequestFailed) -> None:
        self.asked: asyncio.Queue[TrustRequest] = asyncio.Queue()
        self._answers = list(answers)

    async def ask_trust(self, request: TrustRequest) -> TrustAnswer:
        self.asked.put_nowait(request)
        answer = self._answers.pop(0)
        if isinstance(answer, RequestFailed):
            raise answer
        return answer


def asking(tmp_path: Path, *answers: TrustAnswer | RequestFailed, **options: Any) -> tuple[Engine, ScriptedPerson]:
    engine = Engine(tmp_path, **{"trust": "pinned", "host": HostAbilities(request_trust=True), **options})
    person = ScriptedPerson(*answers)
    engine.person = person
    engine.settings(GUARD)
    return engine, person


async def all_done() -> None:
    """Everything that was begun in the background has ended."""
    begun = asyncio.all_tasks() - {asyncio.current_task()}
    if begun:
        await asyncio.wait(begun)


async def test_a_person_is_asked_in_the_background_and_a_yes_loads_the_project_again(tmp_path: Path) -> None:
    engine, person = asking(tmp_path, TrustAnswer(approved=True))
    engine.load()
    assert runnable(engine) == []
    request = await person.asked.get()
    await all_done()
    assert (request.project_path, request.commands) == (str(engine.project), ["guard"])
    assert runnable(engine) == ["guard"]
    assert [project for project, hooks, _ in engine.sink.reloads if hooks == 1] == [str(engine.project)]
    assert Engine(tmp_path, trust="pinned").load().registry.tables[0].runnable != {}


NOES = [TrustAnswer(approved=False), RequestFailed("there is nobody")]


@pytest.mark.parametrize("no", NOES, ids=["refused", "nobody there"])
async def test_a_no_is_not_asked_again_until_the_file_says_something_else(
    tmp_path: Path, no: TrustAnswer | RequestFailed
) -> None:
    engine, person = asking(tmp_path, no, TrustAnswer(approved=True))
    service = engine.load()
    await person.asked.get()
    await all_done()
    service.reload(ReloadParams())
    await all_done()
    assert (person.asked.empty(), runnable(engine)) == (True, [])
    engine.settings(stop("other"))
    service.reload(ReloadParams())
    assert (await person.asked.get()).commands == ["other"]
    await all_done()
    assert runnable(engine) == ["other"]


@pytest.mark.parametrize("trust", ["all", "user"])
async def test_nobody_is_asked_where_no_approval_could_count(tmp_path: Path, trust: str) -> None:
    engine, person = asking(tmp_path, trust=trust)
    engine.load()
    await all_done()
    assert person.asked.empty()


async def test_an_engine_that_ends_no_longer_waits_for_its_person(tmp_path: Path) -> None:
    engine, _ = asking(tmp_path)

    class Silent:
        async def ask_trust(self, request: TrustRequest) -> TrustAnswer:
            del request
            return await asyncio.get_running_loop().create_future()

    engine.person = Silent()
    service = engine.load()
    await service.close()
    assert runnable(engine) == []
