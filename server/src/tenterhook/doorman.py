"""Owns asking the person before the host for a project's hook files; judges no file, and loads none by itself.

Loading never waits for a person: what is not approved does not count until it is.
Each state of a project is asked for once in the life of an engine, whatever the answer.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping

from tenterhook_protocol.host import TrustRequest

from tenterhook.errors import RequestFailed
from tenterhook.later import Tasks
from tenterhook.model import Person, Sink
from tenterhook.tables import Table
from tenterhook.trust import Store, digest_of_all

__all__ = ["Doorman"]


class Doorman:
    """Asks for what is not approved, and keeps what is said.

    Args:
        person: who is asked.
        store: where approvals are kept.
        sink: told of what went wrong.
        approved: called with a project whose files are approved now: it has to be loaded again.
    """

    def __init__(self, person: Person, store: Store, sink: Sink, approved: Callable[[str], None]) -> None:
        self._person = person
        self._store = store
        self._sink = sink
        self._approved = approved
        self._asked: set[tuple[str, str]] = set()
        self._asking = Tasks()

    def table_loaded(self, table: Table) -> None:
        """A project was loaded: ask for what of it is not approved, unless that was asked before."""
        pending = [each for each in table.own_layers if not each.standing.counts]
        if not pending:
            return
        digest = digest_of_all(each.standing.digest for each in pending)
        if (table.project, digest) in self._asked:
            return
        self._asked.add((table.project, digest))
        commands = [shlex.join(hook.spec.words()) for each in pending for hook in each.hooks]
        request = TrustRequest(project_path=table.project, digest=digest, commands=commands)
        wanted = {each.key: each.standing.digest for each in pending}
        self._asking.begin(self._ask(request, wanted))

    async def close(self) -> None:
        """Ask nobody any more."""
        await self._asking.cancelled()

    async def _ask(self, request: TrustRequest, wanted: Mapping[str, str]) -> None:
        project = request.project_path
        try:
            if not (await self._person.ask_trust(request)).approved:
                self._sink.log("info", f"the hook files of {project} were not approved: they do not count")
                return
            for line in self._store.approve(project, wanted):
                self._sink.log("warning", line)
        except RequestFailed as failure:
            self._sink.log("warning", f"nobody approved the hook files of {project}: {failure.message}")
            return
        self._approved(project)
