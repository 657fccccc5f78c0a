"""The engine as a host meets it: a process on two pipes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from e2e.spawned import ENGINE, Spawned, frame, hook_file, spawn, wait_until_gone

HEAVY = {
    "attr",
    "attrs",
    "cattrs",
    "importlib.metadata",
    "lsprotocol",
    "pygls",
    "regex",
    "rich",
    "ssl",
    "typer",
    "yaml",
}


OPENING: dict[str, Any] = {"processId": None, "capabilities": {}}


def start_endless_hook(engine: Spawned, project: Path) -> list[int]:
    """Emit an event whose hook never ends; the pids of the hook and of a grandchild with a session of its own."""
    os.mkfifo(project / "pids")
    hook_file(
        project,
        {
            "name": "endless",
            "point": "tool.execute.before",
            "type": "observer",
            "command": "sh",
            "args": ["-c", 'setsid sleep 600 & echo "$$ $!" >pids; wait'],
        },
    )
    engine.initialize(project, killGraceMs=200)
    engine.request(1, "hooks/emit", {"point": "tool.execute.before", "payload": {"projectPath": str(project)}})
    return [int(word) for word in (project / "pids").read_text(encoding="utf-8").split()]


def test_a_session_from_initialize_to_exit(tmp_path: Path) -> None:
    guard = {
        "name": "guard",
        "point": "tool.approval.pre",
        "type": "decision",
        "command": "sh",
        "args": ["-c", """cat >/dev/null; echo '{"decision":"deny","reason":"no"}'"""],
    }
    hook_file(tmp_path, guard)
    with spawn() as engine:
        assert engine.initialize(tmp_path)["result"]["serverInfo"]["name"] == "tenterhook"
        engine.notify("initialized", {})
        payload: dict[str, Any] = {"toolName": "x", "args": {}, "sessionId": "s", "projectPath": str(tmp_path)}
        engine.request(1, "hooks/emitDecision", {"point": "tool.approval.pre", "payload": payload})
        assert engine.receive()["result"] == {"decision": "deny", "reason": "no"}
        engine.request(2, "hooks/emit", {"point": "agent.turn.start", "payload": payload})
        assert engine.receive()["result"] == {"runs": [], "notices": []}
        engine.request(3, "shutdown")
        assert engine.receive() == {"jsonrpc": "2.0", "id": 3, "result": None}
        engine.notify("exit")
        assert engine.ended() == 0
        assert engine.stderr() == ""


ENDS: dict[str, tuple[Callable[[Spawned], object], int]] = {
    "SIGTERM": (lambda engine: engine.process.terminate(), 143),
    "SIGINT": (lambda engine: engine.process.send_signal(signal.SIGINT), 130),
    "the end of input": (lambda engine: engine.stdin.close(), 1),
    "exit without shutdown": (lambda engine: engine.notify("exit"), 1),
    "lost framing": (lambda engine: (engine.stdin.write(b"\n\n"), engine.stdin.flush()), 1),
}


@pytest.mark.parametrize(("end", "status"), ENDS.values(), ids=ENDS)
def test_every_end_stops_the_hooks_with_their_whole_trees(
    tmp_path: Path, end: Callable[[Spawned], object], status: int
) -> None:
    """chenhg5/cc-connect#490: a host that is killed, or only closes stdin, leaves no orphans."""
    with spawn() as engine:
        pids = start_endless_hook(engine, tmp_path)
        end(engine)
        assert engine.ended() == status
        for pid in pids:
            wait_until_gone(pid)


def test_shutdown_and_exit_in_a_row_end_well_with_a_hook_still_running(tmp_path: Path) -> None:
    with spawn() as engine:
        pids = start_endless_hook(engine, tmp_path)
        engine.send({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}, {"jsonrpc": "2.0", "method": "exit"})
        assert engine.receive()["error"]["code"] == -32800
        assert engine.receive() == {"jsonrpc": "2.0", "id": 2, "result": None}
        assert engine.ended() == 0
        for pid in pids:
            wait_until_gone(pid)


def test_a_cancel_is_answered_and_the_tree_is_stopped(tmp_path: Path) -> None:
    with spawn() as engine:
        pids = start_endless_hook(engine, tmp_path)
        engine.notify("$/cancelRequest", {"id": 1})
        assert engine.receive()["error"]["code"] == -32800
        for pid in pids:
            wait_until_gone(pid)
        engine.request(2, "hooks/stats")
        assert engine.receive()["id"] == 2


