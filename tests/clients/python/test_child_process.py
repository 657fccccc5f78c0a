"""The client and a real process that misbehaves: nothing hangs, nothing is left behind, every end has a reason."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest
from tenterhook_client import BadPayload, Client, EngineDied, EngineNotFound

_ENGINE = str(Path(__file__).with_name("fake_engine.py"))


def fake(mode: str) -> tuple[str, ...]:
    return (sys.executable, _ENGINE, mode)


async def test_a_large_message_goes_both_ways() -> None:
    text = "é" * 2_000_000
    async with Client.spawn(fake("echo")) as client:
        echoes = await asyncio.gather(*(client.request("echo", {"text": text}) for _ in range(3)))
        assert echoes == [{"text": text}] * 3


async def test_a_huge_answer_is_read_whole() -> None:
    async with Client.spawn(fake("huge")) as client:
        assert await client.request("any") == "é" * 3_000_000


async def test_an_engine_that_dies_in_mid_answer_leaves_status_and_last_words() -> None:
    async with Client.spawn(fake("dies in mid-answer")) as client:
        pending = await asyncio.gather(*(client.request("any") for _ in range(3)), return_exceptions=True)
        assert [type(error) for error in pending] == [EngineDied] * 3
        with pytest.raises(EngineDied) as died:
            await client.request("later")
        assert died.value.status == 7
        assert died.value.stderr_tail.endswith("last words: ouch é\n")
        assert len(died.value.stderr_tail.encode()) == 4096
        assert "of 500 bytes" in died.value.reason


async def test_an_engine_that_is_killed_has_the_signal_for_status() -> None:
    async with Client.spawn(fake("killed")) as client:
        with pytest.raises(EngineDied, match="status -9"):
            await client.request("any")


async def test_an_engine_that_prints_to_stdout_is_given_up_and_quoted() -> None:
    async with Client.spawn(fake("prints to stdout")) as client:
        with pytest.raises(EngineDied, match="DEBUG: something happened"):
            await client.request("any")


async def test_an_engine_that_closes_its_stdin_is_given_up() -> None:
    heard = asyncio.Event()
    async with Client.spawn(fake("closes stdin"), on_stderr=lambda _: heard.set()) as client:
        pending = asyncio.create_task(client.request("any"))
        await heard.wait()
        with pytest.raises(EngineDied, match="closed its stdin"):
            await client.request("again", "x" * 200_000)
        with pytest.raises(EngineDied):
            await pending


async def test_an_engine_that_never_answers_can_be_cancelled_and_left() -> None:
    said: asyncio.Queue[str] = asyncio.Queue()
    async with Client.spawn(fake("silent"), on_stderr=said.put_nowait) as client:
        calling = asyncio.create_task(client.request("any"))
        text = ""
        while "got any" not in text:
            text += await said.get()
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        while "$/cancelRequest" not in text:
            text += await said.get()


async def test_an_engine_that_hears_neither_shutdown_nor_term_is_killed() -> None:
    said: list[str] = []
    async with Client.spawn(fake("deaf to everything"), on_stderr=said.append, end_within=0.1) as client:
        pid = client.engine_pid
        assert pid is not None
    assert "shutdown" in "".join(said)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_cancelling_the_end_kills_at_once() -> None:
    said: asyncio.Queue[str] = asyncio.Queue()
    pids: list[int] = []

    async def live() -> None:
        async with Client.spawn(fake("deaf to everything"), on_stderr=said.put_nowait, end_within=600) as client:
            pids.append(client.engine_pid or 0)

    living = asyncio.create_task(live())
    text = ""
    while "shutdown" not in text:
        text += await said.get()
    living.cancel()
    with pytest.raises(asyncio.CancelledError):
        await living
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


async def test_an_engine_that_ends_before_it_is_ready_says_why() -> None:
    with pytest.raises(EngineDied, match="no licence found") as died:
        async with Client.spawn(fake("dies at once")):
            pass
    assert died.value.status == 3


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("/no/such/engine", "serve"), "No such file"),
        ((_ENGINE,), "Permission denied"),
        ((sys.executable, "-I", "-S", "-m", "tenterhook", "serve"), "No module named tenterhook"),
        (("/bin/sh", "-c", "no-such-engine serve"), "not found"),
    ],
)
async def test_a_command_that_cannot_be_started_comes_with_a_hint(command: tuple[str, ...], said: str) -> None:
    with pytest.raises(EngineNotFound, match=said) as missing:
        async with Client.spawn(command):
            pass
    assert "command=(...)" in missing.value.hint
    assert missing.value.command == command


async def test_a_folder_that_does_not_exist_is_named() -> None:
    with pytest.raises(EngineNotFound, match="no folder /no/such/folder"):
        async with Client.spawn(fake("echo"), cwd="/no/such/folder"):
            pass


async def test_environment_and_folder_reach_the_engine(tmp_path: Path) -> None:
    (tmp_path / "here").write_text("")
    env = {**os.environ, "FAKE": "yes"}
    script = "import os,sys; sys.stderr.write(os.environ['FAKE'] + os.listdir()[0])"
    with pytest.raises(EngineDied, match="yeshere"):
        async with Client.spawn((sys.executable, "-c", script), env=env, cwd=tmp_path):
            pass


async def test_the_engine_has_a_session_of_its_own_and_no_terminal() -> None:
    script = "import os,sys; sys.stderr.write(f'leads: {os.getsid(0) == os.getpid()}')"
    with pytest.raises(EngineDied, match="leads: True"):
        async with Client.spawn((sys.executable, "-c", script)):
            pass


async def test_an_error_in_the_block_ends_the_engine_and_is_raised() -> None:
    pids: list[int] = []

    async def stumble() -> None:
        async with Client.spawn(fake("echo")) as client:
            pids.append(client.engine_pid or 0)
            await client.emit("a.b", b"no json")

    with pytest.raises(BadPayload):
        await stumble()
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)
