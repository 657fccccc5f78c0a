"""HTTP hooks against real servers, kind and hostile."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import os
import socket
import ssl
import subprocess
import sys
import threading
import zlib
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw
from server.runners.web.servers import Answering, Handler, Server, serving
from tenterhook.model import HttpLaunch, Outcome, StopReason
from tenterhook.runners import RUNNERS, Limits
from tenterhook.runners.web import WORKERS, connecting, run_request

BIG = 10 * 1024 * 1024
_GUARD = 60.0


@pytest.fixture(autouse=True)
def _no_connections() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction] - pytest uses it
    yield
    connecting.drop_old(0.0)


def to(url: str, body: bytes | Raw = b"{}", timeout: float = 600.0, **keys: Any) -> HttpLaunch:
    return HttpLaunch(url=url, headers=keys.pop("headers", ()), body=body, timeout=timeout, run_id="r", **keys)


async def send(
    launch: HttpLaunch, limits: Limits | None = None, stop: asyncio.Future[StopReason] | None = None
) -> Outcome:
    async with asyncio.timeout(_GUARD):
        return await run_request(launch, limits or Limits(), stop or asyncio.get_running_loop().create_future())


async def meet(server: Server) -> None:
    """Return when the server has got a request."""
    assert await asyncio.to_thread(server.come.acquire, timeout=_GUARD)


def plainly(body: bytes = b"fine", status: int = 200, **headers: str) -> Answering:
    return lambda it: it.answer(body, status, **headers)


async def test_a_request_arrives_as_it_was_meant_and_its_answer_is_stdout() -> None:
    with serving(plainly(b'{"decision": "block"}')) as server:
        launch = to(server.url("/a/../hook?x=1"), Raw(b'{"b": 1.0, "a":2}'), headers=(("X-One", "1"), ("x-one", "2")))
        outcome = await send(launch)
    assert (outcome.status, outcome.stdout, outcome.stderr) == ("ok", b'{"decision": "block"}', b"")
    assert (outcome.error, outcome.exit_code, outcome.warnings, outcome.stdout_cut) == (None, None, (), False)
    assert outcome.duration > 0
    (seen,) = server.seen
    assert (seen.path, seen.body) == ("/hook?x=1", b'{"b": 1.0, "a":2}')
    assert seen.header("x-one") == ["1", "2"]
    assert seen.header("content-type") == ["application/json"]
    assert seen.header("host") == [f"127.0.0.1:{server.port}"]
    assert seen.header("accept-encoding") == ["identity"]


@pytest.mark.parametrize("size", [0, 1, 65536, BIG])
async def test_a_body_of_any_size_arrives(size: int) -> None:
    with serving(plainly()) as server:
        assert (await send(to(server.url(), b"x" * size))).status == "ok"
    assert [len(seen.body) for seen in server.seen] == [size]


@pytest.mark.parametrize("excess", [-1, 0, 1, BIG])
async def test_of_a_long_answer_the_start_is_kept(excess: int) -> None:
    with serving(plainly(b"x" * (1000 + excess))) as server:
        outcome = await send(to(server.url()), Limits(max_output=1000))
    assert (outcome.status, len(outcome.stdout), outcome.stdout_cut) == ("ok", min(1000, 1000 + excess), excess > 0)


def endless_length(it: Handler) -> None:
    it.begin(Content_Length=str(1 << 60))
    while True:
        it.wfile.write(b"x" * 65536)


def endless_chunks(it: Handler) -> None:
    it.begin(Transfer_Encoding="chunked")
    while True:
        it.wfile.write(b"8000\r\n" + b"x" * 0x8000 + b"\r\n")


def endless_until_close(it: Handler) -> None:
    it.begin()
    while True:
        it.wfile.write(b"x" * 65536)


def bomb(it: Handler) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    it.begin(Content_Encoding="gzip")
    while True:
        it.wfile.write(packer.compress(bytes(1 << 22)))


# kirodotdev/KiroCrew#5442: what comes without end must not be collected before it is cut.
@pytest.mark.parametrize("answering", [endless_length, endless_chunks, endless_until_close, bomb])
async def test_an_endless_answer_is_cut_at_the_limit_and_not_kept_in_memory(answering: Answering) -> None:
    with serving(answering) as server:
        outcome = await send(to(server.url()), Limits(max_output=1 << 20))
    assert (outcome.status, len(outcome.stdout), outcome.stdout_cut) == ("ok", 1 << 20, True)


def silent(it: Handler) -> None:
    it.home.over.wait(_GUARD)


def slow_head(it: Handler) -> None:
    it.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
    while not it.home.over.wait(0.02):
        it.wfile.write(b"x")


def slow_body(it: Handler) -> None:
    it.begin(Content_Length="1000000")
    while not it.home.over.wait(0.02):
        it.wfile.write(b"x")


def endless_continue(it: Handler) -> None:
    while not it.home.over.is_set():
        it.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)


def endless_trailer(it: Handler) -> None:
    it.begin(Transfer_Encoding="chunked")
    it.wfile.write(b"0\r\n")
    while not it.home.over.is_set():
        it.wfile.write(b"X: y\r\n" * 100)


def slow_error(it: Handler) -> None:
    it.begin(500, Content_Length="1000000")
    silent(it)


SLOW = [silent, slow_head, slow_body, endless_continue, endless_trailer, slow_error]


@pytest.mark.parametrize("answering", SLOW)
async def test_a_slow_answer_ends_at_the_timeout(answering: Answering) -> None:
    with serving(answering) as server:
        outcome = await send(to(server.url(), timeout=0.2))
    assert (outcome.status, outcome.stdout) == ("timedOut", b"")
    assert "did not answer within 0.2 s" in (outcome.error or "")


@pytest.mark.parametrize("answering", [*SLOW, endless_length])
async def test_a_stop_closes_the_connection_and_lets_its_thread_go(answering: Answering) -> None:
    stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
    hung_up = threading.Event()

    def notice(it: Handler) -> None:
        try:
            answering(it)
            over = it.connection.recv(1) == b""
        except OSError:  # also of the second step: who hangs up with bytes unread resets the connection
            over = True
        if over:
            hung_up.set()

    with serving(notice) as server:
        task = asyncio.create_task(send(to(server.url()), Limits(max_output=1 << 40), stop))
        await meet(server)
        stop.set_result("cancelled")
        outcome = await task
        server.over.set()
        assert await asyncio.to_thread(hung_up.wait, _GUARD)
    assert (outcome.status, outcome.error) == ("cancelled", "was stopped on request; the connection was closed")


async def test_a_stop_by_the_time_of_the_event_says_so() -> None:
    stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
    with serving(silent) as server:
        task = asyncio.create_task(send(to(server.url()), None, stop))
        await meet(server)
        stop.set_result("timedOut")
        assert (await task).status == "timedOut"


async def test_one_that_is_stopped_before_it_starts_sends_nothing() -> None:
    stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
    stop.set_result("cancelled")
    with serving(plainly()) as server:
        assert (await send(to(server.url()), None, stop)).status == "cancelled"
        assert server.seen == []


async def test_where_the_task_is_cancelled_the_connection_is_closed() -> None:
    hung_up = threading.Event()

    def notice(it: Handler) -> None:
        if it.connection.recv(1) == b"":
            hung_up.set()

    with serving(notice) as server:
        task = asyncio.create_task(send(to(server.url())))
        await meet(server)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(hung_up.wait, _GUARD)


@pytest.mark.parametrize("status", [199, 300, 303, 304, 400, 401, 404, 500, 503, 999])
async def test_any_status_but_2xx_is_a_failure_that_names_it_and_the_start_of_the_text(status: int) -> None:
    text = "" if status in (199, 304) else "No\x1b[31m\n way ü" + "x" * 1000
    with serving(plainly(text.encode(), status)) as server:
        outcome = await send(to(server.url("/secret-path")))
    assert (outcome.status, outcome.stdout) == ("failed", b"")
    error = outcome.error or ""
    assert f"answered with status {status}" in error
    assert ("No [31m  way ü" in error) is bool(text)
    assert "\x1b" not in error
    assert "secret-path" not in error
    assert error.count("x") == (200 - len("No [31m  way ü") if text else 0)


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
async def test_any_2xx_is_a_success_an_empty_one_too(status: int) -> None:
    with serving(plainly(b"", status)) as server:
        outcome = await send(to(server.url()))
    assert (outcome.status, outcome.stdout) == ("ok", b"")


BROKEN: list[tuple[bytes, str]] = [
    (b"", "broke off"),
    (b"SSH-2.0-OpenSSH_9\r\n", "broke off"),
    (b"HTTP/1.1 abc\r\n\r\n", "broke off"),
    (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n", "broke off"),
    (b"HTTP/1.1 200 OK\r\nX: " + b"y" * 70_000 + b"\r\n\r\n", "broke off"),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", "broke off"),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nsho", "broke off"),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "broke off"),
    (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope", "cannot be decoded"),
    (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(b"x" * 99)[:-9], "broke off"),
    (b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 4\r\n\r\nnope", "which nobody asked for"),
]


@pytest.mark.parametrize(("answer", "why"), BROKEN, ids=[str(row[0][:60]) for row in BROKEN])
async def test_a_broken_answer_is_a_failure_that_says_what_is_wrong(answer: bytes, why: str) -> None:
    def break_off(it: Handler) -> None:
        it.wfile.write(answer)
        it.close_connection = True

    with serving(break_off) as server:
        outcome = await send(to(server.url()))
    assert outcome.status == "failed"
    assert why in (outcome.error or "")


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "deflate", "GZIP "])
async def test_a_packed_answer_is_unpacked(encoding: str) -> None:
    packed = zlib.compress(b"x" * 100_000) if encoding == "deflate" else gzip.compress(b"x" * 100_000)
    with serving(plainly(packed, Content_Encoding=encoding)) as server:
        assert (await send(to(server.url()))).stdout == b"x" * 100_000


async def test_an_answer_that_comes_before_the_request_was_read_counts() -> None:
    listener = socket.create_server(("127.0.0.1", 0))

    def refuse() -> None:
        connection, _ = listener.accept()
        connection.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig")
        while not connection.recv(1 << 16):
            pass
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(1 << 20):
            pass
        connection.close()

    with listener:
        thread = threading.Thread(target=refuse, daemon=True)
        thread.start()
        outcome = await send(to(f"http://127.0.0.1:{listener.getsockname()[1]}/", b"x" * BIG))
        connecting.drop_old(0.0)
        thread.join(_GUARD)
    assert "answered with status 413: big" in (outcome.error or "")


async def test_breaks_are_removed_from_header_values_and_odd_signs_arrive_as_utf8() -> None:
    headers = (
        ("X-Token", "a\r\nX-Evil: 1\r\n\r\nbody"), ("X-Nul", "a\0b"), ("X-Odd", "ü\udcff\ud800"), ("X-Empty", "\r\n"),
    )  # fmt: skip
    with serving(plainly()) as server:
        assert (await send(to(server.url(), headers=headers))).status == "ok"
    (seen,) = server.seen
    assert seen.header("x-token") == ["aX-Evil: 1body"]
    assert seen.header("x-evil") == []
    assert seen.header("x-nul") == ["ab"]
    assert seen.header("x-empty") == [""]
    assert len(seen.header("x-odd")) == 1


@pytest.mark.parametrize("name", ["", "a b", "a:b", "a\r\nb", "ü", "a\0"])
async def test_a_header_name_that_cannot_be_is_named_and_nothing_is_sent(name: str) -> None:
    with serving(plainly()) as server:
        outcome = await send(to(server.url(), headers=((name, "x"),)))
        assert server.seen == []
    assert (outcome.status, repr(name) in (outcome.error or "")) == ("notStarted", True)


async def test_headers_of_the_connection_itself_are_left_out_with_a_warning_and_others_may_be_replaced() -> None:
    headers = (
        ("Content-Length", "1"), ("transfer-encoding", "chunked"), ("Host", "evil.example"), ("Expect", "100-continue"),
        ("content-type", "text/plain"), ("User-Agent", "me"),
    )  # fmt: skip
    with serving(plainly()) as server:
        outcome = await send(to(server.url(), headers=headers))
    assert outcome.status == "ok"
    assert [word in warning for word, warning in zip(dict(headers), outcome.warnings, strict=False)] == [True] * 4
    (seen,) = server.seen
    assert (seen.header("content-type"), seen.header("user-agent")) == (["text/plain"], ["me"])
    assert seen.header("host") == [f"127.0.0.1:{server.port}"]


# anthropics/claude-code#81742: a header whose variable is not set is empty, and the run says so.
@pytest.mark.parametrize("url", ["/hook", "ftp://x/"])
async def test_what_went_wrong_before_comes_with_the_outcome(url: str) -> None:
    with serving(plainly()) as server:
        outcome = await send(to(server.url() if url == "/hook" else url, warnings=("TOKEN is not set",)))
    assert outcome.warnings == ("TOKEN is not set",)


# --- where a request may go


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://10.0.0.1/", "is private"),
        ("http://192.168.1.1:8080/", "is private"),
        ("http://169.254.169.254/latest/meta-data/", "is link-local"),
        ("http://0/", "is this network"),
        ("http://0.0.0.0/", "is this network"),
        ("http://0x0a000001/", "10.0.0.1"),
        ("http://167772161/", "10.0.0.1"),
        ("http://012.1/", "10.0.0.1"),
        ("http://[::ffff:127.0.0.1]/", "in disguise"),
        ("http://[fd00:ec2::254]/", "is private"),
        ("http://[::]/", "this network"),
        ("ftp://127.0.0.1/", "only http and https"),
        ("http://user:pw@127.0.0.1/", "user name or password"),
        ("http://name.invalid/", "could not be resolved"),
    ],
)
async def test_a_request_to_where_none_may_go_is_not_sent(url: str, why: str) -> None:
    outcome = await send(to(url))
    assert outcome.status == "notStarted"
    assert why in (outcome.error or "")


class Names:
    """The resolver, as the test wants it. One more look gets the next answer."""

    def __init__(self, patch: pytest.MonkeyPatch, *answers: tuple[str, ...]) -> None:
        self.asked: list[str] = []
        self._answers = list(answers)
        patch.setattr(socket, "getaddrinfo", self)

    def __call__(self, host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        self.asked.append(host)
        addresses = self._answers.pop(0)
        families = [socket.AF_INET6 if ":" in address else socket.AF_INET for address in addresses]
        return [
            (family, socket.SOCK_STREAM, 6, "", (address, port))
            for family, address in zip(families, addresses, strict=True)
        ]


async def test_a_name_is_resolved_once_and_what_was_checked_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(plainly()) as server:
        names = Names(monkeypatch, ("127.0.0.1",), ("10.0.0.1",))
        outcome = await send(to(server.url(host="Hooks.Example.")))
    assert outcome.status == "ok"
    assert names.asked == ["hooks.example"]
    assert server.seen[0].header("host") == [f"hooks.example:{server.port}"]


async def test_a_name_with_one_refused_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(plainly()) as server:
        Names(monkeypatch, ("127.0.0.1", "169.254.169.254"))
        outcome = await send(to(server.url(host="hooks.example")))
        assert server.seen == []
    assert outcome.status == "notStarted"
    assert "169.254.169.254, which hooks.example stands for, is link-local" in (outcome.error or "")


async def test_where_one_address_does_not_answer_the_next_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(plainly()) as server:
        Names(monkeypatch, ("::1", "127.0.0.2", "127.0.0.1"))
        assert (await send(to(server.url(host="hooks.example")))).status == "ok"


async def test_the_loopback_of_ipv6_may_be_reached() -> None:
    with serving(plainly(), family=socket.AF_INET6) as server:
        assert (await send(to(server.url(host="[::1]")))).status == "ok"
    assert server.seen[0].header("host") == [f"[::1]:{server.port}"]


async def test_where_nobody_listens_the_error_names_the_place_and_what_the_system_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    outcome = await send(to(f"http://127.0.0.1:{port}/secret"))
    assert outcome.status == "notStarted"
    assert outcome.error == f"http://127.0.0.1:{port} could not be reached: Connection refused"


async def test_a_url_that_the_patterns_do_not_allow_is_not_sent_to() -> None:
    with serving(plainly()) as server:
        outcome = await send(to(server.url(), allowed_urls=("https://hooks.example/*",)))
        assert server.seen == []
        assert (await send(to(server.url(), allowed_urls=("http://127.0.0.1:*",)))).status == "ok"
    assert (outcome.status, "allowedHttpHookUrls" in (outcome.error or "")) == ("notStarted", True)


@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY", "ALL_PROXY", "https_proxy"])
async def test_proxies_of_the_environment_play_no_part(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "http://127.0.0.1:1/")
    with serving(plainly()) as server:
        assert (await send(to(server.url()))).status == "ok"


# --- redirects


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_a_redirect_to_the_same_host_is_followed_with_the_whole_request(status: int) -> None:
    def redirect(it: Handler) -> None:
        if it.path == "/hook":
            it.answer(b"", status, Location="../there/?x")
        else:
            it.answer(b"fine")

    with serving(redirect) as server:
        outcome = await send(to(server.url(), b"payload", headers=(("X-Token", "t"),)))
    assert outcome.stdout == b"fine"
    assert [(seen.path, seen.body, seen.header("x-token")) for seen in server.seen] == [
        ("/hook", b"payload", ["t"]), ("/there/?x", b"payload", ["t"]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "location",
    [
        "http://10.0.0.1/", "http://169.254.169.254/latest", "http://localhost:22/", "//evil.example/x", "file:///etc/passwd",
        "http://127.0.0.1:22/", "https://127.0.0.1/", "http://user@127.0.0.1/", "http://[", "\\\\evil.example",
    ],
)  # fmt: skip
async def test_a_redirect_to_anywhere_else_is_not_followed(location: str) -> None:
    with serving(lambda it: it.answer(b"", 307, Location=location)) as server:
        outcome = await send(to(server.url()))
        assert len(server.seen) == 1
    assert outcome.status == "failed"
    assert "redirected (status 307) to " in (outcome.error or "")


async def test_redirects_come_to_an_end() -> None:
    with serving(lambda it: it.answer(b"", 302, Location=it.path + "x")) as server:
        outcome = await send(to(server.url()))
        assert len(server.seen) == 6
    assert "redirected more than 5 times" in (outcome.error or "")


async def test_each_redirect_is_checked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(lambda it: it.answer(b"", 307, Location="/next")) as server:
        port = server.port
        allowed = (f"http://hooks.example:{port}/hook",)
        Names(monkeypatch, ("127.0.0.1",), ("127.0.0.1",), ("10.0.0.1",))
        outcome = await send(to(server.url(host="hooks.example"), allowed_urls=allowed))
        assert (outcome.status, "allowedHttpHookUrls" in (outcome.error or "")) == ("failed", True)
        outcome = await send(to(server.url(host="hooks.example")))
        assert (outcome.status, "10.0.0.1" in (outcome.error or "")) == ("failed", True)
        assert len(server.seen) == 2


# --- connections and threads


async def test_a_connection_is_used_again_for_the_same_name_at_the_same_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serving(plainly()) as server:
        Names(monkeypatch, *[("127.0.0.1",)] * 3)
        for host in ("one.example", "one.example", "two.example"):
            assert (await send(to(server.url(host=host)))).status == "ok"
    first, second, third = (seen.port for seen in server.seen)
    assert first == second != third


def closing(it: Handler) -> None:
    it.answer(b"x", Connection="close")
    it.close_connection = True


@pytest.mark.parametrize("answering", [closing, plainly(b"x" * BIG), plainly(b"x" * BIG, 500)])
async def test_a_connection_that_is_not_clean_is_not_used_again(answering: Answering) -> None:
    with serving(answering) as server:
        for _ in range(2):
            await send(to(server.url()), Limits(max_output=1000))
    first, second = (seen.port for seen in server.seen)
    assert first != second


async def test_what_a_server_sends_beyond_its_answer_is_not_the_answer_of_the_next_request() -> None:
    def and_more(it: Handler) -> None:
        it.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")

    with serving(and_more) as server:
        assert [(await send(to(server.url()))).stdout for _ in range(5)] == [b"x"] * 5


async def test_a_kept_connection_that_the_server_closes_without_an_answer_is_made_anew() -> None:
    def hang_up(it: Handler) -> None:
        if [seen.port for seen in it.home.seen].count(it.client_address[1]) == 1:
            it.answer(b"x")
        else:
            it.close_connection = True  # as one does that has closed it just before it came

    with serving(hang_up) as server:
        assert [(await send(to(server.url()))).stdout for _ in range(3)] == [b"x"] * 3
        assert len({seen.port for seen in server.seen}) == 3


async def test_a_fresh_connection_that_is_closed_without_an_answer_is_a_failure_and_not_tried_again() -> None:
    def hang_up(it: Handler) -> None:
        it.close_connection = True

    with serving(hang_up) as server:
        outcome = await send(to(server.url()))
        assert len(server.seen) == 1
    assert (outcome.status, "without response" in (outcome.error or "")) == ("failed", True)


async def test_many_at_once_do_not_mix_and_need_only_so_many_threads() -> None:
    with serving(lambda it: it.answer(it.path.encode())) as server:
        outcomes = await asyncio.gather(*(send(to(server.url(f"/{n}"))) for n in range(100)))
    assert [outcome.error for outcome in outcomes] == [None] * 100
    assert [outcome.stdout for outcome in outcomes] == [b"/%d" % n for n in range(100)]
    assert WORKERS.threads <= 32


def connections_to(port: int) -> int:
    """How many sockets of this process lead there."""
    found: int = 0
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(int(name))) as sock:
            peer: Any = sock.getpeername()
            found += int(peer[-1:] == (port,))
    return found


async def test_requests_leave_no_connections_behind() -> None:
    def odd(it: Handler) -> None:
        if it.path == "/redirect":
            it.answer(b"x" * 100_000, 302, Location="http://evil.example/")
        else:
            it.answer(b"x" * 100_000, 500 if it.path == "/bad" else 200)

    with serving(odd) as server:
        for path in ("/bad", "/redirect", "/fine") * 5:
            await send(to(server.url(path)), Limits(max_output=1000))
            await send(to(server.url(path)))
        assert connections_to(server.port) == 1
        connecting.drop_old(0.0)
        assert connections_to(server.port) == 0


BEFORE = """
import sys
sys.modules["ssl"] = None
import asyncio
del sys.modules["ssl"]
import threading
import tenterhook.runners
print([name for name in ("ssl", "http.client", "tenterhook.runners.web") if name in sys.modules])
print(threading.active_count())
"""


def test_nothing_of_it_is_there_before_the_first_request() -> None:
    done = subprocess.run([sys.executable, "-c", BEFORE], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n1\n"


def test_the_table_of_runners_sends_requests() -> None:
    async def once() -> Outcome:
        with serving(plainly()) as server:
            return await RUNNERS[HttpLaunch](to(server.url()), Limits(), asyncio.get_running_loop().create_future())

    assert asyncio.run(once()).status == "ok"


# --- TLS


MAKE = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of our own for ``hooks.example``, with its key."""
    path = tmp_path_factory.mktemp("tls") / "identity.pem"
    made = subprocess.run(
        f"{MAKE} -subj /CN=hooks.example -addext subjectAltName=DNS:hooks.example -keyout - -out -".split(),
        capture_output=True,
        check=True,
    )
    path.write_bytes(made.stdout)
    return path


