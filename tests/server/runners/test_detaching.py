"""A hook that says in its first line that it goes on in the background."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs
from server.runners.hooklets import (
    PATIENT,
    Post,
    is_alive,
    marked,
    no_children,
    open_descriptors,
    python,
    run,
    shell,
    wait_for_end,
)
from tenterhook.model import Outcome, ProcessLaunch, StopReason
from tenterhook.runners import Limits

LONG = 600.0
_GUARD = 60.0


def never(_line: bytes) -> float | None:
    return None


def detaching(what: ProcessLaunch, detaches: Callable[[bytes], float | None] = lambda _: LONG) -> ProcessLaunch:
    return structs.replace(what, detaches=detaches)


def new_stop() -> asyncio.Future[StopReason]:
    return asyncio.get_running_loop().create_future()


async def rest_of(outcome: Outcome, stop: asyncio.Future[StopReason] | None = None) -> Outcome:
    assert outcome.status == "detached"
    assert outcome.rest is not None
    async with asyncio.timeout(_GUARD):
        return await outcome.rest(stop or new_stop())


@pytest.mark.usefixtures("each_way")
async def test_it_lets_go_at_its_first_line_and_the_rest_is_told_when_it_ends(go: Post) -> None:
    hook = detaching(shell(f"echo early >&2; echo line; read _ < {go.path}; echo late; echo err >&2; exit 3"))
    outcome = await run(hook)
    assert (outcome.status, outcome.stdout, outcome.error) == ("detached", b"", None)
    go.write("go\n")
    rest = await rest_of(outcome)
    assert (rest.status, rest.exit_code) == ("failed", 3)
    assert (rest.stdout, rest.stderr) == (b"late\n", b"early\nerr\n")
    assert no_children()


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("printf 'a'; printf 'b\\nc\\n'", [b"ab"]),
        ("printf '\\nx\\n'", [b""]),
        ("printf 'a\\r\\n'", [b"a\r"]),
        ("printf 'no end'", []),
        ("true", []),
        ("echo only >&2", []),
    ],
)
async def test_only_the_first_whole_line_is_told_and_only_once(script: str, told: list[bytes]) -> None:
    heard: list[bytes] = []

    def hear(line: bytes) -> None:
        heard.append(line)

    plain = await run(shell(script))
    outcome = await run(detaching(shell(script), hear))
    assert heard == told
    assert (outcome.status, outcome.stdout, outcome.stderr, outcome.rest) == ("ok", plain.stdout, plain.stderr, None)


async def test_a_line_longer_than_what_is_kept_is_none() -> None:
    heard: list[bytes] = []
    hook = detaching(shell("head -c 5000 /dev/zero; echo; echo more"), heard.append)
    outcome = await run(hook, Limits(max_output=1000, drain=60.0))
    assert (outcome.status, len(outcome.stdout), outcome.stdout_cut, heard) == ("ok", 1000, True, [])


async def test_a_long_line_in_many_pieces_is_put_together() -> None:
    code = "import os\nfor _ in range(300): os.write(1, b'x' * 1000)\nos.write(1, b'\\nrest')\nos.read(0, 1)"
    heard: list[bytes] = []

    def hear(line: bytes) -> float:
        heard.append(line)
        return LONG

    rest = await rest_of(await run(detaching(python(code), hear)))
    assert (heard, rest.stdout) == ([b"x" * 300_000], b"rest")


@pytest.mark.usefixtures("each_way")
async def test_its_own_time_counts_from_its_line_and_ends_its_tree() -> None:
    hook = detaching(shell("echo line; sleep 1000 & sleep 1000"), lambda _: 0.0)
    outcome = await run(hook, structs.replace(PATIENT, grace=0.05))  # a child born after TERM needs KILL
    rest = await rest_of(outcome)
    assert rest.status == "timedOut"
    assert "did not end within 0 s" in (rest.error or "")
    assert marked(hook.run_id) == []
    assert no_children()


async def test_its_events_stop_no_longer_concerns_it_and_its_own_ends_its_tree(post: Post) -> None:
    events, its = new_stop(), new_stop()
    hook = detaching(shell(f"trap '' TERM; echo line; sleep 1000 & echo $! > {post.path}; wait; sleep 1000"))
    outcome = await run(hook, structs.replace(PATIENT, grace=0.05), events)
    events.set_result("cancelled")
    task = asyncio.ensure_future(rest_of(outcome, its))
    (child,) = await post.pids(1)
    assert not task.done()
    its.set_result("cancelled")
    rest = await task
    assert (rest.status, rest.stdout) == ("cancelled", b"")
    assert not is_alive(child)
    assert marked(hook.run_id) == []


async def test_a_stop_that_is_there_before_the_rest_begins_ends_it() -> None:
    its = new_stop()
    its.set_result("cancelled")
    hook = detaching(shell("echo line; sleep 1000"))
    assert (await rest_of(await run(hook), its)).status == "cancelled"
    assert marked(hook.run_id) == []


async def test_an_end_that_comes_between_letting_go_and_the_rest_is_not_missed(go: Post, post: Post) -> None:
    hook = detaching(shell(f"echo line; echo $$ > {post.path}; read _ < {go.path}; echo late"))
    outcome = await run(hook)
    (pid,) = await post.pids(1)
    go.write("go\n")
    await wait_for_end(pid)
    assert (await rest_of(outcome)).stdout == b"late\n"


async def test_the_rest_does_not_wait_for_a_background_child_that_holds_the_pipes(post: Post) -> None:
    outcome = await run(
        detaching(shell(f"sleep 1000 & echo $! > {post.path}; echo line; echo more")), Limits(drain=0.01)
    )
    rest = outcome if outcome.rest is None else await rest_of(outcome)
    assert rest.status == "ok"
    assert rest.stdout.endswith(b"more\n")
    (child,) = await post.pids(1)
    os.kill(child, signal.SIGKILL)


async def test_what_it_collects_comes_with_the_rest(tmp_path: Path, go: Post) -> None:
    path = tmp_path / "env"
    hook = detaching(shell(f"echo line; read _ < {go.path}; echo late >> {path}"))
    outcome = await run(structs.replace(hook, collects=str(path)))
    go.write("go\n")
    assert outcome.collected == b""
    assert (await rest_of(outcome)).collected == b"late\n"
    assert not path.exists()


async def test_detaching_leaks_no_descriptors() -> None:
    await rest_of(await run(detaching(shell("echo line; cat"))))
    before = open_descriptors()
    for _ in range(20):
        outcome = await run(detaching(shell("echo line; exec cat", stdin=b"x" * 200_000)))
        assert (await rest_of(outcome)).stdout == b"x" * 200_000
        await run(detaching(shell("echo line"), never))
    assert open_descriptors() == before
    assert no_children()