DAEMON = "(env -i PATH=\"$PATH\" setsid sh -c 'echo $$ >pid; exec sleep 600' >/dev/null 2>&1 &)"
"""It has left its session, dropped every mark, lost its parent, and holds no pipe."""


def emit_alone(engine: Spawned, project: Path, script: str, timeout: float) -> tuple[str, int]:
    """Emit an event with this one hook; the status of its run, and the pid that it has told."""
    (project / "pid").unlink(missing_ok=True)
    os.mkfifo(project / "pid")
    hook_file(
        project,
        {
            "name": "alone",
            "point": "tool.execute.before",
            "type": "observer",
            "command": "sh",
            "args": ["-c", script],
            "timeout": timeout,
        },
    )
    engine.request("load", "hooks/reload", {})
    assert "result" in engine.receive()
    engine.request("emit", "hooks/emit", {"point": "tool.execute.before", "payload": {"projectPath": str(project)}})
    pid = int((project / "pid").read_text(encoding="utf-8"))
    while (message := engine.receive()).get("id") != "emit":
        pass  # notices of the reload
    return message["result"]["runs"][0]["status"], pid


def test_an_orphan_that_has_shed_everything_ends_with_its_run_and_leaves_no_zombie(tmp_path: Path) -> None:
    with spawn() as engine:
        engine.initialize(tmp_path, killGraceMs=200)
        status, orphan = emit_alone(engine, tmp_path, f"{DAEMON}; exec sleep 600", 1)
        assert status == "timedOut"
        assert not Path(f"/proc/{orphan}").exists()


def test_what_an_ended_run_has_left_in_the_background_outlives_the_timeout_of_the_next(tmp_path: Path) -> None:
    with spawn() as engine:
        engine.initialize(tmp_path, killGraceMs=200)
        status, daemon = emit_alone(engine, tmp_path, DAEMON, 60)
        assert status == "ok"
        assert emit_alone(engine, tmp_path, "echo 1 >pid; exec sleep 600", 0.2)[0] == "timedOut"
        os.kill(daemon, 0)
        os.kill(daemon, signal.SIGKILL)