@contextlib.contextmanager
def trusting(path: Path | None, patch: pytest.MonkeyPatch) -> Generator[None]:
    if path is not None:
        patch.setenv("SSL_CERT_FILE", str(path))
    connecting.trusted.cache_clear()
    yield
    connecting.trusted.cache_clear()


def served(identity: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(identity)
    return context


async def test_tls_is_spoken_to_the_checked_address_under_the_name(
    identity: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with trusting(identity, monkeypatch), serving(plainly(), tls=served(identity)) as server:
        Names(monkeypatch, *[("127.0.0.1",)] * 2)
        url = server.url(host="hooks.example", scheme="https")
        assert [(await send(to(url))).stdout for _ in range(2)] == [b"fine"] * 2
    assert len({seen.port for seen in server.seen}) == 1


@pytest.mark.parametrize(("host", "trusts"), [("hooks.example", False), ("other.example", True), ("127.0.0.1", True)])
async def test_a_certificate_that_is_not_trusted_or_of_another_name_is_no_connection(
    identity: Path, monkeypatch: pytest.MonkeyPatch, host: str, *, trusts: bool
) -> None:
    with trusting(identity if trusts else None, monkeypatch), serving(plainly(), tls=served(identity)) as server:
        Names(monkeypatch, ("127.0.0.1",))
        outcome = await send(to(server.url(host=host, scheme="https")))
        assert server.seen == []
    assert outcome.status == "notStarted"
    assert "certificate" in (outcome.error or "") or "doesn't match" in (outcome.error or "")


async def test_a_server_without_tls_is_no_connection() -> None:
    with serving(plainly()) as server:
        outcome = await send(to(server.url(scheme="https")))
    assert outcome.status == "notStarted"
    assert "could not be reached" in (outcome.error or "")


async def test_a_stop_in_the_middle_of_the_handshake_ends_it() -> None:
    stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        task = asyncio.create_task(send(to(f"https://127.0.0.1:{listener.getsockname()[1]}/"), None, stop))
        connection, _ = await asyncio.to_thread(listener.accept)
        with connection:
            await asyncio.to_thread(connection.recv, 1)
            stop.set_result("cancelled")
            assert (await task).status == "cancelled"
            await asyncio.to_thread(drain, connection)


def drain(connection: socket.socket) -> None:
    while connection.recv(1 << 16):
        pass


WITHOUT_TLS = """
import sys
sys.modules["ssl"] = None
import asyncio
del sys.modules["ssl"]
import socket
from tenterhook.model import HttpLaunch
from tenterhook.runners import RUNNERS, Limits
real = socket.getaddrinfo
socket.getaddrinfo = lambda host, port, **keys: real("127.0.0.1", port, **keys)

async def main():
    stop = asyncio.get_running_loop().create_future()
    launch = HttpLaunch(url=sys.argv[1], headers=(), body=b"{}", timeout=60, run_id="r")
    outcome = await RUNNERS[HttpLaunch](launch, Limits(), stop)
    print(outcome.stdout, outcome.error)

asyncio.run(main())
"""


def test_tls_is_there_though_asyncio_was_imported_without_it(identity: Path) -> None:
    with serving(plainly(), tls=served(identity)) as server:
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT_TLS, server.url(host="hooks.example", scheme="https")],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "SSL_CERT_FILE": str(identity)},
        )
    assert done.stdout == "b'fine' None\n"
