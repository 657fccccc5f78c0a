"""Owns what stdout is: an answer object, plain text, or neither; knows the shape of every field, and what none means.

Contract, 5.4: text that starts with ``{`` and ends with ``}`` is an answer object, and a hook error where it is none.
Everything else is plain text. Keys that nobody knows are tolerated; a known key of a wrong type is a hook error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeVar, cast

from msgspec import Raw, Struct
from tenterhook_protocol.claude_events import ClaudeEvent

from tenterhook.dialects.claude_code.shapes import Kind, Shape, moved, values_of
from tenterhook.dialects.strict_json import JsonFault, JsonObject, read_object

__all__ = ["Output", "Plain", "Told", "object_of", "read_output", "read_stdout", "same_answer"]

T = TypeVar("T")

Told = Literal["approve", "block"]

_UNIVERSAL: Shape = {
    "continue": "flag",
    "suppressOutput": "flag",
    "stopReason": "text",
    "decision": ("approve", "block"),
    "reason": "text",
    "systemMessage": "text",
    "terminalSequence": "text",
    "hookSpecificOutput": "object",
    "async": "flag",
    "asyncTimeout": "number",
}

_FOUR_WORDS = ("allow", "deny", "ask", "defer")
_SPECIFIC: Shape = {
    "additionalContext": "text",
    "classifierContext": "text",
    "permissionDecision": _FOUR_WORDS,
    "permissionDecisionReason": "text",
    "updatedInput": "object",
    "updatedToolOutput": "value",
    "updatedMCPToolOutput": "value",
    "decision": {
        "behavior": ("allow", "deny"),
        "updatedInput": "object",
        "updatedPermissions": "objects",
        "message": "text",
        "interrupt": "flag",
    },
    "retry": "flag",
    "sessionTitle": "text",
    "suppressOriginalPrompt": "flag",
    "initialUserMessage": "text",
    "watchPaths": "texts",
    "reloadSkills": "flag",
    "action": ("accept", "decline", "cancel"),
    "content": "object",
    "worktreePath": "text",
    "displayContent": "text",
    "newCustomInstructions": "text",
    "displayMessage": "text",
}

_ONE_FAMILY = frozenset({"Stop", "SubagentStop"})
"""A subagent's own ``Stop`` hooks run at SubagentStop, and may still say ``Stop``."""


class Plain(Struct, frozen=True):
    """Text that is no answer object. ``warnings``: why its author may have meant one."""

    text: str
    warnings: tuple[str, ...] = ()


class Output(Struct, frozen=True, kw_only=True):
    """The fields of an answer object; None where one is absent or null."""

    goes_on: bool | None = None
    """``continue``."""
    stop_reason: str | None = None
    decision: Told | None = None
    reason: str | None = None
    system_message: str | None = None
    terminal_sequence: str | None = None
    specific: Mapping[str, object] = {}
    """What the event reads of ``hookSpecificOutput``, by key, each of its right type."""
    fields: frozenset[str] = frozenset()
    """The known keys that are there; ``hookSpecificOutput`` counts where the event reads something of it."""
    warnings: tuple[str, ...] = ()

    def get(self, key: str, kind: type[T]) -> T | None:
        """A field of ``hookSpecificOutput``."""
        value = self.specific.get(key)
        return value if isinstance(value, kind) else None


def same_answer(stdout: bytes, payload: bytes) -> bool:
    """Whether a hook has only handed on what it was given: the contract's old way to have no opinion."""
    return stdout.strip() == payload.strip()


def object_of(stdout: bytes) -> JsonObject | JsonFault | Plain:
    """What stdout is at first sight. Bytes that are no UTF-8 are plain text with replacement characters."""
    body = stdout.removeprefix(b"\xef\xbb\xbf").strip()
    if body.startswith(b"{") and body.endswith(b"}"):
        return read_object(body)
    text = body.decode("utf-8", "replace")
    return Plain(text, _likely_meant(text))


def read_stdout(stdout: bytes, event: ClaudeEvent) -> Output | Plain | JsonFault:
    """What a hook has said; a fault says where the object is not as it should be."""
    found = object_of(stdout)
    if not isinstance(found, JsonObject):
        return found
    output, faults = read_output(found, event)
    return faults[0] if faults else output


