from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from ecc_cases import ROWS, Acted, Stage, act, act_upstream, matches_stdout
from tenterhook.runners.contract import Limits

QUIRKS: Mapping[str, tuple[str | None, str]] = {
    "wrapper/run-result/async": ("deny", "a Promise is awaited, as from 2.2.0 on"),
    "wrapper/legacy/big": (None, "the output is kept up to the engine's own limit, and is no answer"),
    "limit/1MiB-2byte-chars-counts-chars": (None, "the limit is bytes of UTF-8, as after 2.2.0"),
    "limit/oversize-passthrough-undef": (None, "nothing is echoed, so no cut document either"),
    "limit/300KiB-passthrough-undef": (None, "nothing is echoed, so nothing is lost"),
    "limit/oversize-disabled": (None, "a hook that is off is not started"),
    "config-protection/oversize-blocks-unprotected-file-too": ("deny", "what cannot be seen whole is not let through"),
    "config-protection/oversize-but-disabled": (None, "a hook that is off is not started"),
    "gateguard/oversize": ("deny", "the gate fails closed, as after 2.2.0"),
    "mcp-health/dead-command-blocks": ("deny", "exit code 2 blocks whatever stdout is"),
    "mcp-health/oversize-fail-open": (None, "its own variable opens it"),
    "governance/phase-without-event-env": (None, "the event's name is in the environment of every hook"),
    "bash-dispatcher/registry-id-disable-ineffective": (None, "the dispatcher's id means all of it"),
    "bash-dispatcher/dev-server-not-blocked": (None, "as registered: the script that would block is not"),
    "doc-file-warning/full-chain-2byte-1MiB": (None, "nothing is echoed, so no buffer is too small for it"),
    "observe/disable-by-registry-id-ineffective": (None, "the registry's id counts as well as the runtime id"),
    "bootstrap/plugin-root-unresolvable-pre": ("deny", "the root is the plugin's own: nothing has to be found"),
    "session-start/max-chars-40-hard-cap": (None, "the script's own: a cap below its marker cuts the marker"),
    "bash-dispatcher/oversize-no-verify-still-blocked": ("deny", "the chain's guards fail closed"),
    "post-mcp-failure/without-event-env-runs-pre-path": (None, "the event's name is in the environment"),
    "readme-recipe/todo-warns": (None, "an echo with a newline is an echo"),
    "readme-recipe/todo-silent": (None, "an echo with a newline is an echo"),
    "readme-recipe/tests-missing-warns": (None, "the user's own shell line, run as it stands"),
    "bash-dispatcher/strict-context-hides-deny": ("deny", "SECURITY: a context never hides a denial"),
    "config-protection/multiedit-edits-path-not-seen": (None, "the script's own: hosts name the file above `edits`"),
}
"""Rows where upstream is not followed, or only in what counts: the decision here, and why. docs/ecc.md has the same."""

CASES = {row["case"]: row for row in ROWS}


@pytest.fixture
def stage(request: pytest.FixtureRequest, tmp_path: Path, package: Path) -> Stage:
    return Stage(CASES[request.param], tmp_path.resolve() / "t", package)


def test_every_deviation_is_of_a_row_that_is_marked() -> None:
    assert set(QUIRKS) == {name for name, row in CASES.items() if row.get("quirk")}
    assert len(CASES) == 99


def test_every_deviation_is_documented_and_nothing_else_is() -> None:
    page = (Path(__file__).parents[2] / "docs" / "ecc.md").read_text()
    named = set(re.findall(r"^\| `([\w/+-]+)` \|", page, re.MULTILINE))
    assert named == set(QUIRKS)


@pytest.mark.parametrize("stage", [name for name in CASES if name not in QUIRKS], indirect=True)
async def test_upstream_and_the_engine_come_to_the_same(stage: Stage, limits: Limits) -> None:
    upstream = act_upstream(stage)
    check_row(stage, upstream)
    assert_same(stage, upstream, await act(stage, limits))


@pytest.mark.parametrize("stage", list(QUIRKS), indirect=True)
async def test_where_upstream_has_a_defect_the_engine_decides_for_the_better(stage: Stage, limits: Limits) -> None:
    check_quirk(stage, await act(stage, limits))


def check_row(stage: Stage, upstream: Acted) -> None:
    """The row is true of the package that is installed."""
    expected: Mapping[str, Any] = stage.row["expected"]
    (outcome,) = upstream.outcomes
    assert outcome.exit_code == expected["exit"]
    assert matches_stdout(expected, outcome.stdout, stage.stdin), outcome.stdout[:500]
    assert [text for text in expected["stderr_contains"] if stage.fill(text) not in outcome.stderr.decode()] == []


def assert_same(stage: Stage, upstream: Acted, engine: Acted) -> None:
    if not stage.row["case"].startswith("wrapper/legacy/"):  # those are programs that no worker can call
        assert [outcome.warnings for outcome in engine.outcomes if outcome.warnings] == []
    assert (engine.kind, lines(engine.context)) == (upstream.kind, lines(upstream.context))
    assert upstream.reason.strip() in engine.reason
    if stage.row["oracle"] == "hook":
        told = [stage.fill(text) for text in stage.row["expected"]["stderr_contains"]]
        assert [text for text in told if text not in engine.stderr] == []


def lines(text: str | None) -> list[str]:
    """The lines of a context: two hooks' contexts are set apart by an empty one, where a dispatcher has none."""
    return [line for line in (text or "").splitlines() if line]


def check_quirk(stage: Stage, engine: Acted) -> None:
    kind, _why = QUIRKS[stage.row["case"]]
    assert engine.kind == kind
    if stage.row["case"] == "governance/phase-without-event-env":
        assert '"hookPhase":"pre"' in engine.stderr
    if stage.row["case"] == "post-mcp-failure/without-event-env-runs-pre-path":
        assert "No MCP config found" not in engine.stderr
