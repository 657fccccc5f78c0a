"""Every example is judged by its type and by the generated schema, and both agree with what it says of itself."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator
from msgspec import Struct
from tenterhook_protocol import hooks_file, jsonrpc
from tenterhook_protocol.claude_events import CLAUDE_EVENTS
from tenterhook_protocol.generate import REPOSITORY
from tenterhook_protocol.methods import METHODS
from tenterhook_protocol.points import POINTS

PROTOCOL = REPOSITORY / "protocol"
EXAMPLES = sorted((PROTOCOL / "examples").rglob("*.json"))


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    """One file under ``protocol/examples``."""

    type: str
    valid: bool
    value: msgspec.Raw


def _shown_types() -> dict[str, type[Struct]]:
    """Types that must have an example: those of methods, points, events, errors, hook files."""
    found: list[type[Struct]] = [jsonrpc.ResponseError, hooks_file.HooksFile]
    for method in METHODS.values():
        found += [cls for cls in (method.params, method.result) if cls is not None]
    found += [point.payload for point in POINTS.values()]
    found += [event.payload for event in CLAUDE_EVENTS.values()]
    return {cls.__name__: cls for cls in found}


TYPES = _shown_types()
DEFINITIONS = json.loads((PROTOCOL / "schema" / "messages.schema.json").read_text(encoding="utf-8"))["$defs"]
HOOKS_SCHEMA = json.loads((PROTOCOL / "schema" / "hooks.schema.json").read_text(encoding="utf-8"))


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def _read(path: Path) -> Example:
    return msgspec.json.decode(path.read_bytes(), type=Example)


def _type_takes(example: Example) -> bool:
    try:
        msgspec.json.decode(example.value, type=TYPES[example.type])
    except msgspec.ValidationError:
        return False
    return True


def _schema_takes(example: Example) -> bool:
    of_file = example.type == hooks_file.HooksFile.__name__
    schema = HOOKS_SCHEMA if of_file else {"$ref": f"#/$defs/{example.type}", "$defs": DEFINITIONS}
    return Draft202012Validator(schema).is_valid(json.loads(bytes(example.value)))  # pyright: ignore[reportUnknownMemberType] - its stubs


@pytest.mark.parametrize("path", EXAMPLES, ids=_name)
def test_type_and_schema_agree_with_an_example(path: Path) -> None:
    example = _read(path)
    assert (_type_takes(example), _schema_takes(example)) == (example.valid, example.valid)


@pytest.mark.parametrize("path", EXAMPLES, ids=_name)
def test_an_example_lies_in_the_folder_of_its_type(path: Path) -> None:
    assert _read(path).type == path.parent.name


def test_every_shown_type_has_a_valid_example() -> None:
    valid = {example.type for example in map(_read, EXAMPLES) if example.valid}
    assert valid == set(TYPES)


@pytest.mark.parametrize("schema", ["messages", "hooks"])
def test_a_schema_is_itself_valid(schema: str) -> None:
    text = (PROTOCOL / "schema" / f"{schema}.schema.json").read_text(encoding="utf-8")
    Draft202012Validator.check_schema(json.loads(text))


@pytest.mark.parametrize("name", sorted(DEFINITIONS))
def test_every_field_of_the_schema_is_described(name: str) -> None:
    undescribed = [key for key, field in DEFINITIONS[name].get("properties", {}).items() if not field["description"]]
    assert not undescribed


def test_messages_stay_open_to_unknown_keys() -> None:
    assert not [name for name, definition in DEFINITIONS.items() if "additionalProperties" in definition]


def test_a_hook_file_is_closed_to_unknown_keys() -> None:
    assert HOOKS_SCHEMA["additionalProperties"] is False
    assert HOOKS_SCHEMA["$defs"]["HookEntry"]["additionalProperties"] is False
    assert HOOKS_SCHEMA["$defs"]["HookEntry"]["required"] == ["name"]
