"""Owns the way from Coding Code's hook files to hooks; touches no disk: the bytes come in.

Each step has its own room: ``entries`` reads one file, ``fields`` judges one value, ``settings`` joins the layers.
Here the fields of a merged hook are looked at together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec import UNSET, UnsetType
from tenterhook_protocol.points import HookType
from tenterhook_protocol.problems import Severity

from tenterhook.config.document import Document, Mapped
from tenterhook.config.layers import Layer, Source
from tenterhook.config.yaml_reader import read_yaml
from tenterhook.dialects.base import Control, Loaded
from tenterhook.dialects.bounds import bounded, in_order
from tenterhook.dialects.coding_code.dangers import before_locked, relative_in_global
from tenterhook.dialects.coding_code.entries import read_entries
from tenterhook.dialects.coding_code.points import NAME, TOOLLESS_POINTS
from tenterhook.dialects.coding_code.settings import HookEntry, merge
from tenterhook.dialects.control_section import SECTION, not_the_users, read_control
from tenterhook.dialects.matching import compile_matcher
from tenterhook.model import CommandSpec, Hook, LeftOut, Problem

__all__ = ["DEFAULT_TIMEOUT", "GLOBAL", "PROJECT", "load", "sources"]

T = TypeVar("T")
D = TypeVar("D")

GLOBAL = "global"
PROJECT = "project"

DEFAULT_TIMEOUT = 30.0
"""Seconds that a hook may run which does not say otherwise."""


def sources(project: str, home: str) -> Sequence[Source]:
    """The global file, then the project's. Where the home is the project there is one layer, the global one."""
    if project == home:
        return (_source(GLOBAL, home),)
    return (_source(GLOBAL, home), _source(PROJECT, project, from_project=True))


def _source(layer: str, folder: str, *, from_project: bool = False) -> Source:
    base = f"{folder.rstrip('/')}/.codingcode/hooks"
    return Source(layer=layer, path=f"{base}.yaml", fallback=f"{base}.yml", from_project=from_project)


def load(layers: Sequence[Layer], points: Mapping[str, HookType]) -> Loaded:
    """Reads, judges and merges the layers, weakest first. Two layers that are one file count once, as the first."""
    problems: list[Problem] = []
    broken: set[str] = set()
    merged: list[HookEntry] = []
    control: Control | None = None
    for layer in _distinct(layers):
        problems.extend(layer.problems)
        if layer.content is None:
            continue
        document = read_yaml(layer.content, layer.path, layer.layer)
        if document.broken:
            broken.add(layer.layer)
        section = document.root.get(SECTION) if isinstance(document.root, Mapped) else None
        if section is not None and layer.layer == GLOBAL:
            control = read_control(document, section, problems)
        elif section is not None:
            problems.append(not_the_users(document, section))
        below = {entry.name for entry in merged}
        entries, of_entries = read_entries(document, points, below, may_lock=layer.layer == GLOBAL)
        problems.extend([*document.problems, *of_entries])
        if layer.layer == GLOBAL:
            merged = entries
        else:
            merged, of_merge = merge(merged, entries)
            problems.extend(of_merge)
    pairs: list[tuple[HookEntry, Hook]] = []
    for entry in merged:
        hook, of_hook = _hook(entry, points)
        pairs.append((entry, hook))
        problems.extend([*of_hook, *relative_in_global(entry, hook, GLOBAL)])
    problems.extend(before_locked(pairs, GLOBAL))
    hooks = tuple(hook for _, hook in pairs)
    told = bounded(in_order(problems))
    return Loaded(hooks=hooks, problems=told, broken=frozenset(broken), control=control)


def _distinct(layers: Sequence[Layer]) -> Sequence[Layer]:
    """Every file once, also where links lead two layers to the same one."""
    seen: set[str] = set()
    distinct: list[Layer] = []
    for layer in layers:
        if layer.real_path is None or layer.real_path not in seen:
            distinct.append(layer)
        if layer.real_path is not None:
            seen.add(layer.real_path)
    return distinct


