"""Owns the tables: which hooks a project has, as immutable values that a reload swaps whole; runs nothing.

A table is built from what every system reads for the project.
A file that is broken on a reload is told of, and the last good content of its layer stays in force.
Layers that are not trusted are dropped before the merge, so that a project's patch cannot weaken a user's own hook.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct, field, structs
from tenterhook_protocol.lifecycle import TrustMode
from tenterhook_protocol.points import HookType

from tenterhook.config.files import read_layer, read_layers
from tenterhook.dialects.base import Dialect, Ground, Layer, Loaded, Source
from tenterhook.errors import UnknownHook
from tenterhook.model import Arranged, Hook, LeftOut, Mode, Origin, Problem
from tenterhook.nearest import nearest
from tenterhook.policy import Policy, apply

__all__ = ["EMPTY", "NOT_TRUSTED", "Reader", "Recipe", "Registry", "Table", "build", "real"]

Reader = Callable[[Source], Layer]
_PLACES_KEPT = 8192


class Table(Struct, frozen=True, kw_only=True):
    """The hooks of one project at one moment. Never changed: a reload makes another."""

    project: str
    """Real path of the project."""
    hooks: tuple[Hook, ...] = ()
    """Every configured hook, in the order of files and positions."""
    runnable: Mapping[str, tuple[Hook, ...]]
    """By point: the hooks that nothing rules out from the start."""
    problems: tuple[Problem, ...] = ()
    good: Mapping[tuple[str, str], Layer]
    """By system and layer: the last content that could be read."""
    memo: dict[tuple[str, Mode, str | None], Arranged | tuple[Hook, ...]] = field(default_factory=dict)
    """What ``plan`` has worked out of it: by point, mode and subject, the stages, or what they depend on more."""

    def at(self, point: str) -> tuple[Hook, ...]:
        """Every hook of the point, those left out included."""
        return tuple(hook for hook in self.hooks if hook.point == point)


EMPTY = Table(project="", runnable={}, good={})
"""The table of a project that was never loaded."""


class Recipe(Struct, frozen=True, kw_only=True):
    """What every table of an engine is built by."""

    dialects: Sequence[Dialect]
    points: Mapping[str, HookType]
    ground: Ground
    policy: Policy
    trust: TrustMode = "all"


def build(recipe: Recipe, project: str, previous: Table = EMPTY, read: Reader = read_layer) -> Table:
    """Read all of a project's hook files anew.

    Args:
        recipe: systems, points, policy.
        project: real path of the project.
        previous: the table in force; its good layers stand in for broken ones.
        read: reads one source; an editor's unsaved text comes in here.
    """
    hooks: list[Hook] = []
    problems: list[Problem] = []
    good: dict[tuple[str, str], Layer] = {}
    for dialect in recipe.dialects:
        loaded, kept = _load(dialect, recipe, project, previous, read)
        hooks.extend(loaded.hooks)
        problems.extend(loaded.problems)
        good.update(kept)
    judged = apply(recipe.policy, hooks)
    runnable: defaultdict[str, list[Hook]] = defaultdict(list)
    for hook in judged:
        if hook.left_out is None:
            runnable[hook.point].append(hook)
    return Table(
        project=project,
        hooks=judged,
        runnable={point: tuple(hooks) for point, hooks in runnable.items()},
        problems=tuple(problems),
        good=good,
    )


def _load(
    dialect: Dialect, recipe: Recipe, project: str, previous: Table, read: Reader
) -> tuple[Loaded, dict[tuple[str, str], Layer]]:
    found = read_layers(dialect.sources(project, recipe.ground), read)
    sources, layers = [source for source, _ in found], [layer for _, layer in found]
    fresh = dialect.load(layers, recipe.points)
    unusable = {layer.layer for layer in layers if layer.failed} | fresh.broken
    stand_in = [_last_good(dialect, layer, previous) if layer.layer in unusable else layer for layer in layers]
    good = {
        (dialect.name, layer.layer): layer
        for layer in stand_in
        if layer.layer not in unusable or (dialect.name, layer.layer) in previous.good
    }
    trusted = [
        layer
        for source, layer in zip(sources, stand_in, strict=True)
        if recipe.trust == "all" or not source.from_project
    ]
    if stand_in == layers and len(trusted) == len(layers):
        return fresh, good
    standing = dialect.load(stand_in, recipe.points) if stand_in != layers else fresh
    told = (*(p for p in fresh.problems if _of_layers(p, layers, unusable)), *standing.problems)
    problems = tuple(dict.fromkeys(told))
    if len(trusted) == len(layers):
        return Loaded(hooks=standing.hooks, problems=problems), good
    own = dialect.load(trusted, recipe.points)
    return _withheld(own, standing, trusted, problems), good


def _of_layers(problem: Problem, layers: Iterable[Layer], names: set[str]) -> bool:
    return any(problem.path == layer.path for layer in layers if layer.layer in names)


def _last_good(dialect: Dialect, layer: Layer, previous: Table) -> Layer:
    return previous.good.get((dialect.name, layer.layer), Layer(layer=layer.layer, path=layer.path, content=None))


def _withheld(own: Loaded, whole: Loaded, trusted: Sequence[Layer], problems: tuple[Problem, ...]) -> Loaded:
    """The trusted hooks as they are without the others' layers; what those would add or change is told of."""
    names = {layer.layer for layer in trusted}
    known = {hook.id for hook in own.hooks}
    hooks = list(own.hooks)
    told = list(dict.fromkeys((*problems, *own.problems)))
    for hook in whole.hooks:
        if hook.id not in known:
            hooks.append(structs.replace(hook, left_out=NOT_TRUSTED, trusted=False))
            continue
        patch = next((origin for origin in hook.fields.values() if origin.layer not in names), None)
        if patch is not None:
            told.append(_patch_withheld(hook, patch))
    return Loaded(hooks=tuple(hooks), problems=tuple(told))


