"""Owns how a hook's process becomes a worker's request; knows no system, starts nothing.

What is the same for all events of a hook is the worker's own; what belongs to one event goes into its request.
"""

from __future__ import annotations

from tenterhook.model import ProcessLaunch, WorkerLaunch

__all__ = ["WORKER_VARIABLE", "by_worker"]

WORKER_VARIABLE = "TENTERHOOK_WORKER"
"""Tells a program that it is to serve lines, and not one event."""

_OF_AN_EVENT = frozenset(
    {
        "CLAUDE_CODE_SESSION_ID",
        "CLAUDE_EFFORT",
        "CLAUDE_ENV_FILE",
        "CLAUDE_HOOK_EVENT_NAME",
        "TENTERHOOK_CONTINUATIONS",
        "TENTERHOOK_EVENT_ID",
        "TENTERHOOK_POINT",
        "TENTERHOOK_RUN_ID",
        "TRACEPARENT",
    }
)
"""Variables that are others for each event, of all systems."""


def by_worker(launch: ProcessLaunch, project: str) -> WorkerLaunch:
    """The same hook as a request to a worker that stands in the project's folder.

    Args:
        launch: how it would be run for this event alone; that is what runs where no worker answers.
        project: real path of the project.
    """
    own = {name: value for name, value in launch.env.items() if name not in _OF_AN_EVENT}
    own[WORKER_VARIABLE] = "1"
    of_event = {name: value for name, value in launch.env.items() if name in _OF_AN_EVENT}
    return WorkerLaunch(
        timeout=launch.timeout,
        run_id=launch.run_id,
        argv=launch.argv,
        env=own,
        cwd=(project,),
        event=launch.stdin,
        call={"env": of_event, "cwd": launch.cwd[0]},
        one_shot=launch,
    )
