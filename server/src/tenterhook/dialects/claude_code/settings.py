"""Owns the switches of settings files that count for all hooks, and what several files make of them; knows no handler.

Of a switch with one value the strongest file counts: managed, command line, local, project, user.
Lists of all files are united. A switch that restricts and cannot be understood restricts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

from tenterhook.config.document import Document, Entry, Listing, Mapped, Scalar, Span, excerpt
from tenterhook.dialects.claude_code.sources import SIMPLE, FileRole, LayerKind
from tenterhook.dialects.claude_code.telling import Teller, described
from tenterhook.model import LeftOut, Origin, Problem

__all__ = ["SETTINGS_KEYS", "Switches", "read_switches"]

K = TypeVar("K")

SETTINGS_KEYS = (
    "hooks",
    "disableAllHooks",
    "allowManagedHooksOnly",
    "strictPluginOnlyCustomization",
    "allowedHttpHookUrls",
    "httpHookAllowedEnvVars",
)
"""The keys of a settings file that the engine reads, beside ``enabledPlugins`` of a managed one."""

_MANAGED_ONLY = frozenset({"allowManagedHooksOnly", "strictPluginOnlyCustomization"})


class Switches(Struct, frozen=True, kw_only=True):
    """What is in force."""

    off: Origin | None = None
    """Where ``disableAllHooks`` is set, if it is in force."""
    simple: bool = False
    """The environment wants no hooks of files (reference, 3.4)."""
    managed_only: Origin | None = None
    plugins_only: Origin | None = None
    forced_plugins: frozenset[str] = frozenset()
    """Plugins that managed settings switch on."""
    managed_urls: tuple[str, ...] | None = None
    urls: tuple[str, ...] | None = None
    managed_variables: tuple[str, ...] | None = None
    variables: tuple[str, ...] | None = None

    def allowed_urls(self, kind: LayerKind) -> tuple[str, ...] | None:
        """Patterns of the addresses that hooks of such a file may call; None: all.

        What weaker files say does not bind the managed ones.
        """
        return self.managed_urls if kind == "managed" else self.urls

    def allowed_variables(self, kind: LayerKind) -> tuple[str, ...] | None:
        """Names of the variables that their headers may hold; None: all."""
        return self.managed_variables if kind == "managed" else self.variables

    def why_off(self, kind: LayerKind, plugin: str | None) -> LeftOut | None:
        """Why no hook of such a file runs; None: they run."""
        forced = plugin is not None and plugin in self.forced_plugins
        if self.simple and not forced:
            return LeftOut(code="disabled", message=f"{SIMPLE} is set in the environment")
        spared = kind == "managed" or forced
        if self.off is not None and not (spared and not self.off.layer.startswith("managed")):
            return LeftOut(code="disabled", message=f"disableAllHooks is true in {_where(self.off)}")
        if self.managed_only is not None and not spared:
            return LeftOut(code="disabled", message=f"allowManagedHooksOnly is set in {_where(self.managed_only)}")
        if self.plugins_only is not None and kind not in {"managed", "plugin"}:
            where = _where(self.plugins_only)
            return LeftOut(code="disabled", message=f"strictPluginOnlyCustomization covers hooks in {where}")
        return None


def read_switches(files: Sequence[tuple[FileRole, Document]], problems: list[Problem]) -> Switches:
    """What the files have in force. They come strongest first; of several managed ones the last is the strongest."""
    off: tuple[bool, Origin] | None = None
    managed_only: Origin | None = None
    plugins_only: Origin | None = None
    forced: dict[str, bool] = {}
    lists: dict[tuple[str, bool], tuple[str, ...]] = {}
    for role, document in files:
        root = document.root
        if role.kind == "plugin" or not isinstance(root, Mapped):
            continue
        tell, managed = Teller(document, None, problems), role.kind == "managed"
        _tell_of_keys(root, tell)
        for entry in root.entries:
            origin = document.origin(entry.key_span)
            if entry.key in _MANAGED_ONLY and not managed:
                message = f"{entry.key} counts only in managed settings; it is ignored here"
                tell.warning("managed-only", entry.key_span, message, "delete it")
            elif entry.key == "disableAllHooks":
                value = _flag(entry, tell, "it counts as not set", unclear=None)
                if value is not None and (off is None or managed):
                    off = (value, origin)
            elif entry.key == "allowManagedHooksOnly":
                managed_only = origin if _flag(entry, tell, "it counts as true", unclear=True) else None
            elif entry.key == "strictPluginOnlyCustomization":
                plugins_only = origin if _covers_hooks(entry, tell) else None
            elif entry.key in {"allowedHttpHookUrls", "httpHookAllowedEnvVars"}:
                texts = _texts(entry, tell)
                for key in ((entry.key, False), (entry.key, True)) if managed else ((entry.key, False),):
                    lists[key] = (*lists.get(key, ()), *texts)
            elif entry.key == "enabledPlugins" and managed and isinstance(entry.value, Mapped):
                forced.update(
                    (each.key, isinstance(each.value, Scalar) and each.value.value is True)
                    for each in entry.value.entries
                )
    return Switches(
        off=off[1] if off is not None and off[0] else None,
        managed_only=managed_only,
        plugins_only=plugins_only,
        forced_plugins=frozenset(name for name, on in forced.items() if on),
        managed_urls=lists.get(("allowedHttpHookUrls", True)),
        urls=lists.get(("allowedHttpHookUrls", False)),
        managed_variables=lists.get(("httpHookAllowedEnvVars", True)),
        variables=lists.get(("httpHookAllowedEnvVars", False)),
    )


def _tell_of_keys(root: Mapped, tell: Teller) -> None:
    known = {entry.key for entry in root.entries}
    for entry in root.entries:
        near = None if entry.key in SETTINGS_KEYS else tell.misspelt(entry.key, SETTINGS_KEYS)
        if near is not None and near not in known:
            hint = f"did you mean {near!r}?"
            message = f"There is no key {excerpt(entry.key)!r} in a settings file; "
            if near == "hooks" and isinstance(entry.value, Mapped):
                tell.error("unknown-key", entry.key_span, f"{message}none of its hooks is loaded", hint)
            else:
                tell.warning("unknown-key", entry.key_span, f"{message}it is ignored", hint)


def _flag(entry: Entry, tell: Teller, then: str, unclear: K) -> bool | K:
    value = entry.value.value if isinstance(entry.value, Scalar) else ""
    if isinstance(value, bool):
        return value
    _wrong(entry, "not true or false", then, f'write "{entry.key}": true', tell)
    return unclear


def _covers_hooks(entry: Entry, tell: Teller) -> bool:
    if isinstance(entry.value, Listing):
        return any(isinstance(item, Scalar) and item.value == "hooks" for item in entry.value.items)
    then, hint = "it counts as true", f'write "{entry.key}": true, or a list such as ["hooks"]'
    if isinstance(entry.value, Scalar) and isinstance(entry.value.value, bool):
        return entry.value.value
    _wrong(entry, "neither true or false nor a list", then, hint, tell)
    return True


def _texts(entry: Entry, tell: Teller) -> tuple[str, ...]:
    hint = f'write "{entry.key}": ["..."]'
    if not isinstance(entry.value, Listing):
        _wrong(entry, "not a list", "it counts as an empty list, which allows nothing", hint, tell)
        return ()
    texts: list[str] = []
    for item in entry.value.items:
        if isinstance(item, Scalar) and isinstance(item.value, str):
            texts.append(item.value)
        else:
            message = f"{entry.key} holds {described(item)}, not a text; it allows nothing"
            tell.error("field-type", item.span, message, hint)
    return tuple(texts)


def _wrong(entry: Entry, what: str, then: str, hint: str, tell: Teller) -> None:
    span: Span = entry.value.span
    tell.error("field-type", span, f"{entry.key} is {described(entry.value)}, {what}; {then}", hint)


def _where(origin: Origin) -> str:
    return f"{origin.path}, line {origin.line}"
