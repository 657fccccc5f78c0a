"""Owns which paths a rule's pattern means, by the syntax of gitignore; knows no hooks, and asks no file system.

Links are not resolved: a path is what it is called. Upper and lower case differ.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from tenterhook.dialects.matching import MAX_PATTERN_BYTES, TIME_LIMIT, Judgement

__all__ = ["Anchor", "PathPattern", "path_pattern", "paths_of", "pattern_at_home"]

Anchor = Literal["root", "home", "source", "cwd"]
"""Where a pattern starts: ``//`` the root, ``~/`` the home folder, ``/`` the settings' own place, else the cwd."""

_LONGEST_PATH = 4096
_ODD_BLANK = re.compile(r"[^\S ]")
"""Blanks that are letters to git. The library would take them away at the end of a pattern."""
_SPECIAL = re.compile(r"([\\*?\[\]!# ])")


class PathPattern(Struct, frozen=True):
    """A rule's specifier for a file tool."""

    anchor: Anchor
    climbs: int
    """How many folders above its anchor it starts: ``../`` at its begin."""
    test: Callable[[str], Judgement]

    def judge(self, path: str, folder: str) -> Judgement:
        """Whether an absolute path is meant, ``folder`` being where the anchor is."""
        start = _normal(posixpath.join(folder, *[".."] * self.climbs))
        if len(path) > _LONGEST_PATH:
            return "outOfTime"
        inside = start if start.endswith("/") else f"{start}/"
        return self.test(path[len(inside) :]) if path.startswith(inside) and path != inside else "notMet"


@lru_cache(maxsize=1024)
def path_pattern(specifier: str) -> PathPattern | str:
    """A pattern from its text, or why it is none."""
    if len(specifier.encode("utf-8", "surrogatepass")) > MAX_PATTERN_BYTES:
        return f"its pattern is longer than {MAX_PATTERN_BYTES} bytes"
    if specifier.startswith("!"):
        return "a pattern that starts with '!' only takes away from others, and a hook has one rule"
    anchor, rest = _anchored(specifier)
    climbs = 0
    while (step := re.match(r"(/?)(\.\.?)(/+|$)", rest)) is not None:
        climbs += step[2] == ".."
        rest = step[1] + rest[step.end() :]
        anchored = step[2] == ".."
        if anchored and not rest.startswith("/"):
            rest = f"/{rest}"
    rest = _ODD_BLANK.sub(r"[\g<0>]", rest)
    # A leading '#' would be a comment in a gitignore file, and a rule is no such file.
    test = _translated(f"\\{rest}" if rest.startswith("#") else "/**" if rest in {"", "/"} else rest)
    return test if isinstance(test, str) else PathPattern(anchor, climbs, test)


def pattern_at_home(specifier: str, home: str) -> str:
    """The same pattern without ``~``: home folders are known when settings are read, and no longer when rules are."""
    anchor, rest = _anchored(specifier)
    if anchor != "home":
        return specifier
    return "/" + _SPECIAL.sub(r"\\\1", _normal(home).rstrip("/") or "/") + rest


def paths_of(tool: str, parameters: Mapping[str, object], cwd: str) -> tuple[str, ...] | None:
    """The absolute paths that a file tool's call names, ``..`` taken out; None: it names none that can be read.

    A search names its folder, and as a path in it what it searches for: ``src/**`` is met by a search below ``src``.
    """
    if tool not in {"Glob", "Grep"}:
        found = next((value for key in _PATH_KEYS if isinstance(value := parameters.get(key), str)), None)
        return (_normal(posixpath.join(cwd, found)),) if found and "\0" not in found else None
    folder = parameters.get("path")
    wanted = parameters.get("pattern" if tool == "Glob" else "glob")
    if not isinstance(folder, str | None) or not isinstance(wanted, str | None):
        return None
    start = posixpath.join(cwd, folder or "")
    return _normal(start), _normal(posixpath.join(start, wanted or _ANYTHING))


_PATH_KEYS = ("file_path", "notebook_path", "filePath", "path")
_ANYTHING = "\N{BLACK STAR}"
"""Stands for any file of a folder that is searched: a name that no pattern is likely to spell out."""


def _anchored(specifier: str) -> tuple[Anchor, str]:
    """Where it starts, and the rest: with a slash in front where it does not mean any depth."""
    if specifier.startswith("//"):
        return "root", "/" + specifier.lstrip("/")
    if specifier == "~" or specifier.startswith("~/"):
        return "home", "/" + specifier[1:].lstrip("/")
    return ("source" if specifier.startswith("/") else "cwd"), specifier


def _normal(path: str) -> str:
    return "/" + posixpath.normpath(f"/{path}").lstrip("/")


def _translated(pattern: str) -> Callable[[str], Judgement] | str:
    # Only rules for files need them, and an engine without any never pays for the imports.
    import regex  # noqa: PLC0415
    from pathspec.patterns.gitignore.base import GitIgnorePatternError  # noqa: PLC0415
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern  # noqa: PLC0415

    try:
        translated, includes = GitIgnoreSpecPattern.pattern_to_regex(pattern)
        if translated is None or not includes:
            return "its pattern can never match"
        # `$` would also be met before a line end, which a name may end in.
        compiled = regex.compile(re.sub(r"\|\$\)\Z", r"|\\Z)", translated), regex.DOTALL)
    except (GitIgnorePatternError, regex.error, ValueError) as error:
        return f"its pattern is no gitignore pattern: {error}"

    def test(path: str) -> Judgement:
        try:
            found = compiled.search(path, timeout=TIME_LIMIT)
        except TimeoutError:
            return "outOfTime"
        return "notMet" if found is None else "met"

    return test
