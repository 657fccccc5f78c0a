"""Owns what the engine does about a change: the event for each session, the veto, the reload; looks at no file.

An event of the engine's own takes the road of every other one: it is planned, run and judged by ``service``.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence

from msgspec import UNSET, structs
from tenterhook_protocol.hooks import EmitParams, EmitResult

from tenterhook.dialects.base import Edit, Raised
from tenterhook.errors import EventStopped, TenterhookError
from tenterhook.later import Later
from tenterhook.model import Sink
from tenterhook.service import Service
from tenterhook.watching.wanted import HookFile

__all__ = ["Raiser"]

_IN_A_ROW = 10
"""So often one file may change while its own hooks run before it is taken for their doing."""


class Raiser:
    """Raises events, one at a time for each session and file, and reloads projects, one at a time for each."""

    def __init__(self, service: Service, sink: Sink) -> None:
        self._service = service
        self._sink = sink
        self._running: dict[tuple[str, str], Edit | None] = {}
        self._reloading: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def file_changed(self, session: str, edit: Edit) -> None:
        """Tell a session that a file it watches has changed.

        What changes while its hooks run is told of once more, when they have ended.
        Hooks that change the very file they are told of are left alone after a while.
        """
        key = (session, edit.path)
        if key in self._running:
            self._running[key] = edit
            return
        latest: Edit | None = edit
        times = 0
        try:
            while latest is not None and times < _IN_A_ROW:
                self._running[key] = None
                await self._raise(session, latest)
                latest, times = self._running[key], times + 1
        finally:
            del self._running[key]
        if latest is not None:
            how = f"{edit.path} has changed {times} times while the hooks that watch it ran"
            self._sink.log("warning", f"{how}: one of them seems to write it; it is told of again at its next change")

    async def hook_file_changed(self, project: str, files: Sequence[HookFile], edit: Edit) -> None:
        """Ask every session of the project, and read its files again where none objects."""
        async with self._reloading[project]:
            asked = [structs.replace(edit, layer=file.layer) for file in files]
            sessions = [key for key, session in self._service.sessions.bound() if session.project == project]
            answers = await asyncio.gather(*(self._raise(session, one) for session in sessions for one in asked))
            if any(answer is not None and _objects(answer) for answer in answers):
                self._sink.log("warning", f"the change of {edit.path} does not count yet: a ConfigChange hook objects")
                return
            self._service.load_again(project)

    async def _raise(self, session: str, edit: Edit) -> EmitResult | None:
        known = self._service.sessions.find(session)
        if known is None or known.project is None:
            return None
        events = (one.raised_by(edit, session, known.base) for one in self._service.registry.recipe.dialects)
        raised = next((event for event in events if event is not None), None)
        if raised is None:
            return None
        try:
            result = await self._run(raised, known.project)
        except EventStopped:
            return None
        except TenterhookError as failure:
            self._sink.log("warning", f"{raised.point} for {edit.path}: {failure.message}")
            return None
        self._sink.event_raised(raised.point, raised.payload, session, result)
        return result

    async def _run(self, raised: Raised, project: str) -> EmitResult:
        result = self._service.emit(EmitParams(point=raised.point, payload=raised.payload, project_path=project))
        return await result.run() if isinstance(result, Later) else result


def _objects(result: EmitResult) -> bool:
    return result.decision is not UNSET and result.decision.decision == "deny"
