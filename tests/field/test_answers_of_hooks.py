"""Faults from the field: what exit codes and answers come to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from engine import present
from field.real import block, command, real_engine
from tenterhook_protocol.lifecycle import PluginFolder

BASH: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "ls"}}

ARMS = [
    (f"{block('m')}; exit 0", "continue", "ok"),
    (f"{block('m')}; exit 3", "continue", "ok"),
    ("exit 3", None, "failed"),
]


@pytest.mark.parametrize(("line", "decision", "status"), ARMS)
async def test_an_answer_counts_beside_every_exit_code_but_two(
    tmp_path: Path, line: str, decision: str | None, status: str
) -> None:
    """fujibee/agmsg#658, all three arms. Coding Code's answer beside an exit code other than 0 is none."""
    async with real_engine(tmp_path, {"Stop": command(line)}) as engine:
        joined = await engine.decision("Stop", stop_hook_active=False)
    assert (joined.decision or None, present(joined.runs)[0].status) == (decision, status)


async def test_plain_text_where_none_is_read_is_no_failure(tmp_path: Path) -> None:
    """SethGammon/Citadel#111: an adapter sends another event's plain text to Stop."""
    async with real_engine(tmp_path, {"Stop": command("echo session cost: 3 USD")}) as engine:
        joined = await engine.decision("Stop", stop_hook_active=False)
    assert (present(joined.runs)[0].status, joined.injection) == ("ok", joined.decision)


async def test_a_rewrite_goes_by_one_name_and_a_foreign_one_is_told_of(tmp_path: Path) -> None:
    """github/copilot-cli#2013, anthropics/claude-code#77851: the run keeps what it has made of the input."""
    canonical = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "ls -l"}}}
    hooks = command(f"echo '{json.dumps(canonical)}'") + command("echo '{\"modifiedArgs\": {}}'")
    async with real_engine(tmp_path, {"PreToolUse": hooks}) as engine:
        joined = await engine.decision("PreToolUse", **BASH)
    first, second = present(joined.runs)
    assert json.loads(bytes(present(joined.modified_input))) == {"command": "ls -l"}
    assert json.loads(bytes(present(present(first.decision).modified_input))) == {"command": "ls -l"}
    assert any("without any output field" in warning for warning in present(second.warnings))


async def test_an_allow_of_a_hook_is_its_word_and_no_more(tmp_path: Path) -> None:
    """genai-io/gen-code#441, anthropics/claude-code#82451: rules of permission are the host's, and a deny beats it."""
    hooks = command('echo \'{"decision": "approve"}\'') + command("echo no >&2; exit 2")
    async with real_engine(tmp_path, {"PreToolUse": hooks}) as engine:
        joined = await engine.decision("PreToolUse", **BASH)
    assert (joined.decision, joined.reason) == ("deny", "no")


SCRIPTS: list[tuple[dict[str, Any], str, str]] = [
    ({}, "failed", "check its execute permission"),
    ({"args": []}, "notStarted", "chmod +x"),
]


@pytest.mark.parametrize(("more", "status", "said"), SCRIPTS)
async def test_a_script_that_may_not_be_executed_is_named_in_either_form(
    tmp_path: Path, more: dict[str, Any], status: str, said: str
) -> None:
    """anthropics/claude-code#39378."""
    script = tmp_path / "script.sh"
    script.write_text("exit 0\n", encoding="utf-8")
    async with real_engine(tmp_path, {"PreToolUse": command(str(script), **more)}) as engine:
        run = await engine.one_run("PreToolUse", **BASH)
    assert (run.status, said in str(run.error), str(script) in str(run.error)) == (status, True, True)


BROKEN_LINE_ENDS: list[tuple[bytes, dict[str, Any], str, str]] = [
    (b"#!/bin/bash\r\nexit 0\r\n", {}, "failed", "saved with CRLF line ends"),
    (b"#!/usr/bin/env sh\r\nexit 0\r\n", {}, "failed", "saved with CRLF line ends"),
    (b"#!/bin/bash\r\nexit 0\r\n", {"args": []}, "notStarted", "carriage return"),
    (b"\xef\xbb\xbf#!/bin/sh\nexit 0\n", {"args": []}, "notStarted", "byte order mark"),
]


@pytest.mark.parametrize(("content", "more", "status", "said"), BROKEN_LINE_ENDS)
async def test_a_script_with_the_line_ends_of_windows_is_not_said_to_be_missing(
    tmp_path: Path, content: bytes, more: dict[str, Any], status: str, said: str
) -> None:
    """warpdotdev/claude-code-warp#63: its interpreter is what is not found. A shell cannot tell, so both are said."""
    script = tmp_path / "script.sh"
    script.write_bytes(content)
    script.chmod(0o755)
    async with real_engine(tmp_path, {"PreToolUse": command(str(script), **more)}) as engine:
        run = await engine.one_run("PreToolUse", **BASH)
    assert (run.status, said in str(run.error).lower() or said in str(run.error)) == (status, True)


async def test_a_script_that_is_gone_blocks_and_looks_broken(tmp_path: Path) -> None:
    """anthropics/claude-code#80697: python ends with 2 where it has no script, which is the code of a block."""
    async with real_engine(tmp_path, {"PreToolUse": command("python3 /missing/x.py")}) as engine:
        told = [problem.code for problem in engine.sink.problems[-1][1]]
        joined = await engine.decision("PreToolUse", **BASH)
    assert (told, joined.decision) == (["script-missing"], "deny")
    assert "looks like a broken hook: python3 /missing/x.py" in str(joined.reason)


