"""What a host may leave to the engine does not reach its hooks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from tenterhook.runners.signals import signal_name

SEAL = """
import os, subprocess
from tenterhook.runners import seal_inherited
seal_inherited()
seal_inherited()
subprocess.run(["/bin/sh", "-c", f"[ -e /proc/self/fd/0 ] && [ ! -e /proc/self/fd/{FD} ] && echo sealed"],
               close_fds=False, check=True)
os.fstat({FD})
"""


def test_an_inherited_descriptor_reaches_no_hook_and_stays_open_here() -> None:
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)  # noqa: FBT003 - the standard library's own signature
    done = subprocess.run(
        [sys.executable, "-c", SEAL.replace("{FD}", str(writer))],
        close_fds=False,
        check=True,
        capture_output=True,
    )
    os.close(reader)
    os.close(writer)
    assert done.stdout == b"sealed\n"


LIMIT = """
import os, resource, sys
from tenterhook.runners.descriptors import raise_limit
from tenterhook.runners.spawn import spawn
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (100, hard))
raise_limit()
print(resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard), flush=True)
os.waitpid(spawn(["/bin/sh", "-c", "ulimit -Sn"], {}, "/", (0, 1, 2)), 0)
print(resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard), flush=True)
"""


def test_the_engine_may_open_more_than_it_inherited_and_its_hooks_may_not() -> None:
    done = subprocess.run([sys.executable, "-c", LIMIT], check=True, capture_output=True)
    assert done.stdout.split() == [b"True", b"100", b"True"]


SIGNALS = """
import signal, subprocess
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGUSR1])
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
from tenterhook.runners import restore_inherited
restore_inherited()
print(subprocess.run(["/bin/sh", "-c", "kill -TERM $$"]).returncode,
      subprocess.run(["/bin/sh", "-c", "kill -HUP $$; exit 4"]).returncode)
"""


def test_blocked_signals_and_an_ignored_sigchld_are_undone_and_nohup_stays() -> None:
    done = subprocess.run([sys.executable, "-c", SIGNALS], check=True, capture_output=True)
    assert done.stdout.split() == [b"-15", b"4"]


@pytest.mark.parametrize(
    ("number", "name"), [(15, "SIGTERM"), (9, "SIGKILL"), (signal.SIGRTMIN + 2, "SIGRTMIN+2"), (33, "signal 33")]
)
def test_signals_have_names(number: int, name: str) -> None:
    assert signal_name(number) == name
