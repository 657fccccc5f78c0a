"""Owns how requirements are read out of the specification's Markdown; knows no type.

A requirement is one line: ``- **[GROUP-01]** sentence``.
Conformance cases cite the ids; the digest shows when a sentence has changed under its id.
"""

from __future__ import annotations

import hashlib
import json
import re

from msgspec import Struct, to_builtins

__all__ = ["Requirement", "read", "render"]


class Requirement(Struct, frozen=True):
    """One binding sentence."""

    id: str
    level: str
    """``MUST`` or ``SHOULD``; a prohibition counts as the former."""
    section: str
    """Anchor of the nearest heading above it."""
    text: str
    sha256: str
    """Of the text, in UTF-8."""


def render(specification: str) -> str:
    """``requirements.json`` for the text of a specification."""
    found = {"specification": "specification.md", "requirements": to_builtins(read(specification))}
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def read(specification: str) -> list[Requirement]:
    """Every requirement, in the order of the text."""
    found: list[Requirement] = []
    section = ""
    for line in specification.splitlines():
        if line.startswith("#"):
            section = _anchor(line.lstrip("# "))
        elif match := _REQUIREMENT.fullmatch(line):
            text = match["text"]
            found.append(
                Requirement(
                    id=match["id"],
                    level="MUST" if "MUST" in text else "SHOULD",
                    section=section,
                    text=text,
                    sha256=hashlib.sha256(text.encode()).hexdigest(),
                )
            )
    return found


_REQUIREMENT = re.compile(r"- \*\*\[(?P<id>[A-Z]+-\d{2})\]\*\* (?P<text>.+)")


def _anchor(heading: str) -> str:
    """The anchor that Markdown viewers give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
