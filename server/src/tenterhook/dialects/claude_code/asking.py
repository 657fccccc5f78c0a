"""Owns what the host is asked for ``prompt``, ``agent`` and ``mcp_tool`` handlers; asks nobody."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, cast

import msgspec
from msgspec import UNSET, Raw
from tenterhook_protocol.host import AgentRequest, CallToolRequest, PromptRequest

from tenterhook.dialects.base import LaunchContext
from tenterhook.dialects.claude_code.specs import AskSpec, ToolSpec
from tenterhook.model import Event, Hook, HostLaunch

__all__ = ["agent_or_prompt_launch", "tool_launch"]

_IN_PROMPT = re.compile(r"\\\$|\$ARGUMENTS(?!\w)")
_IN_INPUT = re.compile(r"\$\{([^{}]+)\}")

_ANSWER = """

Answer with one JSON object and nothing else:
{"ok": true} where the condition is met, or {"ok": false, "reason": "what is missing"} where it is not."""
_HOPELESS = """
Add "impossible": true where it can never be met."""


def agent_or_prompt_launch(hook: Hook, spec: AskSpec, event: Event, context: LaunchContext) -> HostLaunch:
    """The prompt with ``$ARGUMENTS`` filled in, or with the payload after it, and how the answer has to look."""
    payload = bytes(event.payload).decode()
    named = False

    def filled(match: re.Match[str]) -> str:
        nonlocal named
        if match.group() != "$ARGUMENTS":
            return "$"
        named = True
        return payload

    text = _IN_PROMPT.sub(filled, spec.prompt)
    if not named:
        text = f"{text}\n\n{payload}"
    text += _ANSWER if spec.kind == "agent" else _ANSWER + _HOPELESS
    request = (AgentRequest if spec.kind == "agent" else PromptRequest)(
        run_id=context.run_id,
        prompt=text,
        model=UNSET if spec.model is None else spec.model,
        timeout_ms=hook.timeout * 1000,
    )
    return HostLaunch(request=request, timeout=hook.timeout, run_id=context.run_id)


def tool_launch(hook: Hook, spec: ToolSpec, event: Event, context: LaunchContext) -> HostLaunch:
    """The call with ``${dotted.path}`` filled in from the payload.

    A text goes in as it is and any other value as its JSON; a path that leads nowhere becomes empty.
    The result is always a text: what else a path could become is not published.
    """
    given = Raw(spec.input)
    if b"${" in spec.input:
        given = Raw(msgspec.json.encode(_with_values(msgspec.json.decode(spec.input), event.payload)))
    request = CallToolRequest(
        run_id=context.run_id, server=spec.server, tool=spec.tool, input=given, timeout_ms=hook.timeout * 1000
    )
    return HostLaunch(request=request, timeout=hook.timeout, run_id=context.run_id)


def _with_values(value: Any, payload: Raw) -> Any:
    if isinstance(value, str):
        return _IN_INPUT.sub(partial(_value_at, payload), value)
    if isinstance(value, list):
        return [_with_values(item, payload) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {key: _with_values(item, payload) for key, item in cast("dict[str, Any]", value).items()}
    return value


def _value_at(payload: Raw, match: re.Match[str]) -> str:
    at = payload
    for step in match[1].split("."):
        inside = bytes(at)
        if inside.startswith(b"{"):
            found = msgspec.json.decode(inside, type=dict[str, Raw]).get(step)
        elif inside.startswith(b"[") and step.isascii() and step.isdigit():
            items = msgspec.json.decode(inside, type=list[Raw])
            found = items[int(step)] if int(step) < len(items) else None
        else:
            found = None
        if found is None:
            return ""
        at = found
    text = bytes(at).strip()
    return msgspec.json.decode(text, type=str) if text.startswith(b'"') else text.decode()
