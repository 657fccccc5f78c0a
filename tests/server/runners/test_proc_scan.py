"""Who belongs to a run."""

from __future__ import annotations

import asyncio
import os
import subprocess

from server.runners.hooklets import is_alive
from tenterhook.runners.proc_scan import Process, Traits, find_members, is_still

MARK = "TENTERHOOK_RUN_ID=proc-scan"


def start() -> subprocess.Popen[bytes]:
    """A process that is what it was started as: its parent goes on a little before its environment can be read."""
    name, value = MARK.split("=")
    pipe = subprocess.PIPE
    process = subprocess.Popen(["/bin/cat"], stdin=pipe, stdout=pipe, env={name: value}, process_group=0, bufsize=0)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"x")
    assert process.stdout.read(1) == b"x"
    return process


def end(*processes: subprocess.Popen[bytes]) -> None:
    for process in processes:
        process.kill()
        process.communicate()


async def members(leader: int, mark: str = MARK) -> dict[int, Process]:
    return {process.pid: process for process in await find_members(leader, Traits(mark.encode()), set())}


async def test_what_is_older_than_the_run_is_none_of_it_even_with_its_mark() -> None:
    older = start()
    old = (await members(older.pid))[older.pid]
    younger = start()
    while (await members(younger.pid))[younger.pid].start == old.start:  # the clock of /proc ticks in 10 ms
        end(younger)
        younger = start()
    assert set(await members(older.pid)) == {older.pid, younger.pid}
    assert set(await members(younger.pid)) == {younger.pid}
    end(older, younger)


async def test_part_of_a_mark_is_no_mark() -> None:
    leader, other = start(), start()
    assert set(await members(leader.pid, MARK[:-1])) == {leader.pid}
    end(leader, other)


async def test_a_pid_used_anew_is_somebody_else() -> None:
    process = start()
    found = (await members(process.pid))[process.pid]
    reused = Process(found.pid, found.start - 1, found.parent, found.group, found.session)
    assert is_still(found)
    assert not is_still(reused)
    end(process)
    assert not is_still(found)


def test_a_zombie_is_no_member() -> None:
    process = start()
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert not is_alive(process.pid)
    assert asyncio.run(members(process.pid)) == {}
    process.communicate()


async def test_the_engine_is_no_member_of_its_hooks_run() -> None:
    assert os.getpid() not in await members(os.getpid(), "NO=SUCH")
