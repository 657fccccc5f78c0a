"""What the engine reads of a payload."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw
from server.dialects.coding_code.parts import CODING_CODE
from tenterhook.dialects.base import Head
from tenterhook.errors import BadParams


@pytest.mark.parametrize(
    ("payload", "head"),
    [
        (b"{}", Head()),
        (b'{"projectPath": "/p"}', Head("/p")),
        (b'{"projectPath": "/p", "sessionId": "s", "toolName": "t"}', Head("/p", "s", "t")),
        (b'{"parentSessionId": "p"}', Head(None, "p")),
        (b'{"parentSessionId": "p", "sessionId": "s"}', Head(None, "s")),
        (b'{"childSessionId": "c"}', Head()),
        (b'{"tool": "t"}', Head(None, None, "t")),
        (b'{"tool": "t", "toolName": "u"}', Head(None, None, "u")),
        (b'{"toolName": ""}', Head(None, None, "")),
        (b'{"projectPath": null, "sessionId": null, "toolName": null}', Head()),
        (b'{"sessionId": null, "parentSessionId": "p", "toolName": null, "tool": "t"}', Head(None, "p", "t")),
        ('{"toolName": "\\u65e5\\ud83d\\ude00 é"}'.encode(), Head(None, None, "日😀 é")),
        (b'{"args": {"toolName": "inner", "projectPath": 3}, "jsonrpc": "1", "a-b": [1e999]}', Head()),
        (b' {"toolName" : "t"} ', Head(None, None, "t")),
    ],
)
def test_project_session_and_tool_are_read_and_all_else_is_left_alone(payload: bytes, head: Head) -> None:
    read = CODING_CODE.head("tool.approval.pre", Raw(payload))
    assert (read.project, read.session, read.subject) == (head.project, head.session, head.subject)


ODD = ["1", "true", "1.5", "[]", "{}", '["a"]', '{"a": "b"}', "1e999", "9" * 500, "[1e999]"]


@pytest.mark.parametrize("odd", ODD)
def test_a_tool_or_a_parent_that_is_no_text_names_nothing_and_refuses_no_event(odd: str) -> None:
    def read(payload: str) -> Head:
        head = CODING_CODE.head("tool.approval.pre", Raw(payload.encode()))
        return Head(head.project, head.session, head.subject, head.cwd, head.payload)

    usual = '"projectPath": "/p", "sessionId": "s"'
    assert read(f'{{{usual}, "toolName": {odd}}}') == Head("/p", "s")
    assert read(f'{{{usual}, "tool": {odd}}}') == Head("/p", "s")
    assert read(f'{{{usual}, "toolName": {odd}, "tool": "t"}}') == Head("/p", "s", "t")
    assert read(f'{{{usual}, "toolName": "\\u65e5", "tool": {odd}}}') == Head("/p", "s", "日")
    assert read(f'{{{usual}, "parentSessionId": {odd}, "toolName": "t"}}') == Head("/p", "s", "t")
    assert read(f'{{"parentSessionId": {odd}}}') == Head()
    assert read(f'{{"parentSessionId": "p", "tool": {odd}}}') == Head(None, "p")


@pytest.mark.parametrize("odd", [*ODD, '"/x"', "null"])
def test_what_only_other_systems_read_is_the_host_s_own(odd: str) -> None:
    for key in ("cwd", "payload", "(no cwd)", "(no payload)", "project", "session", "subject", "parent"):
        head = CODING_CODE.head("tool.approval.pre", Raw(f'{{"toolName": "t", "{key}": {odd}}}'.encode()))
        assert (head.project, head.session, head.subject, head.cwd, head.payload) == (None, None, "t", None, None)


@pytest.mark.parametrize("key", ["projectPath", "sessionId"])
@pytest.mark.parametrize("value", [1, True, 1.5, [], {}])
def test_a_key_of_a_wrong_type_is_named(key: str, value: object) -> None:
    with pytest.raises(BadParams, match=rf"^payload\.{key} must be a string$"):
        CODING_CODE.head("tool.approval.pre", Raw(json.dumps({"x": 1, key: value}).encode()))


@pytest.mark.parametrize("payload", [b"[]", b"null", b"1", b'"x"', b"{", b""])
def test_a_payload_that_is_no_object_is_refused(payload: bytes) -> None:
    with pytest.raises(BadParams, match=r"^payload must be a JSON object"):
        CODING_CODE.head("tool.approval.pre", Raw(payload))


def test_a_payload_that_is_nested_beyond_measure_is_no_crash() -> None:
    with pytest.raises(BadParams):
        CODING_CODE.head("tool.approval.pre", Raw(b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}"))


@given(st.dictionaries(st.text(), st.none() | st.integers() | st.text() | st.lists(st.text())))
def test_other_keys_never_matter(payload: dict[str, object]) -> None:
    for key in ("projectPath", "sessionId", "parentSessionId", "toolName", "tool"):
        payload.pop(key, None)
    assert CODING_CODE.head("tool.approval.pre", Raw(json.dumps({**payload, "tool": "t"}).encode())) == Head(
        None, None, "t"
    )
