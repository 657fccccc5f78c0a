"""One script of a plugin of its own, run by the engine's rooms with a real runner."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

from msgspec import Raw, Struct, structs
from tenterhook.dialects.base import LaunchContext
from tenterhook.dialects.claude_code.specs import PluginRef
from tenterhook.dialects.ecc.dialect import ECC
from tenterhook.dialects.ecc.specs import EccSpec
from tenterhook.model import Answer, Event, Hook, Origin, Outcome, StopReason
from tenterhook.runners import RUNNERS
from tenterhook.runners.contract import Limits
from tenterhook_protocol.base import UNSET

__all__ = ["Scene", "Told"]


class Told(Struct, frozen=True):
    """What a run came to."""

    answer: Answer
    outcome: Outcome

    @property
    def status(self) -> str:
        return self.answer.status

    @property
    def kind(self) -> str | None:
        decision = self.answer.decision
        return None if decision is None or decision.decision is UNSET else decision.decision

    @property
    def context(self) -> str | None:
        decision = self.answer.decision
        return None if decision is None or decision.injection is UNSET else decision.injection

    @property
    def stdout(self) -> str:
        return self.outcome.stdout.decode()

    @property
    def stderr(self) -> str:
        return self.outcome.stderr.decode("utf-8", "replace")


class Scene:
    """A plugin, a project and a home."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.root = folder / "plugin"
        self.hooks = self.root / "scripts" / "hooks"
        self.hooks.mkdir(parents=True)
        self.project = folder / "project"
        self.project.mkdir()
        self._folder = folder
        self._limits = limits

    def write(self, script: str, name: str = "x.js") -> None:
        (self.hooks / name).write_text(script)

    async def run(self, script: str, *, name: str = "x.js", payload: bytes = b"{}", point: str = "PreToolUse") -> Told:
        """Write the script and call it once."""
        self.write(script, name)
        return await self.call(name, payload=payload, point=point)

    async def call(
        self,
        name: str = "x.js",
        *,
        payload: bytes = b"{}",
        point: str = "PreToolUse",
        limit: float = 20,
        **variables: str,
    ) -> Told:
        """Call a script that is there, or is not."""
        happened = Event(
            id="e",
            system="claude-code",
            point=point,
            mode="decide",
            payload=Raw(payload),
            project=str(self.project),
            session="s",
            subject="Bash",
        )
        environment = {"PATH": os.environ["PATH"], "HOME": str(self._folder), **variables}
        scratch = str(self._folder / "scratch")
        context = LaunchContext(
            run_id="r", environment=environment, home=str(self._folder), version="0", scratch=scratch
        )
        hook = structs.replace(self._hook(name, point), timeout=limit)
        launch = ECC.launch(hook, happened, context)
        stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
        outcome = await RUNNERS[type(launch)](launch, self._limits, stop)
        return Told(ECC.read(hook, happened, outcome, context), outcome)

    def _hook(self, name: str, point: str) -> Hook:
        spec = EccSpec(
            command="",
            plugin=PluginRef("ecc", str(self.root), str(self._folder / "data")),
            root=str(self.root),
            hook_id="pre:x",
            script=f"scripts/hooks/{name}",
            shape="bootstrap",
        )
        return Hook(
            id="ecc:pre:x",
            name="pre:x",
            system="ecc",
            point=point,
            type="command",
            spec=spec,
            timeout=20,
            origin=Origin(layer="plugin:ecc", path=str(self.root / "hooks" / "hooks.json"), line=1, column=1),
            fields={},
        )

    @staticmethod
    def as_json(text: str) -> str:
        """As ``JSON.stringify`` writes it."""
        return json.dumps(text, ensure_ascii=False)
