"""Owns how one of Coding Code's hooks is started; starts nothing."""

from __future__ import annotations

import os.path
from functools import lru_cache
from typing import cast

from tenterhook.dialects.base import LaunchContext
from tenterhook.dialects.warm import by_worker
from tenterhook.model import CommandSpec, Event, Hook, ProcessLaunch, WorkerLaunch

__all__ = ["launch_hook"]


def launch_hook(hook: Hook, event: Event, context: LaunchContext) -> ProcessLaunch | WorkerLaunch:
    """The program without a shell, in the project's folder, with the payload on its stdin.

    The environment is the engine's, then the hook's ``env``, then what tells the hook why it was started.
    """
    spec = cast("CommandSpec", hook.spec)  # every hook of this system has one
    environment = dict(context.environment)
    for name, value in spec.env:
        if value is None:
            environment.pop(name, None)
        else:
            environment[name] = value
    environment |= {
        "TENTERHOOK_POINT": event.point,
        "TENTERHOOK_EVENT_ID": event.id,
        "TENTERHOOK_RUN_ID": context.run_id,
        "TENTERHOOK_PROJECT_DIR": event.project,
        "TENTERHOOK_VERSION": context.version,
    }
    if event.traceparent is not None:
        environment["TRACEPARENT"] = event.traceparent
    alone = ProcessLaunch(
        argv=(spec.command, *spec.args),
        env=environment,
        cwd=_folders(event.project, spec.cwd),
        stdin=event.payload,
        timeout=hook.timeout,
        run_id=context.run_id,
    )
    return by_worker(alone, event.project) if spec.worker else alone


@lru_cache(maxsize=256)
def _folders(project: str, cwd: str | None) -> tuple[str, ...]:
    """The hook's folder, then every folder above it. A relative ``cwd`` counts from the project."""
    folder = os.path.normpath(os.path.join(project, cwd or ""))
    folders = [folder]
    while (parent := os.path.dirname(folder)) != folder:
        folders.append(parent)
        folder = parent
    return tuple(folders)
