"""Owns serving a hook's handler: many events as a worker, or one as a plain hook; knows no engine and no event.

One program serves both roads (``docs/workers.md``).
Nothing but the standard library's smallest parts is imported: a plain hook is started for every event.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, cast

__all__ = ["Handler", "run"]

Handler = Callable[[Any], object]
"""Gets the payload. Gives an answer: an object, a text for stdout, or None for no opinion."""

_VARIABLE = "TENTERHOOK_WORKER"


def run(handler: Handler) -> None:
    """Serve until stdin ends.

    What the handler prints goes to stderr, so that nothing stray is taken for an answer.
    A handler that raises has failed: exit code 1, with the traceback on stderr. ``SystemExit`` is its exit code.
    While an event of a worker is handled, the process stands in the event's folder and has the event's variables.
    """
    if os.environ.get(_VARIABLE) == "1":
        _serve(handler)
        return
    stdout, sys.stdout = sys.stdout, sys.stderr
    code, said, errors = _handle(handler, json.loads(sys.stdin.buffer.read() or b"null"))
    stdout.write(said)
    stdout.flush()
    sys.stderr.write(errors)
    sys.exit(code)


def _serve(handler: Handler) -> None:
    # The pipe of answers is moved away: also a child's or a library's print to descriptor 1 lands on stderr.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
    os.dup2(2, 1)
    home, environment = os.getcwd(), dict(os.environ)
    for line in sys.stdin.buffer:
        answers.write(json.dumps(_answer(handler, line), ensure_ascii=False, separators=(",", ":")) + "\n")
        answers.flush()
        if os.environ != environment:
            os.environ.clear()
            os.environ.update(environment)
        os.chdir(home)


def _answer(handler: Handler, line: bytes) -> Mapping[str, object]:
    number = -1
    try:
        request = cast("dict[str, Any]", json.loads(line))
        number = int(request["id"])
        os.environ.update(cast("dict[str, str]", request.get("env", {})))
        if (folder := request.get("cwd")) is not None:
            os.chdir(folder)
    except (ValueError, TypeError, LookupError, OSError) as failure:
        return {"id": number, "error": f"the request cannot be served: {failure}"}
    code, said, errors = _handle(handler, request.get("event"))
    return {"id": number, "exitCode": code, "stdout": said, "stderr": errors}


def _handle(handler: Handler, event: object) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of one event."""
    try:
        answer = handler(event)
        said = answer if isinstance(answer, str) else "" if answer is None else json.dumps(answer, ensure_ascii=False)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0, "", ""
        return 1, "", f"{end.code}\n"
    except Exception:  # noqa: BLE001 - a boundary: the failure of one event must not end the worker
        import traceback  # noqa: PLC0415 - only failures need it

        return 1, "", traceback.format_exc()
    return 0, said, ""
