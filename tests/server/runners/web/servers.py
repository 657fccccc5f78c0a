"""Owns the servers that the tests of requests talk to: real ones, on the loopback address, in threads."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple, cast

__all__ = ["Answering", "Handler", "Seen", "Server", "serving"]


class Seen(NamedTuple):
    """A request as the server got it."""

    path: str
    headers: list[tuple[str, str]]
    body: bytes
    port: int
    """Of the client: the same one means the same connection."""

    def header(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key.lower() == name.lower()]


class Handler(BaseHTTPRequestHandler):
    """Hands every POST to the test."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.home.seen.append(Seen(self.path, self.headers.items(), body, self.client_address[1]))
        self.home.come.release()
        with contextlib.suppress(OSError):
            self.home.answering(self)

    @property
    def home(self) -> Server:
        """The server it belongs to."""
        return cast("Server", self.server)

    def answer(self, body: bytes = b"", status: int = 200, **headers: str) -> None:
        """A whole answer, of known length."""
        self.begin(status, Content_Length=str(len(body)), **headers)
        self.wfile.write(body)

    def begin(self, status: int = 200, **headers: str) -> None:
        """The head of an answer."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named by http.server
        """Nothing is to be printed."""


Answering = Callable[[Handler], None]


class Server(ThreadingHTTPServer):
    """A server whose answers the test writes."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, answering: Answering, family: socket.AddressFamily = socket.AF_INET) -> None:
        self.address_family = family
        super().__init__(("127.0.0.1" if family == socket.AF_INET else "::1", 0), Handler)
        self.answering = answering
        self.seen: list[Seen] = []
        self.come = threading.Semaphore(0)
        """Released for each request."""
        self.over = threading.Event()
        """Set at the end of the test, for answers that never end."""

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def url(self, path: str = "/hook", host: str = "127.0.0.1", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.port}{path}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what the tests are about."""


@contextlib.contextmanager
def serving(
    answering: Answering, *, tls: ssl.SSLContext | None = None, family: socket.AddressFamily = socket.AF_INET
) -> Generator[Server]:
    """A server while this lasts."""
    server = Server(answering, family)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
