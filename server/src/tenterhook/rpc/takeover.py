"""Owns the moving of the standard descriptors, so that the protocol's streams are ours alone; knows no message.

After it, a stray ``print`` of any library lands on stderr, and nobody can read the host's messages by accident.
"""

from __future__ import annotations

import os

from msgspec import Struct

__all__ = ["Streams", "take_over"]


class Streams(Struct, frozen=True):
    """The descriptors the protocol runs on. Hooks never inherit them."""

    input: int
    output: int


def take_over() -> Streams:
    """Move descriptors 0 and 1 away; 0 becomes empty input, 1 becomes stderr. One that is closed reads as empty."""
    _fill_gaps()
    streams = Streams(os.dup(0), os.dup(1))  # dup: close-on-exec, as everything Python opens
    empty = os.open(os.devnull, os.O_RDWR)
    os.dup2(empty, 0)
    os.dup2(2, 1)
    os.close(empty)
    return streams


def _fill_gaps() -> None:
    """Open the null device on each of 0, 1, 2 that is closed, lest a pipe of ours gets that number."""
    while True:
        fd = os.open(os.devnull, os.O_RDWR)
        if fd > 2:
            os.close(fd)
            return
        os.set_inheritable(fd, True)  # noqa: FBT003 - it takes no name
