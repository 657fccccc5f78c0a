"""The schema of messages judges whole frames: the envelope, and the params by their method."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator
from tenterhook_protocol.generate import REPOSITORY

SCHEMA = json.loads((REPOSITORY / "protocol" / "schema" / "messages.schema.json").read_text(encoding="utf-8"))

FRAMES: list[tuple[bool, str]] = [
    (True, '{"jsonrpc":"2.0","id":1,"method":"shutdown"}'),
    (True, '{"jsonrpc":"2.0","id":"1","method":"shutdown","params":null}'),
    (True, '{"jsonrpc":"2.0","id":1,"method":"hooks/stats"}'),
    (True, '{"jsonrpc":"2.0","id":1,"method":"hooks/list","params":null}'),
    (True, '{"jsonrpc":"2.0","id":1,"method":"hooks/list","params":{"projectPath":"/p","more":1}}'),
    (True, '{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///a"}}'),
    (True, '{"jsonrpc":"2.0","id":1,"result":null}'),
    (True, '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}'),
    (True, '[{"jsonrpc":"2.0","id":1,"result":null},{"jsonrpc":"2.0","method":"exit"}]'),
    (False, '{"id":1,"result":null}'),
    (False, '{"jsonrpc":"1.0","id":1,"result":null}'),
    (False, '{"jsonrpc":"2.0","id":1}'),
    (False, '{"jsonrpc":"2.0","result":null}'),
    (False, '{"jsonrpc":"2.0","id":1.5,"result":null}'),
    (False, '{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":-32603,"message":"x"}}'),
    (False, '{"jsonrpc":"2.0","id":1,"error":{"message":"x"}}'),
    (False, '{"jsonrpc":"2.0","id":1,"method":"hooks/emit"}'),
    (False, '{"jsonrpc":"2.0","id":1,"method":"hooks/emit","params":null}'),
    (False, '{"jsonrpc":"2.0","id":1,"method":"hooks/emit","params":{"point":"p"}}'),
    (False, '{"jsonrpc":"2.0","id":1,"method":"hooks/list","params":[]}'),
    (False, '{"jsonrpc":"2.0","method":"hooks/completed","params":{"runId":"r"}}'),
    (False, '[{"jsonrpc":"2.0","id":1,"result":null},7]'),
    (False, "7"),
]


@pytest.mark.parametrize(("valid", "frame"), FRAMES)
def test_a_frame_is_judged_by_envelope_and_method(valid: bool, frame: str) -> None:  # noqa: FBT001 - a table's column
    validator = Draft202012Validator(SCHEMA)
    assert validator.is_valid(json.loads(frame)) is valid  # pyright: ignore[reportUnknownMemberType] - its stubs
