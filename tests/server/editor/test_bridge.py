"""Requests and notifications of the editor half: every request has exactly one answer, and pygls' defects stay away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from engine import Engine
from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled
from server.editor.client import ABSENT, Client, Message
from tenterhook.editor.desk import Desk
from tenterhook.editor.features import Feature
from tenterhook.errors import BadParams, RequestFailed

PLACE = {"textDocument": {"uri": "file:///p/a"}, "position": {"line": 1, "character": 2}}

MISSING = (
    "textDocument/hover: required field missing - at `params.textDocument`;"
    " required field missing - at `params.position`"
)


def client_of(root: Path, *features: Feature) -> Client:
    return Client(Engine(root).service, features=features)


def hover(text: str = "hello") -> types.Hover:
    return types.Hover(contents=text)


def returning(result: object) -> Callable[[Desk, Any], object]:
    def feature(_desk: Desk, _params: Any) -> object:
        return result

    return feature


def failing(error: Exception) -> Callable[[Desk, Any], object]:
    def feature(_desk: Desk, _params: Any) -> object:
        raise error

    return feature


def error(ident: int | str, code: int, message: str) -> list[Message]:
    return [{"jsonrpc": "2.0", "id": ident, "error": {"code": code, "message": message}}]


def test_a_feature_is_one_function_in_the_table(tmp_path: Path) -> None:
    def place(_desk: Desk, params: types.HoverParams) -> types.Hover:
        position = params.position
        return hover(f"{params.text_document.uri} {position.line}:{position.character}")

    client = client_of(tmp_path, Feature("textDocument/hover", place))
    assert client.request("a", "textDocument/hover", PLACE) == [
        {"jsonrpc": "2.0", "id": "a", "result": {"contents": "file:///p/a 1:2"}}
    ]


@pytest.mark.parametrize(
    ("result", "on_the_wire"),
    [
        (None, None),
        ([], []),
        (
            types.CompletionList(is_incomplete=False, items=[types.CompletionItem(label="🎣", kind=None)]),
            {"isIncomplete": False, "items": [{"label": "🎣"}]},
        ),
        ([types.CompletionItem(label="a", kind=types.CompletionItemKind.Value)], [{"label": "a", "kind": 12}]),
        ([types.CompletionItem(label="half \ud83c pair")], [{"label": "half \ud83c pair"}]),
    ],
)
def test_a_result_is_written_as_lsp_spells_it(tmp_path: Path, result: object, on_the_wire: object) -> None:
    client = client_of(tmp_path, Feature("textDocument/completion", returning(result)))
    assert client.request(1, "textDocument/completion", PLACE) == [{"jsonrpc": "2.0", "id": 1, "result": on_the_wire}]


@pytest.mark.parametrize(
    ("method", "params", "code", "message"),
    [
        ("textDocument/nonsense", PLACE, -32601, "there is no method 'textDocument/nonsense'"),
        ("textDocument/definition", PLACE, -32601, "there is no method 'textDocument/definition'"),
        ("textDocument/definition", ABSENT, -32601, "there is no method 'textDocument/definition'"),
        ("shutdown", ABSENT, -32601, "there is no method 'shutdown'"),
        ("exit", ABSENT, -32601, "there is no method 'exit'"),
        ("initialize", {"capabilities": {}}, -32601, "there is no method 'initialize'"),
        ("workspace/executeCommand", {"command": "x"}, -32601, "there is no method 'workspace/executeCommand'"),
        (
            "textDocument/didOpen",
            ABSENT,
            -32600,
            "textDocument/didOpen is a notification; send it without an id",
        ),
        (
            "textDocument/hover",
            ABSENT,
            -32602,
            MISSING,
        ),
        (
            "textDocument/hover",
            None,
            -32602,
            MISSING,
        ),
        (
            "textDocument/hover",
            PLACE | {"position": {"line": 0}},
            -32602,
            "textDocument/hover: required field missing - at `params.position.character`",
        ),
        (
            "textDocument/hover",
            PLACE | {"position": {"line": -1, "character": 0}},
            -32602,
            "textDocument/hover: invalid value - at `params.position`",
        ),
    ],
)
def test_a_request_that_cannot_be_served_is_told_why(
    tmp_path: Path, method: str, params: object, code: int, message: str
) -> None:
    client = client_of(tmp_path, Feature("textDocument/hover", returning(hover())))
    assert client.request(7, method, params) == error(7, code, message)


@pytest.mark.parametrize("params", [[], [1], 5, "x", True, {"textDocument": []}])
def test_params_of_a_wrong_shape_are_invalid_params(tmp_path: Path, params: object) -> None:
    client = client_of(tmp_path, Feature("textDocument/hover", returning(hover())))
    (answer,) = client.request(7, "textDocument/hover", params)
    assert (answer["id"], answer["error"]["code"]) == (7, -32602)
    assert set(answer["error"]) == {"code", "message"}


@pytest.mark.parametrize(
    ("raised", "code", "message"),
    [
        (BadParams("no such hook"), -32602, "no such hook"),
        (RequestFailed("the file is gone"), -32803, "the file is gone"),
        (JsonRpcRequestCancelled("given up"), -32800, "given up"),
        (
            KeyError("secret"),
            -32603,
            "textDocument/hover failed inside the engine (KeyError); its stderr has the details",
        ),
    ],
)
@pytest.mark.parametrize("waits", [False, True])
async def test_a_feature_that_fails_answers_without_a_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], raised: Exception, code: int, message: str, *, waits: bool
) -> None:
    async def later(_desk: Desk, _params: types.HoverParams) -> types.Hover:
        await asyncio.sleep(0)
        raise raised

    client = client_of(tmp_path, Feature("textDocument/hover", later if waits else failing(raised)))
    answers = client.request(1, "textDocument/hover", PLACE)
    while not answers:
        await asyncio.sleep(0)
        answers = client.take()
    assert answers == error(1, code, message)
    assert ("secret" in capsys.readouterr().err) == (code == -32603)


@pytest.mark.parametrize("result", [object(), float("nan"), [types.Hover(contents="a"), {1, 2}]])
def test_a_result_that_json_cannot_say_is_an_internal_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], result: object
) -> None:
    client = client_of(tmp_path, Feature("textDocument/hover", returning(result)))
    (answer,) = client.request(1, "textDocument/hover", PLACE)
    assert answer["error"]["code"] == -32603
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    "extra",
    [
        {"jsonrpc": "2.0"},
        {"jsonrpc": "2.0", "id": 9, "method": "textDocument/hover", "params": {}},
        {"jsonrpc": "2.0", "id": 9, "result": None},
        {"nested": [{"deep": {"jsonrpc": "1.0", "error": {"code": 1}}}]},
        {"type_name": "os", "class": 1, "a-b": 2, "_x": 3},
    ],
)
def test_params_may_carry_anything_beside_what_is_read(tmp_path: Path, extra: Message) -> None:
    def echo(_desk: Desk, params: types.CodeLens) -> types.CodeLens:
        return params

    client = client_of(tmp_path, Feature("codeLens/resolve", echo), Feature("textDocument/hover", returning(hover())))
    assert client.request(1, "textDocument/hover", PLACE | {"more": extra} | extra)[0]["result"] == {
        "contents": "hello"
    }
    lens = {"range": {"start": PLACE["position"], "end": PLACE["position"]}, "data": extra}
    assert client.request(2, "codeLens/resolve", lens)[0]["result"] == lens
    assert client.sent == []


class Gate:
    """A feature that waits until it is let through, and knows how it ended."""

    def __init__(self) -> None:
        self.opened = asyncio.get_running_loop().create_future()
        self.ended: list[str] = []

    async def __call__(self, _desk: Desk, _params: types.HoverParams) -> types.Hover:
        try:
            await asyncio.shield(self.opened)
        except asyncio.CancelledError:
            self.ended.append("cancelled")
            raise
        self.ended.append("done")
        return hover()


async def settle() -> None:
    """Let every task that can run do so."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_waiting_feature_answers_when_it_is_done_and_others_go_on(tmp_path: Path) -> None:
    gate = Gate()
    client = client_of(
        tmp_path,
        Feature("textDocument/hover", gate.__call__),
        Feature("textDocument/completion", returning([])),
    )
    assert client.request(1, "textDocument/hover", PLACE) == []
    assert client.request("1", "textDocument/completion", PLACE)[0]["id"] == "1"
    gate.opened.set_result(None)
    await settle()
    assert client.take() == [{"jsonrpc": "2.0", "id": 1, "result": {"contents": "hello"}}]
    assert client.notify("$/cancelRequest", {"id": 1}) == []