def _hook(entry: HookEntry, points: Mapping[str, HookType]) -> tuple[Hook, list[Problem]]:
    settings = entry.settings
    enabled = _or(settings.enabled, default=True)
    left_out, problems = _ruled_out(entry, enabled=enabled)
    hook = Hook(
        id=f"{NAME}:{entry.name}",
        name=entry.name,
        system=NAME,
        point=_or(settings.point, default=""),
        type=_or(settings.type, default=""),
        spec=CommandSpec(
            command=_or(settings.command, default=""),
            args=_or(settings.args, default=()),
            env=_or(settings.env, default=()),
            cwd=_or(settings.cwd, default=None),
            worker=_or(settings.worker, default=False),
        ),
        timeout=_or(settings.timeout, default=DEFAULT_TIMEOUT),
        origin=entry.place.origin,
        fields={key: place.origin for key, place in entry.places.items()},
        description=_or(settings.description, default=None),
        matcher=_or(settings.matcher, default=None),
        priority=_or(settings.priority, default=0.0),
        on_failure=None if settings.on_failure is UNSET or settings.on_failure == "ignore" else settings.on_failure,
        enabled=enabled,
        profiles=_or(settings.profiles, default=()),
        left_out=left_out,
    )
    return hook, [*problems, *_unsuited(entry, hook, points)]


def _or(value: T | UnsetType, *, default: D) -> T | D:
    return default if isinstance(value, UnsetType) else value


def _ruled_out(entry: HookEntry, *, enabled: bool) -> tuple[LeftOut | None, list[Problem]]:
    """Why the hook can never run as things are, and what is missing from it."""
    required = ("point", "type", "command")
    missing = [field for field in required if field not in entry.places]
    problems: list[Problem] = []
    reason: LeftOut | None = None
    if len(missing) == len(required) and entry.place.document.layer != GLOBAL:
        reason = LeftOut(code="invalid", message="it is a patch, and there is no global hook of this name")
    elif missing:
        words = " and no ".join(missing)
        message = f"The hook has no {words}; it is left out"
        hint = f"add {', '.join(f'`{field}:`' for field in missing)}"
        problems.append(_at(entry, "name", "error", "field-missing", message, hint))
        reason = LeftOut(code="invalid", message=f"it has no {words}")
    if entry.unusable:
        fields = ", ".join(sorted(entry.unusable))
        reason = LeftOut(code="invalid", message=f"{fields} cannot be used; the problems of the file say why")
    elif reason is None and not enabled:
        origin = entry.places["enabled"].origin
        reason = LeftOut(code="disabled", message=f"enabled is false in {origin.path}, line {origin.line}")
    return reason, problems


def _unsuited(entry: HookEntry, hook: Hook, points: Mapping[str, HookType]) -> list[Problem]:
    """What fits together badly. The hook is kept as it is."""
    problems: list[Problem] = []
    suited = points.get(hook.point)
    if hook.type and suited is not None and hook.type != suited:
        other = "hooks/emit" if suited == "observer" else "hooks/emitDecision"
        message = f"{hook.point} is a point for {suited} hooks: a host calls {other}, which never runs this hook"
        problems.append(_at(entry, "type", "warning", "type-not-suited", message, f"write type: {suited}"))
    if hook.point in TOOLLESS_POINTS and not compile_matcher(hook.matcher).everything:
        message = f"{hook.point} names no tool, so that the matcher is never met and the hook never runs"
        problems.append(_at(entry, "matcher", "warning", "matcher-never-met", message, "delete the matcher"))
    if hook.on_failure is not None and hook.type == "observer":
        message = "onFailure counts only for decision hooks; it is ignored"
        problems.append(_at(entry, "onFailure", "warning", "on-failure-unused", message, "delete the line"))
    return problems


def _at(entry: HookEntry, key: str, severity: Severity, code: str, message: str, hint: str) -> Problem:
    place = entry.places[key]
    document: Document = place.document
    return document.problem(severity, code, message, place.span, entry=entry.name, hint=hint)
