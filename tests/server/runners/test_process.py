"""What becomes of one process: its outcome, its input and its output."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw
from server.runners.hooklets import (
    PATIENT,
    Post,
    is_alive,
    launch,
    marked,
    no_children,
    open_descriptors,
    python,
    run,
    shell,
)
from tenterhook.model import Outcome, ProcessLaunch
from tenterhook.runners import RUNNERS, Limits, process, run_process
from tenterhook_protocol.runs import RunStatus

BIG = 10 * 1024 * 1024


def test_the_table_names_the_process_runner() -> None:
    assert RUNNERS[ProcessLaunch] is run_process


OUTCOMES: list[tuple[str, RunStatus, int | None, str | None, bytes, bytes, str | None]] = [
    ("exit 0", "ok", 0, None, b"", b"", None),
    ("echo out; echo err >&2", "ok", 0, None, b"out\n", b"err\n", None),
    ("cat", "ok", 0, None, b"the payload", b"", None),
    ("exec 1>&- 2>&-; cat >/dev/null", "ok", 0, None, b"", b"", None),
    ("echo no; exit 2", "failed", 2, None, b"no\n", b"", "exited with code 2"),
    ("exit 126", "failed", 126, None, b"", b"", "may not be executed"),
    ("exit 127", "failed", 127, None, b"", b"", "was not found"),
    ("exit 255", "failed", 255, None, b"", b"", "exited with code 255"),
    ("kill -KILL $$", "signalled", None, "SIGKILL", b"", b"", "was ended by SIGKILL"),
    ("echo half; kill -TERM $$", "signalled", None, "SIGTERM", b"half\n", b"", "was ended by SIGTERM"),
    ("kill -35 $$", "signalled", None, "SIGRTMIN+1", b"", b"", "was ended by SIGRTMIN+1"),
]


@pytest.mark.parametrize(
    ("script", "status", "code", "name", "stdout", "stderr", "error"), OUTCOMES, ids=[row[0] for row in OUTCOMES]
)
@pytest.mark.usefixtures("each_way")
async def test_every_end_has_an_outcome_of_its_own(
    script: str,
    status: RunStatus,
    code: int | None,
    name: str | None,
    stdout: bytes,
    stderr: bytes,
    error: str | None,
) -> None:
    outcome = await run(shell(script, stdin=b"the payload"))
    assert (outcome.status, outcome.exit_code, outcome.signal) == (status, code, name)
    assert (outcome.stdout, outcome.stderr) == (stdout, stderr)
    if error is None:
        assert outcome.error is None
    else:
        assert error in (outcome.error or "")


@pytest.mark.parametrize("payload", [b"", b"{}", b"\0\xff\n\r", b"x" * 65536, b"x" * 65537, b"xy" * (BIG // 2)])
async def test_the_payload_arrives_byte_for_byte(payload: bytes) -> None:
    assert (await run(launch("cat", stdin=payload))).stdout == payload


async def test_a_raw_payload_arrives_as_it_is() -> None:
    assert (await run(launch("cat", stdin=Raw(b'{"b": 1.0, "a":2}')))).stdout == b'{"b": 1.0, "a":2}'


@pytest.mark.parametrize("size", [1, 500, 65536, 65537, BIG])
async def test_a_hook_that_never_reads_stdin_is_no_failure(size: int) -> None:
    outcome = await run(shell("echo fine", stdin=b"x" * size))
    assert (outcome.status, outcome.stdout, outcome.error, outcome.warnings) == ("ok", b"fine\n", None, ())


async def test_a_hook_that_closes_its_stdin_early_is_no_failure() -> None:
    outcome = await run(shell("head -c 3; exec 0<&-; echo; cat /proc/self/stat >/dev/null", stdin=b"x" * BIG))
    assert (outcome.status, outcome.stdout) == ("ok", b"xxx\n")


async def test_a_hook_that_reads_late_gets_all(post: Post, go: Post) -> None:
    hook = shell(f"echo here > {post.path}; read _ < {go.path}; wc -c", stdin=b"x" * BIG)
    task = asyncio.create_task(run(hook))
    assert await post.line() == "here"
    go.write("go\n")
    assert (await task).stdout.strip() == str(BIG).encode()


async def test_a_child_that_keeps_stdin_open_unread_delays_nothing(post: Post) -> None:
    hook = shell(f"exec 3<&0; sleep 1000 <&3 >/dev/null 2>&1 & echo $! > {post.path}; echo done", stdin=b"x" * BIG)
    assert (await run(hook)).stdout == b"done\n"
    (child,) = await post.pids(1)
    assert is_alive(child)
    os.kill(child, signal.SIGKILL)


FLOOD = """
import os
for _ in range(1024):
    os.write(1, b"o" * 10240)
    os.write(2, b"e" * 10240)
