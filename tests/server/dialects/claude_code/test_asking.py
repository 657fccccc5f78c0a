"""What http, prompt, agent and mcp_tool handlers send."""

from __future__ import annotations

import json

import pytest
from msgspec import UNSET
from server.dialects.claude_code.judging import CONTEXT, PLUGIN, context, event, hook
from tenterhook.dialects.base import LaunchContext
from tenterhook.dialects.claude_code.launch import launch_hook
from tenterhook.dialects.claude_code.specs import AskSpec, HttpSpec, ToolSpec
from tenterhook.model import HostLaunch, HttpLaunch
from tenterhook_protocol.host import AgentRequest, CallToolRequest, PromptRequest


def sent(spec: HttpSpec, where: LaunchContext = CONTEXT) -> HttpLaunch:
    launch = launch_hook(hook(spec=spec), event(), where)
    assert isinstance(launch, HttpLaunch)
    return launch


def test_a_request_carries_the_payload_as_it_came() -> None:
    launch = sent(HttpSpec(url="https://x.example/", allowed_urls=("https://x.example/*",)))
    assert (launch.url, launch.allowed_urls) == ("https://x.example/", ("https://x.example/*",))
    assert launch.headers == (("Content-Type", "application/json"),)
    assert launch.body is not None
    assert bytes(launch.body) == bytes(event().payload)


@pytest.mark.parametrize(
    ("written", "value", "warns"),
    [
        ("Bearer $TOKEN", "Bearer t0p", None),
        ("Bearer ${TOKEN}.x", "Bearer t0p.x", None),
        ("$OTHER", "", "allowedEnvVars does not allow it"),
        ("$UNSET_ONE", "", "it is not set"),
        ("$BAD", "aX-Evil: 1", "line breaks or NUL"),
        ("a\r\nX: 1\0", "aX: 1", "line breaks or NUL"),
        ("costs 5$", "costs 5$", None),
        ("$CLAUDE_PLUGIN_OPTION_API_KEY", "s3cret", None),
    ],
)
def test_variables_in_headers_are_filled_in_where_they_are_allowed(written: str, value: str, warns: str | None) -> None:
    """anthropics/claude-code#81742 wants no half header; the contract settles it: empty, and the run is warned."""
    allowed = ("TOKEN", "UNSET_ONE", "BAD", "CLAUDE_PLUGIN_OPTION_API_KEY")
    spec = HttpSpec(url="https://x", headers=(("X", written),), variables=allowed, plugin=PLUGIN)
    launch = sent(spec, context(TOKEN="t0p", OTHER="hidden", BAD="a\r\nX-Evil: 1"))
    assert launch.headers[1] == ("X", value)
    assert bool(launch.warnings) is (warns is not None)
    for warning in launch.warnings:
        assert warns is not None
        assert warns in warning
        assert not any(secret in warning for secret in ("t0p", "hidden", "s3cret", "Evil"))


def test_headers_that_follow_from_the_body_are_not_the_hooks_business() -> None:
    given = (("content-length", "1"), ("Transfer-Encoding", "chunked"), ("content-type", "text/x"))
    launch = sent(HttpSpec(url="https://x", headers=given))
    assert launch.headers == (("content-type", "text/x"),)
    assert len(launch.warnings) == 2


def asked(spec: AskSpec | ToolSpec, payload: dict[str, object] | None = None) -> HostLaunch:
    launch = launch_hook(hook(spec=spec, timeout=30.0), event(payload=payload), CONTEXT)
    assert isinstance(launch, HostLaunch)
    return launch


PAYLOAD = bytes(event().payload).decode()


@pytest.mark.parametrize(
    ("prompt", "begins"),
    [
        ("Judge $ARGUMENTS now", f"Judge {PAYLOAD} now\n"),
        ("$ARGUMENTS$ARGUMENTS", f"{PAYLOAD}{PAYLOAD}\n"),
        ("Judge", f"Judge\n\n{PAYLOAD}\n"),
        (r"Costs \$5, \$ARGUMENTS", f"Costs $5, $ARGUMENTS\n\n{PAYLOAD}\n"),
        ("$ARGUMENTS_X", f"$ARGUMENTS_X\n\n{PAYLOAD}\n"),
    ],
)
def test_a_prompt_gets_the_payload(prompt: str, begins: str) -> None:
    request = asked(AskSpec(kind="prompt", prompt=prompt)).request
    assert type(request) is PromptRequest
    assert request.prompt.startswith(begins)
    assert '"impossible": true' in request.prompt
    assert (request.timeout_ms, request.model) == (30_000.0, UNSET)


def test_an_agent_is_asked_in_the_same_way() -> None:
    request = asked(AskSpec(kind="agent", prompt="Look", model="small")).request
    assert type(request) is AgentRequest
    assert request.model == "small"
    assert '{"ok": true}' in request.prompt
    assert "impossible" not in request.prompt


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("tool_input.command", 'a "b"'),
        ("tool_input.flags.1", "y"),
        ("tool_input.count", "1.10"),
        ("tool_input", '{"command": "a \\"b\\"", "flags": ["x", "y"], "count": "1.10"}'),
        ("tool_input.nope", ""),
        ("tool_input.flags.9", ""),
        ("tool_input.command.x", ""),
        ("stop", "true"),
    ],
)
def test_a_tool_gets_values_of_the_payload_as_texts(path: str, text: str) -> None:
    payload: dict[str, object] = {
        "tool_input": {"command": 'a "b"', "flags": ["x", "y"], "count": "1.10"},
        "stop": True,
    }
    given = json.dumps({"a": ["<${" + path + "}>", 1], "${stop}": None}).encode()
    request = asked(ToolSpec(server="s", tool="t", input=given), payload).request
    assert isinstance(request, CallToolRequest)
    assert json.loads(bytes(request.input)) == {"a": [f"<{text}>", 1], "${stop}": None}


def test_an_input_without_paths_keeps_its_bytes() -> None:
    request = asked(ToolSpec(server="s", tool="t", input=b'{"b": 1.10,"a":[]}')).request
    assert isinstance(request, CallToolRequest)
    assert (request.server, request.tool, bytes(request.input)) == ("s", "t", b'{"b": 1.10,"a":[]}')
