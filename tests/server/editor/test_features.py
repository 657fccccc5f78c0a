"""The table of features, what is announced of it, and when it is loaded."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

import msgspec
from engine import Engine
from lsprotocol import types
from server.editor.client import Client, Message, item
from tenterhook.editor.bridge import Bridge
from tenterhook.editor.features import FEATURES, Feature
from tenterhook.rpc.opening import answer


def test_every_method_of_the_table_is_lsps_and_stands_there_once() -> None:
    methods = [feature.method for feature in FEATURES]
    assert [method for method in methods if method not in types.METHOD_TO_TYPES] == []
    assert len(methods) == len(set(methods))


def test_a_feature_of_a_notification_does_not_wait() -> None:
    waiting = [
        feature.method
        for feature in FEATURES
        if feature.method.rpartition("/")[2].startswith("did") and inspect.iscoroutinefunction(feature.handle)
    ]
    assert waiting == []


def made_by_pygls(client: Client) -> Message:
    """The capabilities that pygls works out of a table of features."""
    assert isinstance(client.port, Bridge)
    made = json.loads(json.dumps(client.port.pygls.plain(client.port.pygls.desk.server.server_capabilities)))
    # pygls announces these of itself, with nothing behind them.
    del made["executeCommandProvider"], made["workspace"]
    return made


def test_what_the_wire_announces_is_what_pygls_makes_of_the_table(tmp_path: Path) -> None:
    service = Engine(tmp_path).service
    announced = json.loads(msgspec.json.encode(answer(service).capabilities))
    del announced["experimental"]
    assert announced == made_by_pygls(Client(service))


def hover(_desk: object, _params: object) -> None: ...


def test_a_feature_that_is_added_shows_in_what_pygls_makes_of_the_table(tmp_path: Path) -> None:
    more = (*FEATURES, Feature("textDocument/hover", hover))
    assert made_by_pygls(Client(Engine(tmp_path).service, features=more))["hoverProvider"] is True


def test_pygls_knows_what_the_client_can_do(tmp_path: Path) -> None:
    port = Client(Engine(tmp_path).service, params={"capabilities": {"experimental": {"x": 1}}}).port
    assert isinstance(port, Bridge)
    assert port.pygls.desk.server.client_capabilities.experimental == {"x": 1}


def frame(message: Message) -> bytes:
    body = json.dumps({"jsonrpc": "2.0"} | message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def imported(*messages: Message) -> set[str]:
    """The packages that a whole life of ``tenterhook serve`` imports."""
    life: tuple[Message, ...] = (
        {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"method": "initialized", "params": {}},
        *messages,
        {"id": 2, "method": "hooks/list"},
        {"id": 3, "method": "shutdown"},
        {"method": "exit"},
    )
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "from tenterhook.cli import main; main(['serve'])"],
        input=b"".join(map(frame, life)),
        capture_output=True,
        check=True,
    )
    assert done.stdout.count(b'"result"') == 3
    lines = (line for line in done.stderr.decode().splitlines() if line.startswith("import time:"))
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


def test_pygls_is_loaded_at_the_first_message_of_a_text_document_and_not_before() -> None:
    heavy = {"pygls", "lsprotocol", "cattrs", "attr"}
    assert imported() & heavy == set()
    opened: Message = {"method": "textDocument/didOpen", "params": {"textDocument": item("untitled:1", "")}}
    assert imported(opened) & heavy == heavy


def test_importing_the_editor_half_loads_none_of_what_it_is_made_of() -> None:
    code = (
        "import sys; from tenterhook.editor import open_editor; "
        "print([name for name in ('pygls', 'lsprotocol', 'cattrs', 'attr', 'attrs') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
