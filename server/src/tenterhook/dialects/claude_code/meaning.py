"""Owns what the fields of one hook's answer mean at its event; knows neither how the hook ran nor the other hooks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

import msgspec
from msgspec import Raw, structs
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.claude_controls import ClaudeEvent, ExitTwo
from tenterhook_protocol.runs import ContextEffect, DecisionKind, Effects, HookDecision

from tenterhook.dialects.claude_code.caps import Caps
from tenterhook.dialects.claude_code.output import Output
from tenterhook.model import Event, Hook

__all__ = ["DECLINE", "STRICTNESS", "decision_of", "text_for_the_model", "what_a_block_does"]

STRICTNESS: Mapping[DecisionKind, int] = {"allow": 1, "ask": 2, "defer": 3, "continue": 4, "deny": 5}
"""Of several decisions the one with the highest number stands."""

DECLINE = Raw(b'{"action":"decline"}')

_SEQUENCES = re.compile(
    r"(?:\x07|\x1b\](?:0|1|2|9|99|777)(?:;[^\x00-\x1f\x7f-\x9f]*)?(?:\x07|\x1b\\))+",
)
"""Titles, notifications, the bell (contract, section 6); one other byte and the whole field is ignored."""

_TITLED = frozenset({"startup", "resume", "fork"})
"""Sources of a SessionStart whose session may be given a title."""


def what_a_block_does(known: ClaudeEvent, event: Event) -> ExitTwo:
    """What a block does at this event. Managed policy changes cannot be blocked."""
    if event.point == "ConfigChange" and event.subject == "policy_settings":
        return "none"
    return known.exit_two


def decision_of(
    hook: Hook, event: Event, known: ClaudeEvent, output: Output, caps: Caps, *, blocked: str | None = None
) -> tuple[HookDecision | None, tuple[str, ...]]:
    """The decision and its effects, None where nothing is asked for; and warnings.

    Args:
        hook: whose answer it is.
        event: at which moment.
        known: what that event's hooks can do.
        output: the fields; none of them weakens a block.
        caps: where texts go that are too long.
        blocked: the reason of a block that is not in the fields, such as exit code 2 with its stderr.
    """
    block = what_a_block_does(known, event)
    warnings: list[str] = []
    if blocked is not None and block == "decline":
        output = structs.replace(output, specific={})
    verdicts = _verdicts(known, output, warnings)
    blocks = blocked is not None or (output.decision == "block" and known.takes_block)
    kind, reason = max(verdicts, key=lambda one: STRICTNESS[one[0]], default=(None, None))
    if blocks:
        own = output.reason if output.decision == "block" else reason if kind == "deny" else None
        kind, reason = None, own or blocked or f"The hook {hook.name!r} blocked it and gave no reason"
    texts: list[str] = []
    effects: dict[str, Any] = {}
    if blocks and block in ("deny", "decline", "halt"):
        kind = "deny"
    elif blocks and block == "continue":
        kind = "continue"
    if blocks and reason is not None and block in ("continue", "feedback", "halt"):
        texts.append(reason)
    if blocks and block == "halt":
        effects["turn_ends"] = True
    elif blocks and block == "decline":
        effects["elicitation"] = DECLINE
    elif blocks and block == "feedback":
        reason = None
    context = None if kind == "defer" else output.get("additionalContext", str)
    if context:
        texts.append(caps.text("additional-context", context))
        if block == "continue" and kind is None:
            kind = "continue"
    modified = None if kind in ("deny", "defer") else _modified(known, output)
    _universal(hook, event, known, output, caps, effects, texts, warnings)
    _specific(known, event, output, caps, effects, warnings)
    if kind == "deny":
        effects.pop("permission_updates", None)
    else:
        effects.pop("interrupt", None)
    if texts:
        effects["contexts"] = [ContextEffect(hook=hook.id, text=text) for text in texts]
    if kind is None and modified is None and not effects:
        return None, tuple(warnings)
    decision = HookDecision(
        decision=UNSET if kind is None else kind,
        reason=UNSET if reason is None or kind is None else reason,
        injection="\n\n".join(texts) if texts else UNSET,
        modified_input=UNSET if modified is None else modified,
        effects=Effects(**effects) if effects else UNSET,
    )
    return decision, tuple(warnings)


def text_for_the_model(hook: Hook, text: str) -> HookDecision:
    """A decision that only gives the model something to read."""
    return HookDecision(injection=text, effects=Effects(contexts=[ContextEffect(hook=hook.id, text=text)]))


def _verdicts(known: ClaudeEvent, output: Output, warnings: list[str]) -> list[tuple[DecisionKind, str | None]]:
    """What the fields say of the permission, apart from ``decision: block``."""
    verdicts: list[tuple[DecisionKind, str | None]] = []
    if output.decision == "block" and not known.takes_block:
        warnings.append(f"{known.name} does not read decision: block")
    if known.name == "PreToolUse" and output.decision == "approve":
        verdicts.append(("allow", output.reason))
    permission = cast("DecisionKind | None", output.get("permissionDecision", str))
    reason = output.get("permissionDecisionReason", str)
    if known.name == "PreSkillShellCommand":
        if permission in ("deny", "ask", "defer"):
            verdicts.append(("deny", reason or f"a hook said {permission}, and the command runs only if none does"))
        elif output.get("updatedInput", Raw) is not None:
            verdicts.append(("deny", "a hook wants to change the command, which cannot be done here"))
    elif permission is not None:
        verdicts.append((permission, None if permission == "defer" else reason))
    request = cast("Mapping[str, object] | None", output.specific.get("decision"))
    if request is not None:
        behavior = cast("DecisionKind | None", request.get("behavior"))
        if behavior is None:
            warnings.append("hookSpecificOutput.decision has no behavior; it decides nothing")
        else:
            verdicts.append((behavior, cast("str | None", request.get("message")) if behavior == "deny" else None))
    return verdicts


def _modified(known: ClaudeEvent, output: Output) -> Raw | None:
    if known.name == "PreSkillShellCommand":
        return None
    request = output.specific.get("decision")
    if isinstance(request, Mapping):
        inner = cast("Mapping[str, object]", request)
        return cast("Raw | None", inner.get("updatedInput")) if inner.get("behavior") == "allow" else None
    return output.get("updatedInput", Raw)


def _universal(
    hook: Hook,
    event: Event,
    known: ClaudeEvent,
    output: Output,
    caps: Caps,
    effects: dict[str, Any],
    texts: list[str],
    warnings: list[str],
) -> None:
    """The keys that every answer may have, where the event does not discard them."""
    rules = known.universal
    if output.goes_on is False and rules.halt:
        effects["halt"] = True
        if output.stop_reason is not None:
            effects["stop_reason"] = output.stop_reason
    if output.system_message:
        if rules.messages == "user":
            text = caps.text("system-message", output.system_message)
            effects["system_messages"] = [ContextEffect(hook=hook.id, text=text)]
        elif rules.messages == "model" and event.subject != "register_repo_root":
            texts.append(caps.text("system-message", output.system_message))
    if output.terminal_sequence and rules.terminal:
        if _SEQUENCES.fullmatch(output.terminal_sequence):
            effects["terminal_sequences"] = [output.terminal_sequence]
        else:
            warnings.append("terminalSequence is ignored: only titles, notifications and the bell may be sent")


def _specific(
    known: ClaudeEvent, event: Event, output: Output, caps: Caps, effects: dict[str, Any], warnings: list[str]
) -> None:
    """What only some events read, beyond the permission and the context."""
    get = output.get
    replaced = output.specific.get("updatedToolOutput")
    if replaced is None and event.subject is not None and event.subject.startswith("mcp__"):
        replaced = output.specific.get("updatedMCPToolOutput")
    shown = get("displayContent" if known.name == "MessageDisplay" else "displayMessage", str)
    plain = {
        "updated_tool_output": replaced,
        "classifier_context": get("classifierContext", str),
        "retry": get("retry", bool) or None,
        "suppress_original_prompt": get("suppressOriginalPrompt", bool) or None,
        "reload_skills": get("reloadSkills", bool) or None,
        "display_text": shown,
        "custom_instructions": get("newCustomInstructions", str),
    }
    effects |= {key: value for key, value in plain.items() if value is not None}
    title = get("sessionTitle", str)
    if title and (known.name != "SessionStart" or event.subject in _TITLED):
        effects["session_title"] = title
    first = get("initialUserMessage", str)
    if first:
        effects["initial_user_message"] = caps.text("initial-user-message", first)
    paths = cast("list[str] | None", output.specific.get("watchPaths"))
    if paths is not None:
        effects["watch_paths"] = [path for path in paths if path.startswith("/")]
        relative = [path for path in paths if not path.startswith("/")]
        if relative:
            warnings.append(f"watchPaths have to be absolute; left out: {', '.join(relative)[:200]}")
    action = get("action", str)
    if action is not None:
        content = get("content", Raw) if action == "accept" else None
        answer = {"action": action} if content is None else {"action": action, "content": content}
        effects["elicitation"] = Raw(msgspec.json.encode(answer))
    request = output.specific.get("decision")
    if isinstance(request, Mapping):
        inner = cast("Mapping[str, object]", request)
        if inner.get("updatedPermissions"):
            effects["permission_updates"] = inner["updatedPermissions"]
        if inner.get("interrupt") is True:
            effects["interrupt"] = True
