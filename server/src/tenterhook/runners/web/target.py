"""Owns what a URL says, and whether a list of patterns allows it; knows neither names nor addresses.

A URL is read once, into parts, and everything after that (matching, resolving, sending) uses these parts: two readings
could differ, and what was allowed would not be what is sent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal
from urllib.parse import quote, urljoin, urlsplit

from msgspec import Struct

__all__ = ["Target", "is_allowed", "read_url"]

_PORTS = {"http": 80, "https": 443}

_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")


class Target(Struct, frozen=True):
    """Where a request goes."""

    scheme: Literal["http", "https"]
    host: str
    """In small letters, without a trailing dot; an IPv6 address without brackets."""
    port: int
    path: str
    """With the query; begins with a slash, and has no dot segments."""

    @property
    def authority(self) -> str:
        """Host and port as a ``Host`` header has them."""
        return self._host if self.port == _PORTS[self.scheme] else f"{self._host}:{self.port}"

    @property
    def origin(self) -> str:
        """Without the path, which may hold a secret: for messages."""
        return f"{self.scheme}://{self.authority}"

    @property
    def _host(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host

    def may_redirect_to(self, other: Target) -> bool:
        """Whether the other is the same host: the very same, or its encrypted twin."""
        if self.host != other.host:
            return False
        here, there = (self.scheme, self.port), (other.scheme, other.port)
        return here == there or (here == ("http", 80) and there == ("https", 443))

    def relative(self, reference: str) -> Target | str:
        """What a reference in an answer means; a text says why it means nothing."""
        try:
            return read_url(urljoin(self.origin + self.path, reference))
        except ValueError as fault:
            return f"the URL cannot be read: {fault}"

    def matches(self, pattern: str) -> bool:
        """Whether one pattern allows it.

        A ``*`` stands for anything, within its own part of the URL; one that ends the pattern for all that follows.
        """
        if pattern and not pattern.strip("*"):
            return True
        parts = _PATTERN.fullmatch(pattern)
        if parts is None:
            return False
        scheme, host, port, path = parts["scheme"].lower(), parts["host"].lower(), parts["port"], parts["path"]
        is_open = path is None and pattern.endswith("*")
        if port is None:
            port = "*" if is_open else str(_PORTS[self.scheme])
        if path is None:
            path = "*" if is_open else "/"
        return (
            _fits(scheme, self.scheme)
            and _fits(host.removesuffix("."), self._host)
            and _fits(port, str(self.port))
            and _fits(path if path.startswith(("/", "*")) else f"/{path}", self.path)
        )


def read_url(url: str) -> Target | str:
    """Read a URL; a text says why it is none that a request can be sent to. It does not repeat the URL."""
    if any(sign <= " " or sign in "\x7f\\" for sign in url):
        return "the URL has a space, a control character or a backslash in it"
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
        path = quote(parts.path, safe=_SAFE)
        query = quote(parts.query, safe=_SAFE)
    except ValueError as fault:
        return f"the URL cannot be read: {fault}"
    scheme = parts.scheme
    if scheme != "http" and scheme != "https":  # noqa: PLR1714 - the type checker narrows by this form only
        return f"only http and https URLs can be sent to, and this one begins with {scheme or 'no scheme'!r}"
    if "@" in parts.netloc:
        return "the URL has a user name or password in it: put it into a header"
    name = _plain(host)
    if name is None:
        return f"the URL names no host: {host!r}" if host else "the URL names no host"
    if port == 0:
        return "the URL names port 0, where nobody can be"
    return Target(
        scheme,
        name,
        port or _PORTS[scheme],
        _without_dots(path) + (f"?{query}" if "?" in url.partition("#")[0] else ""),
    )


def is_allowed(target: Target, patterns: Sequence[str] | None) -> bool:
    """Whether a list of patterns allows it; None: there is no list."""
    return patterns is None or any(target.matches(pattern) for pattern in patterns)


_SAFE = "".join(map(chr, range(0x21, 0x7F)))
"""Only what is not ASCII is escaped: the rest was escaped by whoever wrote the URL, or was not to be."""

_PATTERN = re.compile(
    r"(?P<scheme>[^:/?#]*)://(?P<host>\[[^\]/]*\]|[^:/?#\[]*)(?::(?P<port>[^/?#]*))?(?P<path>[/?].*)?", re.DOTALL
)


def _plain(host: str) -> str | None:
    """A host as names are compared and resolved."""
    if ":" in host:
        return None if "%" in host else host
    try:
        plain = host.removesuffix(".").encode("idna").decode("ascii").lower()
    except UnicodeError:
        return None
    return plain if _NAME.fullmatch(plain) else None


def _without_dots(path: str) -> str:
    """Without ``.`` and ``..``, plain or escaped: as the server will understand it, and as patterns have to see it."""
    kept: list[str] = []
    for segment in path.split("/")[1:]:
        plain = segment.replace("%2e", ".").replace("%2E", ".")
        if plain == "..":
            del kept[-1:]
        elif plain != ".":
            kept.append(segment)
    last = path.rpartition("/")[2].replace("%2e", ".").replace("%2E", ".")
    if kept and last in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def _fits(pattern: str, text: str) -> bool:
    """Whether a pattern with ``*`` fits the whole text. The time it takes does not explode."""
    head, *rest = pattern.split("*")
    if not rest:
        return head == text
    *middle, tail = rest
    at, end = len(head), len(text) - len(tail)
    if at > end or not (text.startswith(head) and text.endswith(tail)):
        return False
    for part in middle:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True
