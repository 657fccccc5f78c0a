"""Owns ``tenterhook test``: one run of one hook, shown with everything it did; judges nothing itself."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

import msgspec
from msgspec import UNSET
from tenterhook_protocol.hooks import TestParams, TestResult
from tenterhook_protocol.runs import HookRun

from tenterhook.cli.ending import NOT_WELL, WELL, complain
from tenterhook.cli.inputs import read_payload
from tenterhook.cli.opening import open_engine
from tenterhook.cli.output import write_json
from tenterhook.cli.render import Page, Part, command_line, count, where
from tenterhook.cli.running import finish
from tenterhook.model import CommandSpec, Hook

__all__ = ["try_hook"]

_WELL_ENDED = frozenset({"ok", "detached"})
_SHOWN_LINES = 200


def try_hook(
    hook: str, payload: str, *, project: str | None, home: str | None, as_json: bool, plugins: Sequence[str] = ()
) -> int:
    """Run one hook once, whatever its point, matcher or switch say, and show what it did.

    Of a hook that is left out it is said why first; one that is not written well enough to run is not run.

    Raises:
        UnknownHook: the project has no such hook.
        BadParams: a folder does not exist, or the payload is no JSON object.
        KeyboardInterrupt, Stopped: a signal came; the hook is stopped.
    """
    data = read_payload(payload)
    opened = open_engine(project=project, home=home, payload=data, plugins=plugins)
    service = opened.service
    _, configured = service.registry.find_hook(hook, opened.project)
    if configured.left_out is not None:
        origin = configured.origin
        complain(
            f"{origin.path}:{origin.line}:{origin.column}: {configured.name} is left out of every event: "
            f"{configured.left_out.message}",
            "warning",
        )
        if configured.left_out.code == "invalid":
            complain("it was not run: without what is missing it would be another hook; see `tenterhook check`")
            return NOT_WELL
    later = service.test(TestParams(hook=hook, payload=data, project_path=opened.project))
    opened.hush()
    result = finish(service, later)
    if as_json:
        write_json(result)
    else:
        _show(configured, result)
    return WELL if result.run.status in _WELL_ENDED else NOT_WELL


def _show(hook: Hook, result: TestResult) -> None:
    page = Page()
    run = result.run
    page.line((hook.name, "bold"), f"  {hook.type} at {run.point}, from {where(hook.origin)}", hang=2)
    page.gap()
    _fact(page, "command", command_line(hook.spec.words()))
    if isinstance(hook.spec, CommandSpec):
        _fact(page, "folder", os.path.normpath(os.path.join(run.project_path, hook.spec.cwd or "")))
    _fact(page, "outcome", *_outcome(run))
    if run.duration_ms:
        _fact(page, "took", _duration(run.duration_ms))
    _fact(page, "judged", _judged(hook, result))
    if hook.type != "observer":
        answer = "null (no opinion)" if result.answer is None else msgspec.json.encode(result.answer).decode()
        _fact(page, "answer", answer)
    for warning in [] if run.warnings is UNSET else run.warnings:
        _fact(page, "warning", (warning, "yellow"))
    for name, text in (("stdout", result.stdout), ("stderr", result.stderr)):
        page.gap()
        _stream(page, name, text)


def _fact(page: Page, name: str, *parts: Part) -> None:
    page.line((f"{name:<9}", "dim"), *parts, hang=9)


def _outcome(run: HookRun) -> Sequence[Part]:
    ended: list[Part] = [(run.status, "green" if run.status in _WELL_ENDED else "bold red")]
    if run.exit_code is not UNSET:
        ended.append(f", exit code {run.exit_code}")
    if run.signal is not UNSET:
        ended.append(f", {run.signal}")
    return ended


def _duration(milliseconds: float) -> str:
    return f"{milliseconds:.1f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.2f} s"


def _judged(hook: Hook, result: TestResult) -> str:
    run = result.run
    if run.error is not UNSET:
        instead = ""
        if run.synthetic is True and result.answer is not None and result.answer.decision is not UNSET:
            instead = f"; its onFailure makes that {result.answer.decision}"
        return f"{run.error}{instead}"
    if hook.type == "observer":
        return "it ran to its end; what an observer writes is not read"
    return "no opinion: the next hook is asked" if result.answer is None else "an answer: it ends the chain"


def _stream(page: Page, name: str, text: str) -> None:
    if not text:
        page.line((f"{name:<9}", "dim"), ("nothing", "dim"))
        return
    page.line((name, "dim"))
    lines = re.split("\r\n|\r|\n", text.removesuffix("\n"))
    for line in lines[:_SHOWN_LINES]:
        page.line(line, indent=2)
    if len(lines) > _SHOWN_LINES:
        page.line((f"... and {count(len(lines) - _SHOWN_LINES, 'more line')}; --format json has all", "dim"), indent=2)
