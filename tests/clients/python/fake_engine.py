"""A stand-alone engine that misbehaves as its first argument says. Standard library only; knows nothing of ours.

Every mode answers ``initialize`` well, and ``shutdown`` and ``exit`` too unless it says otherwise.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from typing import Any, BinaryIO

INPUT: BinaryIO = sys.stdin.buffer
OUTPUT: BinaryIO = sys.stdout.buffer
INITIALIZED: dict[str, Any] = {
    "serverInfo": {"name": "fake", "version": "1"},
    "capabilities": {
        "positionEncoding": "utf-16",
        "textDocumentSync": {"openClose": True, "change": 2},
        "experimental": {"tenterhook": {"version": "0.1", "systems": [], "points": []}},
    },
}


def main(mode: str) -> int:
    """Serve until the end of stdin."""
    if mode == "dies at once":
        sys.stderr.write("no licence found\n")
        return 3
    if mode == "deaf to everything":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while (message := read()) is not None:
        method, number = message.get("method"), message.get("id")
        if method == "initialize":
            write({"jsonrpc": "2.0", "id": number, "result": INITIALIZED})
        elif mode == "deaf to everything":
            tell(str(method))
        elif method == "shutdown":
            write({"jsonrpc": "2.0", "id": number, "result": None})
        elif method == "exit":
            return 0
        elif number is not None:
            status = respond(mode, message)
            if status is not None:
                return status
        else:
            tell(str(method))
    if mode == "deaf to everything":
        threading.Event().wait()
    return 0


def respond(mode: str, message: dict[str, Any]) -> int | None:
    """Answer a request of the host; a number: leave with it."""
    if mode == "echo":
        write({"jsonrpc": "2.0", "id": message["id"], "result": message.get("params")})
    elif mode == "huge":
        write({"jsonrpc": "2.0", "id": message["id"], "result": "é" * 3_000_000})
    elif mode == "silent":
        tell("got " + message["method"])
    elif mode == "closes stdin":
        os.close(0)
        tell("closed")
        threading.Event().wait()
    elif mode == "dies in mid-answer":
        sys.stderr.write("x" * 10_000 + "\nlast words: ouch é\n")
        sys.stderr.flush()
        OUTPUT.write(b'Content-Length: 500\r\n\r\n{"jsonrpc": "2.0", ')
        OUTPUT.flush()
        os._exit(7)
    elif mode == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif mode == "prints to stdout":
        OUTPUT.write(b"DEBUG: something happened\n")
        OUTPUT.flush()
    return None


def read() -> dict[str, Any] | None:
    """One message; None at the end of stdin."""
    length = 0
    while line := INPUT.readline().strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(INPUT.read(length)) if length else None


def write(message: dict[str, Any]) -> None:
    """Send one message."""
    body = json.dumps(message, ensure_ascii=False).encode()
    OUTPUT.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    OUTPUT.flush()


def tell(line: str) -> None:
    """Say something on stderr."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
