"""Owns a server that keeps the projects of an ``initialize`` that it refused."""

from __future__ import annotations

import os
from typing import Any

from base import Server


class LoadsBeforeItRefuses(Server):
    def load(self, options: Any) -> bool:
        before = self.projects
        self.projects = [os.path.realpath(path) for path in options["projectPaths"] if os.path.isabs(path)] + before
        return len(self.projects) == len(options["projectPaths"]) + len(before)


LoadsBeforeItRefuses().serve()
