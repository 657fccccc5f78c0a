"""Owns finding and ending processes that a case left behind; knows no step and no message.

Every process of a case inherits a variable that only this case has.
It is looked for in ``/proc``; where there is none, nothing is found.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

__all__ = ["MARK", "alive", "end_strays", "strays", "wait_until_gone"]

MARK = "CONFORMANCE_CASE"
"""The variable; its value is the case's own."""

PROC = Path("/proc")


def strays(mark: str) -> dict[int, str]:
    """Live processes with this mark: process id and command line."""
    wanted = f"{MARK}={mark}".encode()
    found: dict[int, str] = {}
    for folder in PROC.glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found[int(folder.name)] = (
                    (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                )
    return found


def wait_until_gone(mark: str, seconds: float) -> dict[int, str]:
    """What is still there after so many seconds; returns as soon as nothing is."""
    end = time.monotonic() + seconds
    while (left := strays(mark)) and time.monotonic() < end:
        time.sleep(0.01)
    return left


def end_strays(mark: str) -> None:
    """Kill what is left, and what it starts meanwhile."""
    for _ in range(20):
        left = strays(mark)
        if not left:
            return
        for pid in left:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.005)


def alive(pid: int) -> bool:
    """Whether the process is there and no zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        state = (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return not PROC.exists()
    return state not in "ZX"
