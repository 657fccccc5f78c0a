"""Owns the control plane: profile, disabled ids, master switch; knows neither files nor events.

The policy is settled once, from the host's options and the environment, and is applied when a table is built:
a hook that it switches off is left out before anything is read or started.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, structs
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.lifecycle import PROFILES, InitializationOptions

from tenterhook.model import Hook, LeftOut

__all__ = ["Policy", "apply", "settle", "unknown_ids"]


class Policy(Struct, frozen=True):
    """What is switched off, whatever the hook files say."""

    profile: str = "standard"
    disabled: frozenset[str] = frozenset()
    """Hook ids, lower case."""
    enabled: bool = True
    """The master switch."""


def settle(options: InitializationOptions, environment: Mapping[str, str]) -> tuple[Policy, list[str]]:
    """The policy in force, and what is wrong with what was asked for, in words.

    The host's options come before ``TENTERHOOK_PROFILE``; disabled ids of all sources are united
    (``TENTERHOOK_DISABLED_HOOKS``: a comma list).
    """
    complaints: list[str] = []
    asked = environment.get("TENTERHOOK_PROFILE", "") if options.profile is UNSET else options.profile
    profile = asked.strip().lower() or "standard"
    if profile not in PROFILES:
        complaints.append(f"unknown profile {asked!r}: taken as 'standard'; there are {', '.join(PROFILES)}")
        profile = "standard"
    disabled = {*options.disabled_hooks, *environment.get("TENTERHOOK_DISABLED_HOOKS", "").split(",")}
    ids = frozenset(name for raw in disabled if (name := raw.strip().lower()))
    enabled = environment.get("TENTERHOOK_HOOKS_ENABLED", "").strip().lower() not in {"0", "false", "no", "off"}
    return Policy(profile=profile, disabled=ids, enabled=enabled), complaints


def apply(policy: Policy, hooks: Iterable[Hook]) -> tuple[Hook, ...]:
    """The same hooks, those that the policy switches off with their reason."""
    return tuple(_judged(policy, hook) for hook in hooks)


def unknown_ids(policy: Policy, hooks: Iterable[Hook]) -> list[str]:
    """Disabled ids that name none of the hooks."""
    known = {hook.id.lower() for hook in hooks}
    return sorted(policy.disabled - known)


def _judged(policy: Policy, hook: Hook) -> Hook:
    if hook.left_out is not None:
        return hook
    if not policy.enabled:
        reason = LeftOut(code="disabled", message="all hooks are switched off by TENTERHOOK_HOOKS_ENABLED")
    elif hook.id.lower() in policy.disabled:
        reason = LeftOut(code="disabledById", message=f"{hook.id} is in the list of disabled hooks")
    elif hook.profiles and policy.profile not in hook.profiles:
        reason = LeftOut(
            code="disabledByProfile",
            message=f"profile {policy.profile!r} is in force; the hook runs in {', '.join(hook.profiles)}",
        )
    else:
        return hook
    return structs.replace(hook, left_out=reason)
