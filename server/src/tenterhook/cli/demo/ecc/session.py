"""Owns the session of the demo: its events, and what ECC has to say to each; runs nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct

from tenterhook.cli.demo.session import Recorded

__all__ = ["Moment", "differences", "lay_out", "session_in"]

_FILES: Mapping[str, str] = {
    "package.json": '{"name": "demo", "scripts": {"dev": "node src/app.js"}}\n',
    ".eslintrc.json": '{"rules": {"no-unused-vars": "error"}}\n',
    "src/app.js": "const unused = 1;\nconsole.log('hello');\n",
}


class Moment(Struct, frozen=True):
    """One event, and what has to come of it."""

    recorded: Recorded
    decision: str | None = None
    by: str | None = None
    """The hook whose decision it is, among others."""


def lay_out(project: str) -> None:
    """The project that the session is about."""
    for name, text in _FILES.items():
        path = os.path.join(project, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def session_in(project: str) -> Sequence[Moment]:
    """The events, as if they had happened in this project."""
    edit = {"file_path": f"{project}/src/app.js", "old_string": "const unused = 1;\n", "new_string": ""}
    weaken = {"file_path": f"{project}/.eslintrc.json", "old_string": "error", "new_string": "off"}
    pull = {"stdout": "https://github.com/demo/demo/pull/7\n", "stderr": ""}

    def at(ms: int, point: str, decision: str | None = None, by: str | None = None, **keys: Any) -> Moment:
        known = {"session_id": "demo", "hook_event_name": point, "cwd": project, "projectPath": project}
        payload = Raw(msgspec.json.encode({**known, **keys}))
        return Moment(Recorded(at_ms=ms, point=point, payload=payload, runs=[]), decision, by)

    def before(ms: int, tool: str, given: object, decision: str | None = None, by: str | None = None) -> Moment:
        return at(ms, "PreToolUse", decision, by, tool_name=tool, tool_input=given)

    return (
        at(0, "SessionStart", source="startup"),
        before(1200, "Edit", weaken, "deny", "pre:config-protection"),
        before(3100, "Edit", edit, "deny", "pre:edit-write:gateguard-fact-force"),
        before(9400, "Edit", edit),
        at(9600, "PostToolUse", tool_name="Edit", tool_input=edit, tool_response={"filePath": edit["file_path"]}),
        before(11800, "Bash", {"command": "git commit --no-verify -m wip"}, "deny", "pre:bash:block-no-verify"),
        before(13000, "Bash", {"command": "git commit -m 'Remove unused'"}),
        before(15500, "Bash", {"command": "rm -rf src"}, "deny", "pre:bash:gateguard-fact-force"),
        at(17900, "PostToolUse", tool_name="Bash", tool_input={"command": "gh pr create"}, tool_response=pull),
        at(21000, "Stop", stop_hook_active=False),
        at(22500, "SessionEnd", reason="other"),
    )


def differences(moment: Moment, decision: str | None, deciding: Sequence[str]) -> Sequence[str]:
    """What did not come out as it has to, one sentence each.

    Args:
        moment: the event.
        decision: what it came to.
        deciding: names of the hooks that have decided so.
    """
    found: list[str] = []
    if decision != moment.decision:
        found.append(f"the decision was {decision or 'none'} instead of {moment.decision or 'none'}")
    elif moment.by is not None and moment.by not in deciding:
        found.append(f"{moment.by} did not decide, only {', '.join(deciding) or 'nobody'}")
    return found
