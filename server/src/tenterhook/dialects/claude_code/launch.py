"""Owns how a handler of each type is started; starts nothing, asks nobody."""

from __future__ import annotations

import os.path
import re
import shlex
from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

import msgspec
from msgspec import Raw, Struct

from tenterhook.dialects.base import LaunchContext
from tenterhook.dialects.claude_code.asking import agent_or_prompt_launch, tool_launch
from tenterhook.dialects.claude_code.headers import http_launch
from tenterhook.dialects.claude_code.specs import AskSpec, HttpSpec, PluginRef, ShellSpec, ToolSpec
from tenterhook.dialects.claude_code.surroundings import ENV_FILE, environment_of, folders_of
from tenterhook.dialects.warm import by_worker
from tenterhook.model import Event, Hook, Launch, ProcessLaunch, RefusedLaunch

__all__ = ["async_seconds", "launch_hook"]

_SHELLS = frozenset({"bash", "zsh", "sh"})
_OPTION = re.compile(r"\$\{user_config\.([^}]*)\}")
_PLACEHOLDER = re.compile(r"\$\{(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA|user_config\.[^}]*)\}")
_IN_POWERSHELL = re.compile(r"\$\{(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA)\}")


def launch_hook(hook: Hook, event: Event, context: LaunchContext) -> Launch:
    """How to run it. A handler that cannot be run as it is written becomes a ``RefusedLaunch``."""
    spec = hook.spec
    if isinstance(spec, HttpSpec):
        return http_launch(hook, spec, event, context)
    if isinstance(spec, AskSpec):
        return agent_or_prompt_launch(hook, spec, event, context)
    if isinstance(spec, ToolSpec):
        return tool_launch(hook, spec, event, context)
    return _process(hook, cast("ShellSpec", spec), event, context)  # there are no other kinds


def _process(hook: Hook, spec: ShellSpec, event: Event, context: LaunchContext) -> Launch:
    argv = _shell_line(spec, context.environment) if spec.args is None else _program(spec, spec.args, event.project)
    if isinstance(argv, str):
        return RefusedLaunch(timeout=hook.timeout, run_id=context.run_id, reason=argv)
    environment = environment_of(spec.plugin, event, context)
    alone = ProcessLaunch(
        argv=argv,
        env=environment,
        cwd=folders_of(event, context),
        stdin=bytes(event.payload) + b"\n",
        timeout=hook.timeout,
        run_id=context.run_id,
        collects=environment.get(ENV_FILE),
        detaches=_detaches(hook),
    )
    return by_worker(alone, event.project) if spec.worker else alone


def _shell_line(spec: ShellSpec, environment: Mapping[str, str]) -> tuple[str, ...] | str:
    """Shell form: never a login shell, so that no profile is read (contract, 'Settled for the engine').

    The line itself is not touched: what is pasted into it would be split and run by the shell.
    """
    option = _OPTION.search(spec.command)
    if option is not None:
        return (
            f"{option.group()} stands in a shell line, where its value would be run as shell text; "
            f"use the variable $CLAUDE_PLUGIN_OPTION_{option[1].upper()}, or write the command with `args`"
        )
    if spec.shell == "powershell":
        line = _IN_POWERSHELL.sub(r"${env:\1}", spec.command)
        return ("pwsh", "-NoProfile", "-NonInteractive", "-Command", line)
    line = spec.command
    prefix = environment.get("CLAUDE_CODE_SHELL_PREFIX")
    if prefix:
        line = f"{prefix} {shlex.quote(line)}"
    return (_shell(spec, environment), "-c", line)


def _shell(spec: ShellSpec, environment: Mapping[str, str]) -> str:
    own = environment.get("SHELL", "")
    name = os.path.basename(own)
    if spec.shell == "bash":
        return own if name == "bash" else "bash"
    return own if name in _SHELLS else "sh"


def _program(spec: ShellSpec, args: tuple[str, ...], project: str) -> tuple[str, ...] | str:
    """Exec form: each word is one argument, byte for byte but for the placeholders in it."""
    known = {"CLAUDE_PROJECT_DIR": project}
    if spec.plugin is not None:
        known |= _placeholders(spec.plugin)
    words: list[str] = []
    for word in (spec.command, *args):
        unknown = next((name for name in _names(word) if name.startswith("user_config.") and name not in known), None)
        if unknown is not None:
            of = "no plugin" if spec.plugin is None else f"the plugin {spec.plugin.id}"
            return f"${{{unknown}}} stands for nothing: the hook is of {of}, and there is no such setting"
        words.append(_PLACEHOLDER.sub(partial(_filled, known), word))
    command = words[0]
    if "/" not in command and any(sign.isspace() for sign in command):
        first, *rest = command.split() or [""]
        return (
            f"with `args`, `command` is the name of one program, and {command!r} has blanks in it; "
            f"write command {first!r} and put {rest!r} into `args`"
        )
    return tuple(words)


def _placeholders(plugin: PluginRef) -> dict[str, str]:
    options = {f"user_config.{key}": value for key, value in plugin.options}
    return {"CLAUDE_PLUGIN_ROOT": plugin.root, "CLAUDE_PLUGIN_DATA": plugin.data, **options}


def _names(word: str) -> list[str]:
    return [match[1] for match in _PLACEHOLDER.finditer(word)]


def _filled(known: Mapping[str, str], match: re.Match[str]) -> str:
    """What a placeholder stands for. A plugin's one in another hook stays as it is written."""
    return known.get(match[1], match.group())


class _AsyncLine(Struct, frozen=True):
    started: bool = msgspec.field(name="async", default=False)
    limit: Raw = msgspec.field(name="asyncTimeout", default=Raw(b"null"))
    """Milliseconds."""


_async_line = msgspec.json.Decoder(_AsyncLine)
_number = msgspec.json.Decoder(float)


def async_seconds(line: bytes, otherwise: float) -> float | None:
    """For how long a run may go on whose first line of stdout this is; None: the line lets it go nowhere.

    Args:
        line: the first whole line.
        otherwise: seconds where the line does not say; the contract's default is not published.
    """
    line = line.removeprefix(b"\xef\xbb\xbf").strip()
    if not line.startswith(b"{"):
        return None
    try:
        told = _async_line.decode(line)
        limit = None if bytes(told.limit) == b"null" else _number.decode(told.limit)
    except (msgspec.DecodeError, RecursionError):
        return None
    if not told.started:
        return None
    return otherwise if limit is None or limit <= 0 else limit / 1000


def _detaches(hook: Hook) -> Callable[[bytes], float | None] | None:
    return None if hook.background else partial(async_seconds, otherwise=hook.timeout)
