"""What a user can get wrong before the engine is asked, and the one line that tells them."""

from __future__ import annotations

from pathlib import Path

import pytest
from server.cli.desk import Desk
from tenterhook.cli.inputs import folder, read_payload
from tenterhook.errors import BadParams

BAD_PAYLOADS = {
    "not-json": ("{,}", "payload.json:1:2: it is not JSON: object keys must be strings"),
    "second-line": ('{"a": 1,\n  "é": x}', "payload.json:2:8: it is not JSON: invalid character"),
    "two-documents": ("{} {}", "payload.json:1:5: it is not JSON: trailing characters"),
    "nan": ('{"a": NaN}', "payload.json:1:7: it is not JSON: invalid character"),
    "cut-off": ('{"a": ', "payload.json: the JSON ends too early: a bracket or a quote is missing at its end"),
    "empty": (" \n", "payload.json: it is empty; the payload must be a JSON object, at least {}"),
    "array": ("[]", "payload.json: the payload must be a JSON object like {}, and this is an array"),
    "null": ("null", "payload.json: the payload must be a JSON object like {}, and this is null"),
    "true": ("true", "payload.json: the payload must be a JSON object like {}, and this is a boolean"),
    "string": ('"x"', "payload.json: the payload must be a JSON object like {}, and this is a string"),
    "number": ("1.5", "payload.json: the payload must be a JSON object like {}, and this is a number"),
    "too-deep": ('{"a":' + "[" * 100_000, "payload.json: the payload is nested too deeply"),
}


@pytest.mark.parametrize("case", BAD_PAYLOADS)
def test_a_payload_that_is_no_object_is_refused_with_its_place(desk: Desk, case: str) -> None:
    content, told = BAD_PAYLOADS[case]
    with pytest.raises(BadParams) as refusal:
        read_payload(desk.payload(content))
    assert refusal.value.message == told


def test_a_payload_keeps_its_own_bytes_but_for_a_byte_order_mark(desk: Desk) -> None:
    content = '{"b": 1.10,  "a": 1e400, "é": "\\u00e9"}'
    assert bytes(read_payload(desk.payload("\ufeff" + content))) == content.encode()


def test_bytes_that_are_not_utf_8_are_refused(desk: Desk) -> None:
    (desk.project / "bad.json").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(BadParams, match=r"bad\.json: it is not JSON: Invalid UTF-8"):
        read_payload("bad.json")


def test_a_payload_that_is_not_there_is_named(desk: Desk) -> None:
    del desk
    with pytest.raises(BadParams) as refusal:
        read_payload("none.json")
    assert refusal.value.message == "the payload none.json cannot be read: No such file or directory"


def test_a_folder_is_taken_from_the_current_one_and_from_home(desk: Desk) -> None:
    (desk.project / "sub").mkdir()
    assert folder("sub/.", "--project") == str(desk.project / "sub")
    assert folder("~", "--home") == str(desk.home)


@pytest.mark.parametrize(("name", "why"), [("none", "does not exist"), ("file", "is not a folder")])
def test_a_folder_that_is_none_is_refused_by_the_option_that_named_it(desk: Desk, name: str, why: str) -> None:
    (desk.project / "file").touch()
    with pytest.raises(BadParams) as refusal:
        folder(name, "--project")
    assert refusal.value.message == f"--project: {name} {why}"


def test_a_current_folder_that_was_deleted_is_told_and_no_traceback(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = Path("gone")
    gone.mkdir()
    monkeypatch.chdir(gone)
    Path.cwd().rmdir()
    ended = desk.run("check")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        "tenterhook: the current folder cannot be used: No such file or directory; go to one that exists\n"
    )
