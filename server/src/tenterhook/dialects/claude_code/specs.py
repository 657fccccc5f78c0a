"""Owns what a handler of each type does when it runs, as values; knows neither files nor events."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tenterhook.model import Spec

__all__ = ["AskSpec", "HandlerSpec", "HttpSpec", "PluginRef", "ShellSpec", "ToolSpec"]


class PluginRef(Struct, frozen=True):
    """The plugin that a handler comes from: what its placeholders and variables stand for."""

    id: str
    root: str
    data: str
    options: tuple[tuple[str, str], ...] = ()
    """The user's settings for it, as text."""


class HandlerSpec(Spec, frozen=True, kw_only=True):
    """What all handler types share."""

    plugin: PluginRef | None = None
    status_message: str | None = None
    blocks_on_failure: bool = False
    """``onFailure: block``."""


class ShellSpec(HandlerSpec, frozen=True, kw_only=True):
    """Type ``command``. ``args`` None: ``command`` is a line for a shell; else it is a program."""

    command: str
    args: tuple[str, ...] | None = None
    shell: Literal["bash", "powershell"] | None = None
    wakes: bool = False
    """``asyncRewake``: exit code 2 in the background wakes the model."""
    worker: bool = False
    """Type ``worker``: the same, by a process that may live on and serve many events (``docs/workers.md``)."""

    def words(self) -> tuple[str, ...]:
        """The shell's line as one word, or program and arguments."""
        return (self.command,) if self.args is None else (self.command, *self.args)

    def lives_on(self) -> bool:
        """As its type says."""
        return self.worker


class HttpSpec(HandlerSpec, frozen=True, kw_only=True):
    """Type ``http``."""

    url: str
    headers: tuple[tuple[str, str], ...] = ()
    """As written, with ``$VAR`` and ``${VAR}``."""
    variables: tuple[str, ...] = ()
    """Names that may be filled in: the handler's own list, cut down by ``httpHookAllowedEnvVars``."""
    allowed_urls: tuple[str, ...] | None = None
    """``allowedHttpHookUrls``; None: all."""

    def words(self) -> tuple[str, ...]:
        """Method and URL."""
        return ("POST", self.url)


class AskSpec(HandlerSpec, frozen=True, kw_only=True):
    """Types ``prompt`` and ``agent``."""

    kind: Literal["prompt", "agent"]
    prompt: str
    model: str | None = None
    continue_on_block: bool = False

    def words(self) -> tuple[str, ...]:
        """Type and prompt."""
        return (self.kind, self.prompt)


class ToolSpec(HandlerSpec, frozen=True, kw_only=True):
    """Type ``mcp_tool``."""

    server: str
    tool: str
    input: bytes = b"{}"
    """A JSON object; its strings may hold ``${dotted.path}``."""

    def words(self) -> tuple[str, ...]:
        """Server and tool."""
        return ("mcp_tool", self.server, self.tool)
