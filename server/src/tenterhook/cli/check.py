"""Owns ``tenterhook check``: what is wrong with hook files, where, and what to do; judges nothing itself."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct, structs
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.hooks import ReloadParams
from tenterhook_protocol.problems import Problem

from tenterhook.cli.ending import NOT_WELL, WELL
from tenterhook.cli.excerpt import excerpt, lines_of
from tenterhook.cli.inputs import here
from tenterhook.cli.looked import nothing_found, places
from tenterhook.cli.opening import new_engine, present, project_around, sources_of
from tenterhook.cli.output import write_json
from tenterhook.cli.render import Page, Style, count, near
from tenterhook.cli.starting import unstartable
from tenterhook.config.files import read_layer
from tenterhook.config.layers import Source
from tenterhook.config.scripts import missing_scripts
from tenterhook.errors import BadParams
from tenterhook.registry import real
from tenterhook.service import Service

__all__ = ["check"]

_WIDEST = 160
"""Columns of an excerpt where there is no terminal to fit it into."""


class _Checked(Struct):
    """What was looked at, in order and once each."""

    files: dict[str, None]
    """Paths of the files that were read."""
    absent: dict[str, Source]
    """By path: what was looked for and is not there."""
    problems: dict[Problem, None]


def check(paths: Sequence[str], *, home: str | None, as_json: bool) -> int:
    """Show the problems of hook files.

    Args:
        paths: files and project folders; none: the project around the current folder.
        home: where the global hook file lies; None: the user's home folder.
        as_json: a list of ``Problem`` objects instead of text.

    Raises:
        BadParams: a path does not exist, or is no hook file of any project.
    """
    service, _ = new_engine(home, silent=True)
    checked = _Checked({}, {}, {})
    if not paths:
        _check_project(service, project_around(here(), service.registry.recipe), checked)
    for path in paths:
        if os.path.isdir(path):
            _check_named_project(service, path, checked)
        else:
            _check_file(service, path, checked)
    checked.files.update(dict.fromkeys(problem.path for problem in checked.problems))
    problems = _in_order(checked)
    if as_json:
        write_json(problems)
    else:
        _show(checked, problems)
    return NOT_WELL if any(problem.severity == "error" for problem in problems) else WELL


def _check_project(service: Service, project: str, checked: _Checked) -> None:
    reloaded = service.reload(ReloadParams(project_path=project)).projects[0]
    checked.problems.update(dict.fromkeys(reloaded.problems))
    _check_starts(service, reloaded.project_path, checked, None)
    for source in sources_of(reloaded.project_path, service.registry.recipe):
        path = present(source)
        if path is None:
            checked.absent[source.path] = source
        else:
            checked.files[path] = None


def _check_named_project(service: Service, path: str, checked: _Checked) -> None:
    project = os.path.realpath(path)
    own = [source for source in sources_of(project, service.registry.recipe) if source.from_project]
    if own and not any(map(present, own)):
        wanted = ", ".join(near(source.path) for source in own)
        raise BadParams(f"{path} has no hook file: there is none of {wanted}")
    _check_project(service, project, checked)


def _check_file(service: Service, path: str, checked: _Checked) -> None:
    full = os.path.normpath(os.path.join(here(), path))
    layer = read_layer(Source(layer="", path=full))
    if layer.content is None and not layer.failed:
        raise BadParams(f"{path} does not exist")
    problems = service.registry.check(full, layer.content or b"")
    if problems is None:
        own = [source for source in sources_of("/", service.registry.recipe) if source.from_project]
        expected = " or ".join(f"<project>{source.path}" for source in own)
        raise BadParams(f"{path} is no hook file: the engine reads {expected} and the same in your home folder")
    checked.files[full] = None
    checked.problems.update(dict.fromkeys(layer.problems if layer.failed else problems))
    project = _project_of(service, full)
    if project is not None:
        service.reload(ReloadParams(project_path=project))
        _check_starts(service, real(project), checked, full)


def _check_starts(service: Service, project: str, checked: _Checked, only: str | None) -> None:
    """What no other part of the engine looks at before an event: whether the programs are there."""
    table = service.registry.find(project)
    hooks = () if table is None else table.hooks
    problems = [*missing_scripts(hooks, project), *unstartable(hooks, project, os.environ)]
    wanted = [problem for problem in problems if only is None or real(problem.path) == real(only)]
    checked.problems.update(dict.fromkeys(structs.replace(each, path=only or each.path) for each in wanted))


def _project_of(service: Service, file: str) -> str | None:
    """The folder above a hook file that it belongs to."""
    folder = os.path.dirname(file)
    while (parent := os.path.dirname(folder)) != folder:
        folder = parent
        sources = sources_of(real(folder), service.registry.recipe)
        if any(path and real(path) == real(file) for source in sources for path in (source.path, source.fallback)):
            return folder
    return None


def _in_order(checked: _Checked) -> list[Problem]:
    order = {path: index for index, path in enumerate(checked.files)}
    return sorted(
        checked.problems, key=lambda problem: (order.get(problem.path, len(order)), problem.line, problem.column)
    )


def _show(checked: _Checked, problems: Sequence[Problem]) -> None:
    page = Page()
    read = lru_cache(lines_of)
    for problem in problems:
        _show_problem(page, problem, read(problem.path))
        page.gap()
    if not checked.files:
        page.line("no hook file found; ", nothing_found(list(checked.absent.values())), hang=2)
        return
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = sum(problem.severity == "warning" for problem in problems)
    if not problems:
        page.line(("no problems", "green"), " in ", _listed(checked.files), hang=2)
    else:
        numbers = ", ".join(count(n, word) for n, word in ((errors, "error"), (warnings, "warning")) if n)
        style: Style = "red" if errors else "yellow"
        page.line((numbers or "only information", style), " in ", _listed(checked.files), hang=2)
    if checked.absent:
        page.line((f"looked for more in {places(checked.absent)}", "dim"), hang=2)


def _show_problem(page: Page, problem: Problem, lines: Sequence[str]) -> None:
    colour = _COLOURS[problem.severity]
    page.line(
        (f"{near(problem.path)}:{problem.line}:{problem.column}", "bold"),
        ": ",
        (problem.severity, colour),
        f": {problem.message} ",
        (f"[{problem.code}]", "dim"),
        hang=2,
    )
    margin = len(str(problem.line)) + 2
    cut = excerpt(problem, lines, (page.width or _WIDEST) - margin - 4)
    if cut is not None:
        page.line((f"  {cut.number} | ", "dim"), cut.before, (cut.marked, colour), cut.after)
        page.line(" " * margin, (" | ", "dim"), " " * cut.offset, ("^" * cut.length, colour))
    if problem.hint is not UNSET:
        page.line((" = ", "dim"), problem.hint, indent=margin, hang=3)


_COLOURS: dict[str, Style] = {"error": "bold red", "warning": "bold yellow", "information": "bold cyan"}


def _listed(paths: Iterable[str]) -> str:
    return ", ".join(near(path) for path in paths)
