"""Owns how the answers of an event become one (contract, 4.7), and how often a turn may be kept going; runs nothing.

Answers come in the order of files and positions. When they finished counts only where the contract says so:
for a changed input and a changed output of a tool, where the last to finish wins.
A denial is weakened by nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.runs import DecisionKind, HookDecision

from tenterhook.dialects.base import Counters, Verdict
from tenterhook.dialects.claude_code.join_effects import Given, join_effects, last_to_finish
from tenterhook.dialects.claude_code.meaning import STRICTNESS
from tenterhook.dialects.claude_code.surroundings import STOPS
from tenterhook.dialects.claude_code.worktrees import CREATE, silent_worktree
from tenterhook.model import Judged, Notice

__all__ = ["CAP_VARIABLE", "DEFAULT_CAP", "begin_anew", "join_answers"]

DEFAULT_CAP = 8
"""Consecutive times that a wish to stop may be overruled."""

CAP_VARIABLE = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"
"""Sets the cap where the host does not; 0 takes it away."""

_ANEW = frozenset(
    {"UserPromptSubmit", "SessionStart", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch"}
)
"""A new prompt, a new session, and work that is going on: what is blocked after them is not the same again."""


def begin_anew(point: str, counters: Counters) -> Counters:
    """The count starts anew at a prompt, a session and a tool call."""
    return _zero(counters) if point in _ANEW else counters


def join_answers(point: str, answers: Sequence[Judged], counters: Counters) -> Verdict:
    """One decision, whichever method the event came by."""
    overruled: dict[str, dict[str, str]] = {}
    given = [Given(one.hook, one.answer.decision, one.rank) for one in answers if one.answer.decision is not None]
    if point == CREATE and answers and not any(_names_a_tree(one) for one in given):
        return Verdict(silent_worktree())
    notices = () if counters.defers else tuple(_no_defer(one) for one in given if one.kind == "defer")
    if notices:
        given = [_without_defer(one) for one in given]
    decision = _joined(point, given, overruled) if given else None
    if point not in STOPS:
        return Verdict(decision, notices=notices, overruled=overruled)
    if decision is None or decision.decision != "continue":
        return Verdict(decision, _zero, overruled=overruled)
    cap = _cap(counters)
    if cap is None or counters.continuations < cap:
        return Verdict(decision, _one_more, overruled=overruled)
    return _overridden(decision, given, cap, overruled)


def _joined(point: str, given: Sequence[Given], overruled: dict[str, dict[str, str]]) -> HookDecision | None:
    halting = next((one for one in given if _halts(one)), None)
    kinds: list[DecisionKind] = [one.kind for one in given if one.kind is not None]
    kind: DecisionKind | None = max(kinds, key=lambda one: STRICTNESS[one], default=None)
    strictest = [one for one in given if one.kind == kind] if kind is not None else []
    if halting is not None and kind != "deny":  # what follows from any other decision is moot
        kind, winner = None, halting
    else:
        winner = strictest[0] if strictest else None
    for one in given:
        if one.kind is not None and one.kind != kind and winner is not None and winner.hook.id != one.hook.id:
            overruled.setdefault(one.hook.id, {})["decision"] = winner.hook.id
    reasons = [one.decision.reason for one in strictest if kind is not None and one.decision.reason is not UNSET]
    effects = join_effects(given, kind, overruled)
    texts = [text for one in given for text in one.texts]
    if halting is not None and point in STOPS:  # nobody is left to read them
        texts = []
        effects = effects if effects is UNSET else structs.replace(effects, contexts=UNSET)
    joined = HookDecision(
        decision=UNSET if kind is None else kind,
        reason="\n\n".join(reasons) if reasons else UNSET,
        injection="\n\n".join(texts) if texts else UNSET,
        effects=effects,
    )
    joined = structs.replace(joined, modified_input=_modified(point, given, kind, overruled, winner))
    return None if joined == HookDecision() else joined


def _modified(
    point: str,
    given: Sequence[Given],
    kind: DecisionKind | None,
    overruled: dict[str, dict[str, str]],
    winner: Given | None,
) -> object:
    """The last to finish wins; a denied or deferred call has no input, and a request's counts only with its consent."""
    moot = kind in ("deny", "defer") or (point == "PermissionRequest" and kind != "allow")
    changing = [one for one in given if one.decision.modified_input is not UNSET]
    if not changing:
        return UNSET
    if not moot:
        return last_to_finish(changing, "modifiedInput", overruled).decision.modified_input
    for one in changing:
        if winner is not None and winner.hook.id != one.hook.id:
            overruled.setdefault(one.hook.id, {})["modifiedInput"] = winner.hook.id
    return UNSET


def _halts(one: Given) -> bool:
    return one.effects.halt is True


def _names_a_tree(one: Given) -> bool:
    return one.effects.worktree_path is not UNSET or one.effects.worktree_failure is not UNSET


def _without_defer(one: Given) -> Given:
    """The host cannot do it: the hook's decision does not count, and the others' do."""
    if one.kind != "defer":
        return one
    return Given(one.hook, structs.replace(one.decision, decision=UNSET, reason=UNSET), one.rank)


def _no_defer(one: Given) -> Notice:
    message = f"The hook {one.hook.name!r} said defer, which this host cannot do; its decision does not count"
    return Notice(code="deferDropped", message=message, hook=one.hook.id)


def _cap(counters: Counters) -> int | None:
    """None: there is no cap."""
    if counters.cap is not None:
        return counters.cap
    written = counters.environment.get(CAP_VARIABLE, "").strip()
    if written.isascii() and written.isdigit():
        return int(written) or None
    return DEFAULT_CAP


def _overridden(
    decision: HookDecision, given: Sequence[Given], cap: int, overruled: dict[str, dict[str, str]]
) -> Verdict:
    """The turn ends all the same: nothing of the wish is left but what is for the user."""
    hook = next((one.hook for one in given if one.kind == "continue"), given[0].hook)
    message = (
        f"The hook {hook.name!r} blocks the stop, and {cap} in a row is the cap "
        f"(maxStopContinuations, {CAP_VARIABLE}); the turn may stop"
    )
    effects = decision.effects
    if effects is not UNSET:
        effects = structs.replace(effects, contexts=UNSET)
    left = HookDecision(effects=effects if effects is not UNSET and effects != type(effects)() else UNSET)
    notice = Notice(code="stopCapReached", message=message, hook=hook.id)
    return Verdict(None if left == HookDecision() else left, _zero, (notice,), overruled)


def _zero(counters: Counters) -> Counters:
    return structs.replace(counters, continuations=0)


def _one_more(counters: Counters) -> Counters:
    return structs.replace(counters, continuations=counters.continuations + 1)
