"""Owns the demo's folders: a fresh project and a fresh home, laid out from the templates beside this module."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

__all__ = ["Layout", "laid_out"]

_TEMPLATES = Path(__file__).parent


class Layout(Struct, frozen=True):
    """Real paths of the demo's folders."""

    project: str
    home: str


@contextmanager
def laid_out() -> Generator[Layout]:
    """A project and a home with their hook files and scripts; gone when the block is left."""
    with tempfile.TemporaryDirectory(prefix="tenterhook-demo-") as folder:
        root = os.path.realpath(folder)
        layout = Layout(project=os.path.join(root, "project"), home=os.path.join(root, "home"))
        for name in ("project", "home"):
            shutil.copytree(_TEMPLATES / name, os.path.join(root, name), ignore=shutil.ignore_patterns("__pycache__"))
        for place in (layout.project, layout.home):
            _fill_in(Path(place, ".codingcode", "hooks.yaml"), layout)
        yield layout


def _fill_in(file: Path, layout: Layout) -> None:
    text = file.read_text(encoding="utf-8")
    for name, value in (("PYTHON", sys.executable), ("HOME", layout.home)):
        # Inside the quotes of a YAML string, JSON's escapes mean what they mean in JSON.
        text = text.replace(f"@{name}@", json.dumps(value)[1:-1])
    file.write_text(text, encoding="utf-8")
