"""Owns checking what a server sends against the protocol's schema; knows no case.

The schema is optional: without it, or without the ``jsonschema`` package, nothing is checked.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

from .kinds import is_object

__all__ = ["Checker", "message_checker"]

SCHEMAS = Path(__file__).resolve().parents[3] / "protocol" / "schema"


class Checker(Protocol):
    """Says what is wrong with a message; None: nothing, or there is nothing to check with."""

    def __call__(self, message: Any, asked: str | None) -> str | None:
        """Judge one message. ``asked`` is the method it answers, where that is known."""
        ...


def message_checker(folder: Path = SCHEMAS) -> Checker:
    """A checker over the schema in the folder."""
    try:
        import jsonschema  # noqa: PLC0415 - optional: the runner needs the standard library alone
    except ImportError:
        return _unchecked
    if not (folder / "messages.schema.json").exists():
        return _unchecked
    schema = json.loads((folder / "messages.schema.json").read_text(encoding="utf-8"))
    methods = json.loads((folder / "methods.json").read_text(encoding="utf-8"))["methods"]
    envelope = jsonschema.Draft202012Validator(schema)
    results = {
        method["name"]: jsonschema.Draft202012Validator(_result_schema(method, schema["$defs"]))
        for method in methods
        if method["kind"] != "notification"
    }

    def check(message: Any, asked: str | None) -> str | None:
        error = next(iter(envelope.iter_errors(message)), None)  # pyright: ignore[reportUnknownMemberType] - its stubs
        if error is None and is_object(message) and "result" in message and asked in results:
            found = results[asked].iter_errors(message["result"])  # pyright: ignore[reportUnknownMemberType] - its stubs
            error = next(iter(found), None)
        return None if error is None else f"{error.json_path}: {error.message[:500]}"

    return check


def _result_schema(method: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    allowed: list[Any] = [{"$ref": f"#/$defs/{method['result']}"}] if method["result"] else [{"type": "null"}]
    if method["nullable"]:
        allowed.append({"type": "null"})
    return {"anyOf": allowed, "$defs": definitions}


def _unchecked(message: Any, asked: str | None) -> str | None:
    del message, asked
    return None
