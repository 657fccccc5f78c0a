"""Faults from the field: what exit codes and answers come to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from engine import present
from field.real import block, command, real_engine

BASH: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "ls"}}

ARMS = [
    (f"{block('m')}; exit 0", "continue", "ok"),
    (f"{block('m')}; exit 3", "continue", "ok"),
    ("exit 3", None, "failed"),
]


@pytest.mark.parametrize(("line", "decision", "status"), ARMS)
async def test_an_answer_counts_beside_every_exit_code_but_two(
    tmp_path: Path, line: str, decision: str | None, status: str
) -> None:
    """fujibee/agmsg#658, all three arms. Coding Code's answer beside an exit code other than 0 is none."""
    async with real_engine(tmp_path, {"Stop": command(line)}) as engine:
        joined = await engine.decision("Stop", stop_hook_active=False)
    assert (joined.decision or None, present(joined.runs)[0].status) == (decision, status)


async def test_plain_text_where_none_is_read_is_no_failure(tmp_path: Path) -> None:
    """SethGammon/Citadel#111: an adapter sends another event's plain text to Stop."""
    async with real_engine(tmp_path, {"Stop": command("echo session cost: 3 USD")}) as engine:
        joined = await engine.decision("Stop", stop_hook_active=False)
    assert (present(joined.runs)[0].status, joined.injection) == ("ok", joined.decision)


async def test_a_rewrite_goes_by_one_name_and_a_foreign_one_is_told_of(tmp_path: Path) -> None:
    """github/copilot-cli#2013, anthropics/claude-code#77851: the run keeps what it has made of the input."""
    canonical = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "ls -l"}}}
    hooks = command(f"echo '{json.dumps(canonical)}'") + command("echo '{\"modifiedArgs\": {}}'")
    async with real_engine(tmp_path, {"PreToolUse": hooks}) as engine:
        joined = await engine.decision("PreToolUse", **BASH)
    first, second = present(joined.runs)
    assert json.loads(bytes(present(joined.modified_input))) == {"command": "ls -l"}
    assert json.loads(bytes(present(present(first.decision).modified_input))) == {"command": "ls -l"}
    assert any("without any output field" in warning for warning in present(second.warnings))


async def test_an_allow_of_a_hook_is_its_word_and_no_more(tmp_path: Path) -> None:
    """genai-io/gen-code#441, anthropics/claude-code#82451: rules of permission are the host's, and a deny beats it."""
    hooks = command('echo \'{"decision": "approve"}\'') + command("echo no >&2; exit 2")
    async with real_engine(tmp_path, {"PreToolUse": hooks}) as engine:
        joined = await engine.decision("PreToolUse", **BASH)
    assert (joined.decision, joined.reason) == ("deny", "no")


SCRIPTS: list[tuple[dict[str, Any], str, str]] = [
    ({}, "failed", "check its execute permission"),
    ({"args": []}, "notStarted", "chmod +x"),
]


@pytest.mark.parametrize(("more", "status", "said"), SCRIPTS)
async def test_a_script_that_may_not_be_executed_is_named_in_either_form(
    tmp_path: Path, more: dict[str, Any], status: str, said: str
) -> None:
    """anthropics/claude-code#39378."""
    script = tmp_path / "script.sh"
    script.write_text("exit 0\n", encoding="utf-8")
    async with real_engine(tmp_path, {"PreToolUse": command(str(script), **more)}) as engine:
        run = await engine.one_run("PreToolUse", **BASH)
    assert (run.status, said in str(run.error), str(script) in str(run.error)) == (status, True, True)


FOLDERS = [("project", "worktree"), ("worktree", "project")]


@pytest.mark.parametrize(("root", "cwd"), FOLDERS)
async def test_the_project_is_the_one_the_host_names_and_the_folder_is_the_payload_s(
    tmp_path: Path, root: str, cwd: str
) -> None:
    """anthropics/claude-code#27343, #36656, #87890: one rule whichever of the two is the worktree."""
    for name in (root, cwd):
        (tmp_path / name).mkdir(exist_ok=True)
    place = (tmp_path / root).resolve()
    async with real_engine(tmp_path) as engine:
        engine.project = place
        engine.settings({"CwdChanged": command('echo "$CLAUDE_PROJECT_DIR $PWD" > "$CLAUDE_PROJECT_DIR/seen"')})
        engine.load()
        await engine.decision("CwdChanged", cwd=str(tmp_path / cwd))
    assert (place / "seen").read_text(encoding="utf-8") == f"{place} {(tmp_path / cwd).resolve()}\n"