@pytest.mark.parametrize("begun", [False, True])
async def test_a_cancelled_request_is_answered_once_and_its_work_stops(tmp_path: Path, *, begun: bool) -> None:
    gate = Gate()
    client = client_of(tmp_path, Feature("textDocument/hover", gate.__call__))
    client.request(1, "textDocument/hover", PLACE)
    if begun:
        await settle()
    assert client.notify("$/cancelRequest", {"id": 1}) == error(1, -32800, "the request was cancelled")
    assert client.notify("$/cancelRequest", {"id": 1}) == []
    await settle()
    assert client.take() == []
    assert gate.ended == (["cancelled"] if begun else [])


async def test_the_id_of_a_cancelled_request_may_be_used_again(tmp_path: Path) -> None:
    gate = Gate()
    client = client_of(tmp_path, Feature("textDocument/hover", gate.__call__))
    client.request(1, "textDocument/hover", PLACE)
    client.notify("$/cancelRequest", {"id": 1})
    assert client.request(1, "textDocument/hover", PLACE) == []
    await settle()
    gate.opened.set_result(None)
    await settle()
    assert client.take() == [{"jsonrpc": "2.0", "id": 1, "result": {"contents": "hello"}}]


@pytest.mark.parametrize("params", [{"id": "1"}, {"id": 2}, {"id": None}, {"id": [1]}, {}, None, [1], ABSENT])
async def test_a_cancel_that_fits_nothing_does_nothing(tmp_path: Path, params: object) -> None:
    gate = Gate()
    client = client_of(tmp_path, Feature("textDocument/hover", gate.__call__))
    client.request(1, "textDocument/hover", PLACE)
    assert client.notify("$/cancelRequest", params) == []
    gate.opened.set_result(None)
    await settle()
    assert [answer["result"] for answer in client.take()] == [{"contents": "hello"}]


