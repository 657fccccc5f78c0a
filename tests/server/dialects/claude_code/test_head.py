"""What the engine reads of a payload, and the one key that it adds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw
from tenterhook.dialects.base import Head
from tenterhook.dialects.claude_code.head import canonical_model, read_head
from tenterhook.errors import BadParams
from tenterhook_protocol.claude_events import CLAUDE_EVENTS
from tenterhook_protocol.generate import REPOSITORY

EXAMPLES = REPOSITORY / "protocol" / "examples"
SESSION = "5b1f8a52-6d1c-4d0e-9a57-0c4f6c1e2a90"
CWD = "/home/ada/shop"

SUBJECTS = {
    "PreToolUse": "Bash",
    "PostToolUse": "Bash",
    "PostToolUseFailure": "Bash",
    "PostToolBatch": None,
    "Notification": "permission_prompt",
    "UserPromptSubmit": None,
    "UserPromptExpansion": "review",
    "SessionStart": "resume",
    "SessionEnd": "prompt_input_exit",
    "Stop": None,
    "StopFailure": "rate_limit",
    "SubagentStart": "code-reviewer",
    "SubagentStop": "code-reviewer",
    "PreCompact": "auto",
    "PostCompact": "manual",
    "PreModelSwitch": "claude-opus-5",
    "PostModelSwitch": "claude-opus-5",
    "PermissionRequest": "Bash",
    "PermissionDenied": "Bash",
    "Setup": "init",
    "TeammateIdle": None,
    "TaskCreated": None,
    "TaskCompleted": None,
    "Elicitation": "tickets",
    "ElicitationResult": "tickets",
    "ConfigChange": "project_settings",
    "WorktreeCreate": None,
    "WorktreeRemove": None,
    "InstructionsLoaded": "path_glob_match",
    "CwdChanged": None,
    "FileChanged": ".envrc",
    "DirectoryAdded": "slash_command",
    "MessageDisplay": None,
    "PreSkillShellCommand": "Bash",
}
"""What matchers are tested against in each event's example."""

EVENTS = list(SUBJECTS)
MATCHING = [name for name in EVENTS if CLAUDE_EVENTS[name].matches is not None]

Read = tuple[str | None, str | None, str | None, str | None, bytes | None]


def _read(point: str, payload: bytes) -> Read:
    """Project, session, subject, folder, and the payload where it was changed."""
    head: Head = read_head(point, Raw(payload))
    return head.project, head.session, head.subject, head.cwd, None if head.payload is None else bytes(head.payload)


def _example(point: str) -> dict[str, object]:
    path: Path = EXAMPLES / point / "as-the-host-sends-it.json"
    return json.loads(path.read_text(encoding="utf-8"))["value"]


def _bytes(value: object) -> bytes:
    return json.dumps(value).encode()


def _key(point: str) -> str:
    key = CLAUDE_EVENTS[point].matches
    assert key is not None
    return key


def test_the_table_of_this_file_leaves_no_event_out() -> None:
    assert list(CLAUDE_EVENTS) == EVENTS


@pytest.mark.parametrize("point", EVENTS)
def test_session_folder_and_subject_are_read_and_the_payload_is_left_alone(point: str) -> None:
    assert _read(point, _bytes(_example(point))) == (None, SESSION, SUBJECTS[point], CWD, None)


@pytest.mark.parametrize("point", EVENTS)
def test_a_payload_may_name_its_project(point: str) -> None:
    payload = _bytes(_example(point) | {"projectPath": "/home/ada/shop"})
    assert _read(point, payload)[0] == "/home/ada/shop"


