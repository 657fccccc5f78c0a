"""The file that a hook may fill in: made before it starts, read when it has ended, removed."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

import pytest
from msgspec import structs
from server.runners.hooklets import PATIENT, Post, launch, run, shell
from tenterhook.model import Outcome, StopReason
from tenterhook.runners import Limits
from tenterhook.runners.collected import KEPT


async def collect(script: str, path: Path, limits: Limits = PATIENT) -> Outcome:
    hook = shell(script, env={"FILE": str(path)})
    return await run(structs.replace(hook, collects=str(path)), limits)


async def test_what_a_hook_appends_is_in_the_outcome_and_the_file_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "scratch" / "deep" / "env"
    outcome = await collect("echo 'export A=1' >> $FILE; echo 'export B=2' >> $FILE; exit 3", path)
    assert (outcome.status, outcome.collected, outcome.warnings) == ("failed", b"export A=1\nexport B=2\n", ())
    assert not path.exists()


async def test_the_file_is_empty_at_the_start_and_nobody_else_may_read_it_or_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "scratch" / "env"
    path.parent.mkdir(0o755)
    path.write_bytes(b"from an earlier run")
    path.chmod(0o644)
    outcome = await collect("stat -c '%a %s' $FILE", path)
    assert outcome.stdout == b"600 0\n"
    deeper = tmp_path / "fresh" / "env"
    await collect("true", deeper)
    assert stat.S_IMODE(deeper.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("size", [0, KEPT - 1, KEPT, KEPT + 1, 20 * KEPT])
async def test_only_so_much_of_it_counts(tmp_path: Path, size: int) -> None:
    outcome = await collect(f"head -c {size} /dev/zero > $FILE", tmp_path / "env")
    assert outcome.collected == bytes(min(size, KEPT))
    assert ["more than" in warning for warning in outcome.warnings] == [True] * (size > KEPT)


@pytest.mark.parametrize(
    "script",
    [
        "rm $FILE",
        "rm $FILE; mkfifo $FILE",
        "rm $FILE; ln -s /etc/hostname $FILE",
        "rm $FILE; ln -s $FILE $FILE",
        "rm $FILE; mkdir $FILE",
    ],
)
async def test_what_a_hook_puts_in_its_place_is_neither_read_nor_waited_for(tmp_path: Path, script: str) -> None:
    outcome = await collect(script, tmp_path / "env")
    assert (outcome.status, outcome.collected) == ("ok", b"")
    assert "could not be read" in outcome.warnings[0]


async def test_a_link_in_its_place_is_not_followed_when_it_is_made(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_bytes(b"keep")
    (tmp_path / "env").symlink_to(precious)
    outcome = await collect("true", tmp_path / "env")
    assert "could not be made" in outcome.warnings[0]
    assert precious.read_bytes() == b"keep"


@pytest.mark.parametrize("path", ["/dev/null/env", "/proc/none/env", "nul\0", ""])
async def test_a_file_that_cannot_be_made_is_a_warning_and_the_hook_runs(path: str) -> None:
    outcome = await run(structs.replace(launch("echo", "fine"), collects=path))
    assert (outcome.status, outcome.stdout, outcome.collected) == ("ok", b"fine\n", b"")
    assert "could not be made" in outcome.warnings[0]


async def test_a_hook_that_cannot_start_leaves_no_file(tmp_path: Path) -> None:
    outcome = await run(structs.replace(launch("/is/gone"), collects=str(tmp_path / "env")))
    assert outcome.status == "notStarted"
    assert os.listdir(tmp_path) == []


async def test_what_was_written_before_a_stop_is_there(tmp_path: Path, post: Post) -> None:
    path = tmp_path / "env"
    stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
    hook = structs.replace(shell(f"echo early > {path}; echo > {post.path}; sleep 1000"), collects=str(path))
    task = asyncio.create_task(run(hook, PATIENT, stop))
    await post.line()
    stop.set_result("timedOut")
    assert ((await task).status, (await task).collected) == ("timedOut", b"early\n")
    assert not path.exists()
