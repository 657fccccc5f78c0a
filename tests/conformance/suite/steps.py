"""Owns what each step of a case does; knows no case file and prints nothing."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .casefile import encoded, raw_bytes, write_file
from .conversation import Conversation, StepFailed
from .frames import frame
from .kinds import is_list
from .matching import mismatch, short
from .placeholders import substitute
from .process import Server
from .strays import alive
from .wire_schema import Checker

__all__ = ["STEPS", "Stage"]

STILL_SECONDS = 0.3


@dataclass
class Stage:
    """Where a case plays: its folder, its placeholders, and the server once it is there."""

    root: Path
    known: dict[str, str]
    start: Callable[[Path | None], Server]
    talk: Conversation | None = None

    @property
    def conversation(self) -> Conversation:
        """The conversation with the server."""
        if self.talk is None:
            raise StepFailed("a server", "none was started")
        return self.talk

    @property
    def server(self) -> Server:
        """The server."""
        return self.conversation.server

    def connect(
        self,
        allowed: list[Any] | None,
        check: Checker,
        deadline: float,
        stdin_file: Path | None = None,
    ) -> Conversation:
        """Start the server."""
        server = self.start(stdin_file)
        self.known["HOST_PID"] = str(server.host_pid)
        self.known["SERVER_PID"] = str(server.pid)
        self.talk = Conversation(
            server,
            allowed=substitute(allowed, self.known),
            check=check,
            deadline=deadline,
            captures=self.known,
        )
        return self.talk

    def write_stdin(self, messages: list[Any]) -> Path:
        """A regular file with these messages, framed, for the server's stdin."""
        path = self.root / "stdin"
        path.write_bytes(b"".join(frame(encoded(substitute(message, self.known))) for message in messages))
        return path

    def wait(self, ready: Callable[[], bool]) -> bool:
        """Wait within the step's deadline."""
        return self.server.wait_for(ready, self.conversation.deadline)


def send(stage: Stage, message: Any) -> None:
    stage.conversation.send(message)


def send_each(stage: Stage, messages: list[Any]) -> None:
    stage.conversation.send(*messages)


def send_many(stage: Stage, many: dict[str, Any]) -> None:
    for index in range(many["times"]):
        stage.conversation.send(substitute(many["message"], {"i": str(index)}))


def send_raw(stage: Stage, chunk: Any) -> None:
    stage.server.send(raw_bytes(chunk))
    stage.server.pump(0)


def send_in_pieces(stage: Stage, piece: dict[str, Any]) -> None:
    data = raw_bytes(piece["raw"])
    size = piece["size"]
    for start in range(0, len(data), size):
        stage.server.send(data[start : start + size])
        if not stage.wait(stage.server.all_sent):
            raise StepFailed("the server to read its stdin", "it did not")


def expect(stage: Stage, pattern: Any) -> None:
    stage.conversation.expect([pattern])


def expect_all(stage: Stage, patterns: list[Any]) -> None:
    stage.conversation.expect(patterns)


def expect_many(stage: Stage, many: dict[str, Any]) -> None:
    patterns = [substitute(many["message"], {"i": str(index)}) for index in range(many["times"])]
    if many.get("inOrder"):
        for pattern in patterns:
            stage.conversation.expect([pattern])
    else:
        stage.conversation.expect(patterns)


def expect_nothing(stage: Stage, _argument: Any) -> None:
    stage.conversation.expect_nothing()


def close_stdin(stage: Stage, _argument: Any) -> None:
    if not stage.wait(stage.server.all_sent):
        raise StepFailed("the server to read its stdin", "it did not")
    stage.server.close_stdin()


def close_stdout(stage: Stage, _argument: Any) -> None:
    stage.server.close_stdout()


def send_signal(stage: Stage, name: str) -> None:
    stage.server.signal(name)


def kill_host(stage: Stage, _argument: Any) -> None:
    stage.server.kill_host()


def stop_reading(stage: Stage, _argument: Any) -> None:
    stage.server.reading = False


def start_reading(stage: Stage, _argument: Any) -> None:
    stage.server.reading = True


def wait_until_still(stage: Stage, _argument: Any) -> None:
    """Wait until the server takes no more input, or has taken all."""
    before = -1
    while not stage.server.all_sent() and (left := stage.server.unsent) != before:
        before = left
        stage.server.wait_for(stage.server.all_sent, STILL_SECONDS)