NOT_TRUSTED = LeftOut(code="notTrusted", message="the project's hook file is not approved")


def _patch_withheld(hook: Hook, origin: Origin) -> Problem:
    return Problem(
        severity="information",
        code="patch-not-trusted",
        message=f"what this file changes of {hook.name!r} does not count: the project's hook file is not approved",
        path=origin.path,
        line=origin.line,
        column=origin.column,
        end_line=origin.line,
        end_column=origin.column,
        entry=hook.name,
    )


class Registry:
    """All tables of one engine, found by any spelling of a project's path."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self._tables: dict[str, Table] = {}
        self._places: dict[str, Table | None] = {}

    @property
    def tables(self) -> Sequence[Table]:
        """In the order in which the projects were loaded."""
        return tuple(self._tables.values())

    def find(self, path: str) -> Table | None:
        """The table of the project at that path; None where it was never loaded."""
        try:
            return self._places[path]
        except KeyError:
            table = self._tables.get(real(path)) if os.path.isabs(path) else None
            if len(self._places) >= _PLACES_KEPT:
                self._places.clear()
            self._places[path] = table
            return table

    def find_above(self, folder: str) -> Table | None:
        """The table of the nearest loaded project that the folder is in."""
        path = real(folder) if os.path.isabs(folder) else ""
        while path and path not in self._tables:
            path = "" if os.path.dirname(path) == path else os.path.dirname(path)
        return self._tables.get(path)

    def find_hook(self, name: str, project: str | None) -> tuple[Table, Hook]:
        """The one hook of that id or name, in one project or in all.

        Raises:
            UnknownHook: no loaded project has it, or it fits hooks of several.
        """
        table = None if project is None else self.find(project)
        tables = self.tables if project is None else () if table is None else (table,)
        known = [(table, hook) for table in tables for hook in table.hooks]
        found = [(table, hook) for table, hook in known if name in {hook.id, hook.name}]
        if len(found) == 1:
            return found[0]
        if found:
            where = ", ".join(sorted({table.project for table, _ in found}))
            raise UnknownHook(f"{name!r} fits hooks of several projects ({where}); send projectPath")
        near = nearest(name, (spelling for _, hook in known for spelling in (hook.id, hook.name)))
        meant = f"; did you mean {near!r}?" if near else ""
        raise UnknownHook(f"no loaded project has a hook {name!r}{meant}", suggestion=near)

    def check(self, path: str, content: bytes) -> Sequence[Problem] | None:
        """The problems of a hook file as if its content were this; None: it is no hook file of any project.

        The project is a loaded one whose files it is among, else a folder above it.
        The other layers count as they are on the disk, or as they were when they could last be read.
        """
        wanted = real(path)
        project = self._project_with(path, wanted)
        if project is None:
            return None

        def read(source: Source) -> Layer:
            layer = read_layer(source)
            for name in (source.path, source.fallback):
                if name is not None and real(name) == wanted:
                    # Where another spelling counts, this file is not read at all: its author has to know.
                    passed_over = () if layer.path == name else layer.problems
                    problems = tuple(structs.replace(each, path=path) for each in passed_over if each.path == name)
                    return Layer(
                        layer=source.layer,
                        path=path,
                        content=content,
                        problems=problems,
                        real_path=wanted,
                        carried=source.carried,
                    )
            return layer

        table = self._tables.get(project, EMPTY)
        # The last good content of this very file has other lines: its problems would stand in the wrong places.
        others = {key: layer for key, layer in table.good.items() if real(layer.path) != wanted}
        judged = build(self.recipe, project, structs.replace(table, good=others), read)
        return [problem for problem in judged.problems if problem.path == path]

    def _project_with(self, path: str, wanted: str) -> str | None:
        for project in dict.fromkeys([*self._tables, *map(real, _above(os.path.normpath(path)))]):
            for dialect in self.recipe.dialects:
                for source, _ in read_layers(dialect.sources(project, self.recipe.ground), read_layer):
                    if wanted in {real(name) for name in (source.path, source.fallback) if name is not None}:
                        return project
        return None

    def load(self, path: str) -> Table:
        """Read a project's files, for the first time or again, and put the table in force in one step."""
        project = real(path)
        table = build(self.recipe, project, self._tables.get(project, EMPTY))
        self._tables[project] = table
        self._places.clear()
        return table


def _above(path: str) -> Sequence[str]:
    folders: list[str] = []
    while (parent := os.path.dirname(path)) != path:
        folders.append(parent)
        path = parent
    return folders[:4]


def real(path: str) -> str:
    """The path as all spellings of it are compared. A path that cannot be resolved stands for itself."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path
