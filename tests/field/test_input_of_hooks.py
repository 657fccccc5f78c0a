"""Faults from the field: what reaches a hook on its stdin, and hooks that never look at it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from engine import now, raw
from field.real import block, command, real_engine
from tenterhook_protocol.claude_events import CLAUDE_EVENTS
from tenterhook_protocol.generate import REPOSITORY
from tenterhook_protocol.hooks import EmitDecisionParams, EmitParams, ExplainParams

BASH: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
ALLOW = """printf '{"decision":"approve"}'"""


@pytest.mark.parametrize(
    ("line", "size", "times"),
    [
        ("echo '{}'", 1_000_000, 40),  # google-gemini/gemini-cli#14231, mastra-ai/mastra#21796
        ("exit 0", 200_000, 40),  # indigoai-us/hq-core#286
        ('[ -z "$X" ] && exit 0', 1, 40),  # reddb-io/red-skills#2228
    ],
)
async def test_a_hook_that_ends_without_reading_has_no_fault(tmp_path: Path, line: str, size: int, times: int) -> None:
    async with real_engine(tmp_path, {"PreToolUse": command(line)}) as engine:
        runs = [
            await engine.one_run("PreToolUse", tool_name="Bash", tool_input={"x": "x" * size}) for _ in range(times)
        ]
    assert {(run.status, run.exit_code) for run in runs} == {("ok", 0)}


async def test_an_allow_that_was_said_without_reading_counts_every_time(tmp_path: Path) -> None:
    """alphaonedev/ai-memory-mcp#3900: denied most of the time under load."""
    async with real_engine(tmp_path, {"PreToolUse": command(ALLOW, onFailure="block")}) as engine:
        events = (engine.decision("PreToolUse", tool_name="Bash", tool_input={"x": "x" * 70_000}) for _ in range(60))
        decisions = await asyncio.gather(*events)
    assert {decision.decision for decision in decisions} == {"allow"}


async def test_a_large_payload_reaches_the_hook_whole(tmp_path: Path) -> None:
    """exospherehost/failproofai#169, vshulcz/deja-vu#1716: this engine cuts no payload, so none needs a mark."""
    async with real_engine(tmp_path, {"PostToolUse": command("cat > seen")}) as engine:
        params = engine.claude("PostToolUse", **BASH, tool_response={"out": "x" * 1_200_000})
        await now(engine.service.decide(params))
    assert (engine.project / "seen").read_bytes() == bytes(params.payload) + b"\n"


TEXTS = [
    ("".join(map(chr, range(0x20))) + "\x7f\u2028\u2029\ufeff", "anthropics/claude-code#53463"),
    ("日本語🙂" * 6000, "openai/codex#23784"),
]


@pytest.mark.parametrize(("text", "ref"), TEXTS, ids=[row[1] for row in TEXTS])
async def test_every_character_of_a_payload_reaches_the_hook_as_it_was_sent(
    tmp_path: Path, text: str, ref: str
) -> None:
    async with real_engine(tmp_path, {"UserPromptSubmit": command("cat > seen")}) as engine:
        await engine.decision("UserPromptSubmit", prompt=text)
    assert json.loads((engine.project / "seen").read_bytes())["prompt"] == text, ref


async def test_a_byte_order_mark_before_an_answer_is_read_over(tmp_path: Path) -> None:
    """mksglu/context-mode#139. Before a message of the host it is a parse error on purpose: JSON-RPC has none."""
    async with real_engine(tmp_path, {"PreToolUse": command(r"printf '\357\273\277'; " + block("bom"))}) as engine:
        assert (await engine.decision("PreToolUse", **BASH)).reason == "bom"


async def test_what_the_host_says_of_a_stop_reaches_the_hook(tmp_path: Path) -> None:
    """QwenLM/qwen-code#11610 (stop_hook_active): the host knows whether a turn goes on; the engine never changes it."""
    line = f"grep -q '\"stop_hook_active\": true' || {block('more')}"
    async with real_engine(tmp_path, {"Stop": command(line)}) as engine:
        first = await engine.decision("Stop", stop_hook_active=False)
        second = await engine.decision("Stop", stop_hook_active=True)
    assert (first.decision, second.decision is first.decision) == ("continue", False)


async def test_a_payload_of_another_system_matches_nothing_and_the_reason_says_so(tmp_path: Path) -> None:
    """yvgude/lean-ctx#551, ilovepixelart/pi-code#42: names are mapped by the host, which alone knows its tools."""
    async with real_engine(tmp_path, {"PreToolUse": command("true", matcher="Bash")}) as engine:
        foreign = {"toolName": "run_in_terminal", "toolArgs": '{"command":"ls"}'}
        assert (await engine.decision("PreToolUse", **foreign)).runs == []
        params = engine.claude("PreToolUse", **foreign)
        plan = engine.service.explain(ExplainParams(point="PreToolUse", payload=params.payload))
    assert ["the event names no tool" in one.reason.message for one in plan.left_out] == [True]


MATCHED: list[tuple[str, str, dict[str, Any], int]] = [
    ("PreCompact", "auto", {"trigger": "auto"}, 1),
    ("PreCompact", "auto", {"trigger": "threshold"}, 0),
    ("PreToolUse", "mcp__github__.*", {"tool_name": "mcp__github__x", "tool_input": {}}, 1),
    ("PreToolUse", "mcp__github__.*", {"tool_name": "github_x", "tool_input": {}}, 0),
]


@pytest.mark.parametrize(("event", "matcher", "keys", "runs"), MATCHED)
async def test_a_matcher_means_the_names_of_its_own_system(
    tmp_path: Path, event: str, matcher: str, keys: dict[str, Any], runs: int
) -> None:
    """ilovepixelart/pi-code#42."""
    async with real_engine(tmp_path, {event: command("true", matcher=matcher)}) as engine:
        assert len((await engine.decision(event, **keys)).runs or []) == runs


async def test_a_point_of_one_system_never_runs_the_other_s_hooks(tmp_path: Path) -> None:
    """muxy-app/muxy#877: the same guard in both files is run once for an event, for events belong to one system."""
    async with real_engine(tmp_path, {"PreToolUse": command("echo c >> ran")}) as engine:
        engine.hooks(
            '{"hooks": [{"name": "g", "point": "tool.approval.pre", "type": "decision",'
            ' "command": "sh", "args": ["-c", "echo y >> ran"]}]}'
        )
        engine.load()
        await engine.decision("PreToolUse", **BASH)
        payload = raw({"projectPath": str(engine.project), "toolName": "bash", "args": {}})
        await now(engine.service.emit(EmitParams(point="agent.turn.end", payload=payload)))
    assert (engine.project / "ran").read_text(encoding="utf-8") == "c\n"


@pytest.mark.parametrize("point", CLAUDE_EVENTS)
async def test_a_hook_sees_the_keys_that_its_event_is_documented_with(tmp_path: Path, point: str) -> None:
    """anthropics/claude-plugins-official#544: rules read ``user_prompt`` where the host says ``prompt``.

    The examples are checked against the published keys elsewhere; here they come to a hook as they were sent.
    """
    path = REPOSITORY / "protocol" / "examples" / point / "as-the-host-sends-it.json"
    sent = {**json.loads(path.read_text(encoding="utf-8"))["value"], "projectPath": str(tmp_path / "project")}
    async with real_engine(tmp_path, {point: command('cat > "$CLAUDE_PROJECT_DIR/seen"')}) as engine:
        params = EmitDecisionParams(point=point, payload=raw(sent))
        await now(engine.service.decide(params))
        await engine.service.close()
    assert json.loads((tmp_path / "project" / "seen").read_bytes()) == sent
