"""The few threads that blocking work is done in."""

from __future__ import annotations

import threading
from typing import NoReturn

import pytest
from tenterhook.runners.workers import Workers

_GUARD = 60.0


def nothing() -> None:
    pass


def test_no_thread_is_there_before_the_first_job_and_none_after_an_idle_while() -> None:
    gone, done = threading.Event(), threading.Event()
    workers = Workers(2, 0.0, gone.set)
    assert workers.threads == 0
    workers.do(done.set)
    assert done.wait(_GUARD)
    assert gone.wait(_GUARD)
    assert workers.threads == 0
    done.clear()
    workers.do(done.set)
    assert done.wait(_GUARD)


def test_there_are_never_more_than_allowed_and_what_waits_gets_its_turn() -> None:
    workers = Workers(3, _GUARD, nothing)
    go = threading.Event()
    begun, ended = threading.Semaphore(0), threading.Semaphore(0)

    def job() -> None:
        begun.release()
        go.wait(_GUARD)
        ended.release()

    for _ in range(20):
        workers.do(job)
    for _ in range(3):
        assert begun.acquire(timeout=_GUARD)
    assert workers.threads == 3
    assert not begun.acquire(blocking=False)
    go.set()
    for _ in range(20):
        assert ended.acquire(timeout=_GUARD)
    assert workers.threads == 3


def test_an_idle_thread_is_used_again() -> None:
    workers = Workers(8, _GUARD, nothing)
    for _ in range(20):
        done = threading.Event()
        workers.do(done.set)
        assert done.wait(_GUARD)
    assert workers.threads <= 2  # one may still be on its way back to its line


def test_where_no_thread_can_be_had_the_job_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(_: threading.Thread) -> NoReturn:
        raise RuntimeError("can't start new thread")

    workers = Workers(2, _GUARD, nothing)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", deny)
        with pytest.raises(RuntimeError):
            workers.do(nothing)
        assert workers.threads == 0
    done = threading.Event()
    workers.do(done.set)
    assert done.wait(_GUARD)