os.write(1, b"O")
os.write(2, b"E")
"""


async def test_ten_megabytes_on_both_outputs_at_once_arrive_whole() -> None:
    outcome = await run(python(FLOOD))
    assert outcome.status == "ok"
    assert outcome.stdout == b"o" * BIG + b"O"
    assert outcome.stderr == b"e" * BIG + b"E"
    assert not outcome.stdout_cut
    assert not outcome.stderr_cut


@pytest.mark.parametrize("limit", [0, 1, 1000, 70_000])
async def test_of_too_much_output_the_start_of_stdout_and_the_end_of_stderr_are_kept(limit: int) -> None:
    outcome = await run(python(FLOOD), Limits(max_output=limit, drain=60.0))
    assert outcome.status == "ok"
    assert outcome.stdout == b"o" * limit
    assert outcome.stderr == (b"e" * limit + b"E")[len(b"e" * limit + b"E") - limit :]
    assert outcome.stdout_cut
    assert outcome.stderr_cut


@pytest.mark.parametrize("excess", [-1, 0, 1])
async def test_output_is_cut_only_beyond_the_limit(excess: int) -> None:
    size = 1000 + excess
    outcome = await run(shell(f"head -c {size} /dev/zero; head -c {size} /dev/zero >&2"), Limits(max_output=1000))
    assert (len(outcome.stdout), len(outcome.stderr)) == (min(size, 1000), min(size, 1000))
    assert (outcome.stdout_cut, outcome.stderr_cut) == (excess > 0, excess > 0)


@pytest.mark.parametrize("lead", ["", "x", "xx"])
async def test_characters_at_chunk_borders_stay_whole(lead: str) -> None:
    text = lead + "€𝄞é" * 60_000
    outcome = await run(launch("tee", "/dev/stderr", stdin=text.encode()))
    assert outcome.stdout.decode() == text
    assert outcome.stderr.decode() == text


@pytest.mark.parametrize("limit", [9, 10, 11, 12])
async def test_a_cut_stderr_begins_with_a_whole_character(limit: int) -> None:
    outcome = await run(shell("cat >&2", stdin=("𝄞" * 10).encode()), Limits(max_output=limit))
    assert outcome.stderr.decode() == "𝄞" * (limit // 4)


@pytest.mark.usefixtures("each_way")
async def test_a_background_child_that_holds_the_pipes_delays_nothing_and_lives_on(post: Post) -> None:
    hook = shell(f"sleep 1000 & echo $! > {post.path}; echo decided; echo why >&2")
    outcome = await run(hook, Limits(drain=0.01))
    (child,) = await post.pids(1)
    assert (outcome.status, outcome.stdout, outcome.stderr) == ("ok", b"decided\n", b"why\n")
    assert is_alive(child)
    os.kill(child, signal.SIGKILL)


async def test_what_comes_within_the_drain_time_still_counts(post: Post, go: Post) -> None:
    hook = shell(f"(read _ < {go.path}; echo late) & echo $$ > {post.path}")
    task = asyncio.create_task(run(hook))
    await post.pids(1)
    go.write("go\n")
    assert (await task).stdout == b"late\n"


@pytest.mark.parametrize(
    ("folders", "used"),
    [(("/usr", "/"), "/usr"), (("/is/gone", "/usr"), "/usr"), (("", "/is/gone", "nul\0", "\ud800", "/"), "/")],
)
async def test_the_first_folder_that_exists_is_used(folders: tuple[str, ...], used: str) -> None:
    outcome = await run(launch("/bin/sh", "-c", "pwd -P", cwd=folders))
    assert outcome.stdout.decode().strip() == used
    assert [folders[0] in warning and used in warning for warning in outcome.warnings] == [True] * (folders[0] != used)


async def test_a_hook_leads_a_session_and_a_process_group_and_inherits_no_strange_signals() -> None:
    code = """
