"""Owns what a handler declares, and the spec that it makes; judges nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from tenterhook.config.document import Document
from tenterhook.dialects.claude_code.specs import AskSpec, HandlerSpec, HttpSpec, PluginRef, ShellSpec, ToolSpec

__all__ = ["COMMON_KEYS", "HANDLER_KEYS", "OWN_KEYS", "REQUIRED_KEYS", "Declared", "Scope", "field_of", "make_spec"]

COMMON_KEYS = ("type", "if", "timeout", "statusMessage", "once", "id", "description")
"""Keys of handlers of every type. ``id`` and ``description`` are those that plugins write for other programs."""

OWN_KEYS: Mapping[str, tuple[str, ...]] = {
    "command": ("command", "args", "shell", "async", "asyncRewake", "onFailure"),
    "worker": ("command", "args", "shell", "onFailure"),
    "http": ("url", "headers", "allowedEnvVars", "onFailure"),
    "mcp_tool": ("server", "tool", "input", "onFailure"),
    "prompt": ("prompt", "model", "continueOnBlock"),
    "agent": ("prompt", "model"),
}
"""By type: the keys that count for it beside the common ones."""

REQUIRED_KEYS: Mapping[str, tuple[str, ...]] = {
    "command": ("command",),
    "worker": ("command",),
    "http": ("url",),
    "mcp_tool": ("server", "tool"),
    "prompt": ("prompt",),
    "agent": ("prompt",),
}

HANDLER_KEYS = tuple(dict.fromkeys([*COMMON_KEYS, *(key for keys in OWN_KEYS.values() for key in keys)]))
"""Every key that a handler of some type may have."""

_FIELDS = {"if": "rule", "async": "in_background"}


def field_of(key: str) -> str:
    """The field of ``Declared`` that a key is."""
    snake = "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in key)
    return _FIELDS.get(key, snake)


class Declared(Struct, frozen=True, kw_only=True):
    """The declared fields of a handler, those of no use left out. The keys are their names with other spelling."""

    rule: str | None = None
    timeout: float | None = None
    """Seconds."""
    status_message: str | None = None
    once: bool = False
    id: str | None = None
    description: str | None = None
    command: str = ""
    args: tuple[str, ...] | None = None
    shell: Literal["bash", "powershell"] | None = None
    in_background: bool = False
    async_rewake: bool = False
    prompt: str = ""
    model: str | None = None
    continue_on_block: bool = False
    url: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    allowed_env_vars: tuple[str, ...] = ()
    server: str = ""
    tool: str = ""
    input: bytes = b"{}"
    on_failure: bool = False
    """A failure blocks."""

    @property
    def background(self) -> bool:
        """Nobody waits for it."""
        return self.in_background or self.async_rewake


class Scope(Struct, frozen=True, kw_only=True):
    """What is the same for every handler of a file."""

    document: Document
    plugin: PluginRef | None = None
    allowed_urls: tuple[str, ...] | None = None
    """None: all."""
    allowed_variables: tuple[str, ...] | None = None
    """None: all that a handler allows."""


def make_spec(kind: str, said: Declared, scope: Scope) -> HandlerSpec:
    """What a handler does. One of a type that nobody knows does nothing; it never runs."""
    plugin, status, blocks = scope.plugin, said.status_message, said.on_failure
    if kind in {"prompt", "agent"}:
        return AskSpec(
            kind="prompt" if kind == "prompt" else "agent",
            prompt=said.prompt,
            model=said.model,
            continue_on_block=said.continue_on_block,
            plugin=plugin,
            status_message=status,
        )
    if kind == "http":
        allowed = scope.allowed_variables
        return HttpSpec(
            url=said.url,
            headers=said.headers,
            variables=tuple(name for name in said.allowed_env_vars if allowed is None or name in allowed),
            allowed_urls=scope.allowed_urls,
            plugin=plugin,
            status_message=status,
            blocks_on_failure=blocks,
        )
    if kind == "mcp_tool":
        return ToolSpec(
            server=said.server,
            tool=said.tool,
            input=said.input,
            plugin=plugin,
            status_message=status,
            blocks_on_failure=blocks,
        )
    return ShellSpec(
        command=said.command,
        args=said.args,
        shell=said.shell,
        wakes=said.async_rewake,
        worker=kind == "worker",
        plugin=plugin,
        status_message=status,
        blocks_on_failure=blocks,
    )
