"""Owns getting a connection to a checked address, a new one or one that was kept; knows no request.

The name is resolved once, every address it has is checked, and a socket is connected to one of exactly these.
Connections are kept for a few seconds for the next request to the same name at the same address.
"""

from __future__ import annotations

import select
import socket
import threading
import time
from contextlib import suppress
from functools import cache
from http.client import HTTPConnection
from typing import TYPE_CHECKING

from tenterhook.runners.web.addresses import why_refused
from tenterhook.runners.web.line import Line, LineEnded
from tenterhook.runners.web.target import Target

if TYPE_CHECKING:
    import ssl

__all__ = ["KEPT_FOR", "Connection", "NotConnected", "connect", "drop_old", "give_back", "trusted"]

KEPT_FOR = 4.0
"""Seconds. Many servers close what has been idle for five, and a request had better not be on its way just then."""

_MOST_KEPT = 32

_CONNECT_TIME = 10.0
"""Seconds for an address while there are others to try."""


class NotConnected(Exception):
    """There is no connection; says why."""


class Connection(HTTPConnection):
    """An HTTP connection over a socket of ours: it never connects by itself, which would resolve the name again."""

    auto_open = 0

    def __init__(self, target: Target, address: str, sock: socket.socket) -> None:
        super().__init__(target.host, target.port)
        self.sock = sock
        self._anchor = sock.makefile("rb", buffering=0)
        """Keeps the descriptor open until ``hang_up``, though the base class closes its socket as soon as it can."""
        self.key = (target.scheme, target.host, target.port, address)
        self.idle_since = 0.0
        self.is_used = False
        """It has carried a request and its answer before."""

    def expect_pieces(self) -> None:
        """Acknowledge at once what comes next: many a small server sends head and body apart, and waits in between.

        On a connection that has been used before, Linux would take 40 ms for it.
        """
        if hasattr(socket, "TCP_QUICKACK"):
            with suppress(OSError):
                self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)

    def hang_up(self) -> None:
        """Close it. No line may hold its socket any more."""
        self.close()
        self._anchor.close()


def connect(target: Target, timeout: float, line: Line, *, anew: bool = False) -> Connection:
    """Get a connection.

    Args:
        target: Where to.
        timeout: Seconds that a single step may take, and any later one on this connection.
        line: Holds its socket afterwards.
        anew: It must not have been used before.

    Raises:
        NotConnected: the name has no address, one of its addresses is refused, or none can be reached.
        LineEnded: nobody waits any more.
    """
    addresses = _resolve(target)
    for _, address in () if anew else addresses:
        kept = _take((target.scheme, target.host, target.port, address[0]))
        if kept is not None:
            kept.sock.settimeout(timeout)
            try:
                line.hold(kept.sock)
            except LineEnded:
                kept.hang_up()
                raise
            return kept
    failure: OSError | None = None
    for left, (family, address) in zip(range(len(addresses), 0, -1), addresses, strict=True):
        try:
            return _open(target, family, address, timeout, min(timeout, _CONNECT_TIME) if left > 1 else timeout, line)
        except OSError as fault:
            failure = fault
    raise NotConnected(f"{target.origin} could not be reached: {_told(failure)}")


def _resolve(target: Target) -> list[tuple[int, tuple[str, int]]]:
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as fault:
        raise NotConnected(f"the name {target.host} could not be resolved: {_told(fault)}") from None
    addresses: list[tuple[int, tuple[str, int]]] = []
    for family, _, _, _, address in found:
        ip = str(address[0])
        refused = why_refused(ip)
        if refused is not None:
            called = "" if ip == target.host else f", which {target.host} stands for,"
            raise NotConnected(f"nothing was sent: the address {ip}{called} is {refused}, and hooks may not reach it")
        addresses.append((family, (ip, target.port)))
    if not addresses:
        raise NotConnected(f"the name {target.host} has no address")
    return addresses


def _open(
    target: Target, family: int, address: tuple[str, int], timeout: float, time_to_connect: float, line: Line
) -> Connection:
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.settimeout(time_to_connect)
        line.hold(sock)
        sock.connect(address)
        sock.settimeout(timeout)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if target.scheme == "https":
            secured = trusted().wrap_socket(sock, server_hostname=target.host, do_handshake_on_connect=False)
            sock = secured
            line.hold(sock)
            secured.do_handshake()
        line.hold(sock)
    except BaseException:
        line.let_go()
        sock.close()
        raise
    return Connection(target, address[0], sock)


@cache
def trusted() -> ssl.SSLContext:
    """What TLS trusts: what the system trusts. Made at the first need, for it takes a while."""
    import ssl  # noqa: PLC0415 - only who speaks TLS needs it

    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


_kept: list[Connection] = []
_lock = threading.Lock()


def give_back(connection: Connection) -> None:
    """Keep a connection whose last answer was read to its end."""
    drop_old()
    with _lock:
        if len(_kept) < _MOST_KEPT:
            connection.idle_since = time.monotonic()
            connection.is_used = True
            _kept.append(connection)
            return
    connection.hang_up()


def drop_old(age: float = KEPT_FOR) -> None:
    """Close the connections that were kept for so long."""
    limit = time.monotonic() - age
    with _lock:
        old = [connection for connection in _kept if connection.idle_since <= limit]
        _kept[:] = [connection for connection in _kept if connection.idle_since > limit]
    for connection in old:
        connection.hang_up()


def _take(key: tuple[str, str, int, str]) -> Connection | None:
    """A kept connection that is still good: nothing has come on it, not even its end."""
    drop_old()
    while True:
        with _lock:
            found = next((connection for connection in _kept if connection.key == key), None)
            if found is None:
                return None
            _kept.remove(found)
        watch = select.poll()
        watch.register(found.sock, select.POLLIN)
        if not watch.poll(0):
            return found
        found.hang_up()


def _told(fault: Exception | None) -> str:
    """What the system said, in its words."""
    said = getattr(fault, "verify_message", None) or getattr(fault, "strerror", None) or str(fault)
    return "it took too long" if isinstance(fault, TimeoutError) else str(said)
