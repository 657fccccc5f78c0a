"""Owns a server that runs hooks by name, whatever their priority."""

from __future__ import annotations

from typing import Any

from base import Server


class IgnoresPriority(Server):
    def hooks(self, project: str, point: str) -> list[Any]:
        return sorted(super().hooks(project, point), key=lambda hook: hook["name"])


IgnoresPriority().serve()
