"""Launch and read, in memory: what is started, what is refused, and what an outcome means."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import permutations
from typing import Any, cast

import pytest
from msgspec import Raw, structs
from tenterhook.dialects.base import Counters, LaunchContext
from tenterhook.dialects.claude_code.specs import PluginRef
from tenterhook.dialects.ecc.dialect import ECC
from tenterhook.dialects.ecc.payload import HIGHEST_LIMIT
from tenterhook.dialects.ecc.specs import EccSpec
from tenterhook.dialects.ecc.warm import HOST
from tenterhook.model import Answer, Event, Hook, Judged, Origin, Outcome, ProcessLaunch, RefusedLaunch, WorkerLaunch
from tenterhook_protocol.base import UNSET

PAYLOAD = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "npm run dev"}}
BIG = {"tool_name": "Bash", "tool_input": {"command": "x" * HIGHEST_LIMIT}}


def hook(script: str = "scripts/hooks/x.js", **more: Any) -> Hook:
    spec = EccSpec(
        command="node -e ...",
        plugin=PluginRef("ecc", "/plugin", "/data"),
        root="/plugin",
        hook_id="pre:x",
        script=script,
        shape="bootstrap",
        **more,
    )
    return Hook(
        id="ecc:pre:x",
        name="pre:x",
        system="ecc",
        point="PreToolUse",
        type="command",
        spec=spec,
        timeout=5,
        origin=Origin(layer="plugin:ecc", path="/plugin/hooks/hooks.json", line=1, column=1),
        fields={},
    )


def event(payload: Any = PAYLOAD, point: str = "PreToolUse", subject: str = "Bash") -> Event:
    written = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return Event(
        id="e",
        system="claude-code",
        point=point,
        mode="decide",
        payload=Raw(written),
        project="/p",
        session="s",
        subject=subject,
    )


def context(**environment: str) -> LaunchContext:
    return LaunchContext(run_id="r", environment=environment, home="/home", version="0", scratch="/tmp/x")


def launched(of: Hook, happened: Event, **environment: str) -> ProcessLaunch:
    """How it is started where there are no workers."""
    launch = ECC.launch(of, happened, context(**environment))
    assert isinstance(launch, WorkerLaunch)
    return launch.one_shot


def read(stdout: bytes = b"", *, exit_code: int = 0, payload: Any = PAYLOAD, stderr: bytes = b"") -> Answer:
    status = "ok" if exit_code == 0 else "failed"
    outcome = Outcome(status=status, exit_code=exit_code, stdout=stdout, stderr=stderr)
    return ECC.read(hook(), event(payload), outcome, context())


def kind(answer: Answer) -> str | None:
    return None if answer.decision is None or answer.decision.decision is UNSET else answer.decision.decision


def test_a_script_is_called_by_the_host_program_with_the_payload_and_ecc_s_variables() -> None:
    launch = launched(hook(mode="audit"), event(point="PostToolUse"), PATH="/bin", CLAUDE_HOOK_EVENT_NAME="Stop")
    assert launch.argv == ("node", HOST, "/plugin", "scripts/hooks/x.js", "audit", "open")
    assert launch.stdin == json.dumps(PAYLOAD).encode()
    wanted = {
        "PATH": "/bin",
        "CLAUDE_PLUGIN_ROOT": "/plugin",
        "ECC_PLUGIN_ROOT": "/plugin",
        "ECC_HOOK_ID": "pre:x",
        "ECC_HOOK_INPUT_TRUNCATED": "0",
        "ECC_HOOK_INPUT_MAX_BYTES": str(HIGHEST_LIMIT),
        "CLAUDE_HOOK_EVENT_NAME": "PostToolUse",
        "TENTERHOOK_RUN_ID": "r",
    }
    assert {name: launch.env.get(name) for name in wanted} == wanted


def test_a_hook_that_guards_nothing_gets_a_cut_payload_and_is_told() -> None:
    launch = launched(hook(), event(BIG))
    assert len(bytes(launch.stdin)) == HIGHEST_LIMIT
    assert launch.env["ECC_HOOK_INPUT_TRUNCATED"] == "1"


def test_a_worker_is_asked_for_the_same_and_nothing_of_an_event_is_in_its_own_environment() -> None:
    around = context(PATH="/bin", OTEL_X="1", ECC_HOOK_ID="older")
    launches = [ECC.launch(hook(), event(payload), around) for payload in (b"{broken\n\xff", PAYLOAD)]
    asked = [launch for launch in launches if isinstance(launch, WorkerLaunch)]
    assert len({(launch.argv, tuple(launch.env.items()), launch.cwd) for launch in asked}) == 1
    assert asked[0].env == {"PATH": "/bin", "OTEL_X": "1", "ECC_HOOK_ID": "older"}
    call = asked[0].call
    assert (call["root"], call["script"], call["point"]) == ("/plugin", "scripts/hooks/x.js", "PreToolUse")
    assert call["text"] == "{broken\n\ufffd"
    changes = cast("dict[str, str | None]", call["env"])
    assert {name: changes.get(name, "same") for name in ("PATH", "OTEL_X", "ECC_HOOK_ID", "TENTERHOOK_RUN_ID")} == {
        "PATH": "same",
        "OTEL_X": None,
        "ECC_HOOK_ID": "pre:x",
        "TENTERHOOK_RUN_ID": "same",  # its own mark stays, by which strays are found
    }


def test_hooks_that_nobody_waits_for_take_no_worker_from_others() -> None:
    launches = [ECC.launch(structs.replace(hook(), background=late), event(), context()) for late in (True, False)]
    assert len({launch.argv for launch in launches if isinstance(launch, WorkerLaunch)}) == 2


@pytest.mark.parametrize("script", ["../out.js", "/etc/out.js", "scripts/../../out.js", "../plugin-evil/s.js", "", "."])
def test_a_script_outside_the_plugin_is_refused_and_decides_nothing(script: str) -> None:
    launch = ECC.launch(hook(script), event(), context())
    assert isinstance(launch, RefusedLaunch)
    answer = ECC.read(hook(script), event(), Outcome(status="notStarted", error=launch.reason), context())
    assert (answer.status, kind(answer)) == ("notStarted", None)


@pytest.mark.parametrize(
    ("script", "subject", "environment", "denied"),
    [
        ("config-protection.js", "Write", {}, True),
        ("block-no-verify.js", "Bash", {}, True),
        ("gateguard-fact-force.js", "Edit", {}, True),
        ("gateguard-fact-force.js", "Edit", {"ECC_GATEGUARD": " Off "}, False),
        ("gateguard-fact-force.js", "Edit", {"ECC_GATEGUARD": "no"}, True),
        ("gateguard-fact-force.js", "Edit", {"GATEGUARD_DISABLED": "1"}, False),
        ("mcp-health-check.js", "mcp__srv__t", {}, True),
        ("mcp-health-check.js", "Write", {}, False),
        ("mcp-health-check.js", "mcp__srv__t", {"ECC_MCP_HEALTH_FAIL_OPEN": "yes"}, False),
        ("doc-file-warning.js", "Write", {}, False),
    ],
)
def test_a_safety_hook_denies_what_it_cannot_see_whole(
    script: str, subject: str, environment: Mapping[str, str], *, denied: bool
) -> None:
    guard, happened = hook(f"scripts/hooks/{script}"), event(BIG, subject=subject)
    launch = ECC.launch(guard, happened, context(**environment))
    assert isinstance(launch, RefusedLaunch) == denied
    if isinstance(launch, RefusedLaunch):
        answer = ECC.read(guard, happened, Outcome(status="notStarted", error=launch.reason), context(**environment))
        assert (kind(answer), answer.decision is not None) == ("deny", True)


def test_a_lower_limit_cuts_sooner_and_a_wrong_one_is_told() -> None:
    assert launched(hook(), event(), ECC_HOOK_INPUT_MAX_BYTES="10").env["ECC_HOOK_INPUT_TRUNCATED"] == "1"
    answer = ECC.read(hook(), event(), Outcome(status="ok", exit_code=0), context(ECC_HOOK_INPUT_MAX_BYTES="ten"))
    assert ["ECC_HOOK_INPUT_MAX_BYTES" in warning for warning in answer.warnings] == [True]


CHANGED = {**PAYLOAD, "tool_input": {"command": "tmux new-session -d 'npm run dev'"}}


@pytest.mark.parametrize(
    "stdout",
    [
        json.dumps(PAYLOAD).encode(),
        json.dumps(PAYLOAD).encode() + b"\n",
        json.dumps(PAYLOAD, separators=(",", ":")).encode(),
        json.dumps(CHANGED).encode(),
        json.dumps({**CHANGED, "more": 1}).encode(),
        b"",
    ],
)
@pytest.mark.parametrize(("exit_code", "expected"), [(0, None), (2, "deny")])
def test_an_echo_of_the_input_is_no_opinion_and_hides_no_block(
    stdout: bytes, exit_code: int, expected: str | None
) -> None:
    answer = read(stdout, exit_code=exit_code, stderr=b"NO")
    assert (kind(answer), answer.warnings) == (expected, ())


def test_an_echo_that_was_cut_is_no_opinion_either() -> None:
    assert read(json.dumps(BIG).encode()[:65536], payload=BIG) == Answer(status="ok")


@pytest.mark.parametrize(
    "more",
    [
        {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}},
        {"decision": "block"},
    ],
)
def test_an_answer_that_also_holds_the_input_is_an_answer(more: Mapping[str, Any]) -> None:
    assert kind(read(json.dumps({**PAYLOAD, **more}).encode())) == "deny"


def test_an_answer_about_something_else_is_no_echo() -> None:
    denial = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}
    assert kind(read(json.dumps(denial).encode())) == "ask"


def test_a_crash_of_a_hook_decides_nothing() -> None:
    answer = read(exit_code=1, stderr=b"boom")
    assert (answer.status, kind(answer)) == ("failed", None)


def test_a_plain_text_at_the_start_of_a_session_is_context_and_an_echo_is_not() -> None:
    payload = {"session_id": "s", "hook_event_name": "SessionStart", "source": "startup"}
    start = structs.replace(hook(), point="SessionStart")
    for stdout, injected in ((b"remember", True), (json.dumps(payload).encode(), False)):
        outcome = Outcome(status="ok", exit_code=0, stdout=stdout)
        answer = ECC.read(start, event(payload, "SessionStart", "startup"), outcome, context())
        assert (answer.decision is not None) == injected


WORDS: Mapping[str, Outcome] = {
    "deny": Outcome(
        status="ok",
        exit_code=0,
        stdout=b'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}',
    ),
    "context": Outcome(
        status="ok",
        exit_code=0,
        stdout=b'{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"a reminder"}}',
    ),
    "allow": Outcome(
        status="ok",
        exit_code=0,
        stdout=b'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{}}}',
    ),
    "rewriting": Outcome(status="ok", exit_code=0, stdout=json.dumps(CHANGED).encode()),
    "crash": Outcome(status="failed", exit_code=1, stderr=b"boom", error="exited with code 1"),
}


@pytest.mark.parametrize("order", list(permutations(WORDS)), ids=" ".join)
def test_a_denial_is_weakened_by_no_context_no_rewriting_and_no_order(order: tuple[str, ...]) -> None:
    hooks = [structs.replace(hook(), id=f"ecc:{word}") for word in order]
    answers = [
        Judged(of, ECC.read(of, event(), WORDS[word], context()), rank)
        for rank, (of, word) in enumerate(zip(hooks, order, strict=True))
    ]
    decision = ECC.join("PreToolUse", "decide", answers, Counters()).decision
    assert decision is not None
    assert (decision.decision, decision.injection, decision.modified_input) == ("deny", "a reminder", UNSET)
