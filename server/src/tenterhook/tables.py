"""Owns what a project's table is, and how it is made out of its files; keeps none, runs nothing.

A table is built from what every system reads for the project.
A file that is broken on a reload is told of, and the last good content of its layer stays in force.
Layers that are not trusted are dropped before the merge, so that a project's patch cannot weaken a user's own hook.
"""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct, field, structs
from tenterhook_protocol.points import HookType

from tenterhook.config.document import problem_at
from tenterhook.config.files import read_layer, read_layers
from tenterhook.config.scripts import missing_scripts
from tenterhook.dialects.base import Control, Dialect, Ground, Layer, Loaded, Source
from tenterhook.model import Arranged, Hook, LeftOut, Mode, Origin, Problem
from tenterhook.policy import Policy, apply, completed, unknown_in
from tenterhook.trust import ALL, Judge, Standing, Trust, key_of

__all__ = ["EMPTY", "JudgedLayer", "Reader", "Recipe", "Table", "Varying", "build"]

Reader = Callable[[Source], Layer]


class JudgedLayer(Struct, frozen=True):
    """A layer of a project that counts only if its user approves it, and how it stands."""

    system: str
    layer: str
    path: str
    standing: Standing
    hooks: tuple[Hook, ...] = ()
    """What the layer adds or changes, as it would run."""

    @property
    def key(self) -> str:
        """By what approvals know it."""
        return key_of(self.system, self.layer)


class Varying(Struct, frozen=True):
    """The hooks that match, where the event or its session decides which of them run."""

    hooks: tuple[Hook, ...]
    once: frozenset[str]
    """Ids of those that run once a session."""
    ruled: tuple[Hook, ...]
    arranged: dict[tuple[frozenset[str], tuple[str, ...]], Arranged]
    """How the others run, by the ids of those that have run already and of those whose rule is not met."""


class Table(Struct, frozen=True, kw_only=True):
    """The hooks of one project at one moment. Never changed: a reload makes another."""

    project: str
    """Real path of the project."""
    hooks: tuple[Hook, ...] = ()
    """Every configured hook, in the order of files and positions."""
    runnable: Mapping[str, tuple[Hook, ...]]
    """By point: the hooks that nothing rules out from the start."""
    problems: tuple[Problem, ...] = ()
    good: Mapping[tuple[str, str], Layer]
    """By system and layer: the last content that could be read."""
    own_layers: tuple[JudgedLayer, ...] = ()
    """Those of the project's layers that are approved, or would have to be; none where the host vouches for all."""
    complaints: tuple[str, ...] = ()
    """What is wrong with the approvals, in words."""
    memo: dict[tuple[str, Mode, str | None], Arranged | Varying] = field(default_factory=dict)
    """What ``plan`` has worked out of it: by point, mode and subject, the stages, or what they depend on more."""

    @property
    def running(self) -> int:
        """How many hooks can run."""
        return sum(map(len, self.runnable.values()))

    def at(self, point: str) -> tuple[Hook, ...]:
        """Every hook of the point, those left out included."""
        return tuple(hook for hook in self.hooks if hook.point == point)


EMPTY = Table(project="", runnable={}, good={})
"""The table of a project that was never loaded."""


class Recipe(Struct, frozen=True, kw_only=True):
    """What every table of an engine is built by."""

    dialects: Sequence[Dialect]
    points: Mapping[str, HookType]
    ground: Ground
    policy: Policy
    trust: Trust = ALL


def build(recipe: Recipe, project: str, previous: Table = EMPTY, read: Reader = read_layer) -> Table:
    """Read all of a project's hook files anew.

    Args:
        recipe: systems, points, policy.
        project: real path of the project.
        previous: the table in force; its good layers stand in for broken ones.
        read: reads one source; an editor's unsaved text comes in here.
    """
    hooks: Sequence[Hook] = []
    problems: list[Problem] = []
    controls: list[Control] = []
    good: dict[tuple[str, str], Layer] = {}
    judge, complaints = recipe.trust.judge(project)
    own_layers: list[JudgedLayer] = []
    for dialect in recipe.dialects:
        loaded, kept, layers = _load(dialect, recipe, project, previous, read, judge)
        own_layers.extend(layers)
        hooks = [*hooks, *loaded.hooks]
        problems.extend(loaded.problems)
        good.update(kept)
        if loaded.control is not None:
            controls.append(loaded.control)
    for dialect in recipe.dialects:
        hooks = dialect.adopt(hooks)
    problems.extend(unknown_in(controls, hooks))
    judged = apply(completed(recipe.policy, controls), hooks)
    problems.extend(missing_scripts(judged, project))
    runnable: defaultdict[str, list[Hook]] = defaultdict(list)
    for hook in judged:
        if hook.left_out is None:
            runnable[hook.point].append(hook)
    return Table(
        project=project,
        hooks=judged,
        runnable={point: tuple(hooks) for point, hooks in runnable.items()},
        problems=tuple(problems),
        good=good,
        own_layers=tuple(own_layers),
        complaints=tuple(complaints),
    )


