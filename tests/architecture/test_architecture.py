"""The rules of the house: layers hold, the code map equals the tree, no module grows past its size."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from architecture.code_map import current, expected

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {
    "tenterhook_protocol": ROOT / "protocol" / "src" / "tenterhook_protocol",
    "tenterhook": ROOT / "server" / "src" / "tenterhook",
    "tenterhook_client": ROOT / "clients" / "python" / "src" / "tenterhook_client",
}
MODULES = sorted(path for source in SOURCES.values() for path in source.rglob("*.py"))
LARGEST = 400


def tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def test_imports_point_in_one_direction() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_code_map_says_what_every_module_of_the_engine_owns() -> None:
    assert current() == expected(), "make it anew: python tests/architecture/code_map.py --write"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_module_says_what_it_owns_and_keeps_its_size(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if not text.strip():
        return
    docstring = ast.get_docstring(ast.parse(text))
    assert docstring, "a module begins with what it owns and what it must not know"
    assert len(text.splitlines()) <= LARGEST


def test_paths_named_in_the_documents_exist() -> None:
    missing = [
        f"{document.relative_to(ROOT)} -> {target}"
        for document in tracked("*.md")
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", document.read_text(encoding="utf-8"))
        if not (document.parent / target).exists()
    ]
    assert missing == []


def test_no_file_names_a_machine_or_a_registry() -> None:
    parts = [("registry.npmjs", ".org"), ("pypi", ".org"), ("pythonhosted", ".org"), ("/root", "/"), ("/work", "/")]
    words = ["".join(part) for part in parts]
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in tracked()
        for word in words
        if word in path.read_bytes().decode("utf-8", "ignore")
    ]
    assert found == []


def test_an_argument_about_tests_is_not_silenced() -> None:
    marks = ["pytest.mark." + "skip", "pytest." + "skip(", "pytest.mark." + "xfail", "time." + "sleep("]
    found = [
        f"{path.relative_to(ROOT)}: {mark}"
        for path in tracked("tests/test_*.py", "tests/**/test_*.py")
        for mark in marks
        if mark in path.read_text(encoding="utf-8")
    ]
    assert found == []
