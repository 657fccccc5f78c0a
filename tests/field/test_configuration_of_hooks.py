"""Faults from the field: values that are not what they seem, and files that were changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from engine import Engine, hook_file, present
from field.real import command, real_engine
from tenterhook_protocol.hooks import ListParams, ReloadParams

BASH: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "ls"}}

ENTRY = "hooks:\n  - name: h\n    point: tool.approval.pre\n    type: decision\n    command: h\n"


@pytest.mark.parametrize("written", ["no", "off", "yes", "n", "0", '"no"', '"false"'])
async def test_a_switch_that_is_no_boolean_is_an_error_and_not_silently_on(tmp_path: Path, written: str) -> None:
    """anthropics/claude-code#57107. It counts as on, by Coding Code's contract: a guard must not be lost to a typo."""
    engine = Engine(tmp_path)
    engine.hooks(f"{ENTRY}    enabled: {written}\n")
    engine.load()
    told = [(problem.line, problem.severity) for _, problems in engine.sink.problems for problem in problems]
    assert told == [(6, "error")]


@pytest.mark.parametrize("written", ["8080", "on", "1.10", "2024-01-01", "12:30:45", "0x1F", "True"])
async def test_a_variable_has_the_text_that_was_written(tmp_path: Path, written: str) -> None:
    """buildkite/agent#508: never what a parser has made of it."""
    engine = Engine(tmp_path)
    engine.hooks(f"{ENTRY}    env:\n      X: {written}\n")
    engine.load()
    await engine.decide("tool.approval.pre")
    assert [launch.env.get("X") for launch in engine.runner.launches] == [written]


async def test_both_spellings_of_a_project_are_one(tmp_path: Path) -> None:
    """anomalyco/opencode#46841, vellum-ai/vellum-assistant#37421."""
    engine = Engine(tmp_path)
    engine.hooks(hook_file("h"))
    service = engine.load()
    link = tmp_path / "link"
    link.symlink_to(engine.root)
    service.reload(ReloadParams(project_path=str(link / "project")))
    assert len(service.registry.tables) == 1
    engine.hooks(hook_file("h", "more"))
    service.reload(ReloadParams(project_path=str(link / "project")))
    assert (
        present(service.registry.find(str(engine.project))).hooks
        == present(service.registry.find(str(link / "project"))).hooks
    )


async def test_after_a_reload_the_new_script_runs_and_a_script_s_text_is_never_kept(tmp_path: Path) -> None:
    """anthropics/claude-code#55008."""
    async with real_engine(tmp_path) as engine:
        for name, text in (("one", "echo one"), ("two", "echo two")):
            (engine.project / name).write_text(f"{text} >> said\n", encoding="utf-8")
        engine.settings({"PreToolUse": command("sh ./one")})
        service = engine.load()
        await engine.decision("PreToolUse", **BASH)
        (engine.project / "one").write_text("echo mended >> said\n", encoding="utf-8")
        await engine.decision("PreToolUse", **BASH)
        engine.settings({"PreToolUse": command("sh ./two")})
        service.reload(ReloadParams())
        await engine.decision("PreToolUse", **BASH)
    assert (engine.project / "said").read_text(encoding="utf-8") == "one\nmended\ntwo\n"


async def test_what_is_listed_is_what_this_engine_has_loaded(tmp_path: Path) -> None:
    """NousResearch/hermes-agent#69825: a list that reads the file again calls hooks healthy which never run."""
    engine = Engine(tmp_path)
    engine.hooks(hook_file("h"))
    service = engine.load()
    engine.hooks(hook_file("h", "more"))
    assert [hook.name for hook in service.list(ListParams()).projects[0].hooks] == ["h"]
