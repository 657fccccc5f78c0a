"""Owns foretelling which hooks cannot start; starts nothing and changes nothing.

The engine itself only looks whether a script is there: whether it can be executed may be settled after it was started.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import UNSET
from tenterhook_protocol.problems import Problem

from tenterhook.dialects.claude_code.events import NAME as CLAUDE
from tenterhook.dialects.claude_code.scripts import script_of
from tenterhook.dialects.claude_code.specs import ShellSpec
from tenterhook.dialects.coding_code.config import GLOBAL
from tenterhook.dialects.coding_code.points import NAME
from tenterhook.model import CommandSpec, Hook, Origin
from tenterhook.runners.start_failure import explain_start_failure

__all__ = ["unstartable"]


def unstartable(hooks: Iterable[Hook], project: str, environment: Mapping[str, str]) -> list[Problem]:
    """A warning at the ``command`` of every hook whose program could not be started as things are.

    Args:
        hooks: the hooks of a project; those that are left out are passed over.
        project: its real path.
        environment: the engine's own.
    """
    problems: list[Problem] = []
    for hook in hooks:
        if hook.system == NAME and hook.left_out is None and isinstance(hook.spec, CommandSpec):
            problem = _judged(hook, hook.spec, project, environment)
            if problem is not None:
                problems.append(problem)
        elif hook.system == CLAUDE and hook.left_out is None and isinstance(hook.spec, ShellSpec):
            problems.extend(_judged_script(hook, hook.spec, project, environment))
    return problems


def _judged_script(hook: Hook, spec: ShellSpec, project: str, environment: Mapping[str, str]) -> Iterator[Problem]:
    """Whether a script that is a handler's program can be executed; that it is missing, the engine tells by itself."""
    script = script_of(spec, environment.get("HOME"))
    if script is None or not script.itself or hook.script is None:
        return
    path = os.path.join(project, hook.script)
    number = _refusal(path, environment, project) if os.path.exists(path) else None
    if number is not None:
        yield _told(hook, hook.fields["command"], number, (path,), environment, project)


def _judged(hook: Hook, spec: CommandSpec, project: str, environment: Mapping[str, str]) -> Problem | None:
    origin = hook.fields["command"]
    program = spec.command
    if origin.layer == GLOBAL and "/" in program and not program.startswith(("/", "~")):
        return None  # it is another file in every project, and a warning says so already
    env = dict(environment)
    for name, value in spec.env:
        if value is None:
            env.pop(name, None)
        else:
            env[name] = value
    folder = _nearest_folder(os.path.normpath(os.path.join(project, spec.cwd or "")))
    number = _refusal(program, env, folder)
    if number is None:
        return None
    return _told(hook, origin, number, (program, *spec.args), env, folder)


def _told(hook: Hook, origin: Origin, number: int, argv: Sequence[str], env: Mapping[str, str], folder: str) -> Problem:
    program = argv[0]
    failure = OSError(number, os.strerror(number), program)
    told = explain_start_failure(failure, argv, env, folder)
    said, _, advice = told.replace(" was not started in ", " would not start in ", 1).partition("). ")
    if program.startswith("~"):
        advice = "`~` is not expanded: write the whole path"
    return Problem(
        severity="warning",
        code="cannot-start",
        message=f"{said})" if advice else said,
        path=origin.path,
        line=origin.line,
        column=origin.column,
        end_line=origin.line,
        end_column=origin.column + len('"command"' if origin.path.endswith(".json") else "command"),
        entry=hook.name,
        hint=advice or UNSET,
    )


def _nearest_folder(folder: str) -> str:
    """The hook's folder, or the next above it that is there: the engine takes that one too."""
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return folder


def _refusal(program: str, env: Mapping[str, str], folder: str) -> int | None:
    """The number of the error that a start would end with; None: nothing stands against it."""
    places = [""] if "/" in program else env.get("PATH", os.defpath).split(os.pathsep)
    found = [path for place in places if os.path.exists(path := os.path.join(folder, place, program))]
    fit = next((path for path in found if os.path.isfile(path) and os.access(path, os.X_OK)), None)
    if fit is None:
        return errno.EACCES if found else errno.ENOENT
    interpreter = _interpreter(fit)
    # A relative interpreter counts from the hook's folder.
    return errno.ENOENT if interpreter and not os.path.exists(os.path.join(folder, interpreter)) else None


def _interpreter(path: str) -> str | None:
    """What the first line of a script names, with a carriage return that stands there; None: it is no script."""
    try:
        with open(path, "rb") as file:
            start = file.read(256)
    except OSError:
        return None
    words = start.removeprefix(b"#!").split(b"\n", 1)[0].strip(b" \t").replace(b"\t", b" ").split(b" ", 1)
    return os.fsdecode(words[0]) if start.startswith(b"#!") else None
