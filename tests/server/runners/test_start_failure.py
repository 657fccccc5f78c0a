"""What a hook's author is told when the program could not be started."""

from __future__ import annotations

import asyncio
import errno
import os
import resource
from collections.abc import Callable
from pathlib import Path

import pytest
from server.runners.hooklets import launch, open_descriptors, run
from tenterhook.model import StopReason
from tenterhook.runners import Limits
from tenterhook.runners.start_failure import explain_start_failure
from tenterhook.runners.start_gate import StartGate


def script(folder: Path, content: bytes, mode: int = 0o755) -> str:
    path = folder / "hook"
    path.write_bytes(content)
    path.chmod(mode)
    return str(path)


def loop_of_links(folder: Path) -> str:
    (folder / "loop").symlink_to("loop")
    return str(folder / "loop")


FAILURES: dict[str, tuple[Callable[[Path], tuple[str, ...]], list[str]]] = {
    "no command": (lambda _: (), ["the command is empty"]),
    "empty name": (lambda _: ("", "x"), ["the command is empty"]),
    "unknown program": (lambda _: ("no-such-program",), ["`no-such-program`", "ENOENT", "PATH", "install it"]),
    "arguments in the name": (lambda _: ("node hook.js",), ["Arguments do not belong into the program's name"]),
    "unknown path": (lambda _: ("./is/gone",), ["`./is/gone`", "ENOENT", "/is/gone`: correct the path"]),
    "CRLF": (lambda at: (script(at, b"#!/bin/sh\r\necho\r\n"),), ["carriage return", "LF line ends"]),
    "missing interpreter": (lambda at: (script(at, b"#!/is/gone -x\n"),), ["the interpreter `/is/gone`", "missing"]),
    "missing loader": (
        lambda at: (script(at, Path("/bin/true").read_bytes().replace(b"/ld-linux", b"/no-linux")),),
        ["loader or library"],
    ),
    "no execute bit": (lambda at: (script(at, b"#!/bin/sh\n", 0o644),), ["EACCES", "`chmod +x /"]),
    "a folder": (lambda at: (str(at),), ["EACCES", "is a folder"]),
    "interpreter not executable": (lambda at: (script(at, b"#!/etc/passwd\n"),), ["`/etc/passwd`", "not be executed"]),
    "no shebang": (lambda at: (script(at, b"echo hi\n"),), ["ENOEXEC", "`#!/bin/sh`"]),
    "empty file": (lambda at: (script(at, b""),), ["ENOEXEC", "`#!/bin/sh`"]),
    "BOM": (lambda at: (script(at, b"\xef\xbb\xbf#!/bin/sh\n"),), ["ENOEXEC", "byte order mark"]),
    "other machine": (lambda at: (script(at, b"\x7fELF" + bytes(100)),), ["ENOEXEC", "another kind of machine"]),
    "file as folder": (lambda at: (script(at, b"") + "/x",), ["ENOTDIR", "is a file and no folder"]),
    "too large": (lambda _: ("/bin/true", "x" * 3_000_000), ["E2BIG", "stdin"]),
    "links in a circle": (lambda at: (loop_of_links(at),), ["ELOOP"]),
    "name too long": (lambda _: ("/" + "x" * 300,), ["ENAMETOOLONG"]),
    "NUL in the name": (lambda _: ("a\0b",), ["its name contains a NUL"]),
    "NUL in an argument": (lambda _: ("true", "ok", "a\0b"), ["argument 2 contains a NUL"]),
    "half a character": (lambda _: ("true", "\ud800"), ["argument 1 contains half of a surrogate pair"]),
}


@pytest.mark.parametrize(("argv", "told"), FAILURES.values(), ids=FAILURES.keys())
async def test_a_failing_start_says_what_and_where_and_what_to_do(
    argv: Callable[[Path], tuple[str, ...]], told: list[str], tmp_path: Path
) -> None:
    before = open_descriptors()
    outcome = await run(launch(*argv(tmp_path), stdin=b"x" * 100_000, cwd=(str(tmp_path),)))
    assert outcome.status == "notStarted"
    assert [part for part in told if part not in (outcome.error or "")] == []
    assert "\n" not in (outcome.error or "")
    assert open_descriptors() == before


@pytest.mark.parametrize(
    ("env", "told"),
    [
        ({"A=B": "c"}, "`A=B` has an equals sign"),
        ({"A": "b\0c"}, "the variable `A` contains a NUL"),
        ({"A\0": "b"}, "the name of a variable contains a NUL"),
        ({"A": "\udfff"}, "half of a surrogate pair"),
    ],
)
async def test_an_unfit_variable_is_named(env: dict[str, str], told: str) -> None:
    outcome = await run(launch("true", env=env))
    assert outcome.status == "notStarted"
    assert told in (outcome.error or "")


