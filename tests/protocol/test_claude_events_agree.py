"""Claude Code's events are the published ones, in the published order, wherever they are told."""

from __future__ import annotations

import json
import re
from typing import get_args

import pytest
from tenterhook_protocol.claude_controls import AGENT_TIMEOUT, HANDLER_TYPES, PROMPT_TIMEOUT, ExitTwo
from tenterhook_protocol.claude_events import CLAUDE_EVENTS
from tenterhook_protocol.generate import REPOSITORY
from tenterhook_protocol.generate.event_page import EXIT_TWO_MEANINGS

PAYLOAD_KEYS = {
    "PreToolUse": "tool_name tool_input tool_use_id mcp_server?",
    "PostToolUse": "tool_name tool_input tool_response tool_use_id duration_ms? mcp_server?",
    "PostToolUseFailure": "tool_name tool_input tool_use_id error is_interrupt? duration_ms? mcp_server?",
    "PostToolBatch": "tool_calls",
    "Notification": "message title? notification_type",
    "UserPromptSubmit": "prompt source? session_title?",
    "UserPromptExpansion": "expansion_type command_name command_args command_source? prompt",
    "SessionStart": "source model? session_title? seconds_since_last_response? context_tokens? "
    "prompt_cache_likely_expired? estimated_cache_write_usd?",
    "SessionEnd": "reason",
    "Stop": "stop_hook_active last_assistant_message? background_tasks? session_crons?",
    "StopFailure": "error error_details? last_assistant_message?",
    "SubagentStart": "agent_id agent_type",
    "SubagentStop": "stop_hook_active agent_id agent_transcript_path agent_type last_assistant_message? "
    "background_tasks? session_crons?",
    "PreCompact": "trigger custom_instructions",
    "PostCompact": "trigger compact_summary",
    "PreModelSwitch": "from_model to_model requested_model source context_tokens prompt_cache_warm cache_ttl "
    "estimated_cache_write_usd pricing",
    "PostModelSwitch": "from_model to_model requested_model source context_tokens prompt_cache_warm cache_ttl "
    "estimated_cache_write_usd pricing",
    "PermissionRequest": "tool_name tool_input permission_suggestions? mcp_server?",
    "PermissionDenied": "tool_name tool_input tool_use_id reason mcp_server?",
    "Setup": "trigger",
    "TeammateIdle": "teammate_name team_name",
    "TaskCreated": "task_id task_subject task_description? teammate_name? team_name?",
    "TaskCompleted": "task_id task_subject task_description? teammate_name? team_name?",
    "Elicitation": "mcp_server_name message mode? url? elicitation_id? requested_schema?",
    "ElicitationResult": "mcp_server_name elicitation_id? mode? action content?",
    "ConfigChange": "source file_path?",
    "WorktreeCreate": "name",
    "WorktreeRemove": "worktree_path",
    "InstructionsLoaded": "file_path memory_type load_reason globs? trigger_file_path? parent_file_path?",
    "CwdChanged": "old_cwd new_cwd",
    "FileChanged": "file_path event",
    "DirectoryAdded": "directory source",
    "MessageDisplay": "turn_id message_id index final delta",
    "PreSkillShellCommand": "tool_name tool_input tool_use_id command_name command_source? invoked_by mcp_server?",
}
"""As the type declarations have them, without the keys of every payload. A question mark: may be absent."""

COMMON_KEYS = (
    "session_id transcript_path cwd hook_event_name? projectPath? prompt_id? permission_mode? agent_id? agent_type? "
    "effort? scratchpad_dir?"
)

FOUNDING = {
    "PreToolUse": "tool_name tool_input tool_use_id",
    "PostToolUse": "tool_name tool_input tool_response tool_use_id",
    "PostToolUseFailure": "tool_name tool_input tool_use_id error is_interrupt",
    "Notification": "message title notification_type",
    "UserPromptSubmit": "prompt",
    "SessionStart": "source agent_type model",
    "SessionEnd": "reason",
    "Stop": "stop_hook_active last_assistant_message",
    "StopFailure": "error error_details last_assistant_message",
    "SubagentStart": "agent_id agent_type",
    "SubagentStop": "stop_hook_active agent_id agent_transcript_path agent_type last_assistant_message",
    "PreCompact": "trigger custom_instructions",
    "PostCompact": "trigger compact_summary",
    "PermissionRequest": "tool_name tool_input permission_suggestions",
    "PermissionDenied": "tool_name tool_input tool_use_id reason",
    "Setup": "trigger",
    "TeammateIdle": "teammate_name team_name",
    "TaskCreated": "task_id task_subject task_description teammate_name team_name",
    "TaskCompleted": "task_id task_subject task_description teammate_name team_name",
    "Elicitation": "mcp_server_name message mode url elicitation_id requested_schema",
    "ElicitationResult": "mcp_server_name elicitation_id mode action content",
    "ConfigChange": "source file_path",
    "WorktreeCreate": "name",
    "WorktreeRemove": "worktree_path",
    "InstructionsLoaded": "file_path memory_type load_reason globs trigger_file_path parent_file_path",
    "CwdChanged": "old_cwd new_cwd",
    "FileChanged": "file_path event",
}
"""The 27 events of the founding table with their own payload fields."""

FOUNDING_BASE = {"session_id", "transcript_path", "cwd", "permission_mode", "agent_id", "agent_type", "hook_event_name"}

