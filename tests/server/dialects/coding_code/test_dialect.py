"""The system as the engine finds it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from server.dialects.coding_code.parts import CODING_CODE, hooks_file
from tenterhook.dialects.base import Layer
from tenterhook.dialects.table import DIALECTS
from tenterhook_protocol.points import POINTS

LAZY = ("yaml", "regex", "difflib", "pygls", "typer", "rich")


def test_the_table_names_each_system_by_its_own_name() -> None:
    assert {name: dialect.name for name, dialect in DIALECTS.items()} == {
        "coding-code": "coding-code",
        "claude-code": "claude-code",
        "ecc": "ecc",
    }


def test_the_points_are_the_twelve_of_the_protocol_with_their_types() -> None:
    assert CODING_CODE.points == {name: point.type for name, point in POINTS.items()}
    assert len(CODING_CODE.points) == 12


def loaded_modules(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint(*[name for name in {LAZY!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


@pytest.mark.parametrize(
    ("content", "modules"),
    [
        (None, set[str]()),
        (hooks_file("{name: a, point: agent.turn.end, type: observer, command: x}").encode(), {"yaml"}),
    ],
)
def test_a_project_pays_only_for_what_its_files_need(content: bytes | None, modules: set[str]) -> None:
    layer = Layer(layer="global", path="/h", content=content)
    arguments = f"layer={layer.layer!r}, path={layer.path!r}, content={layer.content!r}"
    code = (
        "from tenterhook.dialects.base import Layer\n"
        "from tenterhook.dialects.table import DIALECTS\n"
        "import tenterhook.config.files\n"
        "dialect = DIALECTS['coding-code']\n"
        f"assert not dialect.load([Layer({arguments})], dialect.points).problems"
    )
    assert loaded_modules(code) == modules