def test_a_file_that_is_being_written_says_so(tmp_path: Path) -> None:
    path = script(tmp_path, Path("/bin/true").read_bytes())
    with Path(path).open("ab"):
        outcome = asyncio.run(run(launch(path)))
    assert "ETXTBSY" in (outcome.error or "")
    assert "still writing" in (outcome.error or "")
    assert asyncio.run(run(launch(path))).status == "ok"


async def test_no_folder_to_start_in_is_told() -> None:
    outcome = await run(launch("true", cwd=("/is/gone", "/gone/too")))
    assert outcome.status == "notStarted"
    assert "/is/gone, /gone/too" in (outcome.error or "")


async def test_a_warning_about_the_folder_survives_a_failing_start() -> None:
    outcome = await run(launch("no-such-program", cwd=("/is/gone", "/")))
    assert outcome.status == "notStarted"
    assert len(outcome.warnings) == 1


@pytest.mark.parametrize("room", range(9))
async def test_without_descriptors_nothing_starts_and_nothing_leaks(room: int) -> None:
    before = open_descriptors()
    numbers = {int(entry.split(":")[0]) for entry in before}
    limit = max(numbers) + 1
    fillers = [os.open("/", os.O_RDONLY) for _ in range(limit - len(numbers))]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit + room, hard))
    try:
        outcome = await run(launch("cat", stdin=b"payload"))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for fd in fillers:
            os.close(fd)
    if room < 6:  # three pipes and the way back to our own folder, less the end that is closed ahead
        assert outcome.status == "notStarted"
        assert "EMFILE" in (outcome.error or "")
        assert "ulimit -n" in (outcome.error or "")
    else:
        assert (outcome.status, outcome.stdout) == ("ok", b"payload")
    assert open_descriptors() == before


class Crowded:
    """A run that lives, and no descriptors for another until it has ended."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, ends: bool) -> None:
        self.gate = StartGate()
        self.tries = 0
        self.tried = asyncio.Event()
        self._ends = ends
        self._pipe = os.pipe
        self.gate.began()
        monkeypatch.setattr(os, "pipe", self.pipe)

    def pipe(self) -> tuple[int, int]:
        self.tries += 1
        self.tried.set()
        if self.tries == 1:
            if self._ends:
                asyncio.get_running_loop().call_soon(self.gate.ended)
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return self._pipe()


async def test_without_descriptors_a_start_waits_for_the_end_of_another_run(monkeypatch: pytest.MonkeyPatch) -> None:
    crowded = Crowded(monkeypatch, ends=True)
    outcome = await run(launch("cat", stdin=b"payload"), Limits(gate=crowded.gate))
    assert (outcome.status, outcome.stdout) == ("ok", b"payload")


async def test_a_start_waits_for_room_no_longer_than_its_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    crowded = Crowded(monkeypatch, ends=False)
    outcome = await run(launch("cat", timeout=0.05), Limits(gate=crowded.gate))
    assert (outcome.status, crowded.tries) == ("notStarted", 1)
    assert "EMFILE" in (outcome.error or "")


async def test_a_start_that_waits_for_room_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    crowded = Crowded(monkeypatch, ends=False)
    stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(run(launch("cat"), Limits(gate=crowded.gate), stop))
    await crowded.tried.wait()
    stop.set_result("cancelled")
    assert ((await task).status, crowded.tries) == ("cancelled", 1)


DIRECT = [
    (OSError(errno.EAGAIN, "x"), ["EAGAIN", "ulimit -u"]),
    (OSError(errno.ENOMEM, "x"), ["ENOMEM", "ulimit -u"]),
    (OSError(errno.ENFILE, "x"), ["ENFILE", "ulimit -n"]),
    (OSError(errno.EACCES, "x", "/the/folder"), ["`/the/folder` cannot be entered", "EACCES"]),
    (OSError(errno.EIO, "x", "prog"), ["`prog`", "EIO"]),
    (OSError(errno.EACCES, "x", "prog"), ["check the permissions"]),
    (OSError(errno.EACCES, "x", "/bin/true"), ["noexec"]),
    (ValueError("odd"), ["odd"]),
]


@pytest.mark.parametrize(("failure", "told"), DIRECT, ids=[repr(row[0]) for row in DIRECT])
def test_failures_that_cannot_be_provoked_are_explained_too(failure: Exception, told: list[str]) -> None:
    program = "/bin/true" if getattr(failure, "filename", None) == "/bin/true" else "prog"
    text = explain_start_failure(failure, (program,), {"PATH": "/is/gone"}, "/the/folder")
    assert [part for part in told if part not in text] == []
