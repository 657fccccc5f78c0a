"""Owns what the shell offers for points and hooks after a Tab; never says anything else, whatever is wrong."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from tenterhook.cli.opening import open_engine
from tenterhook.dialects.table import DIALECTS
from tenterhook.errors import TenterhookError

__all__ = ["complete_hook", "complete_point"]


def complete_point(incomplete: str) -> Iterator[tuple[str, str]]:
    """Points, each with the type of hook that suits it."""
    for dialect in DIALECTS.values():
        for point, kind in dialect.points.items():
            if point.startswith(incomplete):
                yield point, kind


def complete_hook(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """Names of the project's hooks, each with its point; ids once somebody types one."""
    try:
        opened = open_engine(project=context.params.get("project"), home=context.params.get("home"), silent=True)
    except (TenterhookError, OSError):
        return
    for hook in () if opened.table is None else opened.table.hooks:
        for spelling in (hook.name, hook.id):
            if spelling.startswith(incomplete) and (spelling == hook.name or incomplete):
                yield spelling, hook.point
                break
