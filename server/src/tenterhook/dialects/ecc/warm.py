"""Owns asking a Node process that lives on to call a script (``docs/workers.md``); starts none.

Scripts are told apart by lanes: each lane has workers of its own, so that the hooks of one event find some free.
Hooks that nobody waits for have a lane to themselves.
"""

from __future__ import annotations

import os.path
import zlib

from tenterhook.dialects.base import LaunchContext
from tenterhook.dialects.ecc.closing import is_safety
from tenterhook.dialects.ecc.specs import EccSpec
from tenterhook.model import Event, Hook, ProcessLaunch, WorkerLaunch

__all__ = ["HOST", "warm_launch"]

HOST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "host.cjs")
"""The program that calls scripts of the plugin."""

_LANES = 4

_MARK = "TENTERHOOK_RUN_ID"


def warm_launch(hook: Hook, spec: EccSpec, event: Event, context: LaunchContext, cold: ProcessLaunch) -> WorkerLaunch:
    """The same call as a request to a worker. The payload travels as a text: a cut one is no JSON."""
    own = context.environment
    changes: dict[str, str | None] = {name: value for name, value in cold.env.items() if own.get(name) != value}
    changes |= dict.fromkeys(own.keys() - cold.env.keys())
    changes.pop(_MARK, None)
    lane = "background" if hook.background else str(zlib.crc32(spec.script.encode()) % _LANES)
    return WorkerLaunch(
        argv=("node", HOST, "--worker", lane),
        env=own,
        cwd=(spec.root, context.home),
        event=b"null",
        call={
            "root": spec.root,
            "script": spec.script,
            "mode": spec.mode,
            "closed": is_safety(spec),
            "point": event.point,
            "text": bytes(cold.stdin).decode("utf-8", "replace"),
            "folders": cold.cwd,
            "env": changes,
        },
        one_shot=cold,
        timeout=hook.timeout,
        run_id=context.run_id,
    )
