"""Owns the demo's run from the fresh folder to the exit code; knows neither what an event says nor how it looks."""

from __future__ import annotations

import asyncio
import os
from typing import TextIO

from tenterhook_client import Client, ClientError, Listeners
from tenterhook_protocol.hooks import ProblemsParams
from tenterhook_protocol.lifecycle import InitializationOptions
from tenterhook_protocol.problems import Problem

from tenterhook.cli.demo.layout import Layout, laid_out
from tenterhook.cli.demo.session import differences, play, recorded_session
from tenterhook.cli.demo.timeline import Timeline
from tenterhook.cli.ending import NOT_WELL, WELL

__all__ = ["run"]


def run(stream: TextIO | None = None) -> int:
    """Play the recorded session and show it.

    Args:
        stream: Where to show it; None: stdout.

    Returns:
        0 where everything came out as recorded, else 1.
    """
    timeline = Timeline(stream)
    with laid_out() as layout:
        try:
            well = asyncio.run(_perform(layout, timeline))
        except ClientError as error:
            timeline.failed([str(error)])
            well = False
    return WELL if well else NOT_WELL


async def _perform(layout: Layout, timeline: Timeline) -> bool:
    options = InitializationOptions(project_paths=[layout.project], user_home=layout.home, hook_events=True)
    problems: list[Problem] = []
    completed: set[str] = set()
    answered: set[str] = set()
    listeners = Listeners()

    def keep(told: ProblemsParams) -> None:
        problems[:] = told.problems

    listeners.on_problems(keep)
    listeners.on_run_completed(lambda run: completed.add(run.run_id))
    async with Client.spawn(options=options, env=_environment(), listeners=listeners) as client:
        about = client.engine.server_info
        timeline.title(
            f"{about.name} {about.version}", "one turn of an agent, as a host streams it to `tenterhook serve`"
        )
        well = True
        for recorded in recorded_session(layout.project):
            step = await play(client, recorded)
            answered.update(run.run_id for run in step.runs)
            timeline.step(step)
            wrong = differences(step)
            timeline.failed(wrong)
            well = well and not wrong
    for problem in problems:
        timeline.problem(problem, layout.project)
    wrong = _unexpected(problems)
    if completed != answered:
        wrong.append(f"hooks/completed told of {len(completed)} runs, the answers of {len(answered)}")
    timeline.failed(wrong)
    timeline.summary()
    return well and not wrong


def _unexpected(problems: list[Problem]) -> list[str]:
    """The project has one mistake, and the engine must find that one and know better."""
    if [problem.entry for problem in problems] != ["ask-before-push"]:
        return [f"the engine found {len(problems)} problems instead of the one in ask-before-push"]
    if "tool.approval.pre" not in (problems[0].hint or ""):
        return ["the engine does not know which point was meant"]
    return []


def _environment() -> dict[str, str]:
    """This process's own, without what would change how the engine judges the demo's hooks."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("TENTERHOOK_", "ECC_"))}
