"""A bench client: spawns a server, speaks frames over its pipes, and reads its cost from the operating system."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["Peer", "frame", "request"]

_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""An installed engine is compiled once; a checkout that may not keep what it compiles would be timed compiling."""

_TICK = os.sysconf("SC_CLK_TCK")


def frame(message: Mapping[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def request(number: int, method: str, params: Mapping[str, Any]) -> bytes:
    return frame({"id": number, "method": method, "params": params})


class Peer:
    """One spawned server."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**_ENVIRONMENT, **(environment or {})},
            bufsize=0,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in = self.process.stdin.fileno()
        self._out = self.process.stdout.fileno()
        self._buffer = b""

    def initialize(self, **options: Any) -> float:
        """Seconds until the first answer."""
        start = time.perf_counter()
        params = {"processId": os.getpid(), "capabilities": {}, "initializationOptions": options}
        self.exchange(request(0, "initialize", params), 1)
        elapsed = time.perf_counter() - start
        self.send(frame({"method": "initialized", "params": {}}))
        return elapsed

    def send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._in, data) :]

    def exchange(self, data: bytes, answers: int) -> list[bytes]:
        """Send, and read until so many responses with an id have come; notifications are passed over."""
        self.send(data)
        bodies: list[bytes] = []
        while len(bodies) < answers:
            body = self._next()
            if b'"id":' in body[:40] or b'"id":' in body[-24:]:
                bodies.append(body)
        return bodies

    def pump(self, data: bytes, answers: int) -> None:
        """The same where every message is an answer and nobody looks at it: costs the client as little as can be."""
        self.send(data)
        missing = answers
        tail = b""
        while missing:
            chunk = tail + os.read(self._out, 1 << 18)
            missing -= chunk.count(b"Content-Length")
            cut = chunk.rfind(b"Content-Length")
            rest = chunk[cut + 14 :] if cut >= 0 else chunk
            tail = rest[-13:] if missing else b""
            if not missing:
                self._finish(rest)

    def cpu(self) -> float:
        """Seconds of processor time that the server has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / _TICK

    def rss(self) -> float:
        """Resident memory in MB."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        raise AssertionError("no VmRSS")

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _next(self) -> bytes:
        while b"\r\n\r\n" not in self._buffer:
            self._more()
        header, self._buffer = self._buffer.split(b"\r\n\r\n", 1)
        length = int(header.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        while len(self._buffer) < length:
            self._more()
        body, self._buffer = self._buffer[:length], self._buffer[length:]
        return body

    def _more(self) -> None:
        chunk = os.read(self._out, 1 << 18)
        if not chunk:
            raise EOFError("the server has closed its output")
        self._buffer += chunk

    def _finish(self, rest: bytes) -> None:
        """Read the rest of the last message, whose header's value begins ``rest``."""
        while b"\r\n\r\n" not in rest:
            rest += os.read(self._out, 1 << 16)
        header, body = rest.split(b"\r\n\r\n", 1)
        length = int(header.strip(b": \r\n").split(b"\r\n")[0])
        while len(body) < length:
            body += os.read(self._out, 1 << 16)
