"""Owns recognising the commands by which ECC's registry starts its scripts (contract, 1.3); starts nothing.

The long programs in these commands do three things that the engine does itself: find the plugin's root, apply the
policy, and hand on input and output. What is left is a script, an id and a list of profiles.
A command that is written in any other way is none of these, and stays what it is.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

from msgspec import Struct
from tenterhook_protocol.lifecycle import PROFILES

from tenterhook.dialects.ecc.specs import Shape

__all__ = ["ALL_PROFILES", "USUAL_PROFILES", "Launcher", "profiles_of", "recognise"]

ALL_PROFILES = PROFILES
USUAL_PROFILES = ("standard", "strict")
"""Of a hook whose launcher names no profile that exists."""

_RUNNER = "scripts/hooks/run-with-flags.js"
_SESSION_START = "scripts/hooks/session-start-bootstrap.js"
_DISPATCHERS: Mapping[str, str] = {
    "scripts/hooks/pre-bash-dispatcher.js": "pre:bash:dispatcher",
    "scripts/hooks/post-bash-dispatcher.js": "post:bash:dispatcher",
}

_BOOTSTRAP = re.compile(r'\s*node -e "(?P<program>[^"]*)" node (?P<words>\S.*)', re.DOTALL)
_INLINE = re.compile(r'\s*node -e "(?P<program>[^"]*)"\s*', re.DOTALL)
_CALL = re.compile(r"\[\s*script\s*,\s*'(?P<id>[^']+)'\s*,\s*'(?P<script>[^']+)'(?:\s*,\s*'(?P<profiles>[^']*)')?\s*\]")
_ROOT = re.compile(r"\$\{CLAUDE_PLUGIN_ROOT\}/|\$CLAUDE_PLUGIN_ROOT/")


class Launcher(Struct, frozen=True, kw_only=True):
    """What a command starts."""

    hook_id: str
    script: str
    """As written; relative to the plugin's root."""
    profiles: tuple[str, ...]
    shape: Shape


def recognise(command: str) -> Launcher | None:
    """What the command starts; None: it is no launcher of ECC's."""
    if (found := _BOOTSTRAP.fullmatch(command)) is not None and "plugin-hook-bootstrap.js" in found["program"]:
        words = _words(found["words"])
        return None if words is None else _of_words(words, "bootstrap")
    if (found := _INLINE.fullmatch(command)) is not None and "run-with-flags.js" in found["program"]:
        calls = list(_CALL.finditer(found["program"]))
        return _launcher(*calls[0].groups(), shape="inline") if len(calls) == 1 else None
    words = _words(command)
    if words is None or len(words) < 2 or words[0] != "node" or _ROOT.match(words[1]) is None:
        return None
    return _of_words((_ROOT.sub("", words[1], count=1), *words[2:]), "direct")


def profiles_of(text: str | None) -> tuple[str, ...]:
    """The profiles that a launcher's last argument names: unknown ones are dropped (contract, 2)."""
    named = [name.strip().lower() for name in (text or "").split(",")]
    return tuple(dict.fromkeys(name for name in named if name in PROFILES)) or USUAL_PROFILES


def _of_words(words: Sequence[str], shape: Shape) -> Launcher | None:
    script, *arguments = words
    if script == _RUNNER:
        return _launcher(*arguments, shape=shape) if 2 <= len(arguments) <= 3 else None
    if arguments:
        return None
    if script == _SESSION_START:
        every = ",".join(ALL_PROFILES)
        return _launcher("session:start", "scripts/hooks/session-start.js", every, shape=shape)
    dispatcher = _DISPATCHERS.get(script)
    return None if dispatcher is None else _launcher(dispatcher, script, None, shape="dispatcher")


def _launcher(hook_id: str, script: str, profiles: str | None = None, *, shape: Shape) -> Launcher:
    return Launcher(hook_id=hook_id.strip(), script=script, profiles=profiles_of(profiles), shape=shape)


def _words(line: str) -> tuple[str, ...] | None:
    """The words of a line that a shell would only split; None: it does more with it."""
    if re.search(r"[;&|<>`\n*?#~()!]|\$(?!\{?CLAUDE_PLUGIN_ROOT\b)", line):
        return None
    try:
        return tuple(shlex.split(line))
    except ValueError:
        return None
