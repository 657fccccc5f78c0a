"""What the editor half leans on in pygls beyond its documented interface: an upgrade that changes it fails here."""

from __future__ import annotations

import ast
import inspect
import json
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
import tenterhook.editor
from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.workspace import TextDocument, Workspace

SOURCES = sorted(Path(tenterhook.editor.__file__).parent.glob("*.py"))


def server() -> Any:
    return cast("Any", LanguageServer)("test", "1")


class Recorder:
    def __init__(self) -> None:
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def close(self) -> None: ...


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_underscore_name_of_pygls_is_touched(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr.startswith("_")
    } | {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__")
    }
    assert used - own == set()


def test_builtin_features_holds_the_handlers_of_documents_as_generators() -> None:
    built_in = server().protocol.fm.builtin_features
    for method in (
        types.TEXT_DOCUMENT_DID_OPEN,
        types.TEXT_DOCUMENT_DID_CHANGE,
        types.TEXT_DOCUMENT_DID_CLOSE,
        types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
    ):
        assert inspect.isgeneratorfunction(built_in[method])


def test_a_builtin_handler_yields_the_feature_with_its_arguments() -> None:
    one = server()
    seen: list[object] = []

    def closed(_desk: object, params: object) -> None:
        seen.append(params)

    one.feature(types.TEXT_DOCUMENT_DID_CLOSE)(partial(closed, None))
    list(one.protocol.lsp_initialize(types.InitializeParams(capabilities=types.ClientCapabilities())))
    params = types.DidCloseTextDocumentParams(text_document=types.TextDocumentIdentifier(uri="file:///a"))
    ((function, args, kwargs),) = one.protocol.fm.builtin_features[types.TEXT_DOCUMENT_DID_CLOSE](params)
    assert (args, kwargs) == ((params,), None)
    function(*args)
    assert seen == [params]


def test_features_holds_what_feature_registers_and_a_partial_gets_nothing_but_the_params() -> None:
    one = server()

    def hover(desk: object, params: object) -> object:
        return desk, params

    one.feature(types.TEXT_DOCUMENT_HOVER)(partial(hover, "desk"))
    assert one.protocol.fm.features[types.TEXT_DOCUMENT_HOVER](5) == ("desk", 5)


def test_lsp_initialize_is_a_generator_that_sends_nothing_and_keeps_what_the_client_can_do() -> None:
    one, writer = server(), Recorder()
    one.protocol.set_writer(writer, include_headers=False)
    capabilities = types.ClientCapabilities(experimental={"x": 1})
    steps = one.protocol.lsp_initialize(types.InitializeParams(capabilities=capabilities))
    with pytest.raises(StopIteration) as end:
        next(steps)
    assert isinstance(end.value.value, types.InitializeResult)
    assert one.client_capabilities is capabilities
    assert isinstance(one.server_capabilities, types.ServerCapabilities)
    assert writer.written == []


def test_set_writer_without_headers_gives_one_whole_message_a_write() -> None:
    one, writer = server(), Recorder()
    one.protocol.set_writer(writer, include_headers=False)
    one.window_log_message(types.LogMessageParams(type=types.MessageType.Info, message="漢"))
    (body,) = writer.written
    assert json.loads(body) == {
        "jsonrpc": "2.0",
        "method": "window/logMessage",
        "params": {"type": 3, "message": "漢"},
    }


def test_workspace_may_be_overridden_and_is_what_the_builtin_handlers_write_to() -> None:
    kept = Workspace(None)

    class Protocol(LanguageServerProtocol):
        @property
        def workspace(self) -> Workspace:
            return kept

    one = cast("Any", LanguageServer)("test", "1", protocol_cls=Protocol)
    item = types.TextDocumentItem(uri="file:///a", language_id="", version=1, text="x")
    list(one.protocol.lsp_text_document__did_open(types.DidOpenTextDocumentParams(text_document=item)))
    assert one.workspace is kept
    assert kept.text_documents["file:///a"].source == "x"


def test_text_documents_is_the_store_itself_keyed_by_the_unquoted_uri() -> None:
    workspace = Workspace(None)
    item = types.TextDocumentItem(uri="file:///a%20b", language_id="", version=1, text="x")
    workspace.put_text_document(item)
    ours = TextDocument("file:///a%20b", source="y")
    workspace.text_documents["file:///a b"] = ours
    assert workspace.get_text_document("file:///a%20b") is ours
    workspace.remove_text_document("file:///a%20b")
    assert workspace.text_documents == {}


def test_update_text_document_goes_through_apply_change_and_sets_the_version() -> None:
    class Document(TextDocument):
        def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
            changes.append(change)

    changes: list[object] = []
    workspace = Workspace(None)
    document = workspace.text_documents["file:///a"] = Document("file:///a", source="", version=1)
    change = types.TextDocumentContentChangeWholeDocument(text="x")
    workspace.update_text_document(types.VersionedTextDocumentIdentifier(uri="file:///a", version=7), change)
    assert (changes, document.version) == ([change], 7)


def test_method_to_types_tells_requests_from_notifications_and_names_their_params() -> None:
    assert types.METHOD_TO_TYPES["textDocument/hover"][1:3] == (types.HoverResponse, types.HoverParams)
    assert cast("Any", types.METHOD_TO_TYPES["textDocument/didOpen"])[1] is None
    assert types.METHOD_TO_TYPES["textDocument/didOpen"][2] is types.DidOpenTextDocumentParams


def test_the_converter_writes_lists_and_leaves_out_what_is_none() -> None:
    place = types.Position(line=1, character=2)
    written = default_converter().unstructure([types.Hover(contents="a", range=types.Range(place, place))])
    there = {"line": 1, "character": 2}
    assert written == [{"contents": "a", "range": {"start": there, "end": there}}]
    assert default_converter().unstructure(types.Hover(contents="a")) == {"contents": "a"}
