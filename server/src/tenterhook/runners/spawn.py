"""Owns starting one process by ``posix_spawn``; knows neither pipes nor what becomes of it.

``posix_spawn`` takes half the time of ``subprocess.Popen`` and has no working folder for the child.
So the engine enters the folder, starts the child, and goes back, all in one step of its one thread:
nothing else of it ever depends on the folder it is in.
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Mapping, Sequence

from tenterhook.runners.descriptors import limit_for_children
from tenterhook.runners.orphans import adoption

__all__ = ["spawn"]

_DEFAULT_SIGNALS = [signal.SIGPIPE, signal.SIGXFSZ]
"""Python ignores these, and what is ignored stays ignored in a child."""


def spawn(argv: Sequence[str], env: Mapping[str, str], cwd: str, descriptors: tuple[int, int, int]) -> int:
    """Start a process in a session and a process group of its own, so without a terminal.

    One that reads from the terminal of the host would be stopped until its timeout.

    Args:
        argv: program and arguments; a program without a slash is looked for on the ``PATH`` of ``env``.
        env: its whole environment.
        cwd: the folder it starts in, from which a relative program counts.
        descriptors: what it gets as 0, 1 and 2.

    Returns:
        Its pid.

    Raises:
        OSError: it cannot be started; ``filename`` is the folder where that cannot be entered, else the program.
        ValueError: a NUL in a word, or a variable's name that is none.
    """
    adoption.prepare()
    stdin, stdout, stderr = descriptors
    back = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.chdir(cwd)
        actions = [
            (os.POSIX_SPAWN_DUP2, stdin, 0),
            (os.POSIX_SPAWN_DUP2, stdout, 1),
            (os.POSIX_SPAWN_DUP2, stderr, 2),
        ]
        with limit_for_children():
            return _spawn(argv, env, actions)
    finally:
        os.fchdir(back)
        os.close(back)


def _spawn(argv: Sequence[str], env: Mapping[str, str], actions: list[tuple[int, int, int]]) -> int:
    program = argv[0]
    if "/" not in program and env.get("PATH") == os.environ.get("PATH") is not None:
        # The C library looks along our own `PATH`, which is the child's too, for a tenth of the cost.
        start, path = os.posix_spawnp, program
    else:
        start, path = os.posix_spawn, _find(program, env)
    try:
        return start(path, list(argv), env, file_actions=actions, setsid=True, setsigdef=_DEFAULT_SIGNALS)
    except NotImplementedError:
        # A Python that was built for an old C library; `serve` has left the terminal before.
        return start(path, list(argv), env, file_actions=actions, setpgroup=0, setsigdef=_DEFAULT_SIGNALS)


def _find(program: str, env: Mapping[str, str]) -> str:
    if "/" in program or "\0" in program:
        return program  # as it is, or refused by its NUL
    denied = False
    for folder in env.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder or ".", program)
        if os.path.isfile(path):
            if os.access(path, os.X_OK):
                return path
            denied = True
    number = errno.EACCES if denied else errno.ENOENT
    raise OSError(number, os.strerror(number), program)