@pytest.mark.parametrize("shell", [{"shell": "bash"}, {}])
async def test_what_a_profile_prints_is_not_before_the_answer(tmp_path: Path, shell: dict[str, str]) -> None:
    """anthropics/claude-code#21992: no shell of a hook reads one, BASH_ENV included."""
    profile = tmp_path / "profile"
    profile.write_text("echo welcome\n", encoding="utf-8")
    around = {"BASH_ENV": str(profile), "ENV": str(profile)}
    hooks = {"PreToolUse": command(block("b"), **shell)}
    async with real_engine(tmp_path, hooks, environment=around) as engine:
        for name in (".profile", ".bashrc", ".bash_profile", ".zshenv", ".zshrc"):
            (engine.home / name).write_text("echo welcome\n", encoding="utf-8")
        assert (await engine.decision("PreToolUse", **BASH)).reason == "b"


CUT_SHORT = [
    """printf '{"systemMessage":"'; head -c 65536 /dev/zero | tr '\\0' x; kill -9 $$""",
    """printf '{"decision":"block","reason":"'; head -c 200000 /dev/zero | tr '\\0' x""",
]


@pytest.mark.parametrize("line", CUT_SHORT)
async def test_an_answer_whose_end_is_missing_is_no_answer(tmp_path: Path, line: str) -> None:
    """affaan-m/ECC#2924, affaan-m/ECC#2222: neutral, and the run says what was wrong."""
    async with real_engine(tmp_path, {"Stop": command(line)}) as engine:
        joined = await engine.decision("Stop", stop_hook_active=False)
    run = present(joined.runs)[0]
    assert not joined.decision
    assert run.status == "signalled" or any("it was cut" in warning for warning in present(run.warnings))


NAMES = ["My Plugins", "p$HOME", "p`id`", "it's", 'say "x"', "a\nb", "插件", "back\\slash", "-n", "*"]


@pytest.mark.parametrize("name", NAMES)
async def test_a_plugin_s_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    """anthropics/claude-code#33431: the folder is a variable and never pasted into a shell's source.

    What stands for Windows' paths here: blanks, quotes and backslashes in a name.
    """
    root = tmp_path / "plugins" / name
    (root / "hooks").mkdir(parents=True)
    (root / "h.sh").write_text(f"{block('b')}\n", encoding="utf-8")
    lines = [command('sh "${CLAUDE_PLUGIN_ROOT}/h.sh"'), command("sh", args=["${CLAUDE_PLUGIN_ROOT}/h.sh"])]
    content = json.dumps({"hooks": {"PreToolUse": lines[0] + lines[1]}})
    (root / "hooks" / "hooks.json").write_text(content, encoding="utf-8")
    async with real_engine(tmp_path, plugins=[PluginFolder(id="p", root=str(root))]) as engine:
        assert engine.sink.problems[-1][1] == []
        runs = present((await engine.decision("PreToolUse", **BASH)).runs)
    assert [present(present(run.decision).reason) for run in runs] == ["b", "b"]


WORDS = ["$HOME", "*", ";", "a b", "C:\\x\\y.sh", "'", '"', "`id`", "", "\n", "日本", "-n"]


async def test_the_words_of_a_program_arrive_as_they_are(tmp_path: Path) -> None:
    """anthropics/claude-code#70150: backslashes were lost, since a shell stood in between."""
    words = ["-c", 'for word; do printf "%s|" "$word"; done > seen', "sh", *WORDS]
    async with real_engine(tmp_path, {"PreToolUse": command("sh", args=words)}) as engine:
        await engine.decision("PreToolUse", **BASH)
    assert (engine.project / "seen").read_text(encoding="utf-8") == "".join(f"{word}|" for word in WORDS)


async def test_a_hook_learns_how_often_in_a_row_its_wish_counted(tmp_path: Path) -> None:
    """anthropics/claude-code#85547: the cap is told to the host, and the next event carries the count, 0 again."""
    line = f'echo "$TENTERHOOK_CONTINUATIONS" >> counts; {block("more")}'
    around = {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "2"}
    async with real_engine(tmp_path, {"Stop": command(line)}, environment=around) as engine:
        came = [await engine.decision("Stop", stop_hook_active=False) for _ in range(4)]
    told = [[notice.code for notice in present(one.notices)] for one in came]
    assert told == [[], [], ["stopCapReached"], []]
    assert [one.decision or None for one in came] == ["continue", "continue", None, "continue"]
    assert (engine.project / "counts").read_text(encoding="utf-8").split() == ["0", "1", "2", "0"]


FOLDERS = [("project", "worktree"), ("worktree", "project")]


@pytest.mark.parametrize(("root", "cwd"), FOLDERS)
async def test_the_project_is_the_one_the_host_names_and_the_folder_is_the_payload_s(
    tmp_path: Path, root: str, cwd: str
) -> None:
    """One rule whichever of the two is the worktree.

    anthropics/claude-code#27343, anthropics/claude-code#36656, anthropics/claude-code#87890.
    """
    for name in (root, cwd):
        (tmp_path / name).mkdir(exist_ok=True)
    place = (tmp_path / root).resolve()
    async with real_engine(tmp_path) as engine:
        engine.project = place
        engine.settings({"CwdChanged": command('echo "$CLAUDE_PROJECT_DIR $PWD" > "$CLAUDE_PROJECT_DIR/seen"')})
        engine.load()
        await engine.decision("CwdChanged", cwd=str(tmp_path / cwd))
    assert (place / "seen").read_text(encoding="utf-8") == f"{place} {(tmp_path / cwd).resolve()}\n"
