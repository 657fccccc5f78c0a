"""Owns how hooks, plans and tables are told to a caller; decides nothing."""

from __future__ import annotations

from collections.abc import Sequence

from tenterhook_protocol import hooks as wire
from tenterhook_protocol.base import UNSET

from tenterhook.conduct import Finished
from tenterhook.model import Arranged, Event, Hook, LeftOut, Notice
from tenterhook.tables import Table

__all__ = ["hook_info", "planned", "project_hooks", "reloaded_project", "tested"]


def hook_info(hook: Hook) -> wire.HookInfo:
    """One configured hook."""
    return wire.HookInfo(
        id=hook.id,
        name=hook.name,
        system=hook.system,
        point=hook.point,
        type=hook.type,
        description=UNSET if hook.description is None else hook.description,
        command=list(hook.spec.words()),
        priority=hook.priority,
        timeout_ms=hook.timeout * 1000,
        enabled=hook.enabled,
        trusted=hook.trusted,
        left_out=UNSET if hook.left_out is None else hook.left_out,
        origin=hook.origin,
        fields=dict(hook.fields),
        matcher=UNSET if hook.matcher is None else hook.matcher,
        rule=UNSET if hook.rule is None else hook.rule,
        profiles=list(hook.profiles) or UNSET,
        aliases=list(hook.aliases) or UNSET,
        worker=True if hook.spec.lives_on() else UNSET,
    )


def project_hooks(table: Table) -> wire.ProjectHooks:
    """All hooks of a project: by point in the order in which they would run."""
    first_at = {point: index for index, point in reversed(list(enumerate(hook.point for hook in table.hooks)))}
    ordered = sorted(table.hooks, key=lambda hook: (first_at[hook.point], hook.priority))
    return wire.ProjectHooks(
        project_path=table.project, hooks=[hook_info(hook) for hook in ordered], problems=list(table.problems)
    )


def reloaded_project(table: Table) -> wire.ReloadedProject:
    """What a reload of a project came to."""
    return wire.ReloadedProject(project_path=table.project, hooks=table.running, problems=list(table.problems))


def planned(
    event: Event, arranged: Arranged, others: Sequence[tuple[Hook, LeftOut]], notice: Notice | None
) -> wire.ExplainResult:
    """The plan for an event."""
    return wire.ExplainResult(
        point=event.point,
        system=event.system,
        method="hooks/emit" if event.mode == "emit" else "hooks/emitDecision",
        project_path=event.project or UNSET,
        stages=[
            wire.StageInfo(
                together=stage.together,
                stops_at=UNSET if stage.stops_at is None else stage.stops_at,
                hooks=[hook_info(hook) for hook in stage.hooks],
            )
            for stage in arranged.stages
        ],
        left_out=[wire.LeftOutHook(hook=hook_info(hook), reason=reason) for hook, reason in others],
        notices=[*([] if notice is None else [notice]), *_doubts(arranged)],
    )


def _doubts(arranged: Arranged) -> list[Notice]:
    hooks = [hook for stage in arranged.stages for hook in stage.hooks if hook.id in arranged.doubts]
    return [
        Notice(code="ruleUndecided", message=f"{hook.name}: {arranged.doubts[hook.id]}", hook=hook.id) for hook in hooks
    ]


def tested(finished: Finished) -> wire.TestResult:
    """One run of one hook."""
    return wire.TestResult(
        run=finished.record(),
        stdout=finished.outcome.stdout.decode("utf-8", "replace"),
        stderr=finished.outcome.stderr.decode("utf-8", "replace"),
        answer=finished.answer.decision,
    )