@pytest.mark.parametrize("point", EVENTS)
def test_an_event_name_that_is_missing_is_added_and_every_other_byte_stays(point: str) -> None:
    value = _example(point)
    del value["hook_event_name"]
    written = _bytes(value | {"n": 1})[:-1] + b' , "x" : 1.50e+2 \n}\t'
    project, session, subject, cwd, payload = _read(point, written)
    assert (project, session, subject, cwd) == (None, SESSION, SUBJECTS[point], CWD)
    assert payload is not None
    assert payload == written[: written.rindex(b"}")] + f',"hook_event_name":"{point}"'.encode() + b"}\t"
    assert json.loads(payload)["hook_event_name"] == point


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (b"{}", b'{"hook_event_name":"Stop"}'),
        (b" { } \n", b' { "hook_event_name":"Stop"} \n'),
        (b'{"a":{}}', b'{"a":{},"hook_event_name":"Stop"}'),
        (b'{"a":"{"}', b'{"a":"{","hook_event_name":"Stop"}'),
        (b'{"a":"}"}', b'{"a":"}","hook_event_name":"Stop"}'),
        (b'{"a":{"hook_event_name":"Stop"}}', b'{"a":{"hook_event_name":"Stop"},"hook_event_name":"Stop"}'),
        (b'{"b":1,"a":12345678901234567890123.10}', b'{"b":1,"a":12345678901234567890123.10,"hook_event_name":"Stop"}'),
    ],
)
def test_where_the_event_name_is_put(written: bytes, told: bytes) -> None:
    assert _read("Stop", written)[4] == told


@pytest.mark.parametrize("point", EVENTS)
@pytest.mark.parametrize("other", ['"Other"', '""', '"stop"', "null", "1", "true", "[]", "{}", '["PreToolUse"]'])
def test_a_payload_that_names_another_event_is_refused(point: str, other: str) -> None:
    with pytest.raises(BadParams, match=rf"^payload\.hook_event_name must be '{point}' as the point is, not "):
        _read(point, f'{{"session_id": "s", "hook_event_name": {other}}}'.encode())


def test_the_last_of_two_event_names_counts() -> None:
    assert _read("Stop", b'{"hook_event_name": "Start", "hook_event_name": "Stop"}')[4] is None
    with pytest.raises(BadParams):
        _read("Stop", b'{"hook_event_name": "Stop", "hook_event_name": "Start"}')


ODD = ["1", "true", "1.5", "[]", "{}", '["a"]', "1e999", "9" * 500]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("key", ["session_id", "cwd", "projectPath"])
@pytest.mark.parametrize("point", EVENTS)
def test_a_key_of_a_wrong_type_that_says_where_an_event_belongs_is_named(point: str, key: str, odd: str) -> None:
    with pytest.raises(BadParams, match=rf"^payload\.{key} must be a string$"):
        _read(point, f'{{"hook_event_name": "{point}", "{key}": {odd}}}'.encode())


@pytest.mark.parametrize("odd", [*ODD, "null"])
@pytest.mark.parametrize("point", MATCHING)
def test_a_subject_of_a_wrong_type_names_nothing_and_refuses_no_event(point: str, odd: str) -> None:
    written = f'{{"session_id": "s", "cwd": "/c", "hook_event_name": "{point}", "{_key(point)}": {odd}}}'.encode()
    assert _read(point, written) == (None, "s", None, "/c", None)


@pytest.mark.parametrize("point", MATCHING)
def test_a_subject_of_a_wrong_type_does_not_keep_the_event_name_from_being_added(point: str) -> None:
    written = f'{{"session_id": "s", "{_key(point)}": 3}}'.encode()
    told = written[:-1] + f',"hook_event_name":"{point}"}}'.encode()
    assert _read(point, written) == (None, "s", None, None, told)


@pytest.mark.parametrize("point", EVENTS)
def test_null_counts_as_absent(point: str) -> None:
    written = f'{{"hook_event_name": "{point}", "session_id": null, "cwd": null, "projectPath": null}}'.encode()
    assert _read(point, written) == (None, None, None, None, None)


@pytest.mark.parametrize("odd", [*ODD, '"x"', "null"])
@pytest.mark.parametrize("point", EVENTS)
def test_the_engine_s_own_words_are_the_host_s_keys_in_a_payload(point: str, odd: str) -> None:
    for key in ("project", "session", "subject", "payload", "(no subject)", "(no payload)", "toolName", "sessionId"):
        written = f'{{"hook_event_name": "{point}", "session_id": "s", "{key}": {odd}}}'.encode()
        assert _read(point, written) == (None, "s", None, None, None)


@pytest.mark.parametrize("point", [*EVENTS, ""])
@pytest.mark.parametrize("payload", [b"[]", b"null", b"1", b'"x"', b"{", b"", b'{"a":1}}', b"{'a':1}"])
def test_a_payload_that_is_no_object_is_refused(point: str, payload: bytes) -> None:
    with pytest.raises(BadParams, match=r"^payload must be a JSON object"):
        _read(point, payload)


