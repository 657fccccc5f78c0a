"""Owns the descriptors the engine was born with; knows nothing of those it opens itself, which are close-on-exec."""

from __future__ import annotations

import fcntl
import os
import resource
from collections.abc import Generator
from contextlib import contextmanager, suppress

__all__ = ["limit_for_children", "raise_limit", "seal_inherited"]

_FOLDERS = ("/proc/self/fd", "/dev/fd")
"""Where a process finds its own descriptors: Linux, then the other Unixes."""

_inherited: list[tuple[int, int]] = []
"""The limit that the engine was born with, once it was raised."""

_MOST = 4096
"""How far to look where no such folder is mounted."""


def seal_inherited() -> None:
    """Keep every descriptor above 2 from the hooks. Called once, at the start of the engine.

    The processes of hooks are started without closing descriptors one by one, which would cost far more than the
    start itself; so none may be there to inherit.
    """
    for fd in _open_descriptors():
        if fd > 2:
            try:
                fcntl.fcntl(fd, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
            except OSError:
                continue  # the descriptor of the listing itself, closed by now


def raise_limit() -> None:
    """Allow the engine as many descriptors as it may have. Called once, at its start.

    Each live hook takes four of them, and one that cannot start guards nothing.
    """
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft, hard = limits
    if soft == hard:
        return
    with suppress(OSError, ValueError):  # some systems have a lower one than the hard limit says
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        _inherited.append(limits)


@contextmanager
def limit_for_children() -> Generator[None]:
    """What starts in here has the limit that the engine was born with.

    Some programs close every number up to their limit, and some use ``select``, which ends at 1024.
    """
    if not _inherited:
        yield
        return
    raised = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, _inherited[0])
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, raised)


def _open_descriptors() -> list[int]:
    for folder in _FOLDERS:
        try:
            return [int(name) for name in os.listdir(folder)]
        except OSError:
            continue
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return list(range(min(soft, _MOST) if soft != resource.RLIM_INFINITY else _MOST))
