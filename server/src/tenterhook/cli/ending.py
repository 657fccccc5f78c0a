"""Owns how a command ends: its exit code and the one line that says why; knows no command.

===== ======================================================================
code  meaning
===== ======================================================================
0     done
1     done, and what was looked at is not well: a broken hook file, a failed hook
2     the words of the command line do not fit: no such file, point or hook
130   Ctrl-C; every hook's process tree has been stopped
143   SIGTERM, likewise (in general 128 and the number of the signal)
141   nobody reads the output any more
===== ======================================================================
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable

from tenterhook.cli.visible import visible
from tenterhook.errors import RequestFailed, TenterhookError

__all__ = ["BROKEN_PIPE", "INTERRUPTED", "MISUSED", "NOT_WELL", "WELL", "Stopped", "complain", "settle"]

WELL = 0
NOT_WELL = 1
MISUSED = 2
INTERRUPTED = 130
BROKEN_PIPE = 141


class Stopped(Exception):
    """A signal has ended the command; all of its hooks are stopped."""

    def __init__(self, signal: int) -> None:
        super().__init__(f"stopped by signal {signal}")
        self.code = 128 + signal


def settle(command: Callable[[], int]) -> int:
    """Run a command to its exit code: what a user did wrong becomes a line on stderr and never a traceback."""
    try:
        code = command()
        if sys.stdout is not None:  # pyright: ignore[reportUnnecessaryComparison] - None where fd 1 is closed
            sys.stdout.flush()
    except TenterhookError as refusal:
        complain(refusal.message)
        return NOT_WELL if isinstance(refusal, RequestFailed) else MISUSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except Stopped as stopped:
        return stopped.code
    except BrokenPipeError:
        _abandon_stdout()
        return BROKEN_PIPE
    except OSError as failure:
        _abandon_stdout()
        complain(f"the system refused: {failure}")
        return NOT_WELL
    return code


def complain(message: str, severity: str | None = None) -> None:
    """One line on stderr."""
    kind = f"{severity}: " if severity else ""
    try:
        sys.stderr.write(f"tenterhook: {kind}{visible(message)}\n")
        sys.stderr.flush()
    except OSError:
        pass  # nobody is there to be told


def _abandon_stdout() -> None:
    """Let what is still buffered go nowhere, so that the interpreter's own last flush stays quiet."""
    try:
        descriptor = sys.stdout.fileno()
    except (io.UnsupportedOperation, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
