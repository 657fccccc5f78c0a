"""Owns the entry ``tenterhook serve``: what has to happen before anything else is imported; knows no message."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Serve the host on the other end of stdin and stdout until it is done; then end the process."""
    source, target = _take_over()
    _keep_large_blocks()
    _import_asyncio_without_tls()

    from tenterhook.rpc.process import run  # noqa: PLC0415 - only now: asyncio must come in as above

    run(source, target)


def _take_over() -> tuple[int, int]:
    """Move descriptors 0 and 1 away, and return where they are now; hooks never inherit them.

    0 becomes empty input, 1 becomes stderr: a stray ``print`` of any library lands there, and nobody can read the
    host's messages by accident. One that is closed reads as empty.
    """
    _fill_gaps()
    streams = os.dup(0), os.dup(1)  # dup: close-on-exec, as everything Python opens
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


def _keep_large_blocks() -> None:
    """Free one large block, so that glibc serves later ones from its heap instead of mapping each anew.

    Its threshold for that starts at 128 KiB and rises to the size of the largest block that was freed.
    """
    block = bytes(1 << 20)
    del block


def _import_asyncio_without_tls() -> None:
    """Import asyncio while ``ssl`` looks absent, which it allows for. Nothing here speaks TLS over asyncio.

    A tenth of the start-up time and a fifth of the memory are OpenSSL's.
    Whatever speaks TLS in this process, a runner of HTTP hooks for one, has to do so over blocking sockets in a
    thread (``ssl`` itself can be imported at any time), or has to take this step away.
    """
    if "ssl" not in sys.modules and "asyncio" not in sys.modules:
        sys.modules["ssl"] = None  # pyright: ignore[reportArgumentType] - Python's own way to block an import
        try:
            __import__("asyncio")
        finally:
            del sys.modules["ssl"]
