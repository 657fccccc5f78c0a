"""Owns taking over the hooks of an ECC plugin from Claude Code's loader: who is who, and what a dispatcher holds.

A dispatcher runs several hooks in one process, each with an id and profiles of its own (contract, 1.4).
Here each becomes a hook, so that the policy holds for it, and what one says cannot hide what another says.
"""

from __future__ import annotations

import os.path
from collections.abc import Mapping, Sequence
from typing import cast

from msgspec import Struct, structs

from tenterhook.dialects.claude_code.specs import ShellSpec
from tenterhook.dialects.ecc.launchers import ALL_PROFILES, USUAL_PROFILES, Launcher, recognise
from tenterhook.dialects.ecc.specs import NAME, EccSpec
from tenterhook.model import Hook

__all__ = ["adopt"]


class _Part(Struct, frozen=True):
    hook_id: str
    script: str
    profiles: tuple[str, ...] = USUAL_PROFILES
    mode: str = ""


_PARTS: Mapping[str, tuple[_Part, ...]] = {
    "pre:bash:dispatcher": (
        _Part("pre:bash:block-no-verify", "block-no-verify.js", ALL_PROFILES),
        _Part("pre:bash:auto-tmux-dev", "auto-tmux-dev.js"),
        _Part("pre:bash:tmux-reminder", "pre-bash-tmux-reminder.js", ("strict",)),
        _Part("pre:bash:git-push-reminder", "pre-bash-git-push-reminder.js", ("strict",)),
        _Part("pre:bash:commit-quality", "pre-bash-commit-quality.js", ("strict",)),
        _Part("pre:bash:gateguard-fact-force", "gateguard-fact-force.js"),
    ),
    "post:bash:dispatcher": (
        _Part("post:bash:command-log-audit", "post-bash-command-log.js", mode="audit"),
        _Part("post:bash:command-log-cost", "post-bash-command-log.js", mode="cost"),
        _Part("post:bash:pr-created", "post-bash-pr-created.js"),
        _Part("post:bash:build-complete", "post-bash-build-complete.js"),
    ),
}
"""What ECC 2.0.0's dispatchers call, in their order."""


def adopt(hooks: Sequence[Hook]) -> Sequence[Hook]:
    """The same hooks; those that a launcher of ECC's starts are ECC's, and a dispatcher is what it calls."""
    taken = {hook.id for hook in hooks}
    adopted: list[Hook] = []
    for hook in hooks:
        launcher = _launcher_of(hook)
        if launcher is None:
            adopted.append(hook)
        elif launcher.shape == "dispatcher":
            adopted.extend(_parts(hook, launcher, taken))
        else:
            adopted.append(_own(hook, launcher))
    return adopted


def _launcher_of(hook: Hook) -> Launcher | None:
    spec = hook.spec
    # A plugin's alone: in other files the command has no root, and the user may mean exactly that line.
    if type(spec) is not ShellSpec or spec.plugin is None or spec.args is not None or spec.shell == "powershell":
        return None
    return recognise(spec.command)


def _own(hook: Hook, launcher: Launcher) -> Hook:
    return structs.replace(
        hook,
        system=NAME,
        spec=_spec(hook, launcher.hook_id, launcher.script, launcher),
        profiles=launcher.profiles,
        aliases=_aliases(hook.id, hook.name, launcher.hook_id),
    )


def _parts(hook: Hook, launcher: Launcher, taken: set[str]) -> Sequence[Hook]:
    plugin = cast("ShellSpec", hook.spec).plugin
    prefix = "" if plugin is None else f"{plugin.id}:"
    parts: list[Hook] = []
    for part in _PARTS[launcher.hook_id]:
        identity = f"{prefix}{part.hook_id}"
        if identity in taken:
            identity = f"{hook.id}/{part.hook_id}"
        taken.add(identity)
        parts.append(
            structs.replace(
                hook,
                id=identity,
                name=part.hook_id,
                system=NAME,
                spec=_spec(hook, part.hook_id, f"scripts/hooks/{part.script}", launcher, part.mode),
                profiles=part.profiles,
                # The dispatcher's own ids too: whoever names it means all of it.
                aliases=_aliases(identity, part.hook_id, hook.id, hook.name, launcher.hook_id),
            )
        )
    return parts


def _spec(hook: Hook, hook_id: str, script: str, launcher: Launcher, mode: str = "") -> EccSpec:
    spec = cast("ShellSpec", hook.spec)
    known = {field: getattr(spec, field) for field in ShellSpec.__struct_fields__}
    root = "" if spec.plugin is None else os.path.normpath(spec.plugin.root)
    return EccSpec(**known, root=root, hook_id=hook_id, script=script, shape=launcher.shape, mode=mode)


def _aliases(identity: str, *names: str) -> tuple[str, ...]:
    """Without the id itself, and without names that only say where a hook stands."""
    return tuple(name for name in dict.fromkeys(names) if name != identity and "[" not in name)
