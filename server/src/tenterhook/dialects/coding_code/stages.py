"""Owns which hooks of a point run for an event, and in what order; runs none of them."""

from __future__ import annotations

from tenterhook.dialects.matching import OUT_OF_TIME, compile_matcher
from tenterhook.model import Answer, Hook, LeftOut, Mode, Stage

__all__ = ["match_hook", "order"]

_METHODS = {"observer": "hooks/emit", "decision": "hooks/emitDecision"}


def match_hook(hook: Hook, mode: Mode, subject: str | None) -> LeftOut | None:
    """Why a hook of the point does not run for events of this mode and tool; None: it runs.

    ``emit`` runs observers and ``emitDecision`` decision hooks; the two never cross.
    A matcher that is a restriction is not met by an event that names no tool.
    """
    if hook.type != ("observer" if mode == "emit" else "decision"):
        method = _METHODS.get(hook.type, "no method")
        return LeftOut(code="methodNotSuited", message=f"it is of type {hook.type}, which only {method} runs")
    judged = "met" if hook.matcher is None else compile_matcher(hook.matcher).judge(subject)
    if judged == "met":
        return None
    if judged == "outOfTime":
        return LeftOut(code="noMatch", message=f"its matcher {hook.matcher!r} {OUT_OF_TIME}")
    tool = "the event names no tool" if subject is None else f"the tool is {subject!r}"
    return LeftOut(code="noMatch", message=f"its matcher {hook.matcher!r} is not met: {tool}")


def order(hooks: tuple[Hook, ...], mode: Mode) -> tuple[Stage, ...]:
    """One sequence by ascending priority, ties in the order of files and positions.

    The decision hooks' ends at the first answer that is not null, the observers' runs to its end.
    """
    if not hooks:
        return ()
    ordered = tuple(sorted(hooks, key=_priority))
    if mode == "emit":
        return (Stage(ordered, "sequence", _never),)
    return (Stage(ordered, "sequence", _answered, "the first answer that is not null"),)


def _priority(hook: Hook) -> float:
    return hook.priority


def _never(_answer: Answer) -> bool:
    return False


def _answered(answer: Answer) -> bool:
    return answer.decision is not None
