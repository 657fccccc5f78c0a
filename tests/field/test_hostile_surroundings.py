"""Hostile surroundings: settings files, servers, patterns and environments that are there to do harm."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from engine import Engine, now, present
from field.real import command, real_engine
from server.runners.web.servers import Handler, serving
from tenterhook_protocol.hooks import ExplainParams, ReloadParams

BASH: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "ls"}}


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(50 << 20)


def deep(path: Path) -> None:
    path.write_bytes(b'{"hooks":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001)


def deep_lists(path: Path) -> None:
    path.write_bytes(b'{"hooks":' + b"[" * 100_000)


def not_utf8(path: Path) -> None:
    path.write_bytes(b'{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "\xff\xfe"}]}]}}')


def circle(path: Path) -> None:
    path.symlink_to(path)


def long_circle(path: Path) -> None:
    (path.parent / "a").symlink_to(path.parent / "b")
    (path.parent / "b").symlink_to(path.parent / "a")
    path.symlink_to(path.parent / "a" / "settings.json")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


HOSTILE = [huge, deep, deep_lists, not_utf8, circle, long_circle, pipe, endless]


@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
async def test_a_hostile_settings_file_is_told_of_and_takes_no_other_file_down(
    tmp_path: Path, make: Callable[[Path], None], name: str
) -> None:
    """anthropics/claude-code#64699: one bad file must never switch the others off, and the next good one counts."""
    async with real_engine(tmp_path) as engine:
        own = engine.home / ".claude" / "settings.json"
        own.parent.mkdir()
        own.write_text(json.dumps({"hooks": {"PreToolUse": command("echo no >&2; exit 2")}}), encoding="utf-8")
        bad = engine.project / ".claude" / name
        bad.parent.mkdir()
        make(bad)
        service = engine.load()
        errors = [problem for problem in engine.sink.problems[-1][1] if problem.severity == "error"]
        assert {problem.path for problem in errors} == {str(bad)}
        assert (await engine.decision("PreToolUse", **BASH)).decision == "deny"
        bad.unlink()
        bad.write_text(json.dumps({"hooks": {"Stop": command("true")}}), encoding="utf-8")
        service.reload(ReloadParams())
        assert engine.sink.problems[-1][1] == []
        assert (await engine.one_run("Stop", stop_hook_active=False)).status == "ok"


