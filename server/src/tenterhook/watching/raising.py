"""Owns what the engine does about a change: the event for each session, the veto, the reload; looks at no file.

An event of the engine's own takes the road of every other one: it is planned, run and judged by ``service``.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence

from msgspec import UNSET, Struct, structs
from tenterhook_protocol.hooks import EmitParams, EmitResult

from tenterhook.dialects.base import Edit, Raised
from tenterhook.errors import EventStopped, TenterhookError
from tenterhook.later import Later
from tenterhook.model import Sink
from tenterhook.service import Service
from tenterhook.watching.wanted import HookFile

__all__ = ["Raiser"]

_IN_A_ROW = 5
"""So often in a row the hooks of a file may write it before they are left alone with it."""

_TOLD_KEPT = 4096


class _Told(Struct, frozen=True):
    """When the hooks of a file last ran for a session, in seconds since the epoch."""

    began: float = 0.0
    ended: float = 0.0
    in_a_row: int = 0
    """How often in a row they have written it themselves."""

    def made(self, edit: Edit) -> bool:
        """Whether they have made this change. Of a removal nothing says when it was: it comes right after them."""
        at = time.time() - _NOTICED if edit.written is None else edit.written
        return self.began - _CLOCKS <= at <= self.ended + _CLOCKS


_CLOCKS = 0.02
"""Seconds that a file system's clock may be off."""

_NOTICED = 0.5
"""Seconds within which a removal is noticed."""


class Raiser:
    """Raises events, one at a time for each session and file, and reloads projects, one at a time for each."""

    def __init__(self, service: Service, sink: Sink) -> None:
        self._service = service
        self._sink = sink
        self._running: dict[tuple[str, str], Edit | None] = {}
        self._told: dict[tuple[str, str], _Told] = {}
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
        try:
            while latest is not None and self._may_tell(key, latest):
                self._running[key] = None
                began = time.time()
                await self._raise(session, latest)
                self._told[key] = structs.replace(self._told[key], began=began, ended=time.time())
                latest = self._running[key]
        finally:
            self._running.pop(key, None)

    def _may_tell(self, key: tuple[str, str], edit: Edit) -> bool:
        """Whether the change is told of. After some in a row that its own hooks have made, it is not."""
        before = self._told.get(key, _Told())
        in_a_row = before.in_a_row + 1 if before.made(edit) else 0
        if len(self._told) >= _TOLD_KEPT:
            self._told.clear()
        self._told[key] = structs.replace(before, in_a_row=in_a_row)
        if in_a_row == _IN_A_ROW:
            how = f"{edit.path} was written {in_a_row} times in a row by the hooks that are told when it changes"
            self._sink.log("warning", f"{how}: it is told of again when somebody else writes it")
        return in_a_row < _IN_A_ROW

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