def expect_memory(stage: Stage, wanted: dict[str, Any]) -> None:
    status = Path(f"/proc/{stage.server.pid}/status")
    if status.exists():
        found = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmRSS"))
        if int(found.split()[1]) > wanted["belowMiB"] * 1024:
            raise StepFailed(f"less than {wanted['belowMiB']} MiB of memory", found)


def expect_exit(stage: Stage, wanted: dict[str, Any]) -> None:
    server = stage.server
    if not stage.wait(server.exited):
        raise StepFailed("the server to exit", f"it still runs after {stage.conversation.deadline} s")
    if server.reading and not stage.wait(lambda: server.stdout_ended):
        raise StepFailed("the end of stdout", "another process holds the server's stdout open")
    code = server.exit_code()
    if "code" in wanted and code is not None and code not in _as_list(wanted["code"]):
        raise StepFailed(f"exit with {wanted['code']}", f"exit with {code}")


def wait_for_file(stage: Stage, wanted: dict[str, Any]) -> None:
    if not stage.wait(lambda: _file_misfit(stage, wanted) is None):
        raise StepFailed(f"a file {short(wanted)}", _file_misfit(stage, wanted) or "it came too late")


def expect_file(stage: Stage, wanted: dict[str, Any]) -> None:
    if misfit := _file_misfit(stage, wanted):
        raise StepFailed(f"a file {short(wanted)}", misfit)


def expect_no_file(stage: Stage, name: str) -> None:
    if (stage.root / name).exists():
        raise StepFailed(f"no file {name}", (stage.root / name).read_text(encoding="utf-8", errors="replace")[:300])


def write_files(stage: Stage, files: dict[str, Any]) -> None:
    for name, content in files.items():
        write_file(stage.root / name, content)


def remove(stage: Stage, name: str) -> None:
    path = stage.root / name
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    else:
        path.unlink()


def expect_gone(stage: Stage, wanted: dict[str, Any]) -> None:
    for pid in _pids(stage, wanted["pidFile"]):
        if not stage.wait(lambda pid=pid: not alive(pid)):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)  # it may have dropped the mark by which strays are found
            raise StepFailed(f"process {pid} to be gone", "it is alive")


def expect_alive(stage: Stage, wanted: dict[str, Any]) -> None:
    for pid in _pids(stage, wanted["pidFile"]):
        if not alive(pid):
            raise StepFailed(f"process {pid} to be alive", "it is gone")


def _pids(stage: Stage, name: str) -> list[int]:
    """The process ids in a file; waits until there is one."""
    path = stage.root / name
    if not stage.wait(lambda: path.exists() and path.read_text(encoding="utf-8").endswith("\n")):
        raise StepFailed(f"process ids in {name}", "none came")
    return [int(word) for word in path.read_text(encoding="utf-8").split()]


def _file_misfit(stage: Stage, wanted: dict[str, Any]) -> str | None:
    path = stage.root / wanted["path"]
    if not path.exists():
        return "it does not exist"
    data = path.read_bytes()
    if "raw" in wanted:
        return None if data == raw_bytes(wanted["raw"]) else f"its bytes are {data[:600]!r}"
    if "json" in wanted:
        try:
            value = json.loads(data)
        except ValueError:
            return f"it is no JSON: {data[:600]!r}"
        return mismatch(wanted["json"], value, stage.known)
    return mismatch(wanted.get("text", "$string"), data.decode(errors="replace"), stage.known)


def _as_list(value: Any) -> list[Any]:
    return value if is_list(value) else [value]


STEPS: dict[str, Callable[[Stage, Any], None]] = {
    "send": send,
    "sendEach": send_each,
    "sendMany": send_many,
    "sendRaw": send_raw,
    "sendInPieces": send_in_pieces,
    "expect": expect,
    "expectAll": expect_all,
    "expectMany": expect_many,
    "expectNothing": expect_nothing,
    "closeStdin": close_stdin,
    "closeStdout": close_stdout,
    "signal": send_signal,
    "killHost": kill_host,
    "stopReading": stop_reading,
    "startReading": start_reading,
    "waitUntilStill": wait_until_still,
    "expectMemory": expect_memory,
    "expectExit": expect_exit,
    "waitForFile": wait_for_file,
    "expectFile": expect_file,
    "expectNoFile": expect_no_file,
    "writeFiles": write_files,
    "remove": remove,
    "expectGone": expect_gone,
    "expectAlive": expect_alive,
}
"""Every step but ``stdinFromFile``, which starts the server."""
