"""Owns a tiny server that is right as far as it goes; the broken ones beside it each change one thing of it.

It reads hook files that are written as JSON, serves ``hooks/emitDecision`` and ``hooks/stats``, and knows no more.
Run by itself it is the control: every case that catches a broken server must let this one pass.
"""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["Server"]

WELCOME = {
    "capabilities": {
        "positionEncoding": "utf-16",
        "textDocumentSync": {"openClose": True, "change": 2, "save": True},
        "experimental": {"tenterhook": {"version": "0.1", "systems": ["coding-code"], "points": []}},
    },
    "serverInfo": {"name": "base", "version": "0"},
}

LIMITS: dict[str, tuple[float, float]] = {
    "maxHooksPerSession": (1, 1024),
    "maxMessageBytes": (1024, math.inf),
    "maxQueuedBytes": (1024, math.inf),
    "maxOutputBytes": (1, math.inf),
    "killGraceMs": (0, 60_000),
    "maxStopContinuations": (0, math.inf),
}


class Server:
    """The server; each method below is a place where one can be wrong."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.starting = threading.Lock()
        self.in_flight: dict[Any, Any] = {}
        self.processes: dict[Any, subprocess.Popen[bytes]] = {}
        self.initialized = self.shut_down = False
        self.projects: list[str] = []

    def serve(self) -> None:
        """Read and answer until the end."""
        while True:
            header = b""
            while line := sys.stdin.buffer.readline().strip():
                header += line.lower() + b"\n"
            if not header:
                self.leave()
            length = int(header.partition(b"content-length:")[2].split()[0])
            self.on_body(sys.stdin.buffer.read(length))

    def leave(self) -> None:
        with self.starting:  # nothing is started any more that nobody would stop
            for process in list(self.processes.values()):
                self.stop(process)
            os._exit(self.exit_status())

    def exit_status(self) -> int:
        return 0 if self.shut_down else 1

    def parse(self, body: bytes) -> Any:
        return json.loads(body.decode())

    def on_body(self, body: bytes) -> None:
        try:
            message: Any = self.parse(body)
        except ValueError:
            self.on_bad_json()
            return
        if body.lstrip().startswith(b"["):
            self.on_batch(message, body)
        else:
            self.on_message(message, body, self.write)

    def on_bad_json(self) -> None:
        self.write({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "no JSON"}})

    def on_batch(self, messages: list[Any], body: bytes) -> None:
        answers: list[Any] = []
        for message in messages:
            self.on_message(message, body, answers.append)
        for worker in [thread for thread in threading.enumerate() if thread.name == "hook"]:
            worker.join()
        if answers:
            self.write(answers)

    def on_message(self, message: Any, body: bytes, answer: Any) -> None:
        method, id_ = message.get("method"), message.get("id")
        params: Any = message.get("params") or {}
        if method == "exit":
            self.leave()
        elif method == "$/cancelRequest":
            self.on_cancel(params["id"])
        elif "id" in message and method:
            self.on_request(id_, method, params, body, answer)

    def on_request(self, id_: Any, method: str, params: Any, body: bytes, answer: Any) -> None:
        if self.key(id_) in self.in_flight or self.shut_down or (method == "initialize" and self.initialized):
            self.fail(id_, -32600, answer)
        elif method == "initialize":
            if self.load(params["initializationOptions"]):
                self.initialized = True
                self.reply(id_, WELCOME, answer)
            else:
                self.fail(id_, -32602, answer)
        elif not self.initialized:
            self.fail(id_, -32002, answer)
        elif method == "shutdown":
            self.shut_down = True
            self.reply(id_, None, answer)
        elif method == "hooks/emitDecision":
            self.in_flight[self.key(id_)] = answer
            payload = self.payload(params, body)
            threading.Thread(target=self.decide, args=(id_, params, payload), name="hook", daemon=True).start()
        elif method == "hooks/stats":
            self.reply(id_, {"points": [], "hooks": [], "events": 0}, answer)
        else:
            self.fail(id_, -32601, answer)

    def load(self, options: Any) -> bool:
        """Load all projects, or none where the options are refused."""
        if not self.limits_fit(options) or not all(map(os.path.isabs, options["projectPaths"])):
            return False
        self.projects = [os.path.realpath(path) for path in options["projectPaths"]]
        return True

    def limits_fit(self, options: Any) -> bool:
        return all(least <= options.get(name, least) <= most for name, (least, most) in LIMITS.items())

    def key(self, id_: Any) -> Any:
        """What a request is found by: its id and the id's type."""
        return (type(id_), id_)

    def payload(self, params: Any, body: bytes) -> bytes:
        """The host's own bytes, read from the text and not from ``params``."""
        del params
        text = body.decode()
        start = text.index('"payload":') + len('"payload":')
        return text[start : json.JSONDecoder().raw_decode(text, start)[1]].encode()

    def decide(self, id_: Any, params: Any, payload: bytes) -> None:
        result = None
        project = os.path.realpath(params.get("projectPath") or json.loads(payload)["projectPath"])
        for hook in self.hooks(project, params["point"]) if project in self.projects else []:
            if (result := self.judge(*self.run(self.key(id_), hook, payload, project))) is not None:
                break
        if answer := self.in_flight.pop(self.key(id_), None):
            self.reply(id_, result, answer)

    def hooks(self, project: str, point: str) -> list[Any]:
        file = Path(project, ".codingcode", "hooks.yaml")
        hooks: list[Any] = json.loads(file.read_text(encoding="utf-8"))["hooks"] if file.exists() else []
        fitting = [hook for hook in hooks if hook["point"] == point and hook["type"] == "decision"]
        return sorted(fitting, key=lambda hook: hook.get("priority", 0))

    def run(self, key: Any, hook: Any, payload: bytes, project: str) -> tuple[int, bytes]:
        with self.starting:
            process = subprocess.Popen(
                [hook["command"], *hook.get("args", [])],
                cwd=project,
                start_new_session=True,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            self.processes[key] = process
        if key not in self.in_flight:  # cancelled before there was a process to stop
            self.stop(process)
        try:
            stdout, _ = process.communicate(payload, hook.get("timeout", 30))
        except subprocess.TimeoutExpired:
            self.stop(process)
            stdout, _ = process.communicate()
        del self.processes[key]
        return process.returncode, stdout

    def judge(self, status: int, stdout: bytes) -> Any:
        try:
            return (json.loads(stdout or b"null") or None) if status == 0 else None
        except ValueError:
            return None

    def stop(self, process: subprocess.Popen[bytes]) -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    def on_cancel(self, id_: Any) -> None:
        if answer := self.in_flight.pop(self.key(id_), None):
            self.fail(id_, -32800, answer)
            if process := self.processes.get(self.key(id_)):
                self.stop(process)

    def reply(self, id_: Any, result: Any, answer: Any) -> None:
        answer({"jsonrpc": "2.0", "id": id_, "result": result})

    def fail(self, id_: Any, code: int, answer: Any) -> None:
        answer({"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": "it cannot be done"}})

    def write(self, message: Any) -> None:
        text = json.dumps(message, ensure_ascii=False)
        with self.lock:
            sys.stdout.buffer.write(f"Content-Length: {self.length(text)}\r\n\r\n{text}".encode())
            sys.stdout.buffer.flush()

    def length(self, text: str) -> int:
        return len(text.encode())


if __name__ == "__main__":
    Server().serve()
