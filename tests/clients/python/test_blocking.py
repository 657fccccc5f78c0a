"""The blocking face: the same calls from any thread, and no interrupt leaves anything behind."""

from __future__ import annotations

import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tenterhook_client import BlockingClient, Client, ClientClosed, EngineDied, EngineNotFound

_ENGINE = str(Path(__file__).with_name("fake_engine.py"))


def fake(mode: str) -> tuple[str, ...]:
    return (sys.executable, _ENGINE, mode)


def test_many_threads_share_one_engine() -> None:
    with BlockingClient.spawn(fake("echo")) as client, ThreadPoolExecutor(8) as pool:

        def ask(number: int) -> object:
            return client.request("n", {"n": number})

        assert list(pool.map(ask, range(50))) == [{"n": number} for number in range(50)]


def test_it_has_every_method_of_the_asyncio_client() -> None:
    def public(kind: type) -> set[str]:
        return {name for name in vars(kind) if not name.startswith("_")}

    assert public(Client) - public(BlockingClient) == {"attach"}


def test_a_call_that_takes_too_long_is_cancelled() -> None:
    said: list[str] = []
    with (
        BlockingClient.spawn(fake("silent"), call_timeout=0.2, on_stderr=said.append) as client,
        pytest.raises(TimeoutError),
    ):
        client.request("any")
    assert "$/cancelRequest" in "".join(said)


def test_an_engine_that_dies_is_told_to_every_thread() -> None:
    with BlockingClient.spawn(fake("dies in mid-answer")) as client:
        with pytest.raises(EngineDied):
            client.request("any")
        with pytest.raises(EngineDied, match="ouch"):
            client.notify("a.b", {})


def test_a_command_that_cannot_be_started_is_raised_where_it_was_given() -> None:
    with pytest.raises(EngineNotFound), BlockingClient.spawn(("/no/such/engine",)):
        pass


def test_a_closed_client_says_so_and_ends_pending_calls() -> None:
    waiting = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        with BlockingClient.spawn(fake("silent"), on_stderr=lambda _: waiting.set()) as client:
            pending = pool.submit(client.request, "any")
            waiting.wait()
        with pytest.raises(ClientClosed):
            pending.result()
        with pytest.raises(ClientClosed):
            client.stats()


def test_a_callback_that_calls_the_client_is_told_of_the_deadlock() -> None:
    raised: list[type[BaseException]] = []

    def callback(_: str) -> None:
        try:
            client.stats()
        except RuntimeError as error:
            raised.append(type(error))

    with BlockingClient.spawn(fake("silent"), on_stderr=callback) as client:
        client.notify("a.b", {})
    assert raised
    assert set(raised) == {RuntimeError}


class _InterruptAt:
    """Sends Ctrl-C to the main thread, once, when the engine has said a word on stderr."""

    def __init__(self, word: str) -> None:
        self._word = word
        self._text = ""
        self._sent = False

    def __call__(self, text: str) -> None:
        self._text += text
        main = threading.main_thread().ident
        if self._word in self._text and not self._sent and main is not None:
            self._sent = True
            signal.pthread_kill(main, signal.SIGINT)


def test_an_interrupt_ends_the_call_and_the_engine() -> None:
    with BlockingClient.spawn(fake("silent"), on_stderr=_InterruptAt("got any")) as client:
        pid = client.engine_pid or 0
        with pytest.raises(KeyboardInterrupt):
            client.request("any")
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_an_interrupt_while_the_engine_is_ended_kills_it() -> None:
    pid = 0
    spawned = BlockingClient.spawn(fake("deaf to everything"), on_stderr=_InterruptAt("shutdown"), end_within=600)
    with pytest.raises(KeyboardInterrupt), spawned as client:
        pid = client.engine_pid or 0
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
