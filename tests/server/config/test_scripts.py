"""Scripts that are not there are told of before the first event."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from engine import Engine, hook_file
from tenterhook.config.scripts import MOST_SCRIPTS
from tenterhook_protocol.hooks import ReloadParams


def told(engine: Engine) -> list[tuple[str, str, int]]:
    """Severity, code and line of every problem of the last load."""
    problems = engine.sink.problems[-1][1]
    return [(problem.severity, problem.code, problem.line) for problem in problems]


def handler(command: str, **more: Any) -> dict[str, Any]:
    return {"type": "command", "command": command, **more}


async def test_a_missing_script_is_told_its_hook_stays_and_the_word_goes_when_it_is_there(tmp_path: Path) -> None:
    """anthropics/claude-code#80697: an interpreter without its script ends with the code of a block, for good."""
    engine = Engine(tmp_path)
    command = 'python3 "$CLAUDE_PROJECT_DIR/x.py"'
    engine.settings({"PreToolUse": [{"hooks": [handler(command), handler("python3 y.py")]}]})
    engine.load()
    assert told(engine) == [("warning", "script-missing", 1)]
    [problem] = engine.sink.problems[-1][1]
    assert f"{engine.project}/x.py" in problem.message
    await engine.decide("PreToolUse", tool_name="Bash", tool_input={})
    assert len(engine.runner.launches) == 2
    (engine.project / "x.py").touch()
    engine.service.reload(ReloadParams())
    assert told(engine) == []


@pytest.mark.parametrize("place", ["a link that leads in a circle", "a folder"])
def test_what_is_there_in_whatever_form_is_not_missing(tmp_path: Path, place: str) -> None:
    engine = Engine(tmp_path)
    path = tmp_path / "script"
    if place == "a folder":
        path.mkdir()
    else:
        path.symlink_to(path)
    engine.settings({"Stop": [{"hooks": [handler(f"sh '{path}'"), handler("sh", args=[str(path)])]}]})
    engine.load()
    assert told(engine) == []


def test_a_hook_that_cannot_run_needs_no_script_and_other_systems_name_none(tmp_path: Path) -> None:
    engine = Engine(tmp_path)
    engine.settings({"Stop": [{"hooks": [handler("/missing", **{"if": "Bash"})]}]})
    engine.hooks(hook_file({"name": "h", "command": "/missing"}))
    engine.load()
    assert [code for _, code, _ in told(engine)] == ["rule-never-met"]


def test_only_so_many_scripts_of_a_project_are_looked_for(tmp_path: Path) -> None:
    engine = Engine(tmp_path)
    handlers = [handler(f"/missing/{number}") for number in range(MOST_SCRIPTS + 50)]
    engine.settings({"Stop": [{"hooks": handlers}], "PreToolUse": [{"hooks": handlers}]})
    engine.load()
    assert len(told(engine)) == MOST_SCRIPTS
