"""``tenterhook check``: exact lines for broken files, and how the command ends."""

from __future__ import annotations

import json
import os

import pytest
from server.cli.desk import Desk, entry, hook_file

FILE = ".codingcode/hooks.yaml"
HOME_FILE = "../home/.codingcode/hooks.yaml"
FIELDS = "point: agent.turn.end, type: observer, command: sh"
NOTHING = "nothing of this file is loaded"
NO_HOOK_FILE = (
    "is no hook file: the engine reads <project>/.codingcode/hooks.yaml or <project>/.claude/settings.local.json "
    "or <project>/.claude/settings.json and the same in your home folder"
)
MORE = "looked for more in ., ../home and /etc/claude-code"
"""What is said where some files are there, and not all."""

# content of the project's file, exit code, lines that are shown (without the summary)
BROKEN: dict[str, tuple[str, int, list[str]]] = {
    "unknown-point": (
        "hooks:\n  - name: a\n    point: agent.turn.ende\n    type: observer\n    command: x\n",
        1,
        [
            f"{FILE}:3:12: error: There is no point 'agent.turn.ende'; this entry is left out [point-unknown]",
            "  3 |     point: agent.turn.ende",
            "    |            ^^^^^^^^^^^^^^^",
            "    = did you mean 'agent.turn.end'?",
        ],
    ),
    "unknown-key": (
        "hooks: []\nhoks: []\n",
        0,
        [
            f"{FILE}:2:1: warning: There is no key 'hoks' in a hook file; it is ignored [unknown-key]",
            "  2 | hoks: []",
            "    | ^^^^",
            "    = did you mean 'hooks'?",
        ],
    ),
    "tab": (
        "hooks:\n\t- name: a\n",
        1,
        [
            f"{FILE}:2:1: error: This line is indented with a tab, which YAML does not allow; {NOTHING} [yaml-tab]",
            "  2 |     - name: a",
            "    | ^^^^",
            "    = indent with spaces",
        ],
    ),
    "wide-characters": (
        f"hooks:\n  - {{name: 名前, priority: 高い, {FIELDS}}}\n",
        1,
        [
            f"{FILE}:2:26: error: priority is the text '高い', not a number; it counts as 0 [field-type]",
            f"  2 |   - {{name: 名前, priority: 高い, {FIELDS}}}",
            "    |                            ^^^^",
            "    = write priority: 10; smaller numbers run first",
        ],
    ),
    "escape-sequence": (
        "hooks:\n  - name: \x1b[31mred\n",
        1,
        [
            f"{FILE}:2:11: error: The character U+001B may not stand in a YAML file; {NOTHING} [yaml-character]",
            "  2 |   - name: \\x1b[31mred",
            "    |           ^^^^",
            '    = delete it, or write it inside double quotes as "\\u001b"',
        ],
    ),
    "no-name": (
        "hooks:\n" + "\n" * 7 + f"  - {{{FIELDS}}}\n",
        1,
        [
            f"{FILE}:9:5: error: hooks[0] has no name; it is left out [name-missing]",
            f"  9 |   - {{{FIELDS}}}",
            "    |     ^",
            "    = give it a name: `name: my-hook`",
        ],
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_told_with_place_excerpt_and_hint(desk: Desk, case: str) -> None:
    content, code, lines = BROKEN[case]
    desk.hooks(content)
    ended = desk.run("check")
    assert (ended.code, ended.err) == (code, "")
    assert ended.lines[:-3] == lines
    assert "\x1b" not in ended.out


def test_a_good_file_is_told_to_be_good_and_what_else_was_looked_for(desk: Desk) -> None:
    desk.hooks(hook_file(entry("a")))
    ended = desk.run("check")
    assert (ended.code, ended.err) == (0, "")
    assert ended.lines == [f"no problems in {FILE}", MORE]


def test_where_there_is_no_file_it_says_which_were_looked_for(desk: Desk) -> None:
    ended = desk.run("check")
    where = f"{FILE}, .claude/settings.local.json or .claude/settings.json"
    told = f"looked in ., ../home and /etc/claude-code; a project's own hooks stand in {where}"
    assert (ended.code, ended.lines) == (0, [f"no hook file found; {told}"])
    assert desk.run("list").lines[-1] == f"no hooks; {told}"


def test_the_global_file_is_checked_with_the_project(desk: Desk) -> None:
    desk.hooks("[]", of=desk.home)
    desk.hooks("hoks: []\n")
    ended = desk.run("check")
    assert ended.code == 1
    assert [line.split(" ")[0] for line in ended.lines if "[" in line and line.startswith(".")] == [
        f"{HOME_FILE}:1:1:",
        f"{FILE}:1:1:",
    ]
    assert ended.lines[-2] == f"2 errors in {HOME_FILE}, {FILE}"


def test_a_project_is_found_from_a_folder_below_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.hooks("[]")
    below = desk.project / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert desk.run("check").lines[0].startswith(f"../../{FILE}:1:1: error: ")


def test_the_home_folder_is_no_project_around_what_lies_in_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.hooks(hook_file(entry("a")), of=desk.home)
    below = desk.home / "work"
    below.mkdir()
    monkeypatch.chdir(below)
    assert desk.run("check").lines == [
        f"no problems in ../{FILE}",
        "looked for more in ., .. and /etc/claude-code",
    ]


def test_files_and_folders_can_be_named_and_each_problem_is_told_once(desk: Desk) -> None:
    desk.hooks("[]")
    ended = desk.run("check", FILE, str(desk.project), ".", "--format", "json")
    assert ended.code == 1
    assert [(one["code"], one["path"]) for one in ended.json] == [("root-type", str(desk.project / FILE))]


def test_a_named_file_is_checked_alone(desk: Desk) -> None:
    desk.hooks("[]", of=desk.home)
    desk.hooks(hook_file(entry("a")))
    assert (desk.run("check", FILE).code, desk.run("check", HOME_FILE).code) == (0, 1)


def test_a_file_that_is_not_read_because_of_another_spelling_is_told(desk: Desk) -> None:
    desk.hooks(hook_file(entry("a")), name="hooks.yml")
    assert desk.run("check").lines[0] == "no problems in .codingcode/hooks.yml"
    desk.hooks(hook_file(entry("a")))
    ended = desk.run("check")
    assert (ended.code, ended.lines[0][:34]) == (0, ".codingcode/hooks.yml:1:1: warning")


def test_no_problems_are_an_empty_list_for_a_program(desk: Desk) -> None:
    assert desk.run("check", "--format", "json").out == "[]\n"


MISUSES = {
    "nothing-there": ("none", "none does not exist"),
    "a-folder-without-a-hook-file": (
        "sub",
        (
            "sub has no hook file: there is none of sub/.codingcode/hooks.yaml, sub/.claude/settings.local.json, "
            "sub/.claude/settings.json"
        ),
    ),
    "another-file": (
        "notes.txt",
        f"notes.txt {NO_HOOK_FILE}",
    ),
    "a-name-no-file-can-have": (
        "a\0\x1bb",
        f"a\\x00\\x1bb {NO_HOOK_FILE}",
    ),
}


@pytest.mark.parametrize("case", MISUSES)
def test_a_path_that_is_no_hook_file_exits_2(desk: Desk, case: str) -> None:
    path, told = MISUSES[case]
    (desk.project / "sub").mkdir()
    (desk.project / "notes.txt").touch()
    ended = desk.run("check", path)
    assert (ended.code, ended.out, ended.err) == (2, "", f"tenterhook: {told}\n")


def test_a_pipe_in_the_place_of_a_file_holds_nothing_up(desk: Desk) -> None:
    (desk.project / ".codingcode").mkdir()
    os.mkfifo(desk.project / FILE)
    assert desk.run("check").code == 1
    assert desk.run("check", FILE).out == desk.run("check").out.replace(f"{MORE}\n", "")


# what stands in the entry, and what is told: the start of the message, and the hint
STARTS = {
    "no-such-script": ("command: ./nosuch.sh", "`./nosuch.sh` would not start in ", "There is no file "),
    "no-execute-permission": ("command: ./plain.sh", "`./plain.sh` would not start in ", "It lacks the execute perm"),
    "windows-line-ends": ("command: ./windows.sh", "`./windows.sh` would not start in ", "The first line of "),
    "home-sign": ("command: ~/x.sh", "`~/x.sh` would not start in ", "`~` is not expanded: write the whole path"),
    "arguments-inside": ("command: sh ./x.sh", "`sh ./x.sh` would not start in ", "There is no file "),
    "no-such-program": ("command: pyhton3", "`pyhton3` would not start in ", "No folder on its PATH has "),
    "its-own-path": (
        "command: sh, env: {PATH: /none}",
        "`sh` would not start in ",
        "No folder on its PATH has such a ",
    ),
}


@pytest.mark.parametrize("case", STARTS)
def test_a_program_that_cannot_start_is_a_warning_at_its_command(desk: Desk, case: str) -> None:
    fields, message, hint = STARTS[case]
    (desk.project / "plain.sh").write_text("#!/bin/sh\n")
    windows = desk.project / "windows.sh"
    windows.write_text("#!/bin/sh\r\n", newline="")
    windows.chmod(0o755)
    desk.hooks(f"hooks:\n- {{name: a, point: agent.turn.end, type: observer, {fields}}}\n")
    whole, alone = desk.run("check", "--format", "json"), desk.run("check", FILE, "--format", "json")
    assert (whole.code, alone.json) == (0, whole.json)
    (told,) = whole.json
    assert (told["severity"], told["code"], told["line"], told["column"]) == ("warning", "cannot-start", 2, 52)
    assert told["message"].startswith(message)
    assert told["hint"].startswith(hint)


CLAUDE_STARTS = {
    "missing": ('"$CLAUDE_PROJECT_DIR"/none.sh', "script-missing", "/none.sh is not there; until it is"),
    "missing-for-python": ("python3 $CLAUDE_PROJECT_DIR/none.py", "script-missing", "/none.py is not there"),
    "no-execute-permission": ("$CLAUDE_PROJECT_DIR/plain.sh", "cannot-start", "/plain.sh` would not start in "),
    "windows-line-ends": ("$CLAUDE_PROJECT_DIR/windows.sh --now", "cannot-start", "/windows.sh` would not start in "),
    "interpreter-given": ("sh $CLAUDE_PROJECT_DIR/plain.sh", None, ""),
    "left-to-chance": ("$CLAUDE_PROJECT_DIR/plain.sh || true", None, ""),
}


@pytest.mark.parametrize("case", CLAUDE_STARTS)
def test_a_script_of_claude_codes_that_cannot_start_is_a_warning_too(desk: Desk, case: str) -> None:
    """anthropics/claude-code#39378, anthropics/claude-code#80697, warpdotdev/claude-code-warp#63: before any event."""
    command, code, message = CLAUDE_STARTS[case]
    (desk.project / "plain.sh").write_text("#!/bin/sh\n")
    windows = desk.project / "windows.sh"
    windows.write_text("#!/bin/sh\r\n", newline="")
    windows.chmod(0o755)
    settings = desk.project / ".claude" / "settings.json"
    settings.parent.mkdir()
    handler = {"type": "command", "command": command}
    settings.write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [handler]}]}}))
    whole = desk.run("check", "--format", "json")
    assert desk.run("check", ".claude/settings.json", "--format", "json").json == whole.json
    assert [one["code"] for one in whole.json] == ([] if code is None else [code])
    assert all(message in one["message"] for one in whole.json)


def test_programs_that_can_start_and_hooks_that_never_run_are_no_problem(desk: Desk) -> None:
    script = desk.project / "fine.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    fields = "point: agent.turn.end, type: observer"
    desk.hooks(
        "hooks:\n"
        f"- {{name: a, {fields}, command: ./fine.sh}}\n"
        f"- {{name: b, {fields}, command: ./none.sh, enabled: false}}\n"
        f"- {{name: c, {fields}, command: sh, cwd: gone}}\n"
    )
    assert desk.run("check", "--format", "json").json == []


def test_of_the_global_file_only_what_is_the_same_everywhere_is_looked_for(desk: Desk) -> None:
    fields = "point: agent.turn.end, type: observer"
    desk.hooks(
        "hooks:\n"
        f"- {{name: a, {fields}, command: ./none.sh}}\n"
        f"- {{name: b, {fields}, command: /none/b.sh}}\n"
        f"- {{name: c, {fields}, command: pyhton3}}\n",
        of=desk.home,
    )
    told = desk.run("check", "--format", "json").json
    assert [(one["entry"], one["code"]) for one in told] == [
        ("a", "relative-in-global"),
        ("b", "cannot-start"),
        ("c", "cannot-start"),
    ]
