"""Owns how the effects of several answers become one; knows no event and no decision but the joined one's kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct
from tenterhook_protocol.base import UNSET, UnsetType
from tenterhook_protocol.runs import DecisionKind, Effects, HookDecision

from tenterhook.model import Hook

__all__ = ["MOST_FOR_CLASSIFIER", "Given", "join_effects", "last_to_finish"]

MOST_FOR_CLASSIFIER = 2_000
"""UTF-16 units that all hooks of one call together may give the classifier."""

_NONE = Effects()

_ANY = ("halt", "retry", "turn_ends", "reload_skills", "suppress_original_prompt", "interrupt")
"""True where one of them says so."""

_ALL = ("contexts", "system_messages", "terminal_sequences", "permission_updates")
"""Everything that was said, in the order of the plan."""

_LAST = {
    "session_title": "sessionTitle",
    "initial_user_message": "initialUserMessage",
    "display_text": "displayText",
}
"""The last of the plan that says something."""


class Given(Struct, frozen=True):
    """One hook's opinion. ``rank``: the how-manieth to finish."""

    hook: Hook
    decision: HookDecision
    rank: int

    @property
    def kind(self) -> DecisionKind | None:
        """Its decision, where it has one."""
        return None if self.decision.decision is UNSET else self.decision.decision

    @property
    def effects(self) -> Effects:
        """Its effects, which may be none."""
        return _NONE if self.decision.effects is UNSET else self.decision.effects

    @property
    def texts(self) -> list[str]:
        """Its texts for the model."""
        if self.effects.contexts is not UNSET:
            return [one.text for one in self.effects.contexts]
        return [] if self.decision.injection is UNSET else [self.decision.injection]


def join_effects(
    given: Sequence[Given], kind: DecisionKind | None, overruled: dict[str, dict[str, str]]
) -> Effects | UnsetType:
    """All effects together.

    Args:
        given: the opinions, in the order of the plan.
        kind: the joined decision: what belongs to another one does not count.
        overruled: is told which values did not count, and whose did.
    """
    joined: dict[str, Any] = {}
    for field in _ANY:
        if any(getattr(one.effects, field) is True for one in given):
            joined[field] = True
    for field in _ALL:
        values = [value for one in given if (many := getattr(one.effects, field)) is not UNSET for value in many]
        if values:
            joined[field] = values
    for field, wire_name in _LAST.items():
        _keep(joined, field, wire_name, [one for one in given if getattr(one.effects, field)][::-1], overruled)
    if kind != "deny":
        joined.pop("interrupt", None)
    if kind in ("deny", "ask", "defer"):
        joined.pop("permission_updates", None)
    for field in ("stop_reason", "custom_instructions"):
        texts = [text for one in given if isinstance(text := getattr(one.effects, field), str) and text]
        if texts:
            joined[field] = "\n\n".join(texts)
    _tool_output(joined, given, overruled)
    _elicitation(joined, given, overruled)
    _worktree(joined, given, overruled)
    _environment(joined, given, overruled)
    watching = [one.effects.watch_paths for one in given if one.effects.watch_paths is not UNSET]
    if watching:
        joined["watch_paths"] = list(dict.fromkeys(path for paths in watching for path in paths))
    return Effects(**joined) if joined else UNSET


def last_to_finish(given: Sequence[Given], wire_name: str, overruled: dict[str, dict[str, str]]) -> Given:
    """The one whose value counts; the others are told of."""
    winner = max(enumerate(given), key=lambda one: (one[1].rank, one[0]))[1]
    _tell(winner, given, wire_name, overruled)
    return winner


def _keep(
    joined: dict[str, Any],
    field: str,
    wire_name: str,
    best_first: Sequence[Given],
    overruled: dict[str, dict[str, str]],
) -> None:
    if best_first:
        joined[field] = getattr(best_first[0].effects, field)
        _tell(best_first[0], best_first, wire_name, overruled)


def _tell(winner: Given, given: Sequence[Given], wire_name: str, overruled: dict[str, dict[str, str]]) -> None:
    for one in given:
        if one is not winner:
            overruled.setdefault(one.hook.id, {})[wire_name] = winner.hook.id


def _tool_output(joined: dict[str, Any], given: Sequence[Given], overruled: dict[str, dict[str, str]]) -> None:
    """The last to finish wins; a rewrite that is overruled takes its words for the classifier with it."""
    rewriting = [one for one in given if one.effects.updated_tool_output is not UNSET]
    losers: set[int] = set()
    if rewriting:
        winner = last_to_finish(rewriting, "updatedToolOutput", overruled)
        joined["updated_tool_output"] = winner.effects.updated_tool_output
        losers = {id(one) for one in rewriting if one is not winner}
    words = [
        one.effects.classifier_context
        for one in given
        if one.effects.classifier_context is not UNSET and id(one) not in losers
    ]
    if words:
        kept = "\n\n".join(words).encode("utf-16-le", "surrogatepass")[: MOST_FOR_CLASSIFIER * 2]
        joined["classifier_context"] = kept.decode("utf-16-le", "ignore")


class _Elicited(Struct, frozen=True):
    action: str = "accept"


def _elicitation(joined: dict[str, Any], given: Sequence[Given], overruled: dict[str, dict[str, str]]) -> None:
    """To decline or cancel beats to accept; of equals the first of the plan counts."""
    answering = [
        (one, msgspec.json.decode(answer, type=_Elicited).action)
        for one in given
        if (answer := one.effects.elicitation) is not UNSET
    ]
    refusing = [one for one, action in answering if action != "accept"]
    order = refusing + [one for one, action in answering if action == "accept"]
    _keep(joined, "elicitation", "elicitation", order, overruled)


def _worktree(joined: dict[str, Any], given: Sequence[Given], overruled: dict[str, dict[str, str]]) -> None:
    """Any failure beats a path; of several paths the first of the plan counts."""
    failures = [one for one in given if one.effects.worktree_failure is not UNSET]
    paths = [one for one in given if one.effects.worktree_path is not UNSET]
    if failures:
        joined["worktree_failure"] = "\n\n".join(str(one.effects.worktree_failure) for one in failures)
        _tell(failures[0], [failures[0], *paths], "worktreePath", overruled)
    else:
        _keep(joined, "worktree_path", "worktreePath", paths, overruled)


def _environment(joined: dict[str, Any], given: Sequence[Given], overruled: dict[str, dict[str, str]]) -> None:
    """All variables; of several hooks that set one the last of the plan counts."""
    setting: dict[str, str] = {}
    by: dict[str, Given] = {}
    for one in given:
        if one.effects.environment is UNSET:
            continue
        for name in one.effects.environment.keys() & by.keys():
            overruled.setdefault(by[name].hook.id, {})[f"environment.{name}"] = one.hook.id
        setting |= one.effects.environment
        by |= dict.fromkeys(one.effects.environment, one)
    if setting:
        joined["environment"] = setting
