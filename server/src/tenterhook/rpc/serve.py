"""Owns the entry ``tenterhook serve``: what has to happen before anything else is imported; knows no message."""

from __future__ import annotations

import sys
from typing import NoReturn

from tenterhook.rpc.takeover import take_over

__all__ = ["main"]


def main() -> NoReturn:
    """Serve the host on the other end of stdin and stdout until it is done; then end the process."""
    streams = take_over()
    _keep_large_blocks()
    _import_asyncio_without_tls()

    from tenterhook.rpc.process import run  # noqa: PLC0415 - only now: asyncio must come in as above

    run(streams)


def _keep_large_blocks() -> None:
    """Free one large block, so that glibc serves later ones from its heap instead of mapping each anew.

    Its threshold for that starts at 128 KiB and rises to the size of the largest block that was freed.
    """
    block = bytes(1 << 20)
    del block


def _import_asyncio_without_tls() -> None:
    """Import asyncio while ``ssl`` looks absent, which it allows for. Nothing here speaks TLS over asyncio.

    A tenth of the start-up time and a fifth of the memory are OpenSSL's.
    """
    if "ssl" not in sys.modules and "asyncio" not in sys.modules:
        sys.modules["ssl"] = None  # pyright: ignore[reportArgumentType] - Python's own way to block an import
        try:
            __import__("asyncio")
        finally:
            del sys.modules["ssl"]
