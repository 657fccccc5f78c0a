"""Owns the fixtures of the runners' tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from server.runners.hooklets import Post
from tenterhook.runners import process


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    """Where hooks tell the test how far they are."""
    it = Post(tmp_path / "post")
    yield it
    it.close()


@pytest.fixture
def go(tmp_path: Path) -> Iterator[Post]:
    """Where hooks wait for a word of the test."""
    it = Post(tmp_path / "go")
    yield it
    it.close()


@pytest.fixture(params=["linux", "anywhere"])
def each_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The way of Linux, then the one that every Unix can go."""
    name = str(request.param)
    monkeypatch.setattr(process, "ways", process.LINUX if name == "linux" else process.ANYWHERE)
    return name
