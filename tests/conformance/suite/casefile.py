"""Owns case files: finding them, the files they lay out, their raw bytes; knows no server."""

from __future__ import annotations

import base64
import fnmatch
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .frames import frame
from .kinds import is_list, is_object

__all__ = ["CASES", "Case", "encoded", "lay_out", "load_cases", "raw_bytes", "write_file"]

CASES = Path(__file__).resolve().parents[1] / "cases"

ROOTS = ("project", "home")
"""The two folders that every case has; the paths of its files begin with one of them, or with a third of its own."""


@dataclass(frozen=True)
class Case:
    """One case file: ``name`` is its path below ``cases`` without the suffix."""

    name: str
    content: dict[str, Any]


def load_cases(pattern: str = "*") -> list[Case]:
    """Every case whose name fits the pattern (``base/*``), in order of name."""
    names = {path.relative_to(CASES).with_suffix("").as_posix(): path for path in CASES.glob("*/*.json")}
    return [
        Case(name, json.loads(names[name].read_text(encoding="utf-8")))
        for name in sorted(names)
        if fnmatch.fnmatchcase(name, pattern)
    ]


def encoded(message: Any) -> bytes:
    """A message as compact UTF-8 JSON, keys in the order in which the case has them."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def raw_bytes(chunk: Any) -> bytes:
    """The bytes of one chunk or a list of them.

    A text is itself; ``{"base64": text}``; ``{"repeat": chunk, "times": n}``; ``{"json": value}``;
    ``{"frame": chunk, "header"?: text}`` is the chunk with a header that counts it.
    """
    if isinstance(chunk, str):
        return chunk.encode()
    if is_list(chunk):
        return b"".join(raw_bytes(part) for part in chunk)
    if "base64" in chunk:
        return base64.b64decode(chunk["base64"], validate=True)
    if "repeat" in chunk:
        return raw_bytes(chunk["repeat"]) * chunk["times"]
    if "json" in chunk:
        return encoded(chunk["json"])
    return frame(raw_bytes(chunk["frame"]), chunk.get("header", "Content-Length: ${length}\r\n\r\n"))


def lay_out(root: Path, files: dict[str, Any]) -> None:
    """Write a case's files below its own folder; names and contents have been substituted already."""
    for folder in ROOTS:
        (root / folder).mkdir(exist_ok=True)
    for name, content in files.items():
        write_file(root / name, content)


def write_file(path: Path, content: Any) -> None:
    """Write one file: a text, or an object as ``case.schema.json`` describes it. A file is replaced in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if is_object(content) and "link" in content:
        path.symlink_to(content["link"])
        return
    if is_object(content) and "folder" in content:
        path.mkdir(exist_ok=True)
        return
    staged = path.with_name(f".{path.name}.new")
    staged.write_bytes(_file_bytes(content))
    staged.chmod(0o755 if is_object(content) and content.get("executable") else 0o644)
    staged.replace(path)


def _file_bytes(content: Any) -> bytes:
    if isinstance(content, str):
        return content.encode()
    if "lines" in content:
        return "".join(f"{line}\n" for line in content["lines"]).encode()
    if "json" in content:
        return json.dumps(content["json"], ensure_ascii=False, indent=1).encode()
    if "raw" in content:
        return raw_bytes(content["raw"])
    return _file_bytes(content["content"])
