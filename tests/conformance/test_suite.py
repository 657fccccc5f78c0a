"""The engine passes every case, every requirement has one, and every broken server is caught."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conformance.suite.casefile import Case, load_cases
from conformance.suite.matching import OPERATORS, PLACEHOLDERS
from conformance.suite.steps import STEPS

HERE = Path(__file__).resolve().parent
ENGINE = [sys.executable, "-m", "tenterhook", "serve"]
CASES = load_cases()

CAUGHT_BY = {
    "answers_twice": ["decision/null"],
    "counts_characters": ["base/answers-count-bytes"],
    "empty_answer_ends_chain": ["judge/empty-object"],
    "exits_with_0": ["life/exit-without-shutdown", "life/end-of-input"],
    "failure_is_allow": ["judge/failure-disturbs-nobody"],
    "ignores_batches": ["base/batch", "base/batch-with-hooks"],
    "ignores_cancel": ["order/cancel-running"],
    "ignores_priority": ["select/priority"],
    "leaves_grandchildren": ["order/cancel-running", "order/cancel-twice"],
    "loads_before_it_refuses": ["life/failed-initialize-loads-nothing"],
    "mixes_up_ids": ["base/id-1-beside-text-1"],
    "prints_to_stdout": ["base/id-integers"],
    "reads_nested_messages": ["base/nested-jsonrpc"],
    "serves_before_initialize": ["life/before-initialize"],
    "stops_reading": ["order/cancel-kept"],
    "swallows_bad_json": ["base/json-cut", "base/byte-order-mark"],
    "takes_any_limit": ["life/limits-out-of-bounds"],
    "writes_payload_anew": ["base/payload-bytes"],
}
"""Each broken server, and the cases that must fail for it."""


def run(command: list[str], *options: str) -> dict[str, Any]:
    """What the runner says of each case: None, or why it failed."""
    done = subprocess.run(
        [sys.executable, str(HERE / "runner.py"), "--json", *options, "--", *command],
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    results = {result["case"]: result["failure"] for result in json.loads(done.stdout)}
    failed = sum(failure is not None for failure in results.values())
    assert done.stderr.splitlines()[-1] == f"{len(results) - failed} passed, {failed} failed"
    assert done.returncode == (1 if failed else 0)
    return results


def filters(names: list[str]) -> list[str]:
    return [word for name in names for word in ("--filter", name)]


@pytest.fixture(scope="session")
def engine() -> dict[str, Any]:
    return run(ENGINE)


@pytest.fixture(scope="session")
def broken() -> dict[str, dict[str, Any]]:
    def caught(name: str) -> dict[str, Any]:
        return run([sys.executable, str(HERE / "broken" / f"{name}.py")], "--deadline", "2", *filters(CAUGHT_BY[name]))

    with ThreadPoolExecutor(max_workers=4) as pool:
        return dict(zip(CAUGHT_BY, pool.map(caught, CAUGHT_BY), strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_engine_passes(case: Case, engine: dict[str, Any]) -> None:
    assert engine[case.name] is None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_fits_the_schema_of_cases(case: Case) -> None:
    jsonschema.validate(case.content, json.loads((HERE / "case.schema.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", CAUGHT_BY)
def test_a_broken_server_is_caught(name: str, broken: dict[str, dict[str, Any]]) -> None:
    assert [case for case, failure in broken[name].items() if failure is None] == []
    assert sorted(broken[name]) == sorted(CAUGHT_BY[name])


def test_the_server_that_the_broken_ones_come_from_passes_what_catches_them() -> None:
    names = sorted({name for names in CAUGHT_BY.values() for name in names})
    results = run([sys.executable, str(HERE / "broken" / "base.py")], *filters(names))
    assert results == dict.fromkeys(names)


def test_every_broken_server_has_cases_that_must_catch_it() -> None:
    assert {path.stem for path in (HERE / "broken").glob("*.py")} - {"base"} == CAUGHT_BY.keys()


def test_every_requirement_has_a_case_or_a_written_excuse() -> None:
    listed = json.loads((HERE.parents[1] / "protocol/spec/requirements.json").read_text(encoding="utf-8"))
    required = {requirement["id"] for requirement in listed["requirements"]}
    covered = {requirement for case in CASES for requirement in case.content["requirements"]}
    excused: dict[str, str] = json.loads((HERE / "excused.json").read_text(encoding="utf-8"))
    assert covered - required == set(), "cases name requirements that the specification does not have"
    assert excused.keys() - required == set(), "excuses for requirements that the specification does not have"
    assert excused.keys() & covered == set(), "excuses for requirements that have a case by now"
    assert required - covered - excused.keys() == set(), "requirements without a case"
    assert all(len(reason.split()) > 5 for reason in excused.values())


def test_the_schema_and_the_readme_know_every_step_and_every_pattern() -> None:
    schema = json.loads((HERE / "case.schema.json").read_text(encoding="utf-8"))
    steps = {*STEPS, "stdinFromFile"}
    assert schema["$defs"]["step"]["properties"].keys() == steps
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    assert [word for word in (*steps, *PLACEHOLDERS, *OPERATORS) if f"`{word}`" not in readme] == []


def test_a_command_that_cannot_be_run_fails_every_case() -> None:
    failures = run(["./no-such-server"], "--filter", "life/exit-*")
    assert failures
    assert all(failure["step"] == "start" for failure in failures.values())
