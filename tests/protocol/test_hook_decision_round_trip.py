"""Whatever a decision holds, it is the same after the wire."""

from __future__ import annotations

import json

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Raw
from tenterhook_protocol.runs import HookDecision

# Lone surrogates are not text and cannot be sent as UTF-8.
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
DECISIONS = st.builds(
    HookDecision,
    decision=st.just(UNSET) | st.sampled_from(["allow", "deny", "ask", "continue"]),
    reason=st.just(UNSET) | TEXT,
    injection=st.just(UNSET) | TEXT,
    modified_input=st.just(UNSET) | st.dictionaries(TEXT, JSON, max_size=3).map(lambda value: Raw(_text(value))),
)


def _text(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


@given(DECISIONS)
def test_a_decision_is_the_same_after_the_wire(decision: HookDecision) -> None:
    assert msgspec.json.decode(msgspec.json.encode(decision), type=HookDecision) == decision


@given(DECISIONS)
def test_what_was_not_given_is_not_written(decision: HookDecision) -> None:
    given_fields = {
        "decision": decision.decision,
        "reason": decision.reason,
        "injection": decision.injection,
        "modifiedInput": decision.modified_input,
    }
    written = json.loads(msgspec.json.encode(decision))
    assert list(written) == [name for name, value in given_fields.items() if value is not UNSET]


@given(st.dictionaries(TEXT, JSON, max_size=4))
def test_the_bytes_of_arguments_survive(value: dict[str, object]) -> None:
    body = b'{"modifiedInput":' + _text(value) + b"}"
    read = msgspec.json.decode(body, type=HookDecision)
    assert msgspec.json.encode(read) == body
