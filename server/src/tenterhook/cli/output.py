"""Owns writing JSON to stdout; knows neither commands nor how people are told things."""

from __future__ import annotations

import sys

import msgspec

__all__ = ["write_json"]


def write_json(value: object) -> None:
    """Write a wire value and a line end: on a terminal indented for a person, else on one line for a program.

    JSON is UTF-8 whatever the terminal's encoding is.
    """
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison] - None where fd 1 is closed
        return
    content = msgspec.json.encode(value)
    if sys.stdout.isatty():
        content = msgspec.json.format(content, indent=2)
    sys.stdout.flush()
    sys.stdout.buffer.write(content + b"\n")
    sys.stdout.buffer.flush()
