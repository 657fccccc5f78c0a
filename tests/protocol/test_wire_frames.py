"""Encoded bytes of a few messages, pinned: a change here is a change of the wire and a decision."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import Raw, Struct
from tenterhook_protocol import hooks, jsonrpc, lifecycle, problems, runs

ORIGIN = problems.Origin(layer="project", path="/p/.codingcode/hooks.yaml", line=2, column=5)
ORIGIN_BYTES = b'{"layer":"project","path":"/p/.codingcode/hooks.yaml","line":2,"column":5}'

RUN = runs.HookRun(
    run_id="r",
    event_id="e",
    hook="coding-code:a",
    name="a",
    point="agent.turn.start",
    project_path="/p",
    origin=ORIGIN,
    status="notReached",
    duration_ms=0.5,
    by="coding-code:b",
)
RUN_BYTES = (
    b'{"runId":"r","eventId":"e","hook":"coding-code:a","name":"a","point":"agent.turn.start","projectPath":"/p",'
    b'"origin":' + ORIGIN_BYTES + b',"status":"notReached","durationMs":0.5,"by":"coding-code:b"}'
)

FRAMES: dict[str, tuple[Struct, bytes]] = {
    "a decision without an opinion": (runs.HookDecision(), b"{}"),
    "a deny": (runs.HookDecision(decision="deny", reason="no"), b'{"decision":"deny","reason":"no"}'),
    "arguments keep their own bytes": (
        runs.HookDecision(modified_input=Raw(b'{"b": 1.0, "a":1e2}')),
        b'{"modifiedInput":{"b": 1.0, "a":1e2}}',
    ),
    "an empty trace": (runs.HookDecision(runs=[], notices=[]), b'{"runs":[],"notices":[]}'),
    "a run": (RUN, RUN_BYTES),
    "an event that ran nothing": (hooks.EmitResult(runs=[], notices=[]), b'{"runs":[],"notices":[]}'),
    "a test without an answer keeps its null": (
        hooks.TestResult(run=RUN, stdout="", stderr="", answer=None),
        b'{"run":' + RUN_BYTES + b',"stdout":"","stderr":"","answer":null}',
    ),
    "a payload is sent as it came": (
        hooks.EmitParams(point="agent.turn.start", payload=Raw(b'{ "projectPath" : "/p" }')),
        b'{"point":"agent.turn.start","payload":{ "projectPath" : "/p" }}',
    ),
    "an error without data": (jsonrpc.ResponseError(code=-32800, message="x"), b'{"code":-32800,"message":"x"}'),
    "no process to watch is a null": (lifecycle.InitializeParams(process_id=None), b'{"processId":null}'),
    "keys are camelCase": (
        lifecycle.ServerCapabilities(
            position_encoding="utf-16",
            text_document_sync=lifecycle.TextDocumentSync(open_close=True, change=2, save=True),
            experimental=lifecycle.ServerExperimental(
                tenterhook=lifecycle.HookCapabilities(version="0.1", systems=["coding-code"], points=[])
            ),
        ),
        (
            b'{"positionEncoding":"utf-16","textDocumentSync":{"openClose":true,"change":2,"save":true},'
            b'"experimental":{"tenterhook":{"version":"0.1","systems":["coding-code"],"points":[]}}}'
        ),
    ),
}


@pytest.mark.parametrize("name", FRAMES)
def test_a_message_is_these_bytes(name: str) -> None:
    message, frame = FRAMES[name]
    assert msgspec.json.encode(message) == frame


@pytest.mark.parametrize("name", FRAMES)
def test_the_bytes_are_read_back_as_the_message(name: str) -> None:
    message, frame = FRAMES[name]
    assert msgspec.json.encode(msgspec.json.decode(frame, type=type(message))) == frame
