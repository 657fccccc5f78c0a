"""Owns the descriptors the engine was born with; knows nothing of those it opens itself, which are close-on-exec."""

from __future__ import annotations

import fcntl
import os
import resource

__all__ = ["seal_inherited"]

_FOLDERS = ("/proc/self/fd", "/dev/fd")
"""Where a process finds its own descriptors: Linux, then the other Unixes."""

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


def _open_descriptors() -> list[int]:
    for folder in _FOLDERS:
        try:
            return [int(name) for name in os.listdir(folder)]
        except OSError:
            continue
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return list(range(min(soft, _MOST) if soft != resource.RLIM_INFINITY else _MOST))
