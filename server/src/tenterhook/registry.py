"""Owns the tables of an engine: found by any spelling of a project's path, swapped whole by a reload; runs nothing."""

from __future__ import annotations

import os
from collections.abc import Sequence

from msgspec import structs

from tenterhook.config.files import read_layer, read_layers
from tenterhook.dialects.base import Layer, Source
from tenterhook.errors import UnknownHook
from tenterhook.model import Hook, Problem
from tenterhook.nearest import nearest
from tenterhook.tables import EMPTY, Recipe, Table, build

__all__ = ["Registry", "real"]

_PLACES_KEPT = 8192


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

    def files_of(self, project: str) -> Sequence[tuple[str, Source]]:
        """Every file that counts for a project, with its system; those that others name included."""
        return [
            (dialect.name, source)
            for dialect in self.recipe.dialects
            for source, _ in read_layers(dialect.sources(project, self.recipe.ground), read_layer)
        ]

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
