"""Owns ``tenterhook trust``: what a project's own hook files would run, and a person's yes to it; judges nothing."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from msgspec import Struct
from tenterhook_protocol.hooks import HookInfo
from tenterhook_protocol.problems import Origin

from tenterhook.cli.ending import MISUSED, NOT_WELL, WELL, complain
from tenterhook.cli.inputs import folder
from tenterhook.cli.opening import Opened, open_engine
from tenterhook.cli.output import write_json
from tenterhook.cli.render import Page, Style, command_line, count, near
from tenterhook.describe import hook_info
from tenterhook.tables import JudgedLayer
from tenterhook.trust import Store

__all__ = ["Wanted", "trust"]

_STATES: Mapping[str, tuple[str, Style]] = {
    "approved": ("approved", "green"),
    "never": ("not approved", "yellow"),
    "changed": ("changed since it was approved", "yellow"),
}


class Wanted(Struct, frozen=True):
    """What is to become of the approval, and how to tell."""

    yes: bool = False
    revoke: bool = False
    show: bool = False
    as_json: bool = False


class _LayerReport(Struct, frozen=True, rename="camel"):
    system: str
    layer: str
    path: str
    state: str
    digest: str
    approved_at: str | None
    hooks: list[HookInfo]


class _Report(Struct, frozen=True, rename="camel"):
    project_path: str
    layers: list[_LayerReport]


def trust(project: str | None, *, home: str | None, wanted: Wanted) -> int:
    """Show what a project's files would run, and keep or take back the approval of exactly that.

    Returns:
        0: what is shown is approved, or was revoked; 1: it is not approved; 2: nobody could be asked.

    Raises:
        BadParams: a folder does not exist.
        RequestFailed: the approval cannot be kept.
    """
    named = None if project is None else folder(project, "PROJECT")
    opened = open_engine(project=named, home=home, trust="pinned")
    table, store = opened.table, opened.service.registry.recipe.trust.store
    layers = () if table is None else table.own_layers
    if store is None:
        return NOT_WELL
    if wanted.revoke:
        return _revoke(opened, store)
    pending = [each for each in layers if not each.standing.counts]
    if wanted.as_json and not (wanted.yes and pending):
        write_json(_report(opened, layers))
        return NOT_WELL if pending else WELL
    if not wanted.as_json:
        _show(opened, layers)
    if not pending or wanted.show:
        return NOT_WELL if pending else WELL
    if not wanted.yes and not _asked(len(pending)):
        return NOT_WELL if sys.stdin.isatty() else MISUSED
    told = store.approve(opened.project, {each.key: each.standing.digest for each in pending})
    for line in told:
        complain(line, "warning")
    if wanted.as_json:
        opened.service.load([opened.project])
        write_json(_report(opened, () if opened.table is None else opened.table.own_layers))
    else:
        Page().line(("approved ", "green"), f"until {count(len(pending), 'file')} above says something else")
    return WELL


def _revoke(opened: Opened, store: Store) -> int:
    for line in store.change(opened.project, None):
        complain(line, "warning")
    Page().line("nothing of ", (opened.project, "bold"), " is approved any more")
    return WELL


def _asked(files: int) -> bool:
    """Whether the person said yes. Without a terminal there is nobody, and that is no yes."""
    if not sys.stdin.isatty():
        complain("there is no terminal to ask at: give --yes to approve what is shown above")
        return False
    sys.stdout.write(f"Approve {'this file' if files == 1 else 'these files'} as shown? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def _show(opened: Opened, layers: Sequence[JudgedLayer]) -> None:
    page = Page()
    page.line(("project ", "dim"), (opened.project, "bold"), hang=2)
    if not layers:
        page.line("its own files have no hooks: there is nothing to approve", hang=2)
        return
    for each in layers:
        words, style = _STATES.get(each.standing.state, (each.standing.state, "yellow"))
        since = "" if each.standing.approved is None else f" on {each.standing.approved.at[:10]}"
        page.gap()
        page.line((near(each.path), "bold"), "  ", (words + since, style), hang=2)
        for hook in each.hooks:
            info = hook_info(hook)
            line = _line_in(each, info)
            page.line((f"{info.point or 'no point'}  ", "cyan"), command_line(info.command), indent=2, hang=4)
            only = "" if hook.matcher is None else f", only for {hook.matcher}"
            rule = "" if hook.rule is None else f", if {hook.rule}"
            patched = "" if hook.origin.layer == each.layer else f", changes a hook of {near(hook.origin.path)}"
            page.line((f"{info.name}, line {line}{only}{rule}{patched}", "dim"), indent=4, hang=2)
        if not each.hooks:
            page.line(("no hook of its own; its switches count for all", "dim"), indent=2)
    page.gap()


def _line_in(layer: JudgedLayer, hook: HookInfo) -> int:
    places: list[Origin] = [hook.origin, *hook.fields.values()]
    return next((place.line for place in places if place.layer == layer.layer), 1)


def _report(opened: Opened, layers: Sequence[JudgedLayer]) -> _Report:
    return _Report(
        project_path=opened.project,
        layers=[
            _LayerReport(
                system=each.system,
                layer=each.layer,
                path=each.path,
                state=each.standing.state,
                digest=each.standing.digest,
                approved_at=None if each.standing.approved is None else each.standing.approved.at,
                hooks=[hook_info(hook) for hook in each.hooks],
            )
            for each in layers
        ],
    )
