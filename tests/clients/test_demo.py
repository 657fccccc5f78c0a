"""The demo comes out as recorded and leaves nothing, and notices when something goes another way."""

from __future__ import annotations

import io
import re
import shutil
from pathlib import Path

import msgspec
import pytest
from tenterhook.cli.demo import layout, run
from tenterhook.cli.demo.layout import laid_out
from tenterhook.cli.demo.session import Recorded, Step, differences, recorded_session
from tenterhook.cli.demo.timeline import Timeline
from tenterhook_protocol.points import POINTS
from tenterhook_protocol.problems import Origin
from tenterhook_protocol.runs import HookDecision, HookRun

_DENY = HookDecision(decision="deny")


def test_the_demo_ends_well_in_plain_text_and_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TENTERHOOK_PROFILE", "minimal")
    shown = io.StringIO()
    assert run(shown) == 0, shown.getvalue()
    text = shown.getvalue()
    assert "\x1b" not in text
    assert "NOT AS RECORDED" not in text
    assert "[slow] execute_command took 7300 ms" in text
    assert re.search(r"- block-rm-rf +ok +\d+ ms\n +=> deny: recursive forced deletion is not allowed here\n", text)
    assert re.search(r"=> continue\n +for the model: The tests have not run yet", text)
    assert re.search(r"\.codingcode/hooks\.yaml:40:12: error: .*\n.*point: tool\.aproval\.pre\n +\| +\^{16}\n", text)
    assert "hint: did you mean 'tool.approval.pre'?" in text
    assert re.search(r"21 events, 16 hooks run, decisions: 1 deny, 1 continue, p50 of a hook \d+ ms\n$", text)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("check_command.py", '"rm -rf"', '"rm -rfv"', "the decision was null instead of {"),
        ("slow.py", "5000", "9000", "the hooks said [] instead of ['[slow]"),
        ("note_tests.py", "import json", "import jsn", "note-tests ended as failed: "),
        ("tests_before_stop.py", "not note.exists()", "True", "instead of null"),
    ],
)
def test_the_demo_fails_where_a_hook_does_something_else(
    file: str, old: str, new: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    templates = shutil.copytree(Path(layout.__file__).parent, tmp_path / "templates")
    script = templates / "project" / "scripts" / file
    script.write_text(script.read_text().replace(old, new))
    monkeypatch.setattr(layout, "_TEMPLATES", templates)
    shown = io.StringIO()
    assert run(shown) == 1
    assert said in shown.getvalue()


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("no_color", "deny"), [("", "\x1b[1;31mdeny\x1b[0m"), ("1", "=> deny")])
def test_decisions_are_coloured_on_a_terminal_that_wants_it(
    no_color: str, deny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.setenv("NO_COLOR", no_color)
    shown = _Terminal()
    recorded = Recorded(at_ms=0, point="p", payload=msgspec.Raw(b"{}"), runs=[], decision=_DENY)
    Timeline(shown).step(Step(recorded=recorded, runs=[], decision=_DENY))
    assert deny in shown.getvalue()


def test_the_recording_is_one_whole_turn_with_payloads_as_declared() -> None:
    with laid_out() as folders:
        session = recorded_session(folders.project)
        for event in session:
            payload = msgspec.json.decode(event.payload, type=POINTS[event.point].payload)
            assert payload.projectPath == folders.project
    points = [event.point for event in session]
    assert (points[0], points[-1]) == ("agent.turn.start", "agent.turn.end")
    assert [event.at_ms for event in session] == sorted(event.at_ms for event in session)
    denied = next(index for index, event in enumerate(session) if event.decision is not None)
    assert points[denied : denied + 3] == ["tool.approval.pre", "tool.approval.post", "agent.turn.stop"]


def _run(**changed: object) -> HookRun:
    run = HookRun(
        run_id="r",
        event_id="e",
        hook="coding-code:a",
        name="a",
        point="p",
        project_path="/p",
        origin=Origin(layer="project", path="/p/h", line=1, column=1),
        status="ok",
        duration_ms=1.0,
    )
    return msgspec.structs.replace(run, **changed)


@pytest.mark.parametrize(
    ("runs", "decision", "count"),
    [
        ([_run(stderr="[a] b\n")], _DENY, 0),
        ([_run(stderr="a warning\n[a] b\n")], _DENY, 0),
        ([], _DENY, 2),
        ([_run(stderr="[a] b\n", name="b")], _DENY, 1),
        ([_run(stderr="[a] b\n", status="failed")], _DENY, 1),
        ([_run(stderr="[a] b\n")], None, 1),
        ([_run(stderr="[a] b\n[a] c\n")], HookDecision(decision="ask"), 2),
    ],
)
def test_every_difference_to_the_recording_is_told(
    runs: list[HookRun], decision: HookDecision | None, count: int
) -> None:
    recorded = Recorded(at_ms=0, point="p", payload=msgspec.Raw(b"{}"), runs=["a"], decision=_DENY, said=["[a] b"])
    assert len(differences(Step(recorded=recorded, runs=runs, decision=decision))) == count
