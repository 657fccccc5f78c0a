"""An open hook file gets the engine's problems as diagnostics: which, where, and until when."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from engine import Engine, hook_file
from server.editor.client import Client, Message

BASE = "point: tool.execute.before\n    type: observer\n    command: x\n"


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(tmp_path)


@pytest.fixture
def client(engine: Engine) -> Client:
    return Client(engine.load())


def project_file(engine: Engine) -> Path:
    return engine.project / ".codingcode" / "hooks.yaml"


def published(messages: list[Message]) -> list[Message]:
    """The params of the only message, which publishes."""
    (message,) = messages
    assert set(message) == {"jsonrpc", "method", "params"}
    assert message["method"] == "textDocument/publishDiagnostics"
    return message["params"]["diagnostics"]


def marks(messages: list[Message]) -> list[tuple[str, int, tuple[int, int], tuple[int, int]]]:
    """Code, severity, start and end of each diagnostic."""
    return [
        (mark["code"], mark["severity"], point(mark["range"]["start"]), point(mark["range"]["end"]))
        for mark in published(messages)
    ]


def point(place: Message) -> tuple[int, int]:
    return place["line"], place["character"]


ERROR, WARNING = 1, 2

BROKEN: list[tuple[str, str, list[tuple[str, int, tuple[int, int], tuple[int, int]]]]] = [
    ("nothing is wrong", f"hooks:\n  - name: a\n    {BASE}", []),
    ("an empty file", "", []),
    ("hooks is a number", "hooks: 5\n", [("hooks-type", ERROR, (0, 7), (0, 8))]),
    ("a byte order mark", "\ufeffhooks: 5", [("hooks-type", ERROR, (0, 8), (0, 9))]),
    ("a tab", "hooks:\n\t- name: a\n", [("yaml-tab", ERROR, (1, 0), (1, 1))]),
    (
        "a tab inside a line",
        "hooks:\n- {name: a, point:\tnowhere, type: observer, command: x}\n",
        [("point-unknown", ERROR, (1, 19), (1, 26))],
    ),
    ("an open list", "hooks: [\n", [("yaml-syntax", ERROR, (1, 0), (1, 0))]),
    ("an open quote", 'hooks: "🎣\n', [("yaml-syntax", ERROR, (0, 7), (0, 10))]),
    (
        "an unknown key",
        f"hooks:\n  - name: a\n    priorty: 3\n    {BASE}",
        [("unknown-key", WARNING, (2, 4), (2, 11))],
    ),
    (
        "CRLF",
        f"hooks:\n  - name: a\n    priorty: 3\n    {BASE}".replace("\n", "\r\n"),
        [("unknown-key", WARNING, (2, 4), (2, 11))],
    ),
    (
        "CR alone",
        f"hooks:\n  - name: a\n    priorty: 3\n    {BASE}".replace("\n", "\r"),
        [("unknown-key", WARNING, (2, 4), (2, 11))],
    ),
    (
        "emoji before and inside the mark",
        "hooks:\n- {name: 🎣🎣, point: 🪝x, type: observer, command: x}\n",
        [("point-unknown", ERROR, (1, 22), (1, 25))],
    ),
    (
        "CJK before and inside the mark",
        "hooks:\n- {name: 漢字, point: 字x, type: observer, command: x}\n",
        [("point-unknown", ERROR, (1, 20), (1, 22))],
    ),
    (
        "a combining letter",
        "hooks:\n- {name: e\u0301, point: nowhere, type: observer, command: x}\n",
        [("point-unknown", ERROR, (1, 20), (1, 27))],
    ),
    (
        "line separators of Unicode are no line ends",
        f"hooks:\n  - name: 'a\u2028b\x85c'\n    priorty: 3\n    {BASE}",
        [("unknown-key", WARNING, (2, 4), (2, 11))],
    ),
    (
        "a point of the other type",
        f"hooks:\n  - name: a\n    {BASE}".replace("observer", "decision"),
        [("type-not-suited", WARNING, (3, 4), (3, 8))],
    ),
    (
        "two at once",
        "hooks:\n- {name: a, priorty: 1, point: nowhere, type: observer, command: x}\n",
        [("unknown-key", WARNING, (1, 12), (1, 19)), ("point-unknown", ERROR, (1, 31), (1, 38))],
    ),
    ("a character that YAML forbids", "a🎣\0b", [("yaml-character", ERROR, (0, 3), (0, 4))]),
    ("half a surrogate pair", "- x: \ud83c\n", [("yaml-encoding", ERROR, (0, 5), (0, 6))]),
]


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_a_problem_is_marked_where_the_editor_shows_it(
    engine: Engine, client: Client, text: str, expected: Sequence[object]
) -> None:
    assert marks(client.open(project_file(engine), text)) == expected


def test_a_diagnostic_says_who_what_and_what_to_do(engine: Engine, client: Client) -> None:
    (mark,) = published(client.open(project_file(engine), "hooks:\n\t- name: a\n"))
    assert mark == {
        "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 1}},
        "severity": 1,
        "code": "yaml-tab",
        "source": "tenterhook",
        "message": "This line is indented with a tab, which YAML does not allow; nothing of this file is loaded\n"
        "Hint: indent with spaces",
    }


def test_a_change_publishes_anew_with_its_version_and_a_close_clears(engine: Engine, client: Client) -> None:
    file = project_file(engine)
    assert client.open(file, "hooks: 5\n", version=3)[0]["params"]["version"] == 3
    there = {"start": {"line": 0, "character": 7}, "end": {"line": 0, "character": 8}}
    (message,) = client.change(file, {"range": there, "text": "[]"}, version=9)
    assert message["params"] == {"uri": file.as_uri(), "version": 9, "diagnostics": []}
    assert len(published(client.change(file, "hooks: 6\n", version=10))) == 1
    (message,) = client.close(file)
    assert message["params"] == {"uri": file.as_uri(), "diagnostics": []}
    assert client.close(file) == []


def test_the_text_counts_and_not_the_file(engine: Engine, client: Client) -> None:
    file = engine.hooks("hooks: 5\n")
    assert published(client.open(file, "hooks: []\n")) == []
    assert len(published(client.change(file, "hooks: 6\n"))) == 1


def test_a_text_that_is_broken_while_it_is_typed_has_only_its_own_problems(engine: Engine, client: Client) -> None:
    file = engine.hooks(f"hooks:\n  - name: a\n    priorty: 3\n    {BASE}")
    engine.load()
    assert [mark[0] for mark in marks(client.open(file, "hooks: [\n"))] == ["yaml-syntax"]


PATCH = "hooks:\n  - name: guard\n    enabled: false\n"


def test_a_projects_unsaved_text_is_judged_together_with_the_global_file(engine: Engine, client: Client) -> None:
    file = project_file(engine)
    assert [mark[0] for mark in marks(client.open(file, PATCH))] == ["patch-without-target"]
    engine.hooks(hook_file("guard"), layer="global")
    assert published(client.change(file, PATCH)) == []
    engine.hooks(hook_file({"name": "guard", "locked": True}), layer="global")
    assert [mark[0] for mark in marks(client.change(file, PATCH))] == ["locked"]


def test_the_global_files_unsaved_text_is_judged_together_with_a_projects_file(engine: Engine, client: Client) -> None:
    engine.hooks("hooks:\n  - name: guard\n    type: observer\n")
    file = engine.home / ".codingcode" / "hooks.yaml"
    text = f"hooks:\n  - name: guard\n    onFailure: deny\n    {BASE}".replace("observer", "decision")
    text = text.replace("execute.before", "approval.pre")
    assert [mark[:3] for mark in marks(client.open(file, text))] == [("on-failure-unused", WARNING, (2, 4))]
    engine.hooks("hooks: []\n")
    assert published(client.change(file, text)) == []


def test_a_broken_other_file_makes_no_false_problems_in_this_one(engine: Engine, client: Client) -> None:
    file = project_file(engine)
    engine.hooks(hook_file("guard"), layer="global")
    engine.load()
    engine.hooks("hooks: [\n", layer="global")
    assert published(client.open(file, PATCH)) == []


def test_files_written_elsewhere_let_open_texts_be_judged_again(engine: Engine, client: Client) -> None:
    file = project_file(engine)
    client.open("file:///notes.txt", "")
    client.open(file, PATCH)
    engine.hooks(hook_file("guard"), layer="global")
    written = {"changes": [{"uri": "file:///elsewhere", "type": 2}]}
    assert published(client.notify("workspace/didChangeWatchedFiles", written)) == []
    client.close(file)
    assert client.notify("workspace/didChangeWatchedFiles", written) == []


def test_a_file_saved_in_the_editor_lets_open_texts_be_judged_again(engine: Engine, client: Client) -> None:
    file = project_file(engine)
    assert published(client.open(file, PATCH)) != []
    other = engine.hooks(hook_file("guard"), layer="global")
    assert published(client.notify("textDocument/didSave", {"textDocument": {"uri": other.as_uri()}})) == []


@pytest.mark.parametrize("folder", ["my work", "漢字 🎣", "100%25#?;&=+", "e\u0301", "[a]{b}~'\""])
def test_any_folder_name_is_found_again_in_a_uri(tmp_path: Path, folder: str) -> None:
    root = tmp_path / folder
    root.mkdir()
    engine = Engine(root)
    client = Client(engine.load())
    assert len(published(client.open(project_file(engine), "hooks: 5\n"))) == 1


def test_every_spelling_of_a_hook_files_place_is_the_same_file(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    engine = Engine(tmp_path / "real")
    engine.hooks(hook_file("guard"), layer="global")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (engine.project / ".codingcode").symlink_to(tmp_path / "dotfiles")
    (tmp_path / "dotfiles").mkdir()
    client = Client(engine.load())
    linked = tmp_path / "link" / "project" / ".codingcode" / "hooks.yaml"
    for file in (linked, project_file(engine), tmp_path / "dotfiles" / "hooks.yaml"):
        assert [mark[0] for mark in marks(client.open(file, PATCH.replace("false", "5")))] == ["field-type"], file
    home = tmp_path / "link" / "home" / ".codingcode" / "hooks.yaml"
    assert published(client.open(home, hook_file("guard"))) == []
    assert len(published(client.open(str(project_file(engine).as_uri()).replace("project", "%70roject"), "a: ["))) == 1


def test_a_project_that_nobody_loaded_is_judged_too(tmp_path: Path) -> None:
    engine = Engine(tmp_path)
    engine.hooks(hook_file("guard"), layer="global")
    client = Client(engine.service)
    assert published(client.open(project_file(engine), PATCH)) == []
    assert published(client.open(engine.home / ".codingcode" / "hooks.yaml", hook_file("guard"))) == []


def test_a_spelling_that_is_not_read_is_told_so_and_judged_all_the_same(engine: Engine, client: Client) -> None:
    engine.hooks("hooks: []\n")
    other = project_file(engine).with_suffix(".yml")
    text = "hooks: 5\n"
    other.write_text(text, encoding="utf-8")
    assert [mark[:3] for mark in marks(client.open(other, text))] == [
        ("file-shadowed", WARNING, (0, 0)),
        ("hooks-type", ERROR, (0, 7)),
    ]
    project_file(engine).unlink()
    assert [mark[0] for mark in marks(client.change(other, text))] == ["hooks-type"]


@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1",
        "untitled:{project}/.codingcode/hooks.yaml",
        "git:{project}/.codingcode/hooks.yaml",
        "vscode-remote://host{project}/.codingcode/hooks.yaml",
        "file://server{project}/.codingcode/hooks.yaml",
        "file://{project}/.codingcode/hooks.yaml.bak",
        "file://{project}/.codingcode/other/hooks.yaml",
        "file://{project}/hooks.yaml",
        "file://{project}/notes.txt",
        "file://{project}/%00/.codingcode/hooks.yaml",
        "file:relative/.codingcode/hooks.yaml",
        "",
    ],
)
def test_whatever_is_no_hook_file_gets_nothing(engine: Engine, client: Client, uri: str) -> None:
    uri = uri.format(project=engine.project)
    assert client.open(uri, "hooks: [\n") == []
    assert client.change(uri, "hooks: 5\n") == []
    assert client.close(uri) == []


def test_marks_are_taken_back_when_the_text_cannot_be_followed(engine: Engine, client: Client) -> None:
    file = project_file(engine)
    client.open(file, "hooks: 5\n")
    logged, cleared = client.change(file, "hooks: 6\n", version=None)
    assert logged["method"] == "window/logMessage"
    assert published([cleared]) == []


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"processId": None, "rootUri": None, "workspaceFolders": None, "trace": "off"},
        {"capabilities": {"general": {"positionEncodings": ["utf-8", "utf-32"]}}},
        {"rootUri": "untitled:x", "workspaceFolders": [{"uri": "file:///p", "name": "p"}]},
        {"capabilities": {"textDocument": "nonsense"}, "workspaceFolders": 5},
        {"capabilities": None},
        {"initializationOptions": {"jsonrpc": "2.0", "class": 1}, "jsonrpc": "2.0"},
    ],
)
def test_initialize_is_replayed_without_a_second_answer_and_columns_stay_utf16(engine: Engine, params: Message) -> None:
    client = Client(engine.load(), params=params)
    assert client.take() == []
    text = "hooks:\n- {name: 🎣🎣, point: x, type: observer, command: x}\n"
    assert marks(client.open(project_file(engine), text)) == [("point-unknown", ERROR, (1, 22), (1, 23))]


def test_a_nested_jsonrpc_key_in_a_notification_changes_nothing(engine: Engine, client: Client) -> None:
    params: Message = {
        "textDocument": {
            "uri": project_file(engine).as_uri(),
            "languageId": "yaml",
            "version": 1,
            "text": "hooks: 5\n",
            "jsonrpc": "2.0",
        },
        "data": {"jsonrpc": "2.0", "id": 4, "method": "exit"},
    }
    assert len(published(client.notify("textDocument/didOpen", params))) == 1
