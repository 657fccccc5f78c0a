"""Owns which rules an event meets: ``if`` of a handler; runs nothing, and leaves patterns to their own rooms."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from typing import cast

import msgspec
from msgspec import Raw, Struct
from tenterhook_protocol.claude_events import CLAUDE_EVENTS

from tenterhook.dialects.base import Undecided
from tenterhook.dialects.claude_code.file_rules import PathPattern, paths_of
from tenterhook.dialects.claude_code.rule_syntax import Rule, RuleFault, at_home, parse_rule
from tenterhook.dialects.claude_code.shell_commands import UNKNOWN, Commands
from tenterhook.dialects.claude_code.shell_rules import Shell, ShellPattern, read_commands
from tenterhook.dialects.claude_code.specs import HandlerSpec
from tenterhook.dialects.claude_code.tool_names import canonical
from tenterhook.dialects.claude_code.web_rules import HostPattern, host_of
from tenterhook.dialects.claude_code.wildcards import Wildcard, wildcard
from tenterhook.model import Event, Hook, LeftOut

__all__ = ["Rule", "RuleFault", "at_home", "parse_rule", "rule_out"]


def rule_out(hooks: Sequence[Hook], event: Event) -> Mapping[str, LeftOut | Undecided]:
    """By id: which of these hooks do not run because their rule is not met, and of which nobody can tell.

    What cannot be understood meets every rule: a filter is no guard, and who guards sees for himself (reference 4.4).
    The payload is decoded once, and its command read at most once.
    """
    known = CLAUDE_EVENTS.get(event.point)
    if known is None or not known.takes_rule:
        reason = LeftOut(code="ruleNotMet", message=f"it has an 'if', and {event.point} looks at none")
        return {hook.id: reason for hook in hooks}
    call = _Call(event)
    left_out: dict[str, LeftOut | Undecided] = {}
    for hook in hooks:
        rule = parse_rule(hook.rule or "")
        if isinstance(rule, RuleFault):
            left_out[hook.id] = LeftOut(code="invalid", message=f"its rule {hook.rule!r} is none: {rule.message}")
        elif isinstance(why := call.misses(rule, hook), Undecided):
            left_out[hook.id] = Undecided(
                f"nobody can tell whether its rule {hook.rule!r} is met, so it runs: {why.why}"
            )
        elif why is not None:
            left_out[hook.id] = LeftOut(code="ruleNotMet", message=f"its rule {hook.rule!r} is not met: {why}")
    return left_out


class _Keys(Struct, frozen=True):
    tool_name: Raw = Raw(b"null")
    tool_input: Raw = Raw(b"null")
    cwd: Raw = Raw(b"null")


class _Call:
    """The tool call of one event, read as far as rules need it."""

    def __init__(self, event: Event) -> None:
        keys = _decoded(event.payload)
        name = _value(keys.tool_name)
        cwd = _value(keys.cwd)
        given = _value(keys.tool_input)
        self._tool = name if isinstance(name, str) else event.subject
        self._project = event.project
        self._cwd = cwd if isinstance(cwd, str) and cwd.startswith("/") else event.project
        self._input = cast("dict[str, object]", given) if isinstance(given, dict) else None
        self._commands: Commands | None = None

    def misses(self, rule: Rule, hook: Hook) -> str | Undecided | None:
        """Why the rule is not met, in words; None: it is."""
        if self._tool is None:
            return "the event names no tool"
        if not rule.names(canonical(self._tool)):
            return f"the tool is {self._tool!r}"
        if self._input is None:
            return None if rule.pattern is None and rule.parameter is None else Undecided("its input is no object")
        if rule.parameter is None:
            return None if rule.pattern is None else self._misses(rule, hook, self._input)
        name, value = rule.parameter
        found = _literal(self._input.get(name))
        if found is not None and wildcard(value).matches(found):
            return None
        if rule.pattern is not None:
            return self._misses(rule, hook, self._input)
        return f"the call's {name!r} is another" if name in self._input else f"the call has no {name!r}"

    def _misses(self, rule: Rule, hook: Hook, given: Mapping[str, object]) -> str | Undecided | None:
        pattern = rule.pattern
        if isinstance(pattern, ShellPattern):
            return self._misses_commands(pattern, self._read(rule.shell, given))
        if isinstance(pattern, PathPattern):
            return self._misses_path(pattern, hook, given)
        if isinstance(pattern, HostPattern):
            host = host_of(given.get("url"))
            if host is None:
                return Undecided("the call names no host")
            return None if pattern.matches(host) else f"the host is {host!r}"
        names = _names(canonical(self._tool or ""), given)
        if not names:
            unnamed = Undecided("the call does not say what it is for")
            return unnamed if rule.parameter is None else f"the call has no {rule.parameter[0]!r}"
        met = isinstance(pattern, Wildcard) and any(map(pattern.matches, names))
        return None if met else f"the call is for {names[0]!r}"

    def _read(self, shell: Shell, given: Mapping[str, object]) -> Commands:
        if self._commands is None:
            command = given.get("command")
            self._commands = read_commands(command, shell) if isinstance(command, str) else UNKNOWN
        return self._commands

    def _misses_commands(self, pattern: ShellPattern, commands: Commands) -> str | Undecided | None:
        if pattern.means(commands):
            return None
        if not commands.known:
            return Undecided("the command cannot be read")
        if pattern.could_mean(commands):
            return Undecided("what the shell fills in could be what it means")
        return "it means none of the commands"

    def _misses_path(self, pattern: PathPattern, hook: Hook, given: Mapping[str, object]) -> str | Undecided | None:
        paths = paths_of(canonical(self._tool or ""), given, self._cwd)
        folder = self._folder(pattern, hook)
        if paths is None or folder is None:
            return Undecided("the call names no path" if paths is None else "nobody knows the home folder")
        judged = {pattern.judge(path, folder) for path in paths}
        if "met" in judged:
            return None
        return Undecided("its pattern takes too long") if "outOfTime" in judged else f"the path is {paths[0]!r}"

    def _folder(self, pattern: PathPattern, hook: Hook) -> str | None:
        match pattern.anchor:
            case "root":
                return "/"
            case "cwd":
                return self._cwd
            case "source":
                return _source_folder(hook, self._project)
            case "home":
                return None  # nobody knows it here: `at_home` takes it out of rules when settings are read


def _source_folder(hook: Hook, project: str) -> str:
    """Where a pattern with one leading slash starts (permission rules, "Read and Edit").

    The project for its own settings, ``~/.claude`` for the user's, a plugin's root for its own;
    settings from the command line and managed ones start in the project too.
    """
    if isinstance(hook.spec, HandlerSpec) and hook.spec.plugin is not None:
        return hook.spec.plugin.root
    if hook.origin.layer == "user":
        return posixpath.dirname(hook.origin.path)
    return project


def _decoded(payload: Raw) -> _Keys:
    try:
        return msgspec.json.decode(payload, type=_Keys)
    except (msgspec.DecodeError, RecursionError):
        return _Keys()


def _value(raw: Raw) -> object:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return None


def _literal(value: object) -> str | None:
    """A scalar as JSON writes it, a text without its quotes; None: nothing that a rule can name."""
    if isinstance(value, str):
        return value
    return None if value is None or isinstance(value, dict | list) else msgspec.json.encode(value).decode()


def _names(tool: str, given: Mapping[str, object]) -> tuple[str, ...]:
    """What an agent's or a skill's call is for."""
    name = given.get("subagent_type" if tool == "Agent" else "skill")
    if not isinstance(name, str):
        return ()
    arguments = given.get("args")
    return (name, f"{name} {arguments}") if isinstance(arguments, str) and tool == "Skill" else (name,)
