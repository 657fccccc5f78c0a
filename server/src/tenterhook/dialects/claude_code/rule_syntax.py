"""Owns what a rule says as text: a tool, and what of its calls is meant; knows no events."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from msgspec import Struct

from tenterhook.dialects.claude_code.file_rules import PathPattern, path_pattern, pattern_at_home
from tenterhook.dialects.claude_code.shell_rules import Shell, ShellPattern, shell_pattern
from tenterhook.dialects.claude_code.tool_names import canonical
from tenterhook.dialects.claude_code.web_rules import HostPattern, host_pattern
from tenterhook.dialects.claude_code.wildcards import Wildcard, wildcard
from tenterhook.dialects.matching import MAX_PATTERN_BYTES

__all__ = ["Pattern", "Rule", "RuleFault", "at_home", "parse_rule"]

Pattern = ShellPattern | PathPattern | HostPattern | Wildcard

_FAMILIES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "Bash": frozenset({"Bash", "Monitor"}),
        "Edit": frozenset({"Edit", "MultiEdit", "NotebookEdit", "Write"}),
        "Read": frozenset({"Glob", "Grep", "LSP", "Read"}),
    }
)
"""Tools that a rule for another tool covers too (reference 4.4; permission rules, "Read and Edit")."""

_FILE_TOOLS = _FAMILIES["Edit"] | _FAMILIES["Read"]
_NAMED_TOOLS = frozenset({"Agent", "Skill"})

_MAIN_PARAMETERS: Mapping[str, str] = MappingProxyType(
    {
        "Bash": "command",
        "Edit": "file_path",
        "Glob": "path",
        "Grep": "path",
        "Monitor": "command",
        "MultiEdit": "file_path",
        "NotebookEdit": "notebook_path",
        "PowerShell": "command",
        "Read": "file_path",
        "WebFetch": "url",
        "Write": "file_path",
    }
)
"""What a tool's own kind of specifier is for: no rule names it as a parameter."""

_SHELL_PARAMETERS = frozenset({"dangerouslyDisableSandbox", "description", "run_in_background", "timeout"})

_RULE = re.compile(r"\s*([\w*.-]+)\s*(?:\((.*)\))?\s*\Z", re.DOTALL)
_PARAMETER = re.compile(r"\s*(\w+)\s*:\s*(.*?)\s*\Z", re.DOTALL)
_SEVERAL = re.compile(r"\)\s*(\|\|?|&&?|,|;|\bor\b|\band\b)?\s*([A-Z_]|mcp__)\w*\s*(\(|\Z)")


class RuleFault(Struct, frozen=True):
    """Why a text is no rule. The hook that has it does not run."""

    message: str


class Rule(Struct, frozen=True, kw_only=True):
    """``Tool`` or ``Tool(specifier)``."""

    tool: str
    """Its name of today; it may hold ``*``."""
    pattern: Pattern | None = None
    """What its own kind of specifier means; None: every call, or only ``parameter`` counts."""
    parameter: tuple[str, str] | None = None
    """A top-level key of the call, and the text that its value must be; it counts beside ``pattern``."""

    def names(self, tool: str) -> bool:
        """Whether calls of a tool are meant at all. The tool goes by its name of today."""
        if tool == self.tool or tool in _FAMILIES.get(self.tool, ()):
            return True
        if "*" in self.tool:
            return wildcard(self.tool).matches(tool)
        is_server = self.tool.startswith("mcp__") and self.tool.count("__") == 1
        return is_server and tool.startswith(f"{self.tool}__")

    @property
    def shell(self) -> Shell:
        """The language of its pattern, where that is one for commands."""
        return "PowerShell" if self.tool == "PowerShell" else "Bash"


@lru_cache(maxsize=1024)
def parse_rule(text: str) -> Rule | RuleFault:
    """The rule that a text is, or why it is none."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_PATTERN_BYTES:
        return RuleFault(f"it is longer than {MAX_PATTERN_BYTES} bytes")
    found = _RULE.match(text)
    if found is None or _SEVERAL.search(text):
        return RuleFault("it must be one 'Tool' or one 'Tool(specifier)'")
    tool, specifier = canonical(found[1]), found[2]
    if specifier is None or specifier.strip() == "*":
        return Rule(tool=tool)
    if not specifier.strip():
        return RuleFault("nothing stands in its parentheses")
    named = _PARAMETER.match(specifier)
    parameter = None if named is None else (named[1], named[2])
    if parameter is not None and parameter[0] == _MAIN_PARAMETERS.get(tool):
        return RuleFault(f"{parameter[0]!r} is no parameter to name: write {tool}({_example(tool)})")
    pattern = _pattern(tool, specifier, parameter)
    if isinstance(pattern, str):
        return RuleFault(pattern)
    return Rule(tool=tool, pattern=pattern, parameter=_counting(tool, parameter))


def at_home(text: str, home: str) -> str:
    """The same rule without ``~``: the home folder is known when settings are read, and no longer when events come."""
    found = _RULE.match(text)
    if found is None or found[2] is None or canonical(found[1]) not in _FILE_TOOLS:
        return text
    return f"{found[1]}({pattern_at_home(found[2], home)})"


def _pattern(tool: str, specifier: str, parameter: tuple[str, str] | None) -> Pattern | str | None:
    if tool in {"Bash", "Monitor", "PowerShell"}:
        if _counting(tool, parameter) is not None:
            return None
        return shell_pattern(specifier, "PowerShell" if tool == "PowerShell" else "Bash")
    if tool in _FILE_TOOLS:
        return path_pattern(specifier)
    if tool == "WebFetch" and parameter is not None and parameter[0] == "domain":
        return host_pattern(parameter[1])
    if tool in _NAMED_TOOLS:
        name = specifier.strip()
        return wildcard(f"{name[:-2]}*" if name.endswith(":*") else name)
    if parameter is not None and not parameter[1].startswith("//"):
        return None
    example = "domain:example.com" if tool == "WebFetch" else "parameter:value"
    return f"{tool} takes no such specifier: write {tool}({example})"


def _counting(tool: str, parameter: tuple[str, str] | None) -> tuple[str, str] | None:
    """The parameter, where it is meant as one: to a shell ``ls:*`` is a command, and so is all it does not know."""
    if parameter is None or (tool == "WebFetch" and parameter[0] == "domain"):
        return None
    if tool in {"Bash", "Monitor", "PowerShell"} and (parameter[0] not in _SHELL_PARAMETERS or parameter[1] == "*"):
        return None
    return parameter


def _example(tool: str) -> str:
    match _MAIN_PARAMETERS[tool]:
        case "command":
            return "git push *"
        case "url":
            return "domain:example.com"
        case _:
            return "src/**"
