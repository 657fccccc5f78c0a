"""Owns which values a matcher of this system means, former tool names included; knows no rules and no payloads."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tenterhook.dialects.claude_code.events import subject_key
from tenterhook.dialects.matching import OUT_OF_TIME, Judgement, Matcher, compile_matcher
from tenterhook.model import Hook, LeftOut, Mode

__all__ = ["FORMER_NAMES", "canonical", "match_hook", "matcher_for", "spellings", "watched_names"]

FORMER_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "Task": "Agent",
        "KillShell": "TaskStop",
        "KillBash": "TaskStop",
        "ListPeers": "ListAgents",
        "Brief": "SendUserMessage",
        "ListMcpResources": "ListMcpResourcesTool",
        "ReadMcpResource": "ReadMcpResourceTool",
        "ReadMcpResourceDir": "ReadMcpResourceDirTool",
        "ProposeGoal": "SetGoal",
    }
)
"""By its former name: what a tool is called now (reference 4.1)."""

_BARS_ONLY = frozenset({"FileChanged", "StopFailure"})
"""Events whose matcher is a list only where ``|`` is its one separator."""

_SEPARATORS_ELSEWHERE = frozenset("- ,")
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_|") | _SEPARATORS_ELSEWHERE

_FORMER_OF: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {now: tuple(old for old, new in FORMER_NAMES.items() if new == now) for now in FORMER_NAMES.values()}
)


def canonical(name: str) -> str:
    """What the tool is called now."""
    return FORMER_NAMES.get(name, name)


def spellings(name: str) -> tuple[str, ...]:
    """The tool's name of today first, then every name it had before."""
    now = canonical(name)
    return (now, *_FORMER_OF.get(now, ()))


def matcher_for(event: str, text: str | None) -> Matcher:
    """A matcher as its event reads it; its ``error`` says why it can never match (reference 4.1).

    For ``FileChanged`` and ``StopFailure`` a text with a comma, a blank or a hyphen is a pattern, not a list.
    """
    if text and event in _BARS_ONLY and _PLAIN.issuperset(text) and not _SEPARATORS_ELSEWHERE.isdisjoint(text):
        # The group changes nothing but the alphabet: no character of the text means anything else inside it.
        return compile_matcher(f"(?:{text})")
    return compile_matcher(text)


def match_hook(hook: Hook, mode: Mode, subject: str | None) -> LeftOut | None:
    """Why a hook does not run for its event with this subject; None: it runs.

    An event with nothing to match passes over its matchers in silence (reference 2.3).
    Either method runs all hooks of this system, so that the mode does not count.
    Tools are compared by the name of today and by each former one:
    for a list of whole names that is the same as bringing each of its names up to date (reference 4.2).
    """
    del mode
    key = subject_key(hook.point)
    if hook.matcher is None or key is None:
        return None
    is_tool = key == "tool_name"
    judged = _judge(matcher_for(hook.point, hook.matcher), subject, is_tool=is_tool)
    if judged == "met":
        return None
    if judged == "outOfTime":
        return LeftOut(code="noMatch", message=f"its matcher {hook.matcher!r} {OUT_OF_TIME}")
    what = "tool" if is_tool else key
    found = f"the event names no {what}" if subject is None else f"the {what} is {subject!r}"
    return LeftOut(code="noMatch", message=f"its matcher {hook.matcher!r} is not met: {found}")


def watched_names(matcher: str | None) -> tuple[str, ...]:
    """The files of the working directory that a ``FileChanged`` matcher wants watched (reference 4.3).

    Every part between bars is a file's name as it stands, whatever it would mean as a pattern.
    """
    return tuple(dict.fromkeys(name for name in (matcher or "").split("|") if name))


def _judge(matcher: Matcher, subject: str | None, *, is_tool: bool) -> Judgement:
    if subject is None or not is_tool:
        return matcher.judge(subject)
    judged = [matcher.judge(name) for name in spellings(subject)]
    if "met" in judged:
        return "met"
    return "outOfTime" if "outOfTime" in judged else "notMet"
