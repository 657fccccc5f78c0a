"""An engine in memory that runs real processes, for faults that other hook engines had in the field."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from engine import Engine, now, present, raw
from tenterhook.runners import RUNNERS
from tenterhook.service import Service
from tenterhook_protocol.hooks import EmitDecisionParams
from tenterhook_protocol.lifecycle import InitializationOptions
from tenterhook_protocol.runs import HookDecision, HookRun

__all__ = ["Real", "block", "command", "real_engine"]


class Real(Engine):
    """An engine over a temporary home and project."""

    @property
    def service(self) -> Service:
        if self._service is None:
            environment = {**self._environment, "PATH": os.environ["PATH"], "HOME": str(self.home)}
            options = InitializationOptions(**self._options)
            self._service = Service(options, self.sink, environment, RUNNERS)
        return self._service

    def claude(self, event: str, **keys: Any) -> EmitDecisionParams:
        """An event of Claude Code's."""
        base = {"session_id": "s", "cwd": str(self.project), "hook_event_name": event, "projectPath": str(self.project)}
        return EmitDecisionParams(point=event, payload=raw({**base, **keys}), trace=True)

    async def decision(self, event: str, **keys: Any) -> HookDecision:
        """What an event comes to, with its runs."""
        return present(await now(self.service.decide(self.claude(event, **keys))))

    async def one_run(self, event: str, **keys: Any) -> HookRun:
        """The one run of an event."""
        runs = present((await self.decision(event, **keys)).runs)
        assert len(runs) == 1
        return runs[0]


@asynccontextmanager
async def real_engine(
    root: Path, hooks: Mapping[str, Any] | None = None, *, environment: Mapping[str, str] | None = None, **options: Any
) -> AsyncGenerator[Real]:
    """An engine with these hooks of Claude Code and more variables, loaded; it is ended afterwards."""
    engine = Real(root, **options)
    engine.set_environment(**(environment or {}))
    if hooks is not None:
        engine.settings(hooks)
    engine.load()
    try:
        yield engine
    finally:
        await engine.service.close()


def command(line: str, *, matcher: str | None = None, **more: Any) -> list[dict[str, Any]]:
    """The groups of an event that runs one line of shell."""
    group: dict[str, Any] = {"hooks": [{"type": "command", "command": line, **more}]}
    return [group if matcher is None else {"matcher": matcher, **group}]


def block(reason: str) -> str:
    """A line of shell that says ``block``."""
    return f"""echo '{{"decision":"block","reason":"{reason}"}}'"""
