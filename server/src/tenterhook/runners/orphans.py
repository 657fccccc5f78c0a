"""Owns the processes that lose their parent while their run lives: has them become our children, and reaps them.

On Linux a process may ask to inherit the orphans among its descendants (PR_SET_CHILD_SUBREAPER, prctl(2)).
Without that they go to init, where one that has left its session and cleared its environment is nobody's.
"""

from __future__ import annotations

import os
import sys

__all__ = ["Adoption", "adoption"]

_PR_SET_CHILD_SUBREAPER = 36
"""From ``linux/prctl.h``."""


class Adoption:
    """The orphans of this process, and the leaders of live runs, which are children but no orphans."""

    def __init__(self) -> None:
        self._wanted = False
        self._adopts = False
        self._childless = False
        self._alone: dict[int, bool] = {}

    def want(self) -> None:
        """Adopt from the first start on. Called by an engine that owns its process: all its children are of hooks."""
        self._wanted = sys.platform == "linux"

    def prepare(self) -> None:
        """A process is about to start. Only now, for ``ctypes`` takes longer to import than half the engine."""
        if self._wanted:
            self._wanted = False
            self._adopts = _become_subreaper()
        self._childless = self._adopts and not self._alone and self._reap()

    def began(self, leader: int) -> None:
        """A run has a leader."""
        alone = self._childless and not self._alone
        self._alone = dict.fromkeys(self._alone, False)
        self._alone[leader] = alone

    def ended(self, leader: int) -> None:
        """A run is over, its leader reaped."""
        self._alone.pop(leader, None)
        if self._adopts:
            self._reap()

    def belongs_to(self, leader: int) -> bool:
        """Whether orphans without any mark can only be of this run.

        No other run has lived beside it, and no earlier one had left anything when it started: that lives on, and
        start times in ticks of 10 ms do not tell it from ours.
        """
        return self._alone.get(leader, False)

    def _reap(self) -> bool:
        """Reap the dead that are nobody's; True: no child is left.

        A dead leader may hide some; the end of its run comes here again.
        """
        try:
            while True:
                found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if found is None or found.si_pid in self._alone:
                    return False
                os.waitpid(found.si_pid, os.WNOHANG)
        except ChildProcessError:
            return True


adoption = Adoption()
"""That of this process: children are the process's, whatever loop or service has started them."""


def _become_subreaper() -> bool:
    try:
        import ctypes  # noqa: PLC0415 - see `prepare`

        prctl = ctypes.CDLL(None).prctl
    except (ImportError, OSError, AttributeError):
        return False  # built without it, or linked statically
    return prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
