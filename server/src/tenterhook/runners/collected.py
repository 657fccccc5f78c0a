"""Owns the file that a run may fill in: made before the start, read and removed afterwards; knows no meaning of it."""

from __future__ import annotations

import os
import stat

__all__ = ["KEPT", "lay_out", "take_in"]

KEPT = 1 << 16
"""Bytes of such a file that count."""


def lay_out(path: str) -> tuple[str, ...]:
    """Make the file, empty and for its owner only, with its folder.

    Args:
        path: Where.

    Returns:
        A warning, where it could not be made. The hook runs nevertheless.
    """
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
        try:
            os.fchmod(fd, 0o600)  # one that was there may have had another mode
        finally:
            os.close(fd)
    except (OSError, ValueError) as failure:
        return (f"the file {path}, which the hook may fill in, could not be made: {failure}",)
    return ()


def take_in(path: str) -> tuple[bytes, tuple[str, ...]]:
    """Read what the run has left in the file, and remove it.

    Args:
        path: Where.

    Returns:
        At most ``KEPT`` bytes, and a warning where that is not all or where it could not be read.
    """
    warnings: tuple[str, ...] = ()
    content = b""
    try:
        content = _read(path)
    except (OSError, ValueError) as failure:
        warnings = (f"the file {path}, which the hook may fill in, could not be read: {failure}",)
    if len(content) > KEPT:
        warnings = (f"the hook wrote more than {KEPT} bytes to {path}: what came after them was dropped",)
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as failure:
        warnings += (f"the file {path} could not be removed: {failure}",)
    return content[:KEPT], warnings


def _read(path: str) -> bytes:
    """One byte more than counts, if there is. What the hook put in its place must not hold us up or lead elsewhere."""
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(fd, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError("it is no regular file any more")
        content = bytearray()
        while len(content) <= KEPT and (chunk := file.read(KEPT + 1 - len(content))):
            content += chunk
        return bytes(content)
