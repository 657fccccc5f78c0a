"""Owns one request and its answer, in a thread that may wait; knows neither the loop nor hooks.

It speaks through ``http.client``, over a socket that it has connected itself: the address that was checked has to be
the one that is used, and whoever ends the run has to be able to shut down that very socket.
Proxies of the environment play no part.
"""

from __future__ import annotations

import re
import zlib
from contextlib import suppress
from http.client import HTTPException, HTTPResponse

from tenterhook.model import HttpLaunch, Outcome
from tenterhook.runners.web.connecting import Connection, NotConnected, connect, give_back
from tenterhook.runners.web.line import Line, LineEnded
from tenterhook.runners.web.target import Target, is_allowed, read_url

__all__ = ["exchange"]

_MOST_REDIRECTS = 5
_REPEATED = (301, 302, 307, 308)
"""Redirects after which the same request is sent again. 303 asks for another one, which would carry no payload."""

_CHUNK = 1 << 16
_EXCERPT = 200

_OUR_OWN = frozenset(
    (
        "accept-encoding",
        "connection",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    )
)
"""Headers that say how this very connection is used."""

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_BREAKS = str.maketrans("", "", "\r\n\0")


def exchange(launch: HttpLaunch, limit: int, line: Line) -> Outcome:
    """Send a request and read its answer.

    Args:
        launch: The request.
        limit: Bytes kept of the answer.
        line: By it the request can be ended from outside.

    Returns:
        What became of it. Failures are outcomes: ``notStarted`` as long as nothing was sent, then ``failed``.
    """
    call = _Call(launch, limit, line)
    try:
        return call.make()
    except (_Failed, NotConnected) as failure:
        error = str(failure)
    except LineEnded:
        error = "was stopped"  # and nobody reads this
    except (OSError, HTTPException, ValueError) as failure:
        error = f"the exchange with {call.origin} broke off: {_told(failure)}"
    return Outcome(status="failed" if call.sent else "notStarted", error=error, warnings=call.warnings)


class _Failed(Exception):
    """It has failed; says why."""


