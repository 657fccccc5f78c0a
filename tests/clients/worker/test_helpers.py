"""The helper modules for workers: one program, both roads, and the same said on each, in each language."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import tenterhook_client

PYTHON_PARENT = Path(tenterhook_client.__file__).parents[1]
NODE_PACKAGE = PYTHON_PARENT.parents[1] / "node"

PYTHON = f"""
import os, subprocess, sys
sys.path.insert(0, {str(PYTHON_PARENT)!r})
from tenterhook_client import worker


def handler(event):
    do = event["do"]
    if do == "object":
        return {{"decision": "deny", "reason": event["text"]}}
    if do == "text":
        return event["text"]
    if do == "exit":
        sys.exit(event["code"])
    if do == "fail":
        raise ValueError("no such thing")
    if do == "print":
        print("stray")
        return "said"
    if do == "child":
        return subprocess.run(["cat"], stdout=subprocess.PIPE, check=True).stdout.decode() + "said"
    if do == "where":
        return os.environ["POINT"] + " " + os.path.basename(os.getcwd())
    if do == "spoil":
        os.environ["POINT"] = "spoilt"
        os.chdir("/")
    if do == "environment":
        return {{name: os.environ.get(name) for name in ("POINT", "MORE")}}


worker.run(handler)
"""

NODE = f"""
const {{ run }} = require({json.dumps(str(NODE_PACKAGE))});
const path = require('node:path');

run((event) => {{
  if (event.do === 'object') return {{ decision: 'deny', reason: event.text }};
  if (event.do === 'text') return event.text;
  if (event.do === 'exit') process.exit(event.code);
  if (event.do === 'fail') throw new RangeError('ValueError: no such thing');
  if (event.do === 'print') {{ console.log('stray'); return 'said'; }}
  if (event.do === 'child') return require('node:child_process').execFileSync('cat').toString() + 'said';
  if (event.do === 'where') return process.env.POINT + ' ' + path.basename(process.cwd());
  if (event.do === 'spoil') {{
    process.env.POINT = 'spoilt';
    process.chdir('/');
  }}
  if (event.do === 'environment') {{
    const {{ POINT, MORE = null }} = process.env;
    return {{ POINT, MORE }};
  }}
}});
"""

LANGUAGES: dict[str, tuple[str, ...]] = {"Python": (sys.executable, "-c", PYTHON), "Node": ("node", "-e", NODE)}
EACH_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)


def start(language: str, given: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    words = LANGUAGES[language]
    own = {**os.environ, **env}
    done = subprocess.run(
        words, input=given.encode("utf-8", "surrogatepass"), capture_output=True, env=own, cwd=folder, check=False
    )
    return subprocess.CompletedProcess(words, done.returncode, done.stdout.decode(), done.stderr.decode())


def asked(language: str, folder: Path, *requests: Any) -> list[dict[str, Any]]:
    given = "".join(json.dumps(request) + "\n" for request in requests)
    done = start(language, given, folder, TENTERHOOK_WORKER="1", POINT="mine")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.rstrip("\n").split("\n")]


Row = tuple[str, dict[str, Any], int, str, str]
ROWS: list[Row] = [
    ("an object", {"do": "object", "text": "漢字"}, 0, '{"decision":"deny","reason":"漢字"}', ""),
    ("an object with half a character", {"do": "object", "text": "\ud800"}, 0, '{"decision":"deny","reason":""}', ""),
    ("a text", {"do": "text", "text": "plain\n\u2028text"}, 0, "plain\n\u2028text", ""),
    ("nothing", {"do": "nothing"}, 0, "", ""),
    ("an exit code", {"do": "exit", "code": 2}, 2, "", ""),
    ("a failure", {"do": "fail"}, 1, "", "ValueError: no such thing"),
    ("a stray print", {"do": "print"}, 0, "said", ""),
    ("a child that reads stdin", {"do": "child"}, 0, "said", ""),
    ("surroundings", {"do": "where"}, 0, "p here", ""),
]


@pytest.mark.parametrize(("name", "event", "code", "stdout", "stderr"), ROWS, ids=[row[0] for row in ROWS])
@EACH_LANGUAGE
def test_both_roads_say_the_same(
    tmp_path: Path, language: str, name: str, event: dict[str, Any], code: int, stdout: str, stderr: str
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    alone = start(language, json.dumps(event), here, POINT="p")
    [told] = asked(language, tmp_path, {"id": 7, "event": event, "env": {"POINT": "p"}, "cwd": str(here)})
    answers = [
        (alone.returncode, alone.stdout, alone.stderr),
        (told["exitCode"], told.get("stdout", ""), told.get("stderr", "")),
    ]
    for its_code, its_stdout, its_stderr in answers:
        assert (its_code, normal(its_stdout), stderr in its_stderr) == (code, normal(stdout), True), name
    assert told["id"] == 7


def normal(stdout: str) -> Any:
    """A value, for languages write the same one in different ways; half a character is none."""
    if not stdout.startswith("{"):
        return stdout
    return {key: value.encode("utf-8", "ignore") for key, value in json.loads(stdout).items()}


@EACH_LANGUAGE
def test_every_event_finds_its_own_variables_and_its_folder(tmp_path: Path, language: str) -> None:
    requests = [{"id": number, "event": {"do": do}} for number, do in enumerate(["spoil", "where"])]
    for request in requests:
        request["env"] = {"POINT": "its own"}
    _, where = asked(language, tmp_path, *requests)
    assert where["stdout"] == f"its own {tmp_path.name}"


@EACH_LANGUAGE
def test_a_variable_of_one_event_is_not_there_in_the_next(tmp_path: Path, language: str) -> None:
    asks = {"do": "environment"}
    first, second = asked(
        language,
        tmp_path,
        {"id": 1, "event": asks, "env": {"MORE": "1", "POINT": "p"}},
        {"id": 2, "event": asks},
    )
    assert [json.loads(told["stdout"])["MORE"] for told in (first, second)] == ["1", None]
    assert [json.loads(told["stdout"])["POINT"] for told in (first, second)] == ["p", "mine"]


@EACH_LANGUAGE
def test_a_request_that_cannot_be_served_is_answered_and_the_next_one_is(tmp_path: Path, language: str) -> None:
    fine = {"id": 3, "event": {"do": "text", "text": "x"}}
    first, second, third = asked(language, tmp_path, [], {"id": 2, "cwd": "/no/such/folder"}, fine)
    assert ("error" in first, second["id"], "error" in second, third["stdout"]) == (True, 2, True, "x")


def test_a_plain_hook_does_not_pay_for_a_client() -> None:
    program = f"import sys; sys.path.insert(0, {str(PYTHON_PARENT)!r}); from tenterhook_client import worker"
    loaded = f"{program}; print({{'asyncio', 'typing', 'msgspec'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-S", "-E", "-c", loaded], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_the_package_for_node_passes_its_own_tests() -> None:
    done = subprocess.run(["node", "--test"], cwd=NODE_PACKAGE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
