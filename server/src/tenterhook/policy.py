"""Owns the control plane: profile, disabled ids, master switch; knows neither files nor events.

What the host's options and the environment say is settled once; what the user's own file says joins it when a table
is built. A hook that is switched off is left out before anything is read or started.
Hooks of managed settings are spared: nobody below switches them off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, structs
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.lifecycle import PROFILES, InitializationOptions

from tenterhook.dialects.base import Control
from tenterhook.model import Hook, LeftOut, Problem
from tenterhook.nearest import nearest

__all__ = ["Policy", "apply", "completed", "is_off", "settle", "unknown_ids", "unknown_in"]

_ON = frozenset({"1", "true", "yes", "on"})
_OFF = frozenset({"0", "false", "no", "off"})

_VARIABLES = ("TENTERHOOK", "ECC")
"""The two families of variables, the stronger first (ECC: contract, ecc.md, section 2)."""


def is_off(told: str) -> bool:
    """Whether a variable says no."""
    return told.strip().lower() in _OFF


class Policy(Struct, frozen=True):
    """What is switched off, whatever the hook files say."""

    profile: str | None = None
    """None: nobody has said, which is ``standard``."""
    disabled: frozenset[str] = frozenset()
    """Ids or aliases of hooks, lower case."""
    enabled: bool | None = None
    """The master switch; None: nobody has said, which is on."""
    switch: str = ""
    """What has set the master switch."""

    @property
    def in_force(self) -> str:
        """The profile that counts."""
        return self.profile or "standard"


def settle(options: InitializationOptions, environment: Mapping[str, str]) -> tuple[Policy, list[str]]:
    """What options and environment say, and what is wrong with it, in words.

    The host's options come before ``TENTERHOOK_*``, and those before ``ECC_*``; a blank variable says nothing.
    Disabled ids of all of them are united.
    """
    complaints: list[str] = []
    told = _first(environment, "PROFILE", "HOOK_PROFILE")
    asked = ("initializationOptions.profile", options.profile) if options.profile is not UNSET else told
    profile = None if asked is None or not asked[1].strip() else _profile(*asked, complaints)
    enabled, switch = _switch(options, environment, complaints)
    lists = [environment.get(f"{family}_DISABLED_HOOKS", "").split(",") for family in _VARIABLES]
    names = (raw.strip().lower() for raw in (*options.disabled_hooks, *(name for one in lists for name in one)))
    ids = frozenset(name for name in names if name)
    return Policy(profile=profile, disabled=ids, enabled=enabled, switch=switch), complaints


def completed(policy: Policy, controls: Sequence[Control]) -> Policy:
    """The same with what the user's own files say: they come last, the first of them before the others."""
    for control in controls:
        policy = Policy(
            profile=policy.profile or control.profile,
            disabled=policy.disabled | frozenset(control.disabled),
            enabled=control.enabled if policy.enabled is None else policy.enabled,
            switch=policy.switch if policy.enabled is not None else f"`tenterhook: enabled` in {control.path}",
        )
    return policy


def apply(policy: Policy, hooks: Iterable[Hook]) -> tuple[Hook, ...]:
    """The same hooks, those that the policy switches off with their reason."""
    return tuple(_judged(policy, hook) for hook in hooks)


def unknown_ids(ids: Iterable[str], hooks: Iterable[Hook]) -> list[str]:
    """Disabled ids that name none of the hooks."""
    return sorted(frozenset(ids) - {name for hook in hooks for name in _names(hook)})


def unknown_in(controls: Sequence[Control], hooks: Sequence[Hook]) -> list[Problem]:
    """What is told of disabled ids in the user's own files that name none of the hooks."""
    known = {name for hook in hooks for name in _names(hook)}
    return [problem for control in controls for name, problem in control.disabled.items() if name not in known]


def _judged(policy: Policy, hook: Hook) -> Hook:
    if hook.left_out is not None or hook.origin.layer.startswith("managed"):
        return hook
    named = next((name for name in _names(hook) if name in policy.disabled), None)
    if policy.enabled is False:
        reason = LeftOut(code="disabled", message=f"all hooks are switched off by {policy.switch}")
    elif named is not None:
        also = "" if named == hook.id.lower() else f" as {named}"
        reason = LeftOut(code="disabledById", message=f"{hook.id} is in the list of disabled hooks{also}")
    elif hook.profiles and policy.in_force not in hook.profiles:
        message = f"profile {policy.in_force!r} is in force; the hook runs in {', '.join(hook.profiles)}"
        reason = LeftOut(code="disabledByProfile", message=message)
    else:
        return hook
    return structs.replace(hook, left_out=reason)


def _names(hook: Hook) -> Sequence[str]:
    return [name.lower() for name in (hook.id, *hook.aliases)]


def _first(environment: Mapping[str, str], own: str, ecc: str) -> tuple[str, str] | None:
    """The strongest variable that says something, and what."""
    names = [f"{family}_{name}" for family, name in zip(_VARIABLES, (own, ecc), strict=True)]
    return next(((name, environment[name]) for name in names if environment.get(name, "").strip()), None)


def _profile(source: str, asked: str, complaints: list[str]) -> str:
    profile = asked.strip().lower()
    if profile in PROFILES:
        return profile
    near = nearest(profile, PROFILES)
    hint = f"did you mean {near!r}?" if near else f"there are {', '.join(PROFILES)}"
    complaints.append(f"{source}: unknown profile {asked!r}, taken as 'standard'; {hint}")
    return "standard"


def _switch(
    options: InitializationOptions, environment: Mapping[str, str], complaints: list[str]
) -> tuple[bool | None, str]:
    if options.enabled is not UNSET:
        return options.enabled, "initializationOptions.enabled"
    told = _first(environment, "HOOKS_ENABLED", "HOOKS_ENABLED")
    if told is None:
        return None, ""
    source, value = told
    word = value.strip().lower()
    if word not in _ON | _OFF:
        complaints.append(f"{source} is {value!r}, neither on nor off; hooks stay on")
    return word not in _OFF, source
