"""Owns running one launch to its end, whatever the hook does; knows neither hook systems nor the wire.

A runner gets a ``Launch`` and hands back an ``Outcome``.
It never raises for what a hook did, and it leaves nothing behind: no process, no descriptor, no reader.
"""

from __future__ import annotations

from collections.abc import Mapping

from tenterhook.model import Launch, ProcessLaunch
from tenterhook.runners.contract import Limits, Runner
from tenterhook.runners.descriptors import seal_inherited
from tenterhook.runners.process import run_process
from tenterhook.runners.signals import restore_inherited
from tenterhook.runners.start_gate import Places

__all__ = ["RUNNERS", "Limits", "Places", "Runner", "restore_inherited", "run_process", "seal_inherited"]

RUNNERS: Mapping[type[Launch], Runner] = {ProcessLaunch: run_process}
"""The runner of each kind of launch."""
