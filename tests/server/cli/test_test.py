"""``tenterhook test``: one run of one hook and everything it did."""

from __future__ import annotations

import pytest
from server.cli.desk import Desk, entry, hook_file

# script, more lines of the entry, exit code of the command, lines that are shown
RUNS: dict[str, tuple[str, list[str], int, list[str]]] = {
    "an-answer": (
        'echo \'{"decision": "deny"}\'; echo why >&2',
        [],
        0,
        [
            "outcome  ok, exit code 0",
            "judged   an answer: it ends the chain",
            'answer   {"decision":"deny"}',
            "stdout",
            '  {"decision": "deny"}',
            "stderr",
            "  why",
        ],
    ),
    "no-opinion": (
        "true",
        [],
        0,
        ["judged   no opinion: the next hook is asked", "answer   null (no opinion)", "stdout   nothing"],
    ),
    "failed": (
        "exit 3",
        [],
        1,
        ["outcome  failed, exit code 3", "judged   exited with code 3", "answer   null (no opinion)"],
    ),
    "signalled": ("kill -KILL $$", [], 1, ["outcome  signalled, SIGKILL"]),
    "failure-that-denies": (
        "exit 3",
        ["onFailure: deny"],
        1,
        ["judged   exited with code 3; its onFailure makes that deny"],
    ),
    "bad-output": ("echo maybe", [], 1, ["outcome  badOutput, exit code 0", "  maybe"]),
    "escape-sequences": ("printf '\\033[31mred\\a' >&2", [], 0, ["  \\x1b[31mred\\x07"]),
    "windows-lines": ("printf 'a\\r\\nb\\r\\n' >&2", [], 0, ["  a", "  b"]),
}


@pytest.mark.parametrize("case", RUNS)
def test_a_run_is_shown_as_it_was(desk: Desk, case: str) -> None:
    script, more, code, lines = RUNS[case]
    desk.hooks(hook_file(entry("hook", script, more=more)))
    ended = desk.run("test", "hook", "--payload", desk.payload())
    assert (ended.code, ended.err) == (code, "")
    assert set(lines) <= set(ended.lines)
    assert "\x1b" not in ended.out


def test_the_head_tells_what_was_run_and_where(desk: Desk) -> None:
    desk.hooks(hook_file(entry("hook", "pwd", kind="observer", point="agent.turn.end", more=["cwd: sub"])))
    (desk.project / "sub").mkdir()
    ended = desk.run("test", "coding-code:hook", "--payload", desk.payload())
    assert ended.lines[:4] == [
        "hook  observer at agent.turn.end, from project .codingcode/hooks.yaml:2",
        "",
        "command  sh -c pwd",
        f"folder   {desk.project}/sub",
    ]
    assert "judged   it ran to its end; what an observer writes is not read" in ended.lines
    assert f"  {desk.project}/sub" in ended.lines


def test_a_program_that_is_not_there_is_told(desk: Desk) -> None:
    desk.hooks("hooks:\n  - {name: gone, point: agent.turn.end, type: observer, command: ./gone.sh}\n")
    ended = desk.run("test", "gone", "--payload", desk.payload())
    assert ended.code == 1
    assert "outcome  notStarted" in ended.lines


def test_a_folder_that_is_gone_is_a_warning(desk: Desk) -> None:
    desk.hooks(hook_file(entry("hook", "true", more=["cwd: gone"])))
    ended = desk.run("test", "hook", "--payload", desk.payload())
    assert any(line.startswith("warning  ") for line in ended.lines)


def test_the_payload_reaches_the_hook_as_it_is(desk: Desk) -> None:
    desk.hooks(hook_file(entry("hook", "cat >&2")))
    content = '{"b": 1.10, "a": "\u00e9"}'
    result = desk.run("test", "hook", "--payload", "-", "--format", "json", stdin=content).json
    assert result["stderr"] == content


def test_a_long_output_is_cut_for_a_person_and_whole_for_a_program(desk: Desk) -> None:
    desk.hooks(hook_file(entry("hook", "seq 300 >&2")))
    assert (
        "  ... and 100 more lines; --format json has all" in desk.run("test", "hook", "--payload", desk.payload()).lines
    )
    whole = desk.run("test", "hook", "--payload", desk.payload(), "--format", "json").json
    assert whole["stderr"].splitlines() == [str(number) for number in range(1, 301)]


def test_an_unknown_hook_is_told_with_the_nearest_one(desk: Desk) -> None:
    desk.hooks(hook_file(entry("block-rm")))
    ended = desk.run("test", "blok-rm", "--payload", desk.payload())
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "tenterhook: no loaded project has a hook 'blok-rm'; did you mean 'block-rm'?\n"


def test_a_hook_that_is_switched_off_is_run_after_it_is_said_why_no_event_runs_it(desk: Desk) -> None:
    path = desk.hooks(hook_file(entry("hook", "true", more=["enabled: false", "matcher: bash"])))
    ended = desk.run("test", "hook", "--payload", desk.payload())
    why = f"hook is left out of every event: enabled is false in {path}, line 7"
    assert (ended.code, ended.err) == (0, f"tenterhook: warning: {path}:2:5: {why}\n")
    assert "outcome  ok, exit code 0" in ended.lines


@pytest.mark.parametrize("form", ["text", "json"])
def test_half_a_hook_is_not_run(desk: Desk, form: str) -> None:
    path = desk.hooks("hooks:\n  - {name: half, point: agent.turn.end, type: observer, command: touch, args: ran}\n")
    ended = desk.run("test", "half", "--payload", desk.payload(), "--format", form)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.splitlines()[-2].startswith(f"tenterhook: warning: {path}:2:5: half is left out of every event: ")
    assert ended.err.splitlines()[-1].startswith("tenterhook: it was not run")


def test_a_slip_in_the_key_of_an_answer_is_shown(desk: Desk) -> None:
    desk.hooks(hook_file(entry("hook", 'echo \'{"descision": "deny"}\'')))
    ended = desk.run("test", "hook", "--payload", desk.payload())
    assert "answer   null (no opinion)" in ended.lines
    assert any(line.startswith("warning  wrote an object with none of the keys that count") for line in ended.lines)
