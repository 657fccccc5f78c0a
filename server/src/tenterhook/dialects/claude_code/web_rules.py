"""Owns which hosts a rule for a web tool means; knows neither payloads nor hooks, and asks no name server."""

from __future__ import annotations

import re

from msgspec import Struct

from tenterhook.dialects.claude_code.wildcards import wildcard

__all__ = ["HostPattern", "host_of", "host_pattern"]

_AUTHORITY = re.compile(r"https?:[/\\]*([^/\\?#]*)", re.IGNORECASE)
_REMOVED = str.maketrans("", "", "\t\r\n")
"""What every reader of a URL takes out of it first."""


class HostPattern(Struct, frozen=True):
    """A rule's ``domain:``: in small letters, without the dot at the end."""

    labels: tuple[str, ...]

    def matches(self, host: str) -> bool:
        """Whether a host is meant. ``*.`` in front means any depth below, ``*`` elsewhere no more than one label."""
        if self.labels == ("*",):
            return True
        labels = tuple(host.lower().rstrip(".").split("."))
        if self.labels[0] == "*":
            wanted = self.labels[1:]
            labels = labels[-len(wanted) :] if len(labels) > len(wanted) else ()
        else:
            wanted = self.labels
        return len(labels) == len(wanted) and all(map(_label_matches, wanted, labels))


def host_pattern(text: str) -> HostPattern | str:
    """A pattern from what stands behind ``domain:``, or why it is none."""
    host = text.strip().lower().rstrip(".")
    if not host or "" in host.split("."):
        return "'domain:' wants the name of a host"
    if re.search(r"[/\\\s@?#]", host):
        return "'domain:' wants the name of a host alone, without scheme and path"
    return HostPattern(tuple(host.split(".")))


def host_of(url: object) -> str | None:
    """The host that a URL names, in small letters; None: it names none that can be read."""
    found = _AUTHORITY.match(url.translate(_REMOVED).strip()) if isinstance(url, str) else None
    if found is None:
        return None
    from urllib.parse import unquote  # noqa: PLC0415 - few events have a URL, and start-up is a feature

    host = unquote(found[1].rpartition("@")[2])
    host = host if host.endswith("]") else re.sub(r":\d*\Z", "", host)
    return host.lower().rstrip(".") or None


def _label_matches(pattern: str, label: str) -> bool:
    return wildcard(pattern).matches(label)
