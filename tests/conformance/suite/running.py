"""Owns one case from its first byte to its last process; knows no other case and prints nothing."""

from __future__ import annotations

import os
import tempfile
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .casefile import Case, lay_out
from .conversation import Conversation, StepFailed
from .frames import BadFrame
from .placeholders import substitute
from .process import Server
from .steps import STEPS, Stage
from .strays import MARK, end_strays, wait_until_gone
from .wire_schema import Checker

__all__ = ["Failure", "Result", "run_case"]

SECONDS_FOR_STRAYS = 2.0


@dataclass(frozen=True)
class Failure:
    """Why a case failed: the step, what was due, what came, and the end of the server's stderr."""

    step: str
    expected: str
    got: str
    stderr: str


@dataclass(frozen=True)
class Result:
    """How a case ended. ``failure`` None: it passed."""

    case: str
    seconds: float
    failure: Failure | None


def run_case(
    case: Case,
    command: Sequence[str],
    *,
    deadline: float,
    check: Checker,
) -> Result:
    """Run one case against a server of its own, in a folder of its own; nothing of it is left behind."""
    started = time.monotonic()
    mark = uuid.uuid4().hex
    with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
        try:
            failure = _run(case, command, Path(folder).resolve(), mark, deadline, check)
        finally:
            end_strays(mark)
    return Result(case.name, time.monotonic() - started, failure)


def _run(
    case: Case,
    command: Sequence[str],
    root: Path,
    mark: str,
    deadline: float,
    check: Checker,
) -> Failure | None:
    known = {"PROJECT": str(root / "project"), "HOME": str(root / "home"), "CASE": str(root)}
    content = case.content
    lay_out(root, substitute(content.get("files", {}), known))
    env = {name: value for name, value in os.environ.items() if not name.startswith("TENTERHOOK_")}
    env |= {"HOME": known["HOME"], MARK: mark, **substitute(content.get("env", {}), known)}

    def start(stdin_file: Path | None) -> Server:
        return Server(command, cwd=root, env=env, host=content.get("host", "none"), stdin_file=stdin_file)

    steps = _all_steps(content)
    stage = Stage(root=root, known=known, start=start)
    at = "start"
    try:
        if "stdinFromFile" not in steps[0][1]:
            stage.connect(content.get("allow"), check, deadline)
        for place, step in steps:
            name = next(iter(step))
            at = f"{place}, {name}"
            if name == "stdinFromFile":
                stage.connect(content.get("allow"), check, deadline, stage.write_stdin(step[name]))
            else:
                STEPS[name](stage, substitute(step[name], stage.known))
        at = "every message was expected"
        stage.conversation.expect_no_more()
        at = "no process is left"
        if not content.get("mayLeave") and (left := wait_until_gone(mark, SECONDS_FOR_STRAYS)):
            return Failure(at, "no process of this case", "; ".join(map(str, left.items())), _tail(stage.talk))
    except StepFailed as failed:
        return Failure(at, failed.expected, failed.got, _tail(stage.talk))
    except BadFrame as bad:
        return Failure(at, "a framed JSON message", str(bad), _tail(stage.talk))
    except OSError as error:
        return Failure(at, "a server that can be run", repr(error), _tail(stage.talk))
    finally:
        if stage.talk:
            stage.talk.server.end()
    return None


def _all_steps(content: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The case's steps, with the handshake before and the farewell after, where it does not bring its own.

    Each has its place: what a report says of where it failed.
    """
    steps = [(f"steps[{index}]", step) for index, step in enumerate(content["steps"])]
    options = content.get("initialize", {})
    if options is not False:
        params: dict[str, Any] = {"processId": os.getpid(), "capabilities": {}}
        if content.get("host"):
            params["processId"] = "${HOST_PID:int}"
        params["initializationOptions"] = {"projectPaths": ["${PROJECT}"], "killGraceMs": 200, **options}
        request = {"jsonrpc": "2.0", "id": "initialize", "method": "initialize", "params": params}
        answer = {"jsonrpc": "2.0", "id": "initialize", "result": {"capabilities": "$object", "serverInfo": "$object"}}
        told: dict[str, Any] = {"jsonrpc": "2.0", "method": "initialized", "params": {}}
        opening: list[dict[str, Any]] = [{"send": request}, {"expect": answer}, {"send": told}]
        steps = [("handshake", step) for step in opening] + steps
    if not any("expectExit" in step for _, step in steps):
        request = {"jsonrpc": "2.0", "id": "shutdown", "method": "shutdown"}
        answer = {"jsonrpc": "2.0", "id": "shutdown", "result": None}
        told = {"jsonrpc": "2.0", "method": "exit"}
        closing: list[dict[str, Any]] = [{"send": request}, {"expect": answer}, {"send": told}]
        closing.append({"expectExit": {"code": 0}})
        steps += [("farewell", step) for step in closing]
    return steps


def _tail(talk: Conversation | None) -> str:
    return talk.server.stderr[-2000:].decode(errors="replace") if talk else ""
