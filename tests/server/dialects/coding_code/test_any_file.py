"""Whatever stands in the hook files, loading them ends in hooks and problems that can be sent."""

from __future__ import annotations

import json
import math

import msgspec
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from server.dialects.coding_code.parts import load
from tenterhook.dialects.base import Loaded
from tenterhook.dialects.coding_code.fields import JUDGES, MAX_TIMEOUT

NUMBERS = (
    *("0", "-0", "1", "0.5", ".inf", "-.inf", ".nan", "1e400", "-1e400", "1e-400"),
    *("9" * 309, "-" + "9" * 309, "9" * 5000, "0x" + "f" * 300, "0x" + "f" * 9000, "0o" + "7" * 400),
)
WORDS = (
    *NUMBERS,
    *(f"'{number}'" for number in NUMBERS),
    *(f"!!float '{number}'" for number in NUMBERS),
    *(f"!!int '{number}'" for number in NUMBERS),
    *(
        "~",
        "null",
        "!!null x",
        "true",
        "false",
        "no",
        "off",
        "''",
        "' '",
        "'('",
        '"\\0"',
        '"\\uFEFF"',
        "a",
        "2024-01-01",
    ),
    *("[]", "{}", "[[]]", "[~]", "[{a: b}]", "{a: []}", "{~: ~}", "{'': ''}", "{a=b: c}", "{1: 2}", "{[a]: b}"),
    *("&x a", "&x [a, b]", "*x", "!!set {a}", "!!binary aa", "! a", "!local a"),
    *("tool.approval.pre", "agent.turn.end", "observer", "decision", "deny", "strict", "[strict]", "[stict, ~]"),
)
VALUES: st.SearchStrategy[str] = st.sampled_from(WORDS) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
).map(lambda value: json.dumps(value).replace("NaN", ".nan").replace("Infinity", ".inf"))
KEYS: list[str] = [*JUDGES, "odd", "''", "!!int 0x" + "f" * 300]
ENTRIES: st.SearchStrategy[list[dict[str, str]]] = st.lists(
    st.tuples(st.sampled_from(["a", "b"]) | VALUES, st.dictionaries(st.sampled_from(KEYS), VALUES)).map(
        lambda entry: {"name": entry[0], **entry[1]}
    ),
    max_size=3,
)


def sound(loaded: Loaded) -> None:
    """All of it can be sent, and numbers are finite there."""
    msgspec.json.encode(loaded.problems)
    for hook in loaded.hooks:
        msgspec.json.encode(hook)
        assert math.isfinite(hook.priority)
        assert 0 < hook.timeout <= MAX_TIMEOUT
    for problem in loaded.problems:
        assert problem.message
        assert len(problem.message) < 1000
        assert len(str(problem.hint)) < 1000


def file_of(entries: list[dict[str, str]]) -> str:
    lines = (", ".join(f"{key}: {word}" for key, word in entry.items()) for entry in entries)
    return "hooks:\n" + "".join(f"  - {{{line}}}\n" for line in lines)


@given(st.binary(max_size=300), st.binary(max_size=300))
@example(b"hooks: [{name: a, priority: 0x" + b"f" * 300 + b"}]", b"")
@example(b"hooks: [{name: a, priority: 1" + b"0" * 5000 + b"}]", b"hooks: [{name: a, timeout: 0o" + b"7" * 400 + b"}]")
@example(b'hooks: [{name: "\\U00110000"}]', b'hooks: [{name: "\\ud800"}]')
def test_no_bytes_make_loading_fail(user: bytes, project: bytes) -> None:
    sound(load(user, project))


@settings(max_examples=400)
@given(ENTRIES, ENTRIES)
def test_no_value_in_any_field_makes_loading_fail(user: list[dict[str, str]], project: list[dict[str, str]]) -> None:
    sound(load(file_of(user), file_of(project)))


@pytest.mark.parametrize("key", ["name", *JUDGES])
def test_no_odd_word_in_any_field_makes_loading_fail_or_is_told_at_length(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    required = {"name": "a", "point": "tool.approval.pre", "type": "decision", "command": "c"}
    for word in (*WORDS, "x" * 100_000, "'" + " x" * 50_000 + "'", f"[{'x' * 100_000}]", f"{{{'x' * 100_000}: ''}}"):
        content = file_of([{**required, key: word}])
        fast = load(content, content)
        sound(fast)
        with monkeypatch.context() as patch:
            patch.delattr(yaml, "CSafeLoader")
            slow = load(content, content)
        assert slow.hooks == fast.hooks


def test_a_number_without_measure_is_the_largest_there_is_and_takes_nobody_down() -> None:
    for number in ("0x" + "f" * 300, "9" * 400, ".inf", "'0x" + "f" * 300 + "'"):
        far = {"name": "far", "point": "agent.turn.end", "type": "observer", "command": "c", "priority": number}
        loaded = load(file_of([{**far, "name": "near", "priority": "1"}, {**far, "timeout": number}]))
        assert [hook.left_out for hook in loaded.hooks] == [None, None]
        assert [hook.priority > 1e308 for hook in loaded.hooks] == [False, True]
        assert loaded.hooks[1].timeout == MAX_TIMEOUT
