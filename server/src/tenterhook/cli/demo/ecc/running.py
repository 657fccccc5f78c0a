"""Owns the run of the ECC demo from the package to the exit code; knows neither what an event says nor how it looks."""

from __future__ import annotations

import asyncio
import os
import tempfile
from typing import TextIO

from msgspec import UNSET, structs
from tenterhook_client import Client, ClientError
from tenterhook_protocol.lifecycle import InitializationOptions, PluginFolder
from tenterhook_protocol.runs import HookDecision

from tenterhook.cli.demo.ecc.package import VERSION, find_package
from tenterhook.cli.demo.ecc.session import Moment, differences, lay_out, session_in
from tenterhook.cli.demo.session import Step
from tenterhook.cli.demo.timeline import Timeline
from tenterhook.cli.ending import NOT_WELL, WELL, complain

__all__ = ["run"]


def run(root: str | None = None, stream: TextIO | None = None) -> int:
    """Play the session and show it.

    Args:
        root: the package's folder; None: it is installed into a cache.
        stream: where to show it; None: stdout.

    Returns:
        0 where everything came out as it has to, else 1.

    Raises:
        BadParams, RequestFailed: there is no such package.
    """
    package = find_package(root, os.environ, complain)
    timeline = Timeline(stream)
    with tempfile.TemporaryDirectory(prefix="tenterhook-demo-") as folder:
        try:
            well = asyncio.run(_perform(package, os.path.realpath(folder), timeline))
        except ClientError as error:
            timeline.failed([str(error)])
            well = False
    return WELL if well else NOT_WELL


async def _perform(package: str, folder: str, timeline: Timeline) -> bool:
    project, home = os.path.join(folder, "project"), os.path.join(folder, "home")
    os.makedirs(home)
    lay_out(project)
    plugin = PluginFolder(id="ecc", root=package)
    options = InitializationOptions(project_paths=[project], user_home=home, plugins=[plugin])
    async with Client.spawn(options=options, env=_environment(home, folder)) as client:
        about = client.engine.server_info
        title = f"a session over ECC {VERSION}, unchanged: {package}"
        timeline.title(f"{about.name} {about.version}", title)
        well = True
        for moment in session_in(project):
            step = await _play(client, moment)
            timeline.step(step)
            kind = None if step.decision is None or not step.decision.decision else step.decision.decision
            deciding = [run.name for run in step.runs if _has_decided(run.decision, kind)]
            wrong = differences(moment, kind, deciding)
            timeline.failed(wrong)
            well = well and not wrong
    timeline.summary()
    return well


def _has_decided(decision: object, kind: str | None) -> bool:
    return isinstance(decision, HookDecision) and kind is not None and decision.decision == kind


async def _play(client: Client, moment: Moment) -> Step:
    recorded = moment.recorded
    decision = await client.emit_decision(recorded.point, recorded.payload, trace=True)
    runs = decision.runs if decision is not None and decision.runs is not UNSET else []
    opinion = None if decision is None else structs.replace(decision, runs=UNSET, notices=UNSET)
    return Step(recorded=recorded, runs=runs, decision=None if opinion == HookDecision() else opinion)


def _environment(home: str, folder: str) -> dict[str, str]:
    """This process's own, without what would change what the hooks say, and with another home for what they keep."""
    prefixes = ("TENTERHOOK_", "ECC_", "GATEGUARD_", "CLAUDE_", "CLV2_", "COMPACT_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(prefixes)}
    return {**kept, "HOME": home, "TMPDIR": folder}
