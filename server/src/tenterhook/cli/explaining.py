"""Owns ``tenterhook explain``: the plan for an event in words; plans nothing itself and runs nothing."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET
from tenterhook_protocol.hooks import ExplainParams, ExplainResult, StageInfo

from tenterhook.cli.ending import WELL
from tenterhook.cli.hook_lines import Columns, hook_lines
from tenterhook.cli.inputs import read_payload
from tenterhook.cli.opening import open_engine
from tenterhook.cli.output import write_json
from tenterhook.cli.render import Page

__all__ = ["explain"]


def explain(
    point: str,
    payload: str | None,
    *,
    project: str | None,
    home: str | None,
    as_json: bool,
    plugins: Sequence[str] = (),
) -> int:
    """Show which hooks an event would run, in which order, and why the others would not.

    Raises:
        UnknownPoint: nobody knows the point.
        BadParams: a folder does not exist, or the payload is no JSON object.
    """
    data = None if payload is None else read_payload(payload)
    opened = open_engine(project=project, home=home, payload=data, plugins=plugins)
    result = opened.service.explain(
        ExplainParams(point=point, payload=UNSET if data is None else data, project_path=opened.project)
    )
    if as_json:
        write_json(result)
    else:
        _show(result)
    opened.tell_of_no_file()
    return WELL


def _show(result: ExplainResult) -> None:
    page = Page()
    decides = result.method == "hooks/emitDecision"
    kind = "decision" if decides else "observer"
    page.line((result.point, "bold cyan"), f"  {kind} point of {result.system}, sent by {result.method}", hang=2)
    if result.project_path is not UNSET:
        page.line(("project ", "dim"), result.project_path, hang=2)
    widths = Columns(
        [*(hook for stage in result.stages for hook in stage.hooks), *(one.hook for one in result.left_out)]
    )
    number = 0
    for index, stage in enumerate(result.stages):
        page.gap()
        page.line(_in_words(stage, first=index == 0), hang=2)
        for hook in stage.hooks:
            number += 1
            hook_lines(page, hook, number, widths, None)
    if not result.stages:
        page.gap()
        answer = "the answer is null, no opinion" if decides else "nothing happens"
        page.line(("No hook would run", "yellow"), f": {answer}.")
    if result.left_out:
        page.gap()
        page.line("Would not run:")
        for one in result.left_out:
            hook_lines(page, one.hook, None, widths, one.reason)
    for notice in result.notices:
        page.gap()
        page.line(("note: ", "yellow"), notice.message, hang=2)


def _in_words(stage: StageInfo, *, first: bool) -> str:
    start = "Would run" if first else "Then"
    if len(stage.hooks) == 1:
        together, ending = "", ""
    elif stage.together == "parallel":
        together, ending = " all at once", ""
    else:
        together, ending = " one after another", "; each runs to its end, whatever the others do"
    if stage.stops_at is not UNSET:
        ending = f"; it ends at {stage.stops_at}"
    return f"{start}{together}{ending}:"
