"""Owns the shape of a Coding Code ``hooks.yaml`` as editors' schemas tell it; the loader judges files itself.

The loader is more patient than this schema: what it takes with a warning, the schema already marks.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tenterhook_protocol.base import UNSET, UnsetType
from tenterhook_protocol.points import HookType

__all__ = ["ControlSection", "HookEntry", "HooksFile"]


class HookEntry(Struct, kw_only=True, forbid_unknown_fields=True, rename={"on_failure": "onFailure"}):
    """One hook, or a patch of the global hook of the same name."""

    name: str
    """What the hook is called; the layers are joined by it."""
    description: str | UnsetType = UNSET
    """What it is for; shown by ``tenterhook list`` and by editors."""
    point: str | UnsetType = UNSET
    """The moment it hangs on."""
    type: HookType | UnsetType = UNSET
    """``observer`` only watches; ``decision`` answers on stdout."""
    command: str | UnsetType = UNSET
    """The program. No shell is involved; a relative path with a slash counts from ``cwd``."""
    args: list[str | int | float | bool] | UnsetType = UNSET
    """Its arguments, as written."""
    env: dict[str, str | int | float | bool | None] | UnsetType = UNSET
    """Variables on top of the engine's own; ``null`` removes one."""
    priority: float | UnsetType = UNSET
    """Smaller runs first. Default 0."""
    enabled: bool | UnsetType = UNSET
    """``false`` switches the hook off."""
    timeout: float | UnsetType = UNSET
    """Seconds until the hook is stopped. Default 30."""
    cwd: str | UnsetType = UNSET
    """Folder to run in; relative to the project. Default: the project."""
    matcher: str | UnsetType = UNSET
    """Tools it is limited to: ``read_file``, ``read_file|write_file``, or a regular expression."""
    on_failure: Literal["ignore", "deny", "ask"] | UnsetType = UNSET
    """What a decision hook that fails, times out or answers badly means. Default ``ignore``."""
    locked: bool | UnsetType = UNSET
    """In the global file: no project may change this hook."""
    profiles: list[str] | UnsetType = UNSET
    """Profiles in which it runs."""
    worker: bool | UnsetType = UNSET
    """Keep one process alive for many events."""


class ControlSection(Struct, kw_only=True, forbid_unknown_fields=True, rename={"disabled_hooks": "disabledHooks"}):
    """In the global file: what is switched off, for the hooks of every system."""

    profile: Literal["minimal", "standard", "strict"] | UnsetType = UNSET
    """The profile in force, unless the host or the environment says another."""
    disabled_hooks: list[str] | UnsetType = UNSET
    """Ids of hooks that must not run, beside those that host and environment name."""
    enabled: bool | UnsetType = UNSET
    """``false`` switches every hook off but those of managed settings."""


class HooksFile(Struct, kw_only=True, forbid_unknown_fields=True):
    """A ``hooks.yaml``: ``~/.codingcode/hooks.yaml`` or ``<project>/.codingcode/hooks.yaml``."""

    hooks: list[HookEntry]
    """The hooks, in the order that breaks ties of priority."""
    tenterhook: ControlSection | UnsetType = UNSET
    """The control plane; it counts only in the global file."""
