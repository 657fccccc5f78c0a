"""A hook that needs the host's model asks it over the wire, and the host's answer is judged."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from tenterhook_client import Answers, Client
from tenterhook_protocol.host import HostAnswer, PromptRequest
from tenterhook_protocol.lifecycle import HostAbilities, InitializationOptions
from tenterhook_protocol.runs import HookDecision


def settings(project: Path, event: str, handler: dict[str, Any]) -> None:
    (project / ".claude").mkdir(parents=True)
    text = json.dumps({"hooks": {event: [{"hooks": [handler]}]}})
    (project / ".claude" / "settings.json").write_text(text, encoding="utf-8")


async def decide(tmp_path: Path, answers: Answers, abilities: HostAbilities) -> HookDecision | None:
    project = tmp_path / "project"
    settings(project, "Stop", {"type": "prompt", "prompt": "done? $ARGUMENTS"})
    options = InitializationOptions(project_paths=[str(project)], user_home=str(tmp_path), host=abilities)
    payload = {
        "session_id": "s",
        "cwd": str(project),
        "transcript_path": "/t",
        "hook_event_name": "Stop",
        "stop_hook_active": False,
    }
    async with asyncio.timeout(20), Client.spawn(options=options, answers=answers) as engine:
        return await engine.emit_decision("Stop", payload, project_path=str(project), trace=True)


async def test_a_prompt_hook_asks_the_host_and_its_no_keeps_the_turn_going(tmp_path: Path) -> None:
    asked: list[PromptRequest] = []
    answers = Answers()

    async def prompt(request: PromptRequest) -> HostAnswer:
        asked.append(request)
        return HostAnswer(text='{"ok": false, "reason": "run the tests"}')

    answers.prompt(prompt)
    decision = await decide(tmp_path, answers, HostAbilities(prompt=True))
    assert decision is not None
    assert (decision.decision, decision.injection) == ("continue", "run the tests")
    assert '"session_id"' in asked[0].prompt


async def test_a_host_that_cannot_do_it_costs_nothing_but_a_failed_run(tmp_path: Path) -> None:
    decision = await decide(tmp_path, Answers(), HostAbilities())
    assert decision is not None
    assert isinstance(decision.runs, list)
    assert [run.status for run in decision.runs] == ["notStarted"]
    assert "prompt" in str(decision.runs[0].error)
