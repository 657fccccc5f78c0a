"""Owns the first step of ``tenterhook``: which command it is; knows none of them.

``serve`` and ``emit`` are started by programs and must be quick: neither typer nor rich is loaded for them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code. A ``serve`` that begins ends the process itself.

    Args:
        argv: the words after the program's name; None: those of the process.
    """
    words = sys.argv[1:] if argv is None else list(argv)
    if words[:1] == ["serve"] and all(_is_a_clients(word) for word in words[1:]):
        from tenterhook.rpc.serve import main as serve  # noqa: PLC0415 - and nothing else

        serve()
    from tenterhook.cli.dispatch import run  # noqa: PLC0415 - only a person's commands, and emit

    return run(words)


def _is_a_clients(word: str) -> bool:
    """Whether ready-made LSP clients append it by themselves; stdio is all there is."""
    return word == "--stdio" or word.startswith("--clientProcessId=")
