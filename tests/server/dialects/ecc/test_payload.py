from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given as over
from hypothesis import strategies as st
from tenterhook.dialects.ecc.payload import HIGHEST_LIMIT, LIMIT_VARIABLE, given, limit_of


@pytest.mark.parametrize(
    ("told", "limit", "is_wrong"),
    [
        ("", HIGHEST_LIMIT, False),
        ("  ", HIGHEST_LIMIT, False),
        ("64", 64, False),
        (" 64 ", 64, False),
        ("99999999", HIGHEST_LIMIT, False),
        ("0", HIGHEST_LIMIT, True),
        ("-5", HIGHEST_LIMIT, True),
        ("64k", HIGHEST_LIMIT, True),
        ("6.5", HIGHEST_LIMIT, True),
        ("٦٤", HIGHEST_LIMIT, True),
        ("9" * 400, HIGHEST_LIMIT, True),
    ],
)
def test_the_limit_can_only_be_lowered(told: str, limit: int, *, is_wrong: bool) -> None:
    found, complaint = limit_of({LIMIT_VARIABLE: told})
    assert (found, complaint is not None) == (limit, is_wrong)


@pytest.mark.parametrize(
    ("payload", "length", "truncated"),
    [
        (b"", 0, False),
        (b"x" * (HIGHEST_LIMIT - 1), HIGHEST_LIMIT - 1, False),
        (b"x" * HIGHEST_LIMIT, HIGHEST_LIMIT, False),
        (b"x" * (HIGHEST_LIMIT + 1), HIGHEST_LIMIT, True),
        ("é".encode() * (HIGHEST_LIMIT // 2), HIGHEST_LIMIT, False),
        (b"x" + "é".encode() * (HIGHEST_LIMIT // 2), HIGHEST_LIMIT - 1, True),
        ("é".encode() * HIGHEST_LIMIT, HIGHEST_LIMIT, True),
        (b"xx" + "𝄞".encode() * (HIGHEST_LIMIT // 4), HIGHEST_LIMIT - 2, True),
    ],
)
def test_the_limit_is_in_bytes_and_cuts_no_character(payload: bytes, length: int, *, truncated: bool) -> None:
    held = given(payload, {})
    assert (len(held.text), held.truncated) == (length, truncated)


@over(st.text(), st.integers(min_value=1, max_value=40))
def test_what_is_kept_is_a_beginning_in_whole_characters(text: str, limit: int) -> None:
    payload = text.encode()
    held = given(payload, {LIMIT_VARIABLE: str(limit)})
    assert payload.startswith(held.text)
    assert held.text.decode() == text[: len(held.text.decode())]
    assert held.truncated == (len(payload) > limit)
    assert limit - len(held.text) < 4 or not held.truncated


@pytest.mark.parametrize(
    ("response", "output"),
    [
        ("done", {"output": "done"}),
        ({"stdout": "a", "stderr": "b"}, {"stdout": "a", "stderr": "b", "output": "a\nb"}),
        ({"stdout": "", "stderr": ""}, {"stdout": "", "stderr": "", "output": ""}),
        ({"output": "x", "stdout": "y"}, {"output": "x", "stdout": "y"}),
        ({"filePath": "/a"}, {"filePath": "/a"}),
        ([1], {"output": "[1]"}),
        (None, {"output": ""}),
    ],
)
def test_the_output_of_a_tool_has_ecc_s_name_too(response: Any, output: Any) -> None:
    payload = json.dumps({"tool_name": "Bash", "tool_response": response}).encode()
    assert json.loads(given(payload, {}).text) == {
        "tool_name": "Bash",
        "tool_response": response,
        "tool_output": output,
    }


@pytest.mark.parametrize(
    "payload",
    [
        b'{"tool_name": "Bash"}',
        b'{"tool_response": "a", "tool_output": {"output": "b"}}',
        b'{"tool_input": {"content": "\\"tool_response\\""}}',
        b'{"x": {"tool_response": "a"}}',
        b'{"tool_response": "a"',
        b'["tool_response"]',
    ],
)
def test_any_other_payload_is_handed_on_as_it_is(payload: bytes) -> None:
    assert given(payload, {}).text == payload


def test_what_is_added_is_never_what_makes_a_payload_too_long() -> None:
    payload = json.dumps({"tool_response": "x" * 50}).encode()
    held = given(payload, {LIMIT_VARIABLE: str(len(payload))})
    assert (held.text, held.truncated) == (payload, False)
