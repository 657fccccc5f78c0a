"""Owns the command line of the conformance suite: which cases run, against which command, and the report.

Usage: ``python tests/conformance/runner.py [--filter GLOB] [--jobs N] [--deadline SECONDS] [--json] -- COMMAND...``

It needs the standard library alone; with ``jsonschema`` installed every message is checked against the schema too.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from suite.casefile import Case, load_cases
from suite.running import Result, run_case
from suite.wire_schema import message_checker

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite; 0 where every case passed, 1 where one did not or none was found."""
    options = _options(arguments)
    found = {case.name: case for pattern in options.filter or ["*"] for case in load_cases(pattern)}
    results = _run_all(list(found.values()), options)
    failed = [result for result in results if result.failure]
    if options.json:
        sys.stdout.write(json.dumps([asdict(result) for result in results], indent=1) + "\n")
    for result in failed:
        _report(result)
    sys.stderr.flush()
    closing = sys.stderr if options.json else sys.stdout
    closing.write(f"{len(results) - len(failed)} passed, {len(failed)} failed\n")
    return 1 if failed or not results else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="runner.py", description="Run the conformance cases against a server.")
    parser.add_argument("--filter", action="append", metavar="GLOB", help="cases to run, such as 'base/*'; repeatable")
    parser.add_argument("--jobs", type=int, default=4, metavar="N", help="cases at the same time (default 4)")
    parser.add_argument("--deadline", type=float, default=10, metavar="SECONDS", help="for each step (default 10)")
    parser.add_argument("--json", action="store_true", help="results as one JSON list on stdout")
    parser.add_argument("command", nargs="+", metavar="COMMAND", help="how to start the server, after --")
    options = parser.parse_args(arguments)
    options.command = [_absolute(word) for word in options.command]
    return options


def _absolute(word: str) -> str:
    """A word that is a path from here, made good for a server that starts elsewhere."""
    path = Path(word)
    return str(path.absolute()) if len(path.parts) > 1 and path.exists() else word


def _run_all(cases: list[Case], options: argparse.Namespace) -> list[Result]:
    check = message_checker()

    def run(case: Case) -> Result:
        return run_case(case, options.command, deadline=options.deadline, check=check)

    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        return list(pool.map(run, cases))


def _report(result: Result) -> None:
    failure = result.failure
    if failure is None:
        return
    sys.stderr.write(f"FAILED {result.case}\n  step: {failure.step}\n  expected: {failure.expected}\n")
    sys.stderr.write(f"  got: {failure.got}\n")
    for line in failure.stderr.splitlines()[-15:]:
        sys.stderr.write(f"  stderr | {line}\n")


if __name__ == "__main__":
    sys.exit(main())
