"""The code map of ``server/README.md``, made from the first sentence of each module: ``--write`` puts it in place."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

__all__ = ["README", "current", "expected"]

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "server" / "src" / "tenterhook"
README = ROOT / "server" / "README.md"
TEMPLATES = ENGINE / "cli" / "demo"
"""What the demo lays out for its hooks: data, not modules of the engine."""
HEADING = "## Code map\n"
INTRODUCTION = """
Everything below `src/tenterhook/`, in the words of each module.
`python tests/architecture/code_map.py --write` makes it.

"""


def expected() -> str:
    """The map as the tree says it."""
    rooms: dict[str, list[str]] = {}
    for path in sorted(set(ENGINE.rglob("*.py")) - set(TEMPLATES.glob("*/scripts/*.py"))):
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        if docstring is not None:
            name = path.relative_to(ENGINE).as_posix()
            sentence = docstring.split("\n\n", 1)[0].replace("\n", " ").replace("``", "`")
            rooms.setdefault(str(Path(name).parent), []).append(f"- `{name}`: {sentence}")
    return INTRODUCTION + "\n\n".join("\n".join(lines) for _, lines in sorted(rooms.items())) + "\n"


def current() -> str:
    """The map as it stands."""
    return README.read_text(encoding="utf-8").split(HEADING, 1)[1]


if __name__ == "__main__" and "--write" in sys.argv:
    before = README.read_text(encoding="utf-8").split(HEADING, 1)[0]
    README.write_text(before + HEADING + expected(), encoding="utf-8")
