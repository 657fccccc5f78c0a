"""A real engine on real pipes, spoken to with blocking calls under a deadline."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tenterhook.rpc.framing import Framer

__all__ = ["ENGINE", "Spawned", "frame", "hook_file", "spawn", "wait_until_gone"]

ENGINE = (sys.executable, "-m", "tenterhook", "serve")
DEADLINE = 20.0


def frame(message: object) -> bytes:
    """One message with its header."""
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def hook_file(project: Path, *hooks: Mapping[str, object]) -> None:
    """Write a project's hooks; JSON is YAML."""
    folder = project / ".codingcode"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hooks.yaml").write_text(json.dumps({"hooks": list(hooks)}), encoding="utf-8")


class Spawned:
    """One engine and the host's ends of its streams."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self.stdin = process.stdin
        self._out = process.stdout.fileno()
        self._framer = Framer(1 << 30)
        self._inbox: list[Any] = []

    def send(self, *messages: object) -> None:
        """Send messages in one piece."""
        self.stdin.write(b"".join(map(frame, messages)))
        self.stdin.flush()

    def request(self, ident: object, method: str, params: object = None) -> None:
        """Send one request."""
        self.send({"jsonrpc": "2.0", "id": ident, "method": method, "params": params})

    def notify(self, method: str, params: object = None) -> None:
        """Send one notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def initialize(self, project: Path, **options: object) -> Any:
        """Open the conversation with one project."""
        options = {"userHome": str(project / "home"), "projectPaths": [str(project)], **options}
        self.request("init", "initialize", {"processId": None, "capabilities": {}, "initializationOptions": options})
        return self.receive()

    def receive(self) -> Any:
        """The next message. The engine's end of stream, or its silence, fails the test."""
        end = time.monotonic() + DEADLINE
        while not self._inbox:
            ready, _, _ = select.select([self._out], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the engine said nothing"
            data = os.read(self._out, 1 << 16)
            assert data, "the engine closed its output"
            self._framer.feed(data)
            for body in self._framer.frames():
                assert isinstance(body, bytes), body
                self._inbox.append(json.loads(body))
        return self._inbox.pop(0)

    def ended(self) -> int:
        """Wait for its end; the exit status."""
        return self.process.wait(DEADLINE)

    def stderr(self) -> str:
        """Everything it wrote to stderr, once it has ended."""
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()


@contextmanager
def spawn(*command: str, env: Mapping[str, str] | None = None) -> Generator[Spawned]:
    """Start an engine; it is killed at the end, whatever happened."""
    with subprocess.Popen(
        command or ENGINE,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **(env or {})},
    ) as process:
        try:
            yield Spawned(process)
        finally:
            process.kill()


def wait_until_gone(pid: int) -> None:
    """Wait until a process that is no child of ours has died."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        ready, _, _ = select.select([fd], [], [], DEADLINE)
    finally:
        os.close(fd)
    assert ready, f"process {pid} is alive"
