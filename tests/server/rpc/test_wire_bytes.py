"""The bytes that leave: pinned, because changing one is a decision."""

from __future__ import annotations

import json

from msgspec import Raw
from tenterhook.rpc.announce import WireSink
from tenterhook.rpc.wire import encode_error, encode_notification, encode_request, encode_result
from tenterhook_protocol.hooks import EmitResult
from tenterhook_protocol.host import PromptRequest
from tenterhook_protocol.jsonrpc import ResponseError
from tenterhook_protocol.lifecycle import LogMessageParams
from tenterhook_protocol.problems import Origin, Problem
from tenterhook_protocol.runs import HookDecision, HookRun

RUN = HookRun(
    run_id="r1",
    event_id="e1",
    hook="coding-code:guard",
    name="guard",
    point="tool.approval.pre",
    project_path="/p",
    origin=Origin(layer="global", path="/h", line=1, column=1),
    status="ok",
    duration_ms=0,
)

PROBLEM = Problem(severity="error", code="c", message="m", path="/h", line=1, column=1, end_line=1, end_column=2)


def test_messages_are_written_without_a_byte_too_many() -> None:
    assert encode_result(1, EmitResult(runs=[], notices=[])) == (
        b'{"jsonrpc":"2.0","id":1,"result":{"runs":[],"notices":[]}}'
    )
    assert encode_result("1", None) == b'{"jsonrpc":"2.0","id":"1","result":null}'
    assert encode_error(None, ResponseError(code=-32700, message="no JSON")) == (
        b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}'
    )
    assert encode_notification("window/logMessage", LogMessageParams(type=2, message="é")) == (
        '{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":2,"message":"é"}}'.encode()
    )
    assert encode_request("t-1", "host/prompt", PromptRequest(run_id="r", prompt="?", timeout_ms=1.5)) == (
        b'{"jsonrpc":"2.0","id":"t-1","method":"host/prompt","params":{"runId":"r","prompt":"?","timeoutMs":1.5}}'
    )


def test_an_undecodable_file_name_does_not_stop_the_answer() -> None:
    decision = HookDecision(reason="in /p/\udcff", modified_input=Raw(b'{"n":1.10}'), runs=[RUN])
    body = encode_result(1, decision)

    assert b'"modifiedInput":{"n":1.10}' in body
    message = json.loads(body)
    assert message["jsonrpc"] == "2.0"
    assert message["result"]["reason"] == "in /p/\ufffd"
    assert message["result"]["runs"][0]["runId"] == "r1"
    assert "exitCode" not in message["result"]["runs"][0]


def test_the_beginning_and_the_end_of_a_run_are_told() -> None:
    bodies: list[bytes] = []
    sink = WireSink(bodies.append)
    sink.run_started(RUN)
    sink.run_completed(RUN)
    sink.open()

    assert [json.loads(body)["method"] for body in bodies] == ["hooks/started", "hooks/completed"]


def test_problems_are_told_and_also_that_they_are_gone() -> None:
    bodies: list[bytes] = []
    sink = WireSink(bodies.append)
    for problems in ([], [PROBLEM], [PROBLEM], [], []):
        sink.problems_found("/p", problems)
    sink.problems_found("/q", [])
    sink.open()

    assert [len(json.loads(body)["params"]["problems"]) for body in bodies] == [1, 1, 0]


def test_what_comes_before_the_opening_is_held_in_order() -> None:
    bodies: list[bytes] = []
    sink = WireSink(bodies.append)
    sink.log("error", "one")
    sink.log("log", "two")
    assert bodies == []
    sink.open()
    sink.log("info", "three")

    assert [json.loads(body)["params"] for body in bodies] == [
        {"type": 1, "message": "one"},
        {"type": 4, "message": "two"},
        {"type": 3, "message": "three"},
    ]
