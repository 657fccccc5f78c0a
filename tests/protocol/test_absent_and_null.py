"""Absent and null are decided for each field, in its type and in the schema alike."""

from __future__ import annotations

import json

import msgspec
import pytest
from jsonschema import Draft202012Validator
from msgspec import UNSET, Struct
from tenterhook_protocol import hooks, lifecycle, runs
from tenterhook_protocol.generate import REPOSITORY

SCHEMA = json.loads((REPOSITORY / "protocol" / "schema" / "messages.schema.json").read_text(encoding="utf-8"))

READ: list[tuple[type[Struct], str, str, object]] = [
    (lifecycle.InitializeParams, "{}", "process_id", UNSET),
    (lifecycle.InitializeParams, '{"processId":null}', "process_id", None),
    (lifecycle.InitializeParams, '{"processId":7}', "process_id", 7),
    (lifecycle.InitializeParams, '{"workspaceFolders":null}', "workspace_folders", None),
    (lifecycle.InitializeParams, '{"initializationOptions":null}', "initialization_options", None),
    (lifecycle.InitializationOptions, "{}", "max_stop_continuations", UNSET),
    (lifecycle.InitializationOptions, '{"maxStopContinuations":0}', "max_stop_continuations", 0),
    (lifecycle.InitializationOptions, "{}", "max_hooks_per_session", 32),
    (lifecycle.InitializationOptions, "{}", "max_message_bytes", 64 * 1024 * 1024),
    (lifecycle.InitializationOptions, "{}", "max_queued_bytes", 256 * 1024 * 1024),
    (lifecycle.InitializationOptions, "{}", "max_output_bytes", 1024 * 1024),
    (lifecycle.InitializationOptions, "{}", "kill_grace_ms", 2000),
    (lifecycle.InitializationOptions, "{}", "trust", "all"),
    (lifecycle.InitializationOptions, "{}", "hook_events", False),
    (runs.HookDecision, "{}", "decision", UNSET),
    (runs.HookDecision, '{"reason":""}', "reason", ""),
    (hooks.EmitDecisionParams, '{"point":"p","payload":{}}', "trace", False),
    (hooks.EmitParams, '{"point":"p","payload":{}}', "project_path", UNSET),
    (hooks.ExplainParams, '{"point":"p"}', "payload", UNSET),
]

REFUSED: list[tuple[type[Struct], str]] = [
    (runs.HookDecision, '{"decision":null}'),
    (runs.HookDecision, '{"reason":null}'),
    (runs.HookDecision, '{"runs":null}'),
    (hooks.EmitParams, '{"point":"p","payload":{},"projectPath":null}'),
    (hooks.EmitParams, '{"point":null,"payload":{}}'),
    (hooks.EmitParams, '{"point":"p"}'),
    (hooks.EmitDecisionParams, '{"point":"p","payload":{},"trace":null}'),
    (hooks.ReloadParams, '{"projectPath":null}'),
    (lifecycle.InitializationOptions, '{"projectPaths":null}'),
    (lifecycle.InitializationOptions, '{"maxStopContinuations":null}'),
    (lifecycle.InitializationOptions, '{"profile":null}'),
    (lifecycle.InitializeParams, '{"trace":null}'),
]


def _id(value: object) -> str:
    return value.__name__ if isinstance(value, type) else str(value)


def _schema_takes(cls: type[Struct], text: str) -> bool:
    schema = {"$ref": f"#/$defs/{cls.__name__}", "$defs": SCHEMA["$defs"]}
    return Draft202012Validator(schema).is_valid(json.loads(text))  # pyright: ignore[reportUnknownMemberType] - its stubs


@pytest.mark.parametrize(("cls", "text", "field", "value"), READ, ids=_id)
def test_a_field_is_read_as(cls: type[Struct], text: str, field: str, value: object) -> None:
    read: object = getattr(msgspec.json.decode(text, type=cls), field)
    assert (read, type(read)) == (value, type(value))
    assert _schema_takes(cls, text)


@pytest.mark.parametrize(("cls", "text"), REFUSED, ids=_id)
def test_a_null_or_a_gap_that_means_nothing_is_refused(cls: type[Struct], text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=cls)
    assert not _schema_takes(cls, text)


@pytest.mark.parametrize("payload", ["[]", "7", "null", '"x"'])
def test_a_type_carries_an_object_unread_and_the_schema_still_wants_one(payload: str) -> None:
    text = f'{{"point":"p","payload":{payload}}}'
    assert bytes(msgspec.json.decode(text, type=hooks.EmitParams).payload) == payload.encode()
    assert not _schema_takes(hooks.EmitParams, text)