def _load(
    dialect: Dialect, recipe: Recipe, project: str, previous: Table, read: Reader, judge: Judge
) -> tuple[Loaded, dict[tuple[str, str], Layer], list[JudgedLayer]]:
    found = read_layers(dialect.sources(project, recipe.ground), read)
    sources, layers = [source for source, _ in found], [layer for _, layer in found]
    fresh = dialect.load(layers, recipe.points)
    unusable = {layer.layer for layer in layers if layer.failed} | fresh.broken
    stand_in = [_last_good(dialect, layer, previous) if layer.layer in unusable else layer for layer in layers]
    good = {
        (dialect.name, layer.layer): layer
        for layer in stand_in
        if layer.layer not in unusable or (dialect.name, layer.layer) in previous.good
    }
    own_layers = _own_layers(dialect, sources, stand_in, judge)
    dropped = {each.layer: each for each in own_layers if not each.standing.counts}
    if stand_in == layers and not own_layers:
        return fresh, good, []
    standing = dialect.load(stand_in, recipe.points) if stand_in != layers else fresh
    told = (*(p for p in fresh.problems if _of_layers(p, layers, unusable)), *standing.problems)
    problems = tuple(dict.fromkeys(told))
    shown = [structs.replace(each, hooks=_touched(standing.hooks, each.layer)) for each in own_layers]
    if not dropped:
        return structs.replace(standing, problems=problems), good, shown
    own = dialect.load([layer for layer in stand_in if layer.layer not in dropped], recipe.points)
    return _without(own, standing, dropped, problems, project), good, shown


def _own_layers(
    dialect: Dialect, sources: Sequence[Source], layers: Sequence[Layer], judge: Judge
) -> list[JudgedLayer]:
    found: list[JudgedLayer] = []
    for source, layer in zip(sources, layers, strict=True):
        if source.from_project and layer.content is not None:
            standing = judge(dialect.name, layer.layer, dialect.definitions(layer))
            if standing.state != "trusted":
                found.append(JudgedLayer(dialect.name, layer.layer, layer.path, standing))
    return found


def _touched(hooks: Iterable[Hook], layer: str) -> tuple[Hook, ...]:
    return tuple(hook for hook in hooks if layer in {origin.layer for origin in (hook.origin, *hook.fields.values())})


def _of_layers(problem: Problem, layers: Iterable[Layer], names: set[str]) -> bool:
    return any(problem.path == layer.path for layer in layers if layer.layer in names)


def _last_good(dialect: Dialect, layer: Layer, previous: Table) -> Layer:
    return previous.good.get((dialect.name, layer.layer), Layer(layer=layer.layer, path=layer.path, content=None))


def _without(
    own: Loaded, whole: Loaded, dropped: Mapping[str, JudgedLayer], problems: tuple[Problem, ...], project: str
) -> Loaded:
    """The trusted hooks as they are without the others' layers; what those would add or change is told of."""
    known = {hook.id for hook in own.hooks}
    hooks = list(own.hooks)
    told = list(dict.fromkeys((*problems, *own.problems)))
    for hook in whole.hooks:
        patch = next((origin for origin in hook.fields.values() if origin.layer in dropped), hook.origin)
        layer = dropped.get(patch.layer)
        if layer is None:
            continue
        why = _why(layer.standing, project)
        if hook.id not in known:
            reason = LeftOut(code="notTrusted", message=why)
            hooks.append(structs.replace(hook, left_out=reason, trusted=False))
        else:
            told.append(_patch_withheld(hook, patch, why))
    return structs.replace(own, hooks=tuple(hooks), problems=tuple(told))


def _why(standing: Standing, project: str) -> str:
    if standing.state == "userOnly":
        return "the project's hook file is not approved: no project's hooks count here"
    how = f"`tenterhook trust {shlex.quote(project)}` shows what it would run, and approves it"
    if standing.state == "changed" and standing.approved is not None:
        since = f" on {standing.approved.at[:10]}" if standing.approved.at else ""
        return f"the project's hook file is not approved as it is: it was changed since it was approved{since}; {how}"
    return f"the project's hook file is not approved; {how}"


def _patch_withheld(hook: Hook, origin: Origin, why: str) -> Problem:
    message = f"what this file changes of {hook.name!r} does not count: {why}"
    return problem_at(origin, "information", "patch-not-trusted", message, entry=hook.name)
