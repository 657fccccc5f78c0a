"""What programs get: every JSON output is what the protocol's schema says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from server.cli.desk import Desk, entry, hook_file

SCHEMA = json.loads(
    (Path(__file__).parents[3] / "protocol" / "schema" / "messages.schema.json").read_text(encoding="utf-8")
)

DENY = 'echo \'{"decision": "deny"}\''
AS_JSON = ["--format", "json"]

# command, what its output is
OUTPUTS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "check": (["check", *AS_JSON], {"type": "array", "items": {"$ref": "#/$defs/Problem"}, "minItems": 1}),
    "list": (["list", *AS_JSON], {"$ref": "#/$defs/ListResult"}),
    "explain": (["explain", "tool.approval.pre", *AS_JSON], {"$ref": "#/$defs/ExplainResult"}),
    "test": (["test", "no", "--payload", "payload.json", *AS_JSON], {"$ref": "#/$defs/TestResult"}),
    "test-of-a-failure": (["test", "fails", "--payload", "payload.json", *AS_JSON], {"$ref": "#/$defs/TestResult"}),
    "emit": (["emit", "agent.turn.end", "--payload", "payload.json"], {"$ref": "#/$defs/EmitResult"}),
    "emit-decision": (["emit", "tool.approval.pre", "--payload", "payload.json"], {"$ref": "#/$defs/HookDecision"}),
    "emit-trace": (
        ["emit", "tool.approval.pre", "--payload", "payload.json", "--trace"],
        {"$ref": "#/$defs/HookDecision", "required": ["runs", "notices"]},
    ),
}


@pytest.mark.parametrize("case", OUTPUTS)
def test_the_output_is_one_line_of_json_by_the_schema(desk: Desk, case: str) -> None:
    words, schema = OUTPUTS[case]
    desk.hooks(
        hook_file(
            entry("no", DENY),
            entry("fails", "exit 3"),
            entry("watch", "true", kind="observer", point="agent.turn.end", more=["matcher: bash"]),
            "  - pirority: 1\n",
        )
    )
    desk.payload()
    ended = desk.run(*words)
    assert ended.out.count("\n") == 1
    jsonschema.validate(ended.json, {**schema, "$defs": SCHEMA["$defs"]}, jsonschema.Draft202012Validator)