import os, signal
print(os.getsid(0) == os.getpgrp() == os.getpid(), signal.getsignal(signal.SIGPIPE) == signal.SIG_IGN)
print([line.split()[1].strip("0") for line in open("/proc/self/status") if line.startswith("SigBlk")])
print(sorted(int(name) for name in os.listdir("/proc/self/fd"))[:3])
"""
    lines = (await run(python(code))).stdout.decode().splitlines()
    assert lines == ["True True", "['']", "[0, 1, 2]"]  # Python itself ignores SIGPIPE


async def test_sigpipe_ends_a_hook_as_anywhere() -> None:
    assert (await run(shell("kill -PIPE $$"))).signal == "SIGPIPE"


async def test_an_exit_status_that_is_lost_is_no_success() -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        outcome = await run(shell("echo out; exit 3"))
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert (outcome.status, outcome.exit_code, outcome.stdout) == ("failed", None, b"out\n")
    assert "exit status is lost" in (outcome.error or "")


async def test_a_process_that_cannot_be_watched_is_killed_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(process, "ways", process.LINUX._replace(watch=deny))
    before = open_descriptors()
    hook = launch("sleep", "1000")
    outcome = await run(hook)
    assert outcome.status == "notStarted"
    assert "could not watch it" in (outcome.error or "")
    assert marked(hook.run_id) == []
    assert open_descriptors() == before


@pytest.mark.usefixtures("each_way")
async def test_runs_leak_neither_descriptors_nor_zombies() -> None:
    await run(launch("cat"))
    before = open_descriptors()
    for round_ in range(50):
        assert (await run(launch("cat", stdin=b"x" * (round_ * 3000)))).status == "ok"
        assert (await run(launch("/is/gone"))).status == "notStarted"
        assert (await run(shell("echo $0"), Limits(max_output=1))).stdout_cut
        assert (await run(launch("false", stdin=b"x" * 100_000))).status == "failed"
    assert (await run(launch("sleep", "1000", timeout=0.0))).status == "timedOut"
    assert open_descriptors() == before
    assert no_children()


async def test_sixty_four_at_once_do_not_mix() -> None:
    async def one(number: int) -> bool:
        text = f"{number}:".encode() * 1000
        outcome = await run(launch("tee", "/dev/stderr", stdin=text))
        return (outcome.stdout, outcome.stderr) == (text, text)

    assert all(await asyncio.gather(*map(one, range(64))))


odd_text = st.text(st.characters(), max_size=12)
odd_env = st.dictionaries(odd_text, odd_text, max_size=3)


@settings(deadline=None, max_examples=80)
@given(arguments=st.lists(odd_text, max_size=4), env=odd_env)
def test_odd_arguments_arrive_as_they_are_or_are_named(arguments: list[str], env: dict[str, str]) -> None:
    hook = launch("/bin/sh", "-c", """printf '%s\\0' "$@" """, "sh", "first", *arguments, env=env)
    outcome = asyncio.run(run(hook))
    if outcome.status == "ok":
        assert outcome.stdout == b"".join(os.fsencode(text) + b"\0" for text in ("first", *arguments))
    else:
        words = [*arguments, *env, *env.values()]
        unfit = [w for w in words if "\0" in w or any("\ud800" <= c <= "\udfff" for c in w)]
        assert outcome.status == "notStarted"
        assert unfit or any("=" in name or not name for name in env)
        assert "Remove it" in (outcome.error or "")


@settings(deadline=None, max_examples=80)
@given(program=odd_text)
def test_an_odd_program_is_never_an_exception(program: str) -> None:
    outcome: Outcome = asyncio.run(run(launch("/is/gone/" + program), PATIENT))
    assert outcome.status == "notStarted"
    assert outcome.error
