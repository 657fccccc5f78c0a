"""Owns how the demo looks: a line an event, a line a hook, the mistake with its place; judges nothing.

Colours only on a terminal that wants them; everything is told in words as well.
"""

from __future__ import annotations

import os
import statistics
from collections import Counter
from collections.abc import Sequence
from typing import TextIO

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.text import Text
from tenterhook_protocol.problems import Problem
from tenterhook_protocol.runs import HookDecision, HookRun

from tenterhook.cli.demo.session import Step
from tenterhook.cli.excerpt import excerpt, lines_of
from tenterhook.cli.render import count, visible

__all__ = ["Timeline"]

_COLOURS: dict[str, str] = {
    "allow": "bold green",
    "deny": "bold red",
    "ask": "bold yellow",
    "continue": "bold cyan",
    "defer": "bold magenta",
}

_POINT_WIDTH = 20
_NAME_WIDTH = 18
_MARGIN = 10
"""Columns of the time, under which hooks are indented."""


class _Subject(Struct):
    """The parts of a payload that say at a glance what an event is about."""

    toolName: str = ""  # noqa: N815 - payload keys are the system's own
    tool_name: str = ""
    tool: str = ""
    args: dict[str, object] = {}
    input: dict[str, object] = {}
    tool_input: dict[str, object] = {}
    content: str = ""
    status: str = ""
    step: int = 0


class Timeline:
    """Writes to one stream, top to bottom."""

    def __init__(self, stream: TextIO | None) -> None:
        colours = None if os.environ.get("NO_COLOR") else "auto"
        self._console = Console(file=stream, highlight=False, markup=False, emoji=False, color_system=colours)
        self._runs: list[HookRun] = []
        self._decisions: Counter[str] = Counter()
        self._events = 0

    def title(self, text: str, more: str) -> None:
        """The first line."""
        self._line((text, "bold"), ("  " + more, "dim"))
        self._line()

    def step(self, step: Step) -> None:
        """One event: when, what, the hooks and how they ended, the decision."""
        recorded = step.recorded
        self._events += 1
        self._runs += step.runs
        at = f"{recorded.at_ms / 1000:7.2f}s  "
        quiet = "" if step.runs else "dim"
        self._line((at, "dim"), (recorded.point.ljust(_POINT_WIDTH), quiet), (" " + _subject(step), "dim"))
        for run in step.runs:
            self._run(run)
        if step.decision is not None:
            self._decide(step.decision)

    def problem(self, problem: Problem, project: str) -> None:
        """A mistake in a hook file: where, what, the line itself, what to do."""
        place = f"{os.path.relpath(problem.path, project)}:{problem.line}:{problem.column}"
        colour = "bold red" if problem.severity == "error" else "bold yellow"
        self._line()
        self._line((place, "bold"), ": ", (problem.severity, colour), f": {problem.message}")
        piece = excerpt(problem, lines_of(problem.path), 100)
        margin = " " * (len(piece.number) if piece else 2)
        if piece is not None:
            self._line(f"  {piece.number} | ", piece.before, (piece.marked, colour), piece.after)
            self._line(f"  {margin} | ", " " * piece.offset, ("^" * piece.length, colour))
        if problem.hint:
            self._line(f"  {margin} = hint: ", (problem.hint, "bold"))

    def failed(self, sentences: Sequence[str]) -> None:
        """What did not come out as recorded."""
        for sentence in sentences:
            self._line((" " * _MARGIN + "NOT AS RECORDED: ", "bold red"), sentence)

    def summary(self) -> None:
        """The last line."""
        times = [run.duration_ms for run in self._runs]
        kinds = ", ".join(f"{number} {kind}" for kind, number in self._decisions.items()) or "none"
        median = statistics.median(times) if times else 0.0
        self._line()
        self._line(
            (f"{count(self._events, 'event')}, {count(len(times), 'hook')} run", "bold"),
            f", decisions: {kinds}, p50 of a hook {median:.0f} ms",
        )

    def _run(self, run: HookRun) -> None:
        ended = ("ok", "green") if run.status == "ok" else (run.status, "bold red")
        name = run.name.ljust(_NAME_WIDTH)
        layer = f"  ({run.origin.layer})" if run.origin.layer != "project" else ""
        self._line(" " * _MARGIN, ("- ", "dim"), name, " ", ended, (f" {run.duration_ms:5.0f} ms{layer}", "dim"))
        for said in (run.error, run.stderr):
            for line in (said or "").splitlines():
                self._line(" " * (_MARGIN + 2), (line, "yellow"))

    def _decide(self, answer: HookDecision) -> None:
        kind = answer.decision or "answer"
        self._decisions[kind] += 1
        self._line(
            " " * _MARGIN,
            "=> ",
            (kind, _COLOURS.get(kind, "bold")),
            f": {_first_line(answer.reason)}" if answer.reason else "",
        )
        if answer.injection:
            self._line(" " * (_MARGIN + 3), ("for the model: ", "dim"), _first_line(answer.injection))

    def _line(self, *parts: str | tuple[str, str]) -> None:
        line = Text()
        for part in parts:
            words, style = (part, "") if isinstance(part, str) else part
            line.append(visible(words), style)
        self._console.print(line, soft_wrap=True)


def _first_line(text: str) -> str:
    first, _, rest = text.partition("\n")
    return f"{first} ..." if rest.strip() else first


def _subject(step: Step) -> str:
    about = msgspec.json.decode(step.recorded.payload, type=_Subject)
    given = about.args or about.input or about.tool_input
    tool = f"{about.toolName or about.tool_name or about.tool} {' '.join(map(str, given.values()))}".strip()
    return tool or about.content or about.status or (f"step {about.step}" if about.step else "")
