"""What becomes of the engine's own questions to the host."""

from __future__ import annotations

import asyncio

import pytest
from msgspec import Raw
from tenterhook.errors import RequestFailed
from tenterhook.rpc.envelope import Reply
from tenterhook.rpc.pending import Asked
from tenterhook_protocol.host import PromptRequest

QUESTION = PromptRequest(run_id="r1", prompt="?", timeout_ms=60_000)


async def test_who_waits_is_told_that_the_connection_has_ended_and_so_is_who_asks_after_that() -> None:
    sent: asyncio.Queue[bytes] = asyncio.Queue()
    asked = Asked(sent.put_nowait)
    waiting = [asyncio.ensure_future(asked.ask("host/prompt", QUESTION, 60)) for _ in range(2)]
    for _ in waiting:
        await sent.get()
    asked.close()
    for each in waiting:
        with pytest.raises(RequestFailed, match="the connection has ended"):
            await each
    with pytest.raises(RequestFailed, match="the connection has ended"):
        await asked.ask("host/prompt", QUESTION, 60)
    assert sent.empty()


async def test_an_answer_that_came_before_the_end_counts() -> None:
    sent: asyncio.Queue[bytes] = asyncio.Queue()
    asked = Asked(sent.put_nowait)
    waiting = asyncio.ensure_future(asked.ask("host/prompt", QUESTION, 60))
    await sent.get()
    assert asked.answered(Reply("tenterhook-1", Raw(b"{}"), None))
    asked.close()
    assert bytes(await waiting) == b"{}"