async def test_a_file_that_turns_hostile_leaves_its_last_good_hooks_in_force(tmp_path: Path) -> None:
    """anthropics/claude-code#64699, the reload: half a file, then a whole one."""
    async with real_engine(tmp_path, {"PreToolUse": command("echo no >&2; exit 2")}) as engine:
        path = engine.project / ".claude" / "settings.json"
        good = path.read_text(encoding="utf-8")
        for bad in (good[: len(good) // 2], "", "[" * 100_000):
            path.write_text(bad, encoding="utf-8")
            engine.service.reload(ReloadParams())
            assert len(engine.sink.problems[-1][1]) == 1
            assert (await engine.decision("PreToolUse", **BASH)).decision == "deny"
        path.write_text(good.replace("no", "never"), encoding="utf-8")
        engine.service.reload(ReloadParams())
        assert (await engine.decision("PreToolUse", **BASH)).reason == "never"


async def test_a_home_that_is_the_project_is_read_once(tmp_path: Path) -> None:
    """code-yeongyu/oh-my-openagent#1297, through the whole engine."""
    async with real_engine(tmp_path) as engine:
        engine.project = engine.home
        engine.settings({"Stop": command("echo once >> ran")})
        (engine.home / ".claude" / "settings.local.json").symlink_to("settings.json")
        engine.load()
        await engine.decision("Stop", stop_hook_active=False)
    assert (engine.home / "ran").read_text(encoding="utf-8") == "once\n"


EXPLODING = ["(a+)+$", "(a|a)*$", "(.*a){20}$", "^(([a-z])+.)+[A-Z]([a-z])+$"]


@pytest.mark.parametrize("pattern", EXPLODING)
async def test_a_pattern_that_explodes_ends_in_time_and_the_plan_says_so(tmp_path: Path, pattern: str) -> None:
    """Contract, 'Settled': a match has 20 ms; what is not understood matches nothing. The other hooks run."""
    async with real_engine(tmp_path) as engine:
        engine.settings({"PreToolUse": command("true", matcher=pattern) + command("true", matcher="a.*")})
        engine.load()
        keys: dict[str, Any] = {"tool_name": "a" * 5000 + "!", "tool_input": {}}
        runs = present((await engine.decision("PreToolUse", **keys)).runs)
        params = ExplainParams(point="PreToolUse", payload=engine.claude("PreToolUse", **keys).payload)
        plan = engine.service.explain(params)
    assert [run.name for run in runs] == ["PreToolUse[1].hooks[0]"]
    assert [one.hook.name for one in plan.left_out] == ["PreToolUse[0].hooks[0]"]


def http(url: str, **more: Any) -> dict[str, Any]:
    return {"PreToolUse": [{"hooks": [{"type": "http", "url": url, "timeout": 1, **more}]}]}


async def test_a_header_value_of_the_environment_begins_no_header_of_its_own(tmp_path: Path) -> None:
    """Contract, 6: CR, LF and NUL are taken out, and the run says so without the value."""
    with serving(lambda it: it.answer(b"{}")) as server:
        evil = {"TOKEN": "t\r\nX-Evil: 1\r\n\r\nPOST /evil HTTP/1.1"}
        async with real_engine(tmp_path, environment=evil) as engine:
            headers = {"Authorization": "Bearer $TOKEN"}
            engine.settings(http(server.url(), headers=headers, allowedEnvVars=["TOKEN"]))
            engine.load()
            run = await engine.one_run("PreToolUse", **BASH)
    assert (run.status, len(server.seen)) == ("ok", 1)
    assert server.seen[0].header("X-Evil") == []
    assert server.seen[0].header("Authorization") == ["Bearer tX-Evil: 1POST /evil HTTP/1.1"]
    assert all("Evil" not in warning for warning in present(run.warnings))


def elsewhere(it: Handler) -> None:
    it.answer(status=307, Location="http://169.254.169.254/latest/meta-data/")


def to_itself(it: Handler) -> None:
    it.answer(status=307, Location=it.path)


def never(it: Handler) -> None:
    it.rfile.read(1)


def without_end(it: Handler) -> None:
    it.begin(Transfer_Encoding="chunked")
    while True:
        it.wfile.write(b"8000\r\n" + b" " * 0x8000 + b"\r\n")


def wrong_types(it: Handler) -> None:
    it.answer(b'{"decision": 7, "hookSpecificOutput": [], "continue": "no", "systemMessage": {}}')


def text(it: Handler) -> None:
    it.answer(b"<html>deny</html>")


def list_of_denials(it: Handler) -> None:
    it.answer(b'[{"decision": "block"}]')


def deep_answer(it: Handler) -> None:
    it.answer(b'{"decision": "block", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}")


def not_text(it: Handler) -> None:
    it.answer(b'{"decision": "block", "reason": "\xff\xfe"}')


SERVERS = [elsewhere, to_itself, never, without_end, wrong_types, text, list_of_denials, deep_answer, not_text]


@pytest.mark.parametrize("answering", SERVERS, ids=lambda it: it.__name__)
@pytest.mark.parametrize("on_failure", ["continue", "block"])
async def test_a_hostile_server_decides_nothing_and_blocks_where_its_failure_does(
    tmp_path: Path, answering: Callable[[Handler], None], on_failure: str
) -> None:
    """Contract, 5.8 and 5.9; anthropics/claude-code#32977: an http hook beside a command is run or told of."""
    with serving(answering) as server:
        async with real_engine(tmp_path) as engine:
            engine.settings(http(server.url(), onFailure=on_failure))
            engine.load()
            joined = await engine.decision("PreToolUse", **BASH)
    run = present(joined.runs)[0]
    assert run.status in {"failed", "timedOut", "badOutput", "tooLarge"}
    assert run.error
    assert (joined.decision or None) == ("deny" if on_failure == "block" else None)


PRIVATE = ["http://10.0.0.1/", "http://169.254.169.254/", "http://[::ffff:10.0.0.1]/", "http://0x0a000001/"]


@pytest.mark.parametrize("url", PRIVATE)
async def test_a_private_address_is_not_called(tmp_path: Path, url: str) -> None:
    """Contract, 6: checked after the name is resolved, however it is written."""
    async with real_engine(tmp_path, http(url)) as engine:
        run = await engine.one_run("PreToolUse", **BASH)
    assert run.status == "notStarted"
    assert "hooks may not reach it" in str(run.error)


TOOLS = ["\0", "x" * 1_000_000, "../../etc", "Bash\nBash", "日本語", "", " Bash ", "bash"]


@pytest.mark.parametrize("tool", TOOLS)
async def test_a_hostile_tool_name_matches_nothing_and_breaks_nothing(tmp_path: Path, tool: str) -> None:
    engine = Engine(tmp_path)
    engine.settings({"PreToolUse": command("true", matcher="Bash|Edit") + command("true", matcher="^B.sh$")})
    service = engine.load()
    params = ExplainParams(
        point="PreToolUse",
        payload=engine.payload(hook_event_name="PreToolUse", tool_name=tool, tool_input={}, cwd=str(engine.project)),
    )
    assert await now(service.explain(params)) is not None
    assert service.explain(params).stages == []


TREES: list[tuple[str, str | None]] = [
    ("echo tree", "tree"),
    ("echo noise; echo; printf '\\033[32mtree\\033[0m\\n\\n'", "tree"),
    ("echo tree; exit 1", None),
    ("""echo '{"hookSpecificOutput": {"hookEventName": "WorktreeCreate", "worktreePath": "tree"}}'""", None),
    ("echo gone", None),
    ("echo file", None),
    ("echo link/in", None),
    ("echo ..link/in", None),
    ('echo "$PWD/../project/tree"', None),
    ("printf 'tr\\0ee'", None),
    ("head -c 20000 /dev/zero | tr '\\0' x", None),
    ("true", None),
]


@pytest.mark.parametrize(("line", "tree"), TREES)
async def test_a_worktree_is_a_folder_that_is_there_and_no_link_leads_to(
    tmp_path: Path, line: str, tree: str | None
) -> None:
    """Contract, 5.13."""
    async with real_engine(tmp_path, {"WorktreeCreate": command(line)}) as engine:
        for folder in ("tree", "elsewhere/in"):
            (engine.project / folder).mkdir(parents=True)
        (engine.project / "file").touch()
        for link in ("link", "..link"):
            (engine.project / link).symlink_to("elsewhere")
        effects = present((await engine.decision("WorktreeCreate", name="x")).effects)
    if tree is None:
        assert present(effects.worktree_failure)
    else:
        assert present(effects.worktree_path) == str(engine.project / tree)