class _Call:
    """One request, and the same again for each redirect."""

    def __init__(self, launch: HttpLaunch, limit: int, line: Line) -> None:
        self._launch = launch
        self._limit = limit
        self._line = line
        self._timeout = launch.timeout + 1.0
        """Of a single step. The loop keeps the time of the whole: this is for a thread that it has lost."""
        self.sent = False
        """A byte of the request may have reached a server."""
        self._answering = False
        """A head of an answer has come."""
        self.origin = "the server"
        self.warnings: tuple[str, ...] = ()

    def make(self) -> Outcome:
        """See ``exchange``."""
        headers = self._headers()
        target = read_url(self._launch.url)
        for _ in range(_MOST_REDIRECTS + 1):
            if isinstance(target, str):
                raise _Failed(target)
            if not is_allowed(target, self._launch.allowed_urls):
                raise _Failed(f"nothing was sent to {target.origin}: allowedHttpHookUrls does not allow this URL")
            self.origin = target.origin
            answer = self._send(target, headers)
            if isinstance(answer, Outcome):
                return answer
            target = answer
        raise _Failed(f"{self.origin} redirected more than {_MOST_REDIRECTS} times")

    def _headers(self) -> list[tuple[str, bytes]]:
        given: list[tuple[str, bytes]] = []
        names: set[str] = set()
        for name, value in self._launch.headers:
            if _TOKEN.fullmatch(name) is None:
                raise _Failed(f"{name!r} is no name that a header can have")
            names.add(name.lower())
            if name.lower() in _OUR_OWN:
                self.warnings += (f"the header {name} was left out: it is the engine's own business",)
            else:
                given.append((name, _encoded(value.translate(_BREAKS).strip())))
        default = [
            ("Content-Type", b"application/json"),
            ("Accept", b"application/json"),
            ("User-Agent", b"tenterhook"),
        ]
        return [header for header in default if header[0].lower() not in names] + given

    def _send(self, target: Target, headers: list[tuple[str, bytes]]) -> Outcome | Target:
        connection = connect(target, self._timeout, self._line)
        try:
            return self._send_over(connection, target, headers)
        except ConnectionError:
            if self._answering or not connection.is_used or self._line.ended:
                raise
        # It had been kept, and the server closed it before it read this request: not a byte came back (curl does so).
        return self._send_over(connect(target, self._timeout, self._line, anew=True), target, headers)

    def _send_over(self, connection: Connection, target: Target, headers: list[tuple[str, bytes]]) -> Outcome | Target:
        self._answering = False
        whole = clean = False
        try:
            body = memoryview(self._launch.body)
            connection.putrequest("POST", target.path, skip_host=True, skip_accept_encoding=True)
            connection.putheader("Host", target.authority)
            connection.putheader("Accept-Encoding", "identity")
            connection.putheader("Content-Length", str(body.nbytes))
            for name, value in headers:
                connection.putheader(name, value)
            self.sent = True
            # A server may answer without having read it all, and hang up: the answer counts.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.endheaders(body)
                whole = True
            connection.expect_pieces()
            with connection.getresponse() as response:
                self._answering = True
                answer = self._read(target, response)
                clean = whole and response.isclosed() and not response.will_close
            return answer
        finally:
            self._settle(connection, keep=clean)

    def _settle(self, connection: Connection, *, keep: bool) -> None:
        self._line.let_go()
        if keep and not self._line.ended:
            give_back(connection)
        else:
            connection.hang_up()

    def _read(self, target: Target, response: HTTPResponse) -> Outcome | Target:
        status = response.status
        if 200 <= status < 300:
            body, cut = _body(response, self._limit)
            return Outcome(status="ok", stdout=body, stdout_cut=cut, warnings=self.warnings)
        location = response.getheader("Location")
        if status in _REPEATED and location is not None:
            return self._redirected(target, status, location)
        try:
            text = _body(response, _EXCERPT * 4)[0].decode("utf-8", "replace")
        except (_Failed, OSError, HTTPException, ValueError):
            text = ""  # the status says enough
        excerpt = "".join(sign if sign.isprintable() else " " for sign in text).strip()[:_EXCERPT]
        raise _Failed(f"{target.origin} answered with status {status}{': ' if excerpt else ''}{excerpt}")

    def _redirected(self, target: Target, status: int, location: str) -> Target:
        there = target.relative(location)
        if isinstance(there, str):
            raise _Failed(f"{target.origin} redirected (status {status}) to where nothing can be sent: {there}")
        if not target.may_redirect_to(there):
            raise _Failed(
                f"{target.origin} redirected (status {status}) to {there.origin}: "
                "hooks are not sent on to another host; configure the URL that it leads to"
            )
        return there


def _body(response: HTTPResponse, limit: int) -> tuple[bytes, bool]:
    """The body, decoded, and whether more came than the limit keeps. Only then is it not read to its end."""
    encoding = (response.getheader("Content-Encoding") or "identity").strip().lower()
    if encoding not in ("identity", "gzip", "x-gzip", "deflate"):
        raise _Failed(f"the answer came in the encoding {encoding[:40]!r}, which nobody asked for")
    decoder = None if encoding == "identity" else zlib.decompressobj(zlib.MAX_WBITS | 32)
    kept = bytearray()
    came = False
    while chunk := response.read(_CHUNK):
        came = True
        if decoder is not None:
            try:
                chunk = decoder.decompress(chunk, limit + 1 - len(kept))
            except zlib.error as fault:
                raise _Failed(f"the answer cannot be decoded as {encoding}: {fault}") from None
        kept += chunk
        if len(kept) > limit:
            return bytes(kept[:limit]), True
    if response.length or (came and decoder is not None and not decoder.eof):
        raise _Failed("the answer broke off before its end")
    return bytes(kept), False


def _encoded(value: str) -> bytes:
    try:
        return value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return value.encode("utf-8", "replace")


def _told(failure: Exception) -> str:
    if isinstance(failure, TimeoutError):
        return "it took too long"
    said = getattr(failure, "strerror", None) or str(failure) or type(failure).__name__
    return "".join(sign if sign.isprintable() else " " for sign in str(said))[:_EXCERPT]
