"""How types and their descriptions become what the emitters read."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct, defstruct
from tenterhook_protocol import hooks, runs
from tenterhook_protocol.base import UNSET, JsonObject, JsonValue, Message, UnsetType
from tenterhook_protocol.generate.shapes import (
    Alias,
    Anything,
    Choice,
    ListOf,
    MapOf,
    Named,
    OneOf,
    Plain,
    Record,
    Shape,
)
from tenterhook_protocol.generate.type_reading import reachable, record_of, wire_types
from tenterhook_protocol.jsonrpc import RequestId


class Sample(Message, frozen=True, kw_only=True):
    """The first line
    and ``the second``.
    """

    plain_text: str
    """A text
    of two lines, with ``code``.
    """
    truth: bool = False
    maybe: int | UnsetType = UNSET
    few: Annotated[int, Meta(ge=1, le=8)] = 2
    some: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    nothing: float | None
    some_object: JsonObject
    some_value: JsonValue | UnsetType = UNSET
    names: list[str] = []
    numbers: dict[str, int | None]
    inline: Literal["a", "b"]
    status: runs.RunStatus
    key: RequestId
    other: runs.ContextEffect


SHAPES: dict[str, Shape] = {
    "plainText": Plain("string"),
    "truth": Plain("boolean"),
    "maybe": Plain("integer"),
    "few": Plain("integer", 1, 8),
    "some": Plain("integer", 0),
    "nothing": OneOf((Plain("number"), Plain("null"))),
    "someObject": Anything(object_only=True),
    "someValue": Anything(object_only=False),
    "names": ListOf(Plain("string")),
    "numbers": MapOf(OneOf((Plain("integer"), Plain("null")))),
    "inline": Choice(("a", "b")),
    "status": Named("RunStatus"),
    "key": Named("RequestId"),
    "other": Named("ContextEffect"),
}


def test_each_type_has_its_shape() -> None:
    assert {field.name: field.shape for field in record_of(Sample).fields} == SHAPES


def test_a_field_with_a_default_is_not_required() -> None:
    optional = {field.name: field.default for field in record_of(Sample).fields if not field.required}
    assert optional == {"truth": False, "maybe": UNSET, "few": 2, "some": UNSET, "someValue": UNSET, "names": []}


def test_descriptions_are_one_line_of_markdown() -> None:
    sample = record_of(Sample)
    assert sample.doc == "The first line and `the second`."
    assert [field.doc for field in sample.fields[:2]] == ["A text of two lines, with `code`.", ""]


def test_an_inherited_field_is_described_where_it_is_declared() -> None:
    fields = {field.name: field.doc for field in record_of(hooks.EmitDecisionParams).fields}
    assert fields["point"] == "The point or event."
    assert fields["trace"].startswith("Answer with an object")


def test_what_a_type_refers_to_is_reached_with_it() -> None:
    assert list(reachable([Sample])) == ["ContextEffect", "RequestId", "RunStatus", "Sample"]


def test_an_alias_keeps_its_own_description() -> None:
    alias = reachable([Sample])["RequestId"]
    assert isinstance(alias, Alias)
    assert alias.shape == OneOf((Plain("integer"), Plain("string")))
    assert alias.doc == 'Integer or string; `1` and `"1"` are different requests.'


def test_two_types_of_one_name_are_an_error() -> None:
    twin = type("HookRun", (Struct,), {})
    with pytest.raises(TypeError, match="two wire types are called HookRun"):
        reachable([twin, runs.HookRun])


@pytest.mark.parametrize("bounds", [Meta(gt=0), Meta(ge=1, multiple_of=2), Meta(title="t")])
def test_a_constraint_that_no_emitter_would_tell_is_an_error(bounds: Meta) -> None:
    odd = defstruct("Odd", [("value", Annotated[int, bounds])])
    with pytest.raises(TypeError, match="constraints"):
        record_of(odd)


def test_a_type_without_a_form_on_the_wire_is_an_error() -> None:
    class Odd(Message, frozen=True, kw_only=True):
        value: set[str]

    with pytest.raises(TypeError, match="has no form on the wire"):
        record_of(Odd)


def test_every_wire_type_and_field_is_described() -> None:
    records = [kind for kind in wire_types().values() if isinstance(kind, Record)]
    bare = [record.name for record in records if not record.doc]
    bare += [f"{record.name}.{field.name}" for record in records for field in record.fields if not field.doc]
    assert bare == []
