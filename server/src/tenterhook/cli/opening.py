"""Owns making an engine for one command: which home, which project, where its words go; knows no command."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence

from msgspec import UNSET, Raw, Struct
from tenterhook_protocol.hooks import EmitResult
from tenterhook_protocol.lifecycle import InitializationOptions, PluginFolder, TrustMode

from tenterhook.cli.ending import complain
from tenterhook.cli.inputs import folder, here
from tenterhook.config.layers import Source
from tenterhook.model import HookRun, LogLevel, Problem
from tenterhook.registry import real
from tenterhook.service import Service
from tenterhook.tables import Recipe, Table

__all__ = ["Opened", "Told", "new_engine", "open_engine", "present", "project_around", "sources_of"]


class Told:
    """The engine's words: what a user should know goes to stderr, one line each."""

    def __init__(self) -> None:
        self.silent = False

    def run_started(self, run: HookRun) -> None:
        """Not told: a command tells of its runs when they are over."""

    def run_completed(self, run: HookRun) -> None:
        """Not told either."""

    def run_detached_completed(self, run: HookRun, context: str | None, *, wake: bool) -> None:
        """Nothing: a command does not wait for what runs in the background."""

    def event_raised(self, point: str, payload: Raw, session: str | None, result: EmitResult) -> None:
        """Nothing is watched for a command."""

    def reloaded(self, project: str, hooks: int, problems: int) -> None:
        """Nothing is watched for a command."""

    def problems_found(self, project: str, problems: list[Problem]) -> None:
        """Only that there are errors: ``check`` shows them."""
        errors = sum(problem.severity == "error" for problem in problems)
        if errors and not self.silent:
            them = "an error" if errors == 1 else f"{errors} errors"
            which = "" if project == real(here()) else f" {shlex.quote(project)}"
            complain(f"the hook files have {them}: see `tenterhook check{which}`", "warning")

    def log(self, level: LogLevel, message: str) -> None:
        """Errors and warnings."""
        if level in {"error", "warning"} and not self.silent:
            complain(message, level)


class Opened(Struct, frozen=True):
    """An engine with one project loaded."""

    service: Service
    project: str
    """Real path of the project."""
    told: Told

    @property
    def table(self) -> Table | None:
        """The project's table."""
        return self.service.registry.find(self.project)

    def tell_of_no_file(self) -> None:
        """Say where nothing of the project's own was found: the usual reason is a path that was meant otherwise."""
        own = [source for source in sources_of(self.project, self.service.registry.recipe) if source.from_project]
        # Of a folder that is not there the engine itself has told.
        if own and os.path.isdir(self.project) and not any(map(present, own)):
            complain(f"the project {self.project} has no hook file", "warning")

    def hush(self) -> None:
        """Say nothing more: the command tells the same in its own way."""
        self.told.silent = True


def new_engine(
    home: str | None, *, silent: bool, trust: TrustMode = "all", plugins: Sequence[str] = ()
) -> tuple[Service, Told]:
    """An engine that has loaded nothing yet.

    Raises:
        BadParams: there is no such home, or no such folder of a plugin.
    """
    told = Told()
    told.silent = silent
    options = InitializationOptions(
        user_home=UNSET if home is None else folder(home, "--home"),
        trust=trust,
        plugins=[_plugin(written) for written in plugins],
    )
    return Service(options, told, os.environ), told


def open_engine(
    *,
    project: str | None,
    home: str | None,
    payload: Raw | None = None,
    silent: bool = False,
    trust: TrustMode = "all",
    plugins: Sequence[str] = (),
) -> Opened:
    """An engine with the project that a command is about.

    That is the folder the user names, else the one the payload names, else the one around the current folder.

    Raises:
        BadParams: a folder does not exist, or the payload names its project in a way that cannot be.
    """
    service, told = new_engine(home, silent=silent, trust=trust, plugins=plugins)
    named = None if project is None else folder(project, "--project")
    of_payload = None if payload is None else service.project_of(payload)
    path = named or of_payload or project_around(here(), service.registry.recipe)
    service.load([path])
    return Opened(service, real(path), told)


def project_around(start: str, recipe: Recipe) -> str:
    """The nearest folder from ``start`` upwards that has a project's hook file; else ``start`` itself."""
    candidate = real(start)
    while True:
        own = [source for source in sources_of(candidate, recipe) if source.from_project]
        if candidate != recipe.ground.home and any(present(source) for source in own):
            return candidate
        parent = os.path.dirname(candidate)
        if parent == candidate:
            return real(start)
        candidate = parent


def sources_of(project: str, recipe: Recipe) -> Sequence[Source]:
    """Every file that counts for a project, of all systems."""
    return [source for dialect in recipe.dialects for source in dialect.sources(project, recipe.ground)]


def present(source: Source) -> str | None:
    """The path of the source's file that is there."""
    paths = (source.path, source.fallback)
    return next((path for path in paths if path is not None and os.path.lexists(path)), None)


def _plugin(written: str) -> PluginFolder:
    """What ``--plugin`` names: ``ID=DIR``, or a folder whose name is the id."""
    name, sign, path = written.rpartition("=")
    root = folder(path, "--plugin")
    return PluginFolder(id=name if sign else os.path.basename(root), root=root)