@pytest.mark.parametrize("point", ["PreToolUse", "Stop", ""])
def test_a_payload_that_is_nested_beyond_measure_is_no_crash(point: str) -> None:
    with pytest.raises(BadParams, match=r"^payload must be a JSON object"):
        _read(point, b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}")


@pytest.mark.parametrize("point", ["", "PreToolCall", "tool.execute.before"])
def test_a_point_of_another_system_is_read_without_judging_what_is_not_ours(point: str) -> None:
    written = b'{"projectPath": "/p", "session_id": "s", "cwd": "/c", "hook_event_name": "X", "tool_name": "t"}'
    assert _read(point, written) == ("/p", "s", None, "/c", None)
    assert _read(point, b'{"session_id": 1, "cwd": [], "hook_event_name": 2}') == (None, None, None, None, None)
    assert _read(point, b"{}") == (None, None, None, None, None)
    with pytest.raises(BadParams, match=r"^payload\.projectPath must be a string$"):
        _read(point, b'{"projectPath": 1}')


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/p/.env", ".env"),
        (".env", ".env"),
        ("/p/a b/日.txt", "日.txt"),
        ("/p/", ""),
        ("", ""),
        ("/p/.envrc|.env", ".envrc|.env"),
        ("/p\\q", "p\\q"),
    ],
)
def test_a_changed_file_is_matched_by_the_end_of_its_path(path: str, name: str) -> None:
    assert _read("FileChanged", _bytes({"hook_event_name": "FileChanged", "file_path": path}))[2] == name


@pytest.mark.parametrize(
    ("model", "canonical"),
    [
        ("claude-opus-5", "claude-opus-5"),
        ("claude-opus-5[1m]", "claude-opus-5"),
        ("claude-opus-4-5-20251101", "claude-opus-4-5"),
        ("claude-opus-4-5-20251101[1m]", "claude-opus-4-5"),
        ("claude-opus-4-5@20251101", "claude-opus-4-5"),
        ("eu.vendor.claude-opus-4-5-20251101-v1:0", "eu.vendor.claude-opus-4-5-20251101-v1:0"),
        ("claude-opus-4-5-latest", "claude-opus-4-5-latest"),
        ("claude-opus-4-5-19991231", "claude-opus-4-5-19991231"),
        ("claude-opus-4-5-2025110", "claude-opus-4-5-2025110"),
        ("claude-20251101-20251102", "claude-20251101"),
        ("opus[1m]x", "opus[1m]x"),
        ("opus[]", "opus[]"),
        ("opus[a b]", "opus[a b]"),
        ("[1m]", "[1m]"),
        ("", ""),
        ("a" * 100 + "-20251101[1m]", "a" * 100),
    ],
)
def test_a_model_is_matched_without_date_and_variant(model: str, canonical: str) -> None:
    assert canonical_model(model) == canonical
    for point in ("PreModelSwitch", "PostModelSwitch"):
        assert _read(point, _bytes({"hook_event_name": point, "to_model": model}))[2] == canonical


def test_a_former_tool_name_is_left_to_those_who_match() -> None:
    assert _read("PreToolUse", b'{"hook_event_name": "PreToolUse", "tool_name": "Task"}')[2] == "Task"


def test_a_subject_that_is_escaped_is_read_as_the_text_it_is() -> None:
    written = '{"hook_event_name": "PreToolUse", "tool_name": "\\u65e5\\ud83d\\ude00 é"}'.encode()
    assert _read("PreToolUse", written)[2] == "日😀 é"


@given(st.sampled_from(EVENTS), st.dictionaries(st.text(), st.none() | st.integers() | st.text() | st.lists(st.text())))
def test_what_the_host_adds_comes_to_the_hooks_as_it_is(point: str, more: dict[str, object]) -> None:
    for key in ("projectPath", "session_id", "cwd", "hook_event_name"):
        more.pop(key, None)
    for ascii_only in (True, False):
        written = json.dumps(more, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
        told = _read(point, written)[4]
        assert told is not None
        assert list(json.loads(told).items()) == [*more.items(), ("hook_event_name", point)]
        assert told.startswith(written[:-1])
