"""Owns ``tenterhook list``: every configured hook, where it comes from, and whether it can run; decides nothing."""

from __future__ import annotations

from collections.abc import Sequence

from tenterhook_protocol.base import UNSET
from tenterhook_protocol.hooks import HookInfo, ListParams

from tenterhook.cli.ending import WELL
from tenterhook.cli.hook_lines import Columns, hook_lines
from tenterhook.cli.looked import nothing_found
from tenterhook.cli.opening import Opened, open_engine, sources_of
from tenterhook.cli.output import write_json
from tenterhook.cli.render import Page, Style, count

__all__ = ["list_hooks"]


def list_hooks(*, project: str | None, home: str | None, as_json: bool, plugins: Sequence[str] = ()) -> int:
    """Show all hooks of a project by point, in the order in which they would run.

    Raises:
        BadParams: a folder does not exist.
    """
    opened = open_engine(project=project, home=home, plugins=plugins)
    result = opened.service.list(ListParams(project_path=opened.project))
    if as_json:
        write_json(result)
        return WELL
    _show(opened, [hook for one in result.projects for hook in one.hooks])
    return WELL


def _show(opened: Opened, hooks: Sequence[HookInfo]) -> None:
    page = Page()
    page.line(("project ", "dim"), (opened.project, "bold"), hang=2)
    if not hooks:
        page.line("no hooks; ", nothing_found(sources_of(opened.project, opened.service.registry.recipe)), hang=2)
        return
    widths = Columns(hooks)
    by_point: dict[str, list[HookInfo]] = {}
    for hook in hooks:
        by_point.setdefault(hook.point, []).append(hook)
    for point, its_hooks in by_point.items():
        page.gap()
        page.line((point or "no point", "bold cyan"))
        number = 0
        for hook in its_hooks:
            runs = hook.left_out is UNSET
            number += runs
            hook_lines(page, hook, number if runs else None, widths, None if hook.left_out is UNSET else hook.left_out)
    running = sum(hook.left_out is UNSET for hook in hooks)
    page.gap()
    page.line(*_summary(len(hooks), running))


def _summary(hooks: int, running: int) -> Sequence[tuple[str, Style]]:
    if running == hooks:
        return [(f"{count(hooks, 'hook')}, all can run", "")]
    return [(f"{count(hooks, 'hook')}, {running} can run, ", ""), (f"{hooks - running} left out", "yellow")]
