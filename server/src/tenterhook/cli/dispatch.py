"""Owns the choice between the two grammars: argparse's for what must be quick, typer's for people."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from tenterhook.cli.ending import INTERRUPTED, MISUSED, WELL, complain, settle
from tenterhook.cli.help_texts import SERVE, SERVE_EXAMPLES, plain

__all__ = ["COMPLETION_VARIABLE", "run"]

COMPLETION_VARIABLE = "_TENTERHOOK_COMPLETE"
"""Set by a shell that wants completions and no command; typer's convention."""


def run(words: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    command = "" if COMPLETION_VARIABLE in os.environ else next(iter(words), "")
    try:
        if command == "serve":
            return settle(lambda: _about_serve(words[1:]))
        if command == "emit":
            from tenterhook.cli.one_shot import emit, parse  # noqa: PLC0415 - the engine, only where it is needed

            return settle(lambda: emit(parse(words[1:])))
        from tenterhook.cli.app import app  # noqa: PLC0415 - typer

        app(args=list(words), prog_name="tenterhook", complete_var=COMPLETION_VARIABLE)
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as end:  # typer and argparse end the process themselves after --help and mistakes
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return WELL


def _about_serve(words: Sequence[str]) -> int:
    """What is left of ``serve``: help, and words it does not take."""
    if any(word in {"-h", "--help"} for word in words):
        sys.stdout.write(f"usage: tenterhook serve\n\n{SERVE}\n\n{plain(SERVE_EXAMPLES)}\n")
        return WELL
    complain(f"serve takes no {' '.join(words)!r}; how a host talks to it: tenterhook serve --help")
    return MISUSED