async def test_an_id_in_flight_is_refused_and_the_first_request_goes_on(tmp_path: Path) -> None:
    gate = Gate()
    client = client_of(tmp_path, Feature("textDocument/hover", gate.__call__))
    client.request(1, "textDocument/hover", PLACE)
    again = client.request(1, "textDocument/hover", PLACE)
    assert again == error(1, -32600, "the id 1 is in flight; each request needs its own")
    assert client.request("1", "textDocument/hover", PLACE) == []
    gate.opened.set_result(None)
    await settle()
    assert [answer["id"] for answer in client.take()] == [1, "1"]


async def test_a_feature_that_swallows_its_cancel_still_has_one_answer(tmp_path: Path) -> None:
    async def stubborn(_desk: Desk, _params: types.HoverParams) -> types.Hover:
        with suppress(asyncio.CancelledError):
            await asyncio.get_running_loop().create_future()
        return hover()

    client = client_of(tmp_path, Feature("textDocument/hover", stubborn))
    client.request(1, "textDocument/hover", PLACE)
    await settle()
    assert len(client.notify("$/cancelRequest", {"id": 1})) == 1
    await settle()
    assert client.take() == []


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/nonsense", {"a": 1}),
        ("textDocument/nonsense", ABSENT),
        ("workspace/didChangeConfiguration", {"settings": None}),
        ("workspace/didNonsense", ABSENT),
        ("textDocument/hover", PLACE),
        ("exit", ABSENT),
    ],
)
def test_a_notification_that_nothing_serves_is_passed_over(tmp_path: Path, method: str, params: object) -> None:
    client = client_of(tmp_path, Feature("textDocument/hover", failing(AssertionError("it has no id"))))
    assert client.notify(method, params) == []


def test_a_reply_is_not_taken_for_a_call(tmp_path: Path) -> None:
    assert client_of(tmp_path).send({"id": 1, "result": {"jsonrpc": "2.0", "method": "textDocument/didOpen"}}) == []


def test_a_refusal_comes_with_the_nearest_known_name(tmp_path: Path) -> None:
    refusal = BadParams("no such hook", suggestion="guard")
    client = client_of(tmp_path, Feature("textDocument/hover", failing(refusal)))
    (answer,) = client.request(1, "textDocument/hover", PLACE)
    assert answer["error"] == {"code": -32602, "message": "no such hook", "data": {"suggestion": "guard"}}


@pytest.mark.parametrize(
    ("raised", "level", "message"),
    [
        (BadParams("that will not do"), 2, "that will not do"),
        (
            KeyError("secret"),
            1,
            "textDocument/didOpen failed inside the engine (KeyError); its stderr has the details",
        ),
    ],
)
def test_a_notification_that_fails_is_logged_and_never_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], raised: Exception, level: int, message: str
) -> None:
    client = client_of(tmp_path, Feature("textDocument/didOpen", failing(raised)))
    assert client.open("file:///p/a", "") == [
        {"jsonrpc": "2.0", "method": "window/logMessage", "params": {"type": level, "message": message}}
    ]
    assert ("secret" in capsys.readouterr().err) == (level == 1)
