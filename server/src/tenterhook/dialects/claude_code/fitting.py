"""Owns what fits together badly in a handler whose every value is fine by itself; judges no single value."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tenterhook.config.document import Span, excerpt
from tenterhook.dialects.claude_code.declared import Declared, Scope
from tenterhook.dialects.claude_code.telling import Teller

__all__ = ["on_failure_counts", "unfit"]

_NEVER_BLOCKS = frozenset({"Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"})
_TOOL_NEVER_BLOCKS = frozenset({"Setup", "SessionStart"})
"""Events at which ``onFailure`` is ignored, the latter for type ``mcp_tool`` alone (reference 5.8)."""

_REFERENCE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))", re.ASCII)
_QUOTED = re.compile(r"'[^']*+'|\"(?:[^\"\\]|\\.)*+\"|\\.", re.DOTALL)
_UNSAFE = re.compile(r"[^\w@%+=:,./-]")
"""What a shell takes apart, or for something else, outside quotes."""


def on_failure_counts(kind: str, event: str, said: Declared, places: Mapping[str, Span], tell: Teller) -> bool:
    """Whether a failure blocks: it does not everywhere."""
    if not said.on_failure:
        return False
    if said.background:
        why = "nobody waits for a handler that runs in the background"
    elif event in _NEVER_BLOCKS or (kind == "mcp_tool" and event in _TOOL_NEVER_BLOCKS):
        why = f"{event} does not look at it"
    else:
        return True
    tell.warning("on-failure-unused", places["onFailure"], f"onFailure is ignored: {why}", "delete it")
    return False


def unfit(kind: str, said: Declared, places: Mapping[str, Span], scope: Scope, tell: Teller) -> str | None:
    """Why the handler cannot run, as far as its fields together say. Whatever is odd is told of."""
    if kind == "http":
        _tell_of_variables(said, places, scope, tell)
    if kind != "command" or "command" not in places:
        return None
    at = places["command"]
    if said.args is not None:
        if "shell" in places:
            message = "shell is ignored: with args there is no shell"
            tell.warning("shell-unused", places["shell"], message, "delete it")
        if re.search(r"\s", said.command) and "/" not in said.command:
            message = "With args, command is the name of one program, and this one has a blank in it"
            tell.warning("command-with-blank", at, message, "put all but the program's name into args")
        return None
    if scope.plugin is None:
        return None
    if "${user_config." in said.command:
        message = "A shell would run what the user has put into the plugin's settings; the handler is left out"
        hint = "name it in args, or read the variable CLAUDE_PLUGIN_OPTION_<KEY>"
        tell.error("option-in-shell", at, message, hint)
        return "its command holds ${user_config...}, which only args may"
    # The variables are the shell's own: outside quotes it takes their value apart.
    bare = _QUOTED.sub("", said.command)
    for variable, value in (("CLAUDE_PLUGIN_ROOT", scope.plugin.root), ("CLAUDE_PLUGIN_DATA", scope.plugin.data)):
        if variable in bare and _UNSAFE.search(value) is not None:
            message = f"{variable} is {excerpt(value)!r} here: without quotes the shell takes it apart"
            tell.warning("unquoted-path", at, message, f'put the path in quotes: \\"${{{variable}}}/...\\"')
    return None


def _tell_of_variables(said: Declared, places: Mapping[str, Span], scope: Scope, tell: Teller) -> None:
    """Names the variables of headers that will be empty because they are not allowed."""
    told: set[str] = set()
    for header, written in said.headers:
        for match in _REFERENCE.finditer(written):
            name = match[1] or match[2]
            if name not in said.allowed_env_vars:
                where = "allowedEnvVars"
            elif scope.allowed_variables is not None and name not in scope.allowed_variables:
                where = "httpHookAllowedEnvVars of the settings"
            else:
                continue
            if name not in told:
                told.add(name)
                message = f"${excerpt(name)} in the header {excerpt(header)} becomes empty: it is not in {where}"
                tell.warning("header-variable", places["headers"], message, f'add "{excerpt(name)}" to {where}')
