"""Owns how much of a text is handed on: a longer one goes to a file, and its beginning in its place; writes nothing."""

from __future__ import annotations

import re

from msgspec import structs
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.runs import ContextEffect

from tenterhook.dialects.base import LaunchContext
from tenterhook.dialects.claude_code.surroundings import scratch_of
from tenterhook.model import Answer, HookDecision, Spill

__all__ = ["MOST", "PREVIEW", "Caps", "without_files"]

MOST = 10_000
"""Characters of one text of one hook that reach the host (contract, 5.5)."""

PREVIEW = 2_000
"""Characters of a longer one that stand in its place."""

_NOTE = re.compile(r"the whole text is in [^\n]*")


class Caps:
    """Collects, for one run, the texts that have to go to files."""

    def __init__(self, context: LaunchContext) -> None:
        self._context = context
        self.spills: list[Spill] = []

    def text(self, name: str, text: str) -> str:
        """The text, or what stands for it. ``name``: what it is, and the name of its file."""
        if len(text) <= MOST:
            return text
        path = scratch_of(self._context, f"{name}.txt")
        self.spills.append(Spill(path, text))
        return f"[{len(text)} characters; the whole text is in {path}]\n\n{text[:PREVIEW]}"


def without_files(answer: Answer, why: str) -> Answer:
    """The answer after its files could not be written: the previews stay and say so."""
    decision = answer.decision
    if decision is None:
        return structs.replace(answer, wishes=(), warnings=(*answer.warnings, why))

    def told(text: str) -> str:
        return _NOTE.sub("the rest is lost", text, count=1) if any(path in text for path in paths) else text

    def each(texts: list[ContextEffect]) -> list[ContextEffect]:
        return [structs.replace(one, text=told(one.text)) for one in texts]

    paths = [wish.path for wish in answer.wishes if isinstance(wish, Spill)]
    effects = decision.effects
    if effects is not UNSET:
        first = effects.initial_user_message
        effects = structs.replace(
            effects,
            contexts=UNSET if effects.contexts is UNSET else each(effects.contexts),
            system_messages=UNSET if effects.system_messages is UNSET else each(effects.system_messages),
            initial_user_message=UNSET if first is UNSET else told(first),
        )
    injection = decision.injection
    if effects is not UNSET and effects.contexts is not UNSET:
        injection = "\n\n".join(one.text for one in effects.contexts)
    changed: HookDecision = structs.replace(decision, effects=effects, injection=injection)
    return structs.replace(answer, decision=changed, wishes=(), warnings=(*answer.warnings, why))
