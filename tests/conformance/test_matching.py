"""A pattern is exact unless it says otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from conformance.suite.matching import mismatch

FITS: list[tuple[Any, Any]] = [
    ({"a": [1, "x", None, True]}, {"a": [1, "x", None, True]}),
    (1, 1.0),
    ("$any", None),
    ("$string", ""),
    ("$integer", 5),
    ("$number", 1.5),
    ("$list", []),
    ({"$subset": {"a": {"b": 1}}}, {"a": {"b": 1, "c": 2}, "d": 3}),
    ({"$subset": {"a": {"$absent": True}}}, {}),
    ({"a": {"$absent": True}}, {}),
    ({"$contains": "b"}, "abc"),
    ({"$startsWith": "a"}, "abc"),
    ({"$regex": "^a.c$"}, "abc"),
    ({"$error": -32600}, {"code": -32600, "message": "m"}),
    ({"$error": -32600}, {"code": -32600, "message": "m", "data": {"suggestion": "x"}}),
    ({"$includes": [2, 1]}, [1, 2, 3]),
    ({"$inAnyOrder": [2, 1]}, [1, 2]),
    ({"$anyOf": [1, "x"]}, "x"),
    ({"$not": 1}, True),
    ({"$literal": {"$any": 1}}, {"$any": 1}),
    ({"$atLeast": 1}, 1),
    ({"$atMost": 1}, 0.5),
    ({"$length": 2}, "ab"),
    ([{"$capture": "x"}, "${x}"], ["same", "same"]),
]

DIFFERS: list[tuple[Any, Any]] = [
    (1, True),
    (True, 1),
    (0, False),
    (None, False),
    ("1", 1),
    ({"a": 1}, {"a": 1, "b": 2}),
    ({"a": 1, "b": 2}, {"a": 1}),
    ([1], [1, 2]),
    ([1, 2], [2, 1]),
    ("$integer", True),
    ("$integer", 1.5),
    ("$number", "1"),
    ("$object", []),
    ({"$subset": {"a": {"b": 1}}}, {"a": {"b": 2}}),
    ({"$subset": {"a": [1]}}, {"a": [1, 2]}),
    ({"$subset": {"a": {"$absent": True}}}, {"a": None}),
    ({"$contains": "b"}, None),
    ({"$startsWith": "b"}, "abc"),
    ({"$error": -32600}, {"code": -32601, "message": "m"}),
    ({"$error": -32600}, {"code": -32600, "message": "m", "more": 1}),
    ({"$error": -32600}, {"code": -32600}),
    ({"$includes": [1, 4]}, [1, 2, 3]),
    ({"$inAnyOrder": [1, 1]}, [1, 2]),
    ({"$inAnyOrder": [1]}, [1, 1]),
    ({"$not": "$any"}, 1),
    ({"$atMost": 1}, True),
    ({"$length": 2}, "abc"),
    ([{"$capture": "x"}, "${x}"], ["one", "other"]),
]


@pytest.mark.parametrize(("pattern", "value"), FITS, ids=str)
def test_a_value_fits(pattern: Any, value: Any) -> None:
    assert mismatch(pattern, value, {}) is None


@pytest.mark.parametrize(("pattern", "value"), DIFFERS, ids=str)
def test_a_value_does_not_fit(pattern: Any, value: Any) -> None:
    assert mismatch(pattern, value, {}) is not None


def test_a_misfit_names_the_place() -> None:
    assert mismatch({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, {}) == "$.a[1].b: expected 2, got 3"
