"""The rooms work together: from a settings file to one decision."""

from __future__ import annotations

import json

import pytest
from msgspec import Raw
from server.dialects.claude_code.judging import CONTEXT, exited
from tenterhook.dialects.base import Counters, Ground, Layer
from tenterhook.dialects.claude_code.dialect import CLAUDE_CODE
from tenterhook.model import Event, Hook, HookDecision, Judged, Mode, ProcessLaunch
from tenterhook_protocol.claude_events import CLAUDE_EVENTS

SETTINGS = {
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "guard", "if": "Bash(git push *)"}]},
            {"matcher": "*", "hooks": [{"type": "command", "command": "log"}, {"type": "command", "command": "log"}]},
            {"matcher": "Write", "hooks": [{"type": "command", "command": "other"}]},
        ]
    }
}


def loaded() -> tuple[Hook, ...]:
    (source, *_) = [one for one in CLAUDE_CODE.sources("/p", Ground(home="/home/u")) if one.layer == "project"]
    layer = Layer(layer=source.layer, path=source.path, content=json.dumps(SETTINGS).encode(), carried=source.carried)
    found = CLAUDE_CODE.load([layer], CLAUDE_CODE.points)
    assert [problem for problem in found.problems if problem.severity == "error"] == []
    return found.hooks


def event(payload: dict[str, object], mode: Mode = "decide") -> Event:
    raw = Raw(json.dumps(payload).encode())
    head = CLAUDE_CODE.head("PreToolUse", raw)
    return Event(
        id="e1",
        system=CLAUDE_CODE.name,
        point="PreToolUse",
        mode=mode,
        payload=head.payload or raw,
        project="/p",
        session=head.session,
        subject=head.subject,
    )


def running(what: Event) -> tuple[Hook, ...]:
    matching = tuple(hook for hook in loaded() if CLAUDE_CODE.match(hook, what.mode, what.subject) is None)
    out = CLAUDE_CODE.rule_out([hook for hook in matching if hook.rule is not None], what)
    arranged = CLAUDE_CODE.arrange(tuple(hook for hook in matching if hook.id not in out), what.point, what.mode)
    return tuple(hook for stage in arranged.stages for hook in stage.hooks)


@pytest.mark.parametrize(("command", "words"), [("git push origin", ["guard", "log"]), ("ls", ["log"])])
@pytest.mark.parametrize("mode", ["decide", "emit"])
def test_what_a_settings_file_says_is_what_runs(command: str, words: list[str], mode: Mode) -> None:
    what = event({"session_id": "s", "tool_name": "Bash", "tool_input": {"command": command}}, mode)
    assert [hook.spec.words() for hook in running(what)] == [(word,) for word in words]


def test_an_event_becomes_a_decision() -> None:
    what = event({"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "git push"}})
    judged: list[Judged] = []
    for rank, hook in enumerate(running(what)):
        launch = CLAUDE_CODE.launch(hook, what, CONTEXT)
        assert isinstance(launch, ProcessLaunch)
        assert b'"hook_event_name":"PreToolUse"' in bytes(launch.stdin), "it was added"
        outcome = exited(2, "", "not on Fridays") if launch.argv[-1] == "guard" else exited(0, '{"decision":"approve"}')
        judged.append(Judged(hook, CLAUDE_CODE.read(hook, what, outcome, CONTEXT), rank))
    verdict = CLAUDE_CODE.join(what.point, what.mode, judged, Counters())
    assert verdict.decision == HookDecision(decision="deny", reason="not on Fridays")


def test_its_points_are_its_own() -> None:
    assert set(CLAUDE_CODE.points) == set(CLAUDE_EVENTS)
    assert not CLAUDE_CODE.takes_host_points
    assert CLAUDE_CODE.begin("UserPromptSubmit", Counters(3)) == Counters()
