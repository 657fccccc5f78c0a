"""The twelve points are the same, in the same order, wherever they are told."""

from __future__ import annotations

import json
import re

import pytest
from tenterhook_protocol.generate import REPOSITORY
from tenterhook_protocol.points import POINTS

PROTOCOL = REPOSITORY / "protocol"

FOUNDING = {
    "tool.execute.before": "observer",
    "tool.execute.after": "observer",
    "tool.execute.error": "observer",
    "tool.approval.pre": "decision",
    "tool.approval.post": "observer",
    "agent.turn.start": "observer",
    "agent.step.before": "decision",
    "agent.turn.stop": "decision",
    "agent.turn.end": "observer",
    "agent.subagent.spawn.before": "decision",
    "agent.subagent.spawn.after": "observer",
    "agent.subagent.complete": "observer",
}
"""As the founding document of Coding Code lists them."""

PAYLOAD_KEYS = {
    "tool.execute.before": "toolName args sessionId turnId callId projectPath",
    "tool.execute.after": "toolName args sessionId turnId callId result durationMs projectPath",
    "tool.execute.error": "toolName args error projectPath",
    "tool.approval.pre": "toolName args sessionId projectPath",
    "tool.approval.post": "tool input decision layers projectPath",
    "agent.turn.start": "sessionId projectPath",
    "agent.step.before": "sessionId step projectPath",
    "agent.turn.stop": "sessionId content turnId projectPath",
    "agent.turn.end": "sessionId turnId status projectPath",
    "agent.subagent.spawn.before": "agentName prompt parentSessionId projectPath",
    "agent.subagent.spawn.after": "childSessionId agentName projectPath",
    "agent.subagent.complete": "childSessionId agentName status projectPath",
}
"""As the original sends them."""


def _text(name: str) -> str:
    return (PROTOCOL / name).read_text(encoding="utf-8")


def _rows(markdown: str, heading: str) -> list[tuple[str, str]]:
    section = re.split(r"^#+ ", markdown.split(f"# {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    return re.findall(r"^\| `([\w.]+)` \| (\w+) \|", section, flags=re.MULTILINE)


def test_the_declaration_is_the_founding_list() -> None:
    assert [(point.name, point.type) for point in POINTS.values()] == list(FOUNDING.items())


def test_the_tables_tell_the_same() -> None:
    assert _rows(_text("spec/tables.md"), "Points") == list(FOUNDING.items())


def test_the_specification_tells_the_same() -> None:
    assert _rows(_text("spec/specification.md"), "Points") == list(FOUNDING.items())


def test_the_method_file_tells_the_same() -> None:
    points = json.loads(_text("schema/methods.json"))["points"]
    assert [(point["name"], point["type"]) for point in points] == list(FOUNDING.items())


def test_the_schema_of_hook_files_tells_the_same() -> None:
    branches = json.loads(_text("schema/hooks.schema.json"))["$defs"]["HookEntry"]["properties"]["point"]["anyOf"]
    assert branches[0]["enum"] == list(FOUNDING)
    assert len(branches[0]["enumDescriptions"]) == len(FOUNDING)


def test_typescript_tells_the_same() -> None:
    body = _text("typescript/protocol.ts").split("export interface Points {\n", 1)[1].split("\n}", 1)[0]
    assert re.findall(r'^  "([\w.]+)": (\w+);$', body, flags=re.MULTILINE) == [
        (point.name, point.payload.__name__) for point in POINTS.values()
    ]


@pytest.mark.parametrize("name", FOUNDING)
def test_the_schema_of_a_payload_requires_the_keys_of_the_original(name: str) -> None:
    definition = json.loads(_text("schema/messages.schema.json"))["$defs"][POINTS[name].payload.__name__]
    assert set(definition["properties"]) == set(definition["required"]) == set(PAYLOAD_KEYS[name].split())
