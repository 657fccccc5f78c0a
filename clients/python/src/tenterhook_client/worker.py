"""Owns serving a hook's handler: many events as a worker, or one as a plain hook; knows no engine and no event.

One program serves both roads (``docs/workers.md``).
Little is imported, not even ``typing``, which takes longer than all the rest: a plain hook is started for every event.
"""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, BinaryIO, TypeAlias

__all__ = ["Handler", "run"]

Handler: TypeAlias = "Callable[[Any], object]"
"""Gets the payload. Gives an answer: an object, a text for stdout, or None for no opinion."""

_VARIABLE = "TENTERHOOK_WORKER"
_encode = json.JSONEncoder(separators=(",", ":")).encode


def run(handler: Handler) -> None:
    """Serve until stdin ends.

    What the handler prints goes to stderr, so that nothing stray is taken for an answer; its stdin is empty.
    Both hold for the processes that it starts too.
    A handler that raises has failed: exit code 1, with the traceback on stderr. ``SystemExit`` is its exit code.
    While an event of a worker is handled, the process stands in the event's folder and has the event's variables.
    """
    given, answers = _take_pipes()
    if os.environ.get(_VARIABLE) == "1":
        _serve(handler, given, answers)
        return
    code, said, errors = _handle(handler, json.loads(given.read() or b"null"))
    answers.write(said.encode())
    answers.flush()
    sys.stderr.write(errors)
    sys.exit(code)


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """What was stdin and stdout: a child that reads would take requests away, and one that prints would answer."""
    pipes = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return pipes


def _serve(handler: Handler, requests: BinaryIO, answers: BinaryIO) -> None:
    surroundings = _Surroundings()
    for line in requests:
        answers.write(_encode(_answer(handler, line, surroundings)).encode() + b"\n")
        answers.flush()


class _Surroundings:
    """The folder and the variables of an event; only what events change is put back, for all of it takes long."""

    def __init__(self) -> None:
        self._home = os.getcwd()
        self._own: dict[str, str | None] = {}

    def enter(self, env: Mapping[str, str], folder: str | None) -> None:
        for name, value in self._own.items():
            if name in env:
                continue
            if value is not None:
                os.environ[name] = value
            elif name in os.environ:
                del os.environ[name]
        for name, value in env.items():
            if name not in self._own:
                self._own[name] = os.environ.get(name)
            os.environ[name] = value
        os.chdir(folder or self._home)


def _answer(handler: Handler, line: bytes, surroundings: _Surroundings) -> Mapping[str, object]:
    number = -1
    try:
        request: dict[str, Any] = json.loads(line)
        number = int(request["id"])
        surroundings.enter(request.get("env", {}), request.get("cwd"))
    except (ValueError, TypeError, LookupError, AttributeError, OSError, RecursionError) as failure:
        return {"id": number, "error": f"the request cannot be served: {failure}"}
    code, said, errors = _handle(handler, request.get("event"))
    return {"id": number, "exitCode": code, "stdout": said, "stderr": errors}


def _handle(handler: Handler, event: object) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of one event; all of it can be encoded."""
    try:
        answer = handler(event)
        said = answer if isinstance(answer, str) else "" if answer is None else json.dumps(answer)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0, "", ""
        return 1, "", _sound(f"{end.code}\n")
    except Exception:  # noqa: BLE001 - a boundary: the failure of one event must not end the worker
        import traceback  # noqa: PLC0415 - only failures need it

        return 1, "", _sound(traceback.format_exc())
    return 0, _sound(said), ""


def _sound(text: str) -> str:
    """Without halves of characters, which no encoding has."""
    return text.encode("utf-8", "backslashreplace").decode()
