"""Owns finding the processes of a run in Linux's ``/proc``; signals nobody.

Fields of ``/proc/<pid>/stat`` are those of proc(5).
"""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Set as AbstractSet

from msgspec import Struct

__all__ = ["Process", "Traits", "find_members", "is_still"]

_STEP = 64
"""Processes to look at before the loop gets a turn: about a millisecond."""


class Process(Struct, frozen=True, eq=False):
    """A process that lived when it was looked at. Pid and start time name it for good: two are equal by them."""

    pid: int
    start: int
    """Clock ticks from boot to its start."""
    parent: int
    group: int
    session: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Process) and self.pid == other.pid and self.start == other.start

    def __hash__(self) -> int:
        return hash((self.pid, self.start))


class Traits(Struct, frozen=True):
    """What a process of a run may have that no other has."""

    mark: bytes
    """``NAME=value`` in its environment."""
    pipes: frozenset[str] = frozenset()
    """Pipes that it may hold, named as the links in ``/proc/<pid>/fd`` do."""
    with_orphans: bool = False
    """Our own children without a mark of any run are of this one."""


async def find_members(leader: int, traits: Traits, known: AbstractSet[Process]) -> list[Process]:
    """Find the living processes of a run.

    Args:
        leader: Pid of its first process, not reaped: nothing older belongs to the run.
        traits: What tells its processes from others.
        known: Members found before. They are members whatever has become of their parents.

    Returns:
        The members. Zombies are none.

    Raises:
        OSError: no descriptors are left to look with.
    """
    first = _stat(leader)
    floor = first[0].start if first is not None else 0
    members: list[Process] = []
    others: list[Process] = []
    own = os.getpid()
    for index, pid in enumerate(_pids()):
        if index % _STEP == _STEP - 1:
            await asyncio.sleep(0)
        found = _stat(pid)
        if found is None or pid == own:
            continue
        process, lives = found
        if lives and process.start >= floor:
            is_member = process.group == leader or process in known or _has_traits(process, traits, own)
            (members if is_member else others).append(process)
    # A session that the leader has not opened itself is the host's.
    session = None if first is None or first[0].session == leader else first[0].session
    return _with_kin(members, others, leader, session)


def is_still(process: Process) -> bool:
    """Whether its pid is still its own. Asked after a pidfd was opened, it vouches for the pidfd.

    Raises:
        OSError: no descriptors are left to look with.
    """
    found = _stat(process.pid)
    return found is not None and found[1] and found[0] == process


def _with_kin(members: list[Process], others: list[Process], leader: int, old_session: int | None) -> list[Process]:
    """Add the descendants of members, and who shares a session that the run has opened.

    Only living members count: the numbers of dead ones may be somebody else's by now.
    Shared groups do not: a hook may join the group of its host.
    """
    while True:
        parents = {leader, *(member.pid for member in members)}
        sessions = set[int]() if old_session is None else {member.session for member in members} - {old_session}
        kin = [process for process in others if process.parent in parents or process.session in sessions]
        if not kin:
            return members
        members = members + kin
        others = [process for process in others if process not in kin]


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _stat(pid: int) -> tuple[Process, bool] | None:
    """A process and whether it lives; None where there is no such process."""
    content = _content(pid, "stat")
    if not content:
        return None
    fields = content[content.rindex(b")") + 2 :].split()
    # A main thread that has ended looks like a zombie while its other threads live on.
    lives = fields[0] not in (b"Z", b"X") or int(fields[17]) > 1
    process = Process(
        pid=pid, parent=int(fields[1]), group=int(fields[2]), session=int(fields[3]), start=int(fields[19])
    )
    return process, lives


def _has_traits(process: Process, traits: Traits, own: int) -> bool:
    environment = _content(process.pid, "environ").split(b"\0")
    if traits.mark in environment:
        return True
    if traits.with_orphans and process.parent == own:
        name = traits.mark.partition(b"=")[0] + b"="
        if not any(entry.startswith(name) for entry in environment):
            return True
    return bool(traits.pipes) and _holds(process.pid, traits.pipes)


def _holds(pid: int, pipes: AbstractSet[str]) -> bool:
    """Whether one of its descriptors is one of these pipes; False where it hides them."""
    folder = f"/proc/{pid}/fd"
    try:
        numbers = os.listdir(folder)
    except OSError as failure:
        if failure.errno in (errno.EMFILE, errno.ENFILE):
            raise
        return False
    for number in numbers:
        try:
            if os.readlink(f"{folder}/{number}") in pipes:
                return True
        except OSError:
            continue  # closed by now
    return False


def _content(pid: int, name: str) -> bytes:
    """Content of one of its files; empty where the process is gone or hides it."""
    try:
        fd = os.open(f"/proc/{pid}/{name}", os.O_RDONLY | os.O_CLOEXEC)
    except OSError as failure:
        if failure.errno in (errno.EMFILE, errno.ENFILE):
            raise
        return b""
    try:
        parts: list[bytes] = []
        while part := os.read(fd, 1 << 16):
            parts.append(part)
        return b"".join(parts)
    except OSError:
        return b""
    finally:
        os.close(fd)
