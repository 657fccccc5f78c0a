"""Owns a server that kills a hook's own process and not its tree."""

from __future__ import annotations

import subprocess

from base import Server


class LeavesGrandchildren(Server):
    def stop(self, process: subprocess.Popen[bytes]) -> None:
        process.kill()


LeavesGrandchildren().serve()
