"""Owns how an ECC hook is started: by the engine's own host program in Node; starts nothing.

The host program (``host.cjs``) does what ECC's ``run-with-flags.js`` does for a script, without its defects.
It calls a script in a process of its own, or, where the script can be called at all, in one that lives on (``warm``).
The policy has been applied before: nothing is started for a hook that is off.
"""

from __future__ import annotations

import os.path
from functools import partial

from tenterhook.dialects.base import LaunchContext
from tenterhook.dialects.claude_code.launch import async_seconds
from tenterhook.dialects.claude_code.surroundings import ENV_FILE, environment_of, folders_of
from tenterhook.dialects.ecc.closing import closes, is_safety
from tenterhook.dialects.ecc.payload import LIMIT_VARIABLE, Given, given
from tenterhook.dialects.ecc.specs import EccSpec
from tenterhook.dialects.ecc.warm import HOST, warm_launch
from tenterhook.model import Event, Hook, Launch, ProcessLaunch, RefusedLaunch

__all__ = ["TOO_LARGE", "launch_hook"]

TOO_LARGE = "the payload is larger than a hook may see, and this hook must see all of it"
"""Why a safety hook is not even started."""


def launch_hook(hook: Hook, spec: EccSpec, event: Event, context: LaunchContext) -> Launch:
    """How to run it. What leads out of the plugin's folder is refused; a link that does is refused by the host."""
    root = spec.root
    script = os.path.normpath(os.path.join(root, spec.script))
    if not script.startswith(f"{root}{os.sep}"):
        reason = f"the script {spec.script!r} is not in the plugin's folder {root}"
        return RefusedLaunch(timeout=hook.timeout, run_id=context.run_id, reason=reason)
    held = given(bytes(event.payload), context.environment)
    if held.truncated and closes(spec, event.subject, context.environment):
        return RefusedLaunch(timeout=hook.timeout, run_id=context.run_id, reason=TOO_LARGE)
    environment = _environment(spec, event, context, held)
    direction = "closed" if is_safety(spec) else "open"
    cold = ProcessLaunch(
        argv=("node", HOST, root, spec.script, spec.mode, direction),
        env=environment,
        cwd=folders_of(event, context),
        stdin=held.text,
        timeout=hook.timeout,
        run_id=context.run_id,
        collects=environment.get(ENV_FILE),
        detaches=None if hook.background else partial(async_seconds, otherwise=hook.timeout),
    )
    return warm_launch(hook, spec, event, context, cold)


def _environment(spec: EccSpec, event: Event, context: LaunchContext, held: Given) -> dict[str, str]:
    return environment_of(spec.plugin, event, context) | {
        "CLAUDE_PLUGIN_ROOT": spec.root,
        "ECC_PLUGIN_ROOT": spec.root,
        "ECC_HOOK_ID": spec.hook_id,
        "ECC_HOOK_INPUT_TRUNCATED": "1" if held.truncated else "0",
        LIMIT_VARIABLE: str(held.limit),
        # Three scripts know their phase by it alone (contract, 1.5).
        "CLAUDE_HOOK_EVENT_NAME": event.point,
    }
