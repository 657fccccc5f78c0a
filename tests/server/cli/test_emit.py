"""``tenterhook emit``: one event, one answer in JSON on stdout, everything else on stderr."""

from __future__ import annotations

import json

import pytest
from server.cli.desk import Desk, entry, hook_file

DENY = 'echo \'{"decision": "deny", "reason": "n\u00f6"}\''
END = {"kind": "observer", "point": "agent.turn.end"}


def test_a_decision_point_prints_the_decision_on_one_line(desk: Desk) -> None:
    desk.hooks(hook_file(entry("no", DENY)))
    ended = desk.run("emit", "tool.approval.pre", "--payload", desk.payload())
    assert (ended.code, ended.out, ended.err) == (0, '{"decision":"deny","reason":"n\u00f6"}\n', "")


def test_no_opinion_prints_null(desk: Desk) -> None:
    desk.hooks(hook_file(entry("quiet", "true")))
    assert desk.run("emit", "tool.approval.pre", "--payload", desk.payload()).out == "null\n"
    assert desk.run("emit", "agent.turn.stop", "--payload", desk.payload()).out == "null\n"


def test_with_trace_every_run_is_printed_too(desk: Desk) -> None:
    desk.hooks(hook_file(entry("quiet", "true"), entry("no", DENY), entry("late")))
    result = desk.run("emit", "tool.approval.pre", "--payload", desk.payload(), "--trace").json
    assert [(run["name"], run["status"]) for run in result["runs"]] == [
        ("quiet", "ok"),
        ("no", "ok"),
        ("late", "notReached"),
    ]


def test_an_observers_point_prints_the_runs(desk: Desk) -> None:
    desk.hooks(hook_file(entry("watch", "cat >seen.json", **END)))
    payload = '{"turnId": 1.50,"status":"done"}'
    result = desk.run("emit", "agent.turn.end", "--payload", "-", stdin=payload).json
    assert [(run["name"], run["status"], run["exitCode"]) for run in result["runs"]] == [("watch", "ok", 0)]
    assert (desk.project / "seen.json").read_text() == payload


def test_an_event_without_hooks_prints_an_empty_result(desk: Desk) -> None:
    desk.hooks("hooks: []")
    ended = desk.run("emit", "agent.turn.end", "--payload", desk.payload())
    assert (ended.code, ended.json, ended.err) == (0, {"runs": [], "notices": []}, "")


def test_a_failing_hook_is_told_on_stderr_and_is_no_failure_of_the_command(desk: Desk) -> None:
    desk.hooks(hook_file(entry("fails", "exit 3")))
    ended = desk.run("emit", "tool.approval.pre", "--payload", desk.payload())
    assert (ended.code, ended.out) == (0, "null\n")
    assert ended.err == "tenterhook: warning: coding-code:fails at tool.approval.pre: exited with code 3\n"


def test_a_broken_hook_file_is_told_on_stderr_and_the_rest_runs(desk: Desk) -> None:
    desk.hooks(hook_file(entry("no", DENY), "  - pirority: 1\n"))
    ended = desk.run("emit", "tool.approval.pre", "--payload", desk.payload())
    assert ended.json["decision"] == "deny"
    assert ended.err == "tenterhook: warning: the hook files have an error: see `tenterhook check`\n"


def test_the_project_is_the_one_named_else_the_payloads_else_the_one_around_the_current_folder(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    says = 'echo \'{"reason": "%s"}\''
    for name in ("named", "payloads", "around"):
        folder = desk.project / name
        folder.mkdir()
        desk.hooks(hook_file(entry("say", says % name)), of=folder)
    below = desk.project / "around" / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    words = ["emit", "tool.approval.pre", "--payload", "-"]
    payload = json.dumps({"projectPath": str(desk.project / "payloads")})
    named = str(desk.project / "named")
    assert desk.run(*words, "--project", named, stdin=payload).json == {"reason": "named"}
    assert desk.run(*words, stdin=payload).json == {"reason": "payloads"}
    assert desk.run(*words, stdin="{}").json == {"reason": "around"}


def test_the_home_can_be_another(desk: Desk) -> None:
    other = desk.project / "other"
    desk.hooks(hook_file(entry("no", DENY)), of=other)
    ended = desk.run("emit", "tool.approval.pre", "--payload", desk.payload(), "--home", "other")
    assert ended.json["decision"] == "deny"


MISUSES = {
    "unknown-point": (
        ["tool.aproval.pre"],
        "{}",
        "unknown point 'tool.aproval.pre'; did you mean 'tool.approval.pre'?",
    ),
    "no-object": (
        ["tool.approval.pre"],
        "[]",
        "stdin: the payload must be a JSON object like {}, and this is an array",
    ),
    "no-such-project": (["tool.approval.pre", "--project", "none"], "{}", "--project: none does not exist"),
    "no-such-home": (["tool.approval.pre", "--home", "none"], "{}", "--home: none does not exist"),
}


@pytest.mark.parametrize("case", MISUSES)
def test_words_that_do_not_fit_exit_2_and_print_nothing(desk: Desk, case: str) -> None:
    words, payload, told = MISUSES[case]
    ended = desk.run("emit", *words, "--payload", "-", stdin=payload)
    assert (ended.code, ended.out, ended.err) == (2, "", f"tenterhook: {told}\n")


@pytest.mark.parametrize("command", ["emit", "explain"])
def test_a_project_that_is_not_there_or_has_no_hook_file_is_told(desk: Desk, command: str) -> None:
    gone = desk.project / "gone"
    payload = json.dumps({"projectPath": str(gone)})
    told = desk.run(command, "tool.approval.pre", "--payload", "-", stdin=payload)
    assert told.code == 0
    assert told.err.startswith(f"tenterhook: warning: the project {gone} is no folder")
    assert len(told.err.splitlines()) == 1
    gone.mkdir()
    told = desk.run(command, "tool.approval.pre", "--payload", "-", stdin=payload)
    assert (told.code, told.err) == (0, f"tenterhook: warning: the project {gone} has no hook file\n")
    desk.hooks("hooks: []", of=gone)
    assert desk.run(command, "tool.approval.pre", "--payload", "-", stdin=payload).err == ""
