"""Owns noticing that a script which a hook plainly names is not there; knows no system, and starts nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable

from tenterhook.config.document import problem_at
from tenterhook.model import Hook, Problem

__all__ = ["MOST_SCRIPTS", "missing_scripts"]

MOST_SCRIPTS = 100
"""Scripts of one project that are looked for: a file may name as many as it has lines."""


def missing_scripts(hooks: Iterable[Hook], project: str) -> list[Problem]:
    """A warning for every hook that can run and whose script is not there.

    An interpreter that cannot find its script may end with the very code that means a block
    (anthropics/claude-code#80697), so this is told before the first event, and the hook stays what it is.

    Args:
        hooks: the hooks of a project.
        project: its real path.
    """
    problems: list[Problem] = []
    there: dict[str, bool] = {}
    for hook in hooks:
        if hook.script is None or hook.left_out is not None:
            continue
        path = os.path.join(project, hook.script)
        if path not in there:
            if len(there) >= MOST_SCRIPTS:
                break
            there[path] = _may_be_there(path)
        if not there[path] and len(problems) < MOST_SCRIPTS:
            problems.append(_told(hook, path))
    return problems


def _may_be_there(path: str) -> bool:
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError):
        return True  # nobody can say: a folder that may not be looked into, a link that leads in a circle
    return True


def _told(hook: Hook, path: str) -> Problem:
    message = f"The script {path} is not there; until it is, this hook fails, or blocks by mistake"
    hint = "correct the path, or put the script there"
    origin, width = hook.fields.get("command", hook.origin), len('"command"')
    return problem_at(origin, "warning", "script-missing", message, entry=hook.name, hint=hint, width=width)