def read_output(answer: JsonObject, event: ClaudeEvent) -> tuple[Output, list[JsonFault]]:
    """The fields that are as they should be, and what is wrong with the others."""
    found, faults = values_of(answer, _UNIVERSAL, "")
    specific: dict[str, object] = {}
    warnings = _misplaced(answer, event)
    if "hookSpecificOutput" in found:
        inner = read_object(bytes(cast("Raw", found["hookSpecificOutput"])))
        if isinstance(inner, JsonFault):  # the outer reading has passed it: only its depth can be too much
            faults.append(moved(inner, answer.fault("hookSpecificOutput", "")))
        else:
            specific, of_inner, more = _specific(inner, event)
            faults += [moved(fault, answer.fault("hookSpecificOutput", "")) for fault in of_inner]
            warnings += more
    read_inside = {"displayMessage", "newCustomInstructions"} & answer.fields.keys()
    if event.name == "PreCompact" and read_inside:  # an older contract had them outside
        outside, of_outside = values_of(answer, dict.fromkeys(read_inside, "text"), "")
        specific = {**outside, **specific}
        faults += of_outside
    if "hook_event_name" in answer.fields:  # it is what the hook was given, and some events have a reason in it
        found.pop("reason", None)
    known = frozenset(key for key in found if key != "hookSpecificOutput" or specific)
    if not known and "hookSpecificOutput" not in found and answer.fields:
        what = "what it was given" if "hook_event_name" in answer.fields else "an object without any output field"
        warnings.append(f"printed {what}; that is no opinion, and nothing inside it is read")
    return (
        Output(
            goes_on=cast("bool | None", found.get("continue")),
            stop_reason=cast("str | None", found.get("stopReason")),
            decision=cast("Told | None", found.get("decision")),
            reason=cast("str | None", found.get("reason")),
            system_message=cast("str | None", found.get("systemMessage")),
            terminal_sequence=cast("str | None", found.get("terminalSequence")),
            specific=specific,
            fields=known,
            warnings=tuple(warnings),
        ),
        faults,
    )


def _specific(inner: JsonObject, event: ClaudeEvent) -> tuple[dict[str, object], list[JsonFault], list[str]]:
    named, faults = values_of(inner, {"hookEventName": "text"}, "hookSpecificOutput.")
    name = named.get("hookEventName")
    if name is not None and name != event.name and not {name, event.name} <= _ONE_FAMILY:
        message = f"hookSpecificOutput is for {name!r}, and the event is {event.name}; nothing of the answer counts"
        faults.append(inner.fault("hookEventName", message))
    shape: dict[str, Kind | Shape] = {key: _SPECIFIC.get(key, "value") for key in event.answers}
    if event.name == "PreModelSwitch":
        shape["permissionDecision"] = _FOUR_WORDS[:3]
    elif event.name == "PreCompact":
        shape |= {"newCustomInstructions": "text", "displayMessage": "text"}
    elif event.name == "PreSkillShellCommand":
        shape["updatedInput"] = "value"
    found, more = values_of(inner, shape, "hookSpecificOutput.")
    warnings: list[str] = []
    if name is None and not faults and found:
        warnings.append(
            f'hookSpecificOutput names no event; it is taken for {event.name}: add "hookEventName": "{event.name}"'
        )
    unread = sorted(key for key in inner.fields if key in _SPECIFIC and key not in shape)
    if unread:
        warnings.append(f"{event.name} does not read hookSpecificOutput.{', '.join(unread)}")
    return found, faults + more, warnings


def _misplaced(answer: JsonObject, event: ClaudeEvent) -> list[str]:
    astray = sorted(key for key in answer.fields if key in event.answers and key not in _UNIVERSAL)
    if not astray or "hook_event_name" in answer.fields:
        return []
    return [f"{', '.join(astray)} outside hookSpecificOutput is not read; put it inside"]


def _likely_meant(text: str) -> tuple[str, ...]:
    if text.startswith("{"):
        return ("printed text that begins with { and does not end with }; if it was to be JSON, it was cut",)
    if text.endswith("}") and "\n{" in text:
        first = text.split("\n", 1)[0].strip()[:80]
        return (f"printed {first!r} before what looks like JSON; all of it is plain text. Was it a shell profile?",)
    return ()