def test_the_death_of_the_hosts_process_ends_the_engine(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as host, spawn() as engine:
        engine.request(1, "initialize", {"processId": host.pid, "capabilities": {}})
        assert "result" in engine.receive()
        host.kill()
        assert engine.ended() == 1


def test_a_host_that_is_dead_already_ends_the_engine() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as host:
        host.wait()
    with spawn() as engine:
        engine.request(1, "initialize", {"processId": host.pid, "capabilities": {}})
        assert "result" in engine.receive()
        assert engine.ended() == 1


def test_the_death_of_the_parent_ends_the_engine_though_its_pipes_are_open() -> None:
    # A parent in between starts the engine on this test's pipes, tells its pid, and ends at a line on its own stdin.
    script = (
        "import subprocess, sys\n"
        "engine = subprocess.Popen(sys.argv[3:], stdin=int(sys.argv[1]), stdout=int(sys.argv[2]))\n"
        "print(engine.pid, flush=True)\n"
        "input()\n"
        "engine.returncode = 0\n"
    )
    engine_in, to_engine = os.pipe()
    from_engine, engine_out = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", script, str(engine_in), str(engine_out), *ENGINE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=[engine_in, engine_out],
        text=True,
    ) as parent:
        os.close(engine_in)
        os.close(engine_out)
        os.write(to_engine, frame({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": OPENING}))
        assert b'"id":1' in os.read(from_engine, 1 << 16)
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.communicate("\n")
    wait_until_gone(pid)
    os.close(to_engine)
    os.close(from_engine)


def test_a_closed_output_is_noticed_without_writing(tmp_path: Path) -> None:
    with spawn() as engine:
        engine.initialize(tmp_path)
        assert engine.process.stdout is not None
        engine.process.stdout.close()
        assert engine.ended() == 1


def test_input_may_be_a_file(tmp_path: Path) -> None:
    messages: tuple[dict[str, Any], ...] = (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": OPENING},
        {"jsonrpc": "2.0", "id": 2, "method": "hooks/stats"},
        {"jsonrpc": "2.0", "id": 3, "method": "shutdown"},
        {"jsonrpc": "2.0", "method": "exit"},
    )
    (tmp_path / "in").write_bytes(b"".join(map(frame, messages)))
    with (tmp_path / "in").open("rb") as source, (tmp_path / "out").open("wb") as target:
        status = subprocess.run(ENGINE, stdin=source, stdout=target, check=False, timeout=20).returncode

    assert status == 0
    assert (tmp_path / "out").read_bytes().count(b"Content-Length") == 3


def test_one_socket_may_serve_both_ways(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair()
    with ours, subprocess.Popen(ENGINE, stdin=theirs.fileno(), stdout=theirs.fileno()) as engine:
        theirs.close()
        ours.settimeout(20)
        for ident, method in enumerate(["initialize", "hooks/stats"], 1):
            ours.sendall(frame({"jsonrpc": "2.0", "id": ident, "method": method, "params": OPENING}))
            assert b'"id":%d' % ident in ours.recv(1 << 16)
        ours.shutdown(socket.SHUT_WR)
        assert engine.wait(20) == 1


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_standard_streams_do_no_harm(closed: str) -> None:
    ended = subprocess.run(
        ["sh", "-c", f'"$@" {closed}', "sh", *ENGINE], input=b"", capture_output=True, check=False, timeout=20
    )

    assert ended.returncode == 1
    assert b"Traceback" not in ended.stderr


def test_a_host_that_does_not_read_gets_everything_later(tmp_path: Path) -> None:
    with spawn() as engine:
        engine.initialize(tmp_path)
        count = 20_000
        event: dict[str, Any] = {
            "jsonrpc": "2.0",
            "method": "hooks/emit",
            "params": {"point": "agent.turn.start", "payload": {}},
        }
        read_end = engine.stdin.fileno()
        os.set_blocking(read_end, False)
        data = memoryview(b"".join(frame({**event, "id": ident}) for ident in range(count)))
        answers = 0
        while answers < count:
            try:
                data = data[os.write(read_end, data) :] if data else data
            except BlockingIOError:
                pass
            else:
                if data:
                    continue
            if "id" in engine.receive():
                answers += 1
        os.set_blocking(read_end, True)
        engine.request("last", "shutdown")
        assert engine.receive()["id"] == "last"


def test_a_stray_print_lands_on_stderr(tmp_path: Path) -> None:
    program = (
        "import os, sys\n"
        "from tenterhook import service\n"
        "load = service.Service.load\n"
        "def noisy(self, paths):\n"
        "    print('stray', flush=True); os.system('echo of a child')\n"
        "    assert sys.stdin.read() == ''\n"
        "    load(self, paths)\n"
        "service.Service.load = noisy\n"
        "from tenterhook.rpc.serve import main\n"
        "main()\n"
    )
    with spawn(sys.executable, "-c", program) as engine:
        assert "result" in engine.initialize(tmp_path)
        engine.request(1, "shutdown")
        assert engine.receive()["id"] == 1
        engine.notify("exit")
        assert engine.ended() == 0
        assert engine.stderr().splitlines() == ["stray", "of a child"]


def test_a_thousand_levels_go_through_and_one_more_is_answered(tmp_path: Path) -> None:
    with spawn() as engine:
        engine.initialize(tmp_path)
        for levels, expected in ((997, "result"), (998, "error")):
            deep = b"[" * levels + b"]" * levels
            body = (
                b'{"jsonrpc":"2.0","id":1,"method":"hooks/emit","params":{"point":"agent.turn.start","payload":{"a":%b}}}'
                % deep
            )
            engine.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            engine.stdin.flush()
            assert expected in engine.receive()


def test_an_engine_without_projects_loads_nothing_heavy() -> None:
    program = (
        "import os, sys\n"
        "leave = os._exit\n"
        "def tell(status):\n"
        "    print(*sorted(sys.modules), file=sys.stderr, flush=True)\n"
        "    leave(status)\n"
        "os._exit = tell\n"
        "from tenterhook.cli import main\n"
        "main(['serve', '--stdio'])\n"
    )
    with spawn(sys.executable, "-c", program) as engine:
        engine.request(1, "initialize", OPENING)
        assert "result" in engine.receive()
        engine.request(2, "hooks/emit", {"point": "agent.turn.start", "payload": {}})
        while "result" not in engine.receive():
            pass
        engine.stdin.close()
        engine.ended()
        loaded = set(engine.stderr().splitlines()[-1].split())

    assert "tenterhook.service" in loaded
    assert loaded.isdisjoint(HEAVY)