SCHEMA = json.loads((REPOSITORY / "protocol/schema/messages.schema.json").read_text(encoding="utf-8"))["$defs"]
METHODS = json.loads((REPOSITORY / "protocol/schema/methods.json").read_text(encoding="utf-8"))
PAGE = (REPOSITORY / "docs/claude-code-events.md").read_text(encoding="utf-8")


def _keys(words: str) -> dict[str, bool]:
    """Key to whether it is required."""
    return {word.rstrip("?"): not word.endswith("?") for word in words.split()}


def _keys_of_schema(name: str) -> dict[str, bool]:
    return {key: key in SCHEMA[name]["required"] for key in SCHEMA[name]["properties"]}


def test_the_declaration_is_the_published_list() -> None:
    assert list(CLAUDE_EVENTS) == list(PAYLOAD_KEYS)


@pytest.mark.parametrize("name", PAYLOAD_KEYS)
def test_the_schema_of_a_payload_has_the_published_keys(name: str) -> None:
    assert _keys_of_schema(name) == _keys(COMMON_KEYS) | _keys(PAYLOAD_KEYS[name])


@pytest.mark.parametrize("name", FOUNDING)
def test_every_key_of_the_founding_table_is_still_taken(name: str) -> None:
    # claude-plugins-official#544: rules that read keys which no host sends never match.
    assert FOUNDING_BASE | set(FOUNDING[name].split()) <= set(_keys_of_schema(name))


def test_the_seven_newer_events_are_the_only_ones_beyond_the_founding_table() -> None:
    assert set(CLAUDE_EVENTS) - set(FOUNDING) == {
        "UserPromptExpansion",
        "PostToolBatch",
        "PreModelSwitch",
        "PostModelSwitch",
        "DirectoryAdded",
        "MessageDisplay",
        "PreSkillShellCommand",
    }
    assert len(FOUNDING) == 27


@pytest.mark.parametrize("name", CLAUDE_EVENTS)
def test_a_matcher_is_tested_against_a_key_of_the_payload_that_is_a_text(name: str) -> None:
    key = CLAUDE_EVENTS[name].matches
    assert key is None or (SCHEMA[name]["properties"][key]["type"] == "string" and key in SCHEMA[name]["required"])


def test_the_method_file_tells_the_same() -> None:
    assert [(event["name"], event["type"], event["payload"]) for event in METHODS["events"]] == [
        (event.name, event.type, event.payload.__name__) for event in CLAUDE_EVENTS.values()
    ]


def test_the_method_file_has_the_timeout_of_every_handler_type_that_runs() -> None:
    told = {event["name"]: event["types"] for event in METHODS["events"]}
    assert told["PreToolUse"] == {"command": 600, "http": 600, "mcp_tool": 600, "prompt": 30, "agent": 60}
    assert told["SessionStart"] == {"command": 600, "mcp_tool": 600}
    assert told["MessageDisplay"] == {"command": 10, "http": 10, "mcp_tool": 10}


def test_typescript_tells_the_same() -> None:
    text = (REPOSITORY / "protocol/typescript/protocol.ts").read_text(encoding="utf-8")
    body = text.split("export interface ClaudeEvents {\n", 1)[1].split("\n}", 1)[0]
    assert re.findall(r"^  (\w+): (\w+);$", body, flags=re.MULTILINE) == [(name, name) for name in PAYLOAD_KEYS]
    assert set(re.findall(r"^export interface (\w+) ", text, flags=re.MULTILINE)) >= set(PAYLOAD_KEYS)


def test_the_tables_tell_the_same() -> None:
    text = (REPOSITORY / "protocol/spec/tables.md").read_text(encoding="utf-8")
    section = text.split("## Claude Code events\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*?) \|", section, flags=re.MULTILINE)
    assert [(name, hook_type) for name, hook_type, _ in rows] == [
        (name, event.type) for name, event in CLAUDE_EVENTS.items()
    ]
    for name, _, keys in rows:
        assert set(re.findall(r"`(\w+)`", keys)) == set(_keys(PAYLOAD_KEYS[name]))


def test_every_table_of_the_page_has_every_event_once() -> None:
    tables = PAGE.split("\n## ")[1:]
    listed = [re.findall(r"^\| `([A-Z]\w+)` \|", table, flags=re.MULTILINE) for table in tables]
    assert [rows for rows in listed if rows] == [list(PAYLOAD_KEYS)] * 4


def test_every_column_of_the_page_is_explained_in_one_sentence() -> None:
    for table in PAGE.split("\n## ")[1:]:
        heads = re.search(r"^\| event \| (.*) \|$", table, flags=re.MULTILINE)
        if heads is not None:
            explained = re.findall(r"^- (.*?): [A-Z].*\.$", table, flags=re.MULTILINE)
            assert explained == heads[1].split(" | ")


def test_every_effect_of_exit_code_two_is_explained_and_used() -> None:
    assert list(EXIT_TWO_MEANINGS) == list(get_args(ExitTwo))
    assert {event.exit_two for event in CLAUDE_EVENTS.values()} == set(EXIT_TWO_MEANINGS)


def test_model_handlers_have_the_same_time_at_every_event() -> None:
    assert {event.default_timeout("prompt") for event in CLAUDE_EVENTS.values()} == {PROMPT_TIMEOUT} == {30.0}
    assert {event.default_timeout("agent") for event in CLAUDE_EVENTS.values()} == {AGENT_TIMEOUT} == {60.0}


def test_no_event_runs_a_type_twice_or_one_that_does_not_exist() -> None:
    for event in CLAUDE_EVENTS.values():
        assert event.types == tuple(handler for handler in HANDLER_TYPES if handler in event.types)
