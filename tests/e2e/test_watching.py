"""A real engine notices that files change, and tells its host."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from tenterhook_client import Client
from tenterhook_protocol.hooks import RaisedParams, ReloadedParams
from tenterhook_protocol.lifecycle import InitializationOptions


def write(project: Path, **hooks: str) -> None:
    text = json.dumps({"hooks": {event: [_group(event, command)] for event, command in hooks.items()}})
    (project / ".claude").mkdir(exist_ok=True)
    (project / ".claude" / "settings.json").write_text(text, encoding="utf-8")


def _group(event: str, command: str) -> dict[str, Any]:
    matcher = {"matcher": ".env"} if event == "FileChanged" else {}
    return {**matcher, "hooks": [{"type": "command", "command": command}]}


async def test_changes_on_the_disk_reach_the_host(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    write(project, FileChanged="true", ConfigChange="cat > config.json")
    raised: asyncio.Queue[RaisedParams] = asyncio.Queue()
    reloaded: asyncio.Queue[ReloadedParams] = asyncio.Queue()
    options = InitializationOptions(project_paths=[str(project)], user_home=str(tmp_path), watch=True)
    base = {"session_id": "s", "cwd": str(project), "transcript_path": "/t"}
    async with asyncio.timeout(30), Client.spawn(options=options) as engine:
        engine.on("hooks/raised", raised.put_nowait)
        engine.on("hooks/reloaded", reloaded.put_nowait)
        await engine.emit("SessionStart", {**base, "hook_event_name": "SessionStart", "source": "startup"})
        await engine.stats()  # a later message: what the first one wants is watched by then
        (project / ".env").write_text("A=1", encoding="utf-8")
        first = await raised.get()
        write(project, FileChanged="true", ConfigChange="true", Stop="true")
        second = await raised.get()
        again = await reloaded.get()
    assert (first.point, first.session_id, [run.status for run in first.result.runs]) == ("FileChanged", "s", ["ok"])
    assert second.point == "ConfigChange"
    assert json.loads((project / "config.json").read_text(encoding="utf-8"))["source"] == "project_settings"
    assert (again.project_path, again.hooks) == (str(project.resolve()), 3)
