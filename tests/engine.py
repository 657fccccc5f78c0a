"""An engine in memory for tests: real files in a temporary folder, a real service, runners that a test scripts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

from msgspec import Raw
from tenterhook.later import Later
from tenterhook.model import HookRun, LogLevel, Outcome, Person, Problem, ProcessLaunch, StopReason
from tenterhook.runners.contract import Limits
from tenterhook.service import Service
from tenterhook_protocol.base import UnsetType
from tenterhook_protocol.hooks import EmitDecisionParams, EmitParams, EmitResult
from tenterhook_protocol.lifecycle import InitializationOptions
from tenterhook_protocol.runs import HookDecision

__all__ = ["Engine", "RecordingSink", "ScriptedRunner", "hook_file", "now", "present", "raw"]

T = TypeVar("T")


def raw(value: Any) -> Raw:
    """A JSON value as a host would send it."""
    return Raw(json.dumps(value).encode())


async def now(result: Later[T] | T) -> T:
    """The result, whether it came at once or needs work."""
    if isinstance(result, Later):
        work = cast("Later[T]", result)
        return await work.run()
    return result


class RecordingSink:
    """Keeps everything the engine tells."""

    def __init__(self) -> None:
        self.started: list[HookRun] = []
        self.completed: list[HookRun] = []
        self.detached: list[tuple[HookRun, str | None, bool]] = []
        self.problems: list[tuple[str, list[Problem]]] = []
        self.raised: list[tuple[str, Raw, str | None, EmitResult]] = []
        self.reloads: list[tuple[str, int, int]] = []
        self.logged: list[tuple[LogLevel, str]] = []

    def run_started(self, run: HookRun) -> None:
        self.started.append(run)

    def run_completed(self, run: HookRun) -> None:
        self.completed.append(run)

    def run_detached_completed(self, run: HookRun, context: str | None, *, wake: bool) -> None:
        self.detached.append((run, context, wake))

    def event_raised(self, point: str, payload: Raw, session: str | None, result: EmitResult) -> None:
        self.raised.append((point, payload, session, result))

    def reloaded(self, project: str, hooks: int, problems: int) -> None:
        self.reloads.append((project, hooks, problems))

    def problems_found(self, project: str, problems: list[Problem]) -> None:
        self.problems.append((project, problems))

    def log(self, level: LogLevel, message: str) -> None:
        self.logged.append((level, message))


class ScriptedRunner:
    """A runner whose hooks do what the test says, by the name of their command.

    A command without a script ends well and prints nothing. ``hold`` makes one wait until it is let go or stopped.
    """

    def __init__(self) -> None:
        self.launches: list[ProcessLaunch] = []
        self.outcomes: dict[str, Outcome] = {}
        self.held: dict[str, asyncio.Future[None]] = {}
        self.begun: asyncio.Queue[str] = asyncio.Queue()
        self.does: dict[str, Callable[[], object]] = {}
        """What a command does when it runs."""
        self.by_last_word = False
        """Commands go by their last word: that is the line that a shell is given."""

    @property
    def ran(self) -> list[str]:
        """The commands in the order in which they were started."""
        return [launch.argv[0] for launch in self.launches]

    def answers(self, command: str, answer: object) -> None:
        self.outcomes[command] = Outcome(status="ok", exit_code=0, stdout=json.dumps(answer).encode())

    def hold(self, command: str) -> asyncio.Future[None]:
        self.held[command] = asyncio.get_running_loop().create_future()
        return self.held[command]

    async def __call__(self, launch: ProcessLaunch, limits: Limits, stop: asyncio.Future[StopReason]) -> Outcome:
        assert limits.max_output > 0
        self.launches.append(launch)
        command = launch.argv[-1 if self.by_last_word else 0]
        self.begun.put_nowait(command)
        if command in self.does:
            self.does[command]()
        if command in self.held:
            await asyncio.wait({self.held[command], stop}, return_when=asyncio.FIRST_COMPLETED)
        if stop.done():
            return Outcome(status=stop.result())
        return self.outcomes.get(command, Outcome(status="ok", exit_code=0))


class Engine:
    """One service over a temporary home and project."""

    def __init__(self, root: Path, **options: Any) -> None:
        self.root = root.resolve()
        self.home = self.root / "home"
        self.project = self.root / "project"
        self.home.mkdir(exist_ok=True)
        self.project.mkdir(exist_ok=True)
        self.sink = RecordingSink()
        self.runner = ScriptedRunner()
        self._options: dict[str, Any] = {"user_home": str(self.home), **options}
        self._environment: Mapping[str, str] = {"PATH": "/usr/bin:/bin"}
        self.person: Person | None = None
        self._service: Service | None = None

    @property
    def service(self) -> Service:
        if self._service is None:
            options = InitializationOptions(**self._options)
            self._service = Service(options, self.sink, self._environment, {ProcessLaunch: self.runner}, self.person)
        return self._service

    def set_environment(self, **variables: str) -> None:
        self._environment = {**self._environment, **variables}

    def hooks(self, text: str, *, layer: str = "project") -> Path:
        """Write a layer's hook file."""
        folder = (self.project if layer == "project" else self.home) / ".codingcode"
        folder.mkdir(exist_ok=True)
        path = folder / "hooks.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def settings(self, hooks: Mapping[str, Any], *, name: str = "settings.json", **more: Any) -> Path:
        """Write the project's settings file of Claude Code."""
        path = self.project / ".claude" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"hooks": hooks, **more}), encoding="utf-8")
        return path

    def load(self) -> Service:
        self.service.load([str(self.project)])
        return self.service

    def payload(self, **keys: Any) -> Raw:
        return raw({"projectPath": str(self.project), **keys})

    async def emit(self, point: str, **keys: Any) -> EmitResult:
        return await now(self.service.emit(EmitParams(point=point, payload=self.payload(**keys))))

    async def decide(self, point: str, *, trace: bool = False, **keys: Any) -> HookDecision | None:
        params = EmitDecisionParams(point=point, payload=self.payload(**keys), trace=trace)
        return await now(self.service.decide(params))


def hook_file(*hooks: Mapping[str, Any] | str) -> str:
    """A hook file of these entries; a string is an entry's name, whose command has the same name."""
    entries: list[Mapping[str, Any]] = []
    for hook in hooks:
        entry = {"name": hook} if isinstance(hook, str) else dict(hook)
        entries.append({"point": "tool.approval.pre", "type": "decision", "command": entry["name"], **entry})
    return json.dumps({"hooks": entries})


def present(value: T | UnsetType | None) -> T:
    """The value of an optional wire field that must be there."""
    assert value is not None
    assert not isinstance(value, UnsetType)
    return value
