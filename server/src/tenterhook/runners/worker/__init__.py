"""Owns running hooks in processes that live on (``docs/workers.md``); knows neither hook systems nor the wire."""

from __future__ import annotations

from tenterhook.runners.worker.running import run_worker

__all__ = ["run_worker"]
