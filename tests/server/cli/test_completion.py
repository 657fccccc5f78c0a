"""What a shell offers after a Tab."""

from __future__ import annotations

import pytest
from server.cli.desk import Desk, entry, hook_file
from tenterhook.cli.dispatch import COMPLETION_VARIABLE
from tenterhook_protocol.claude_events import CLAUDE_EVENTS
from tenterhook_protocol.points import POINTS


def complete(desk: Desk, monkeypatch: pytest.MonkeyPatch, line: str) -> list[str]:
    """The words that bash is offered at the end of a line."""
    monkeypatch.setenv(COMPLETION_VARIABLE, "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))
    ended = desk.run()
    assert ended.err == ""
    return [line for line in ended.lines if line]


@pytest.mark.parametrize("command", ["explain", "emit"])
def test_points_are_offered(desk: Desk, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    assert complete(desk, monkeypatch, f"tenterhook {command} ") == [*POINTS, *CLAUDE_EVENTS]
    assert complete(desk, monkeypatch, f"tenterhook {command} agent.subagent.c") == ["agent.subagent.complete"]


def test_hooks_are_offered_by_name_and_once_it_is_typed_by_id(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.hooks(hook_file(entry("block-rm"), entry("audit")))
    assert complete(desk, monkeypatch, "tenterhook test ") == ["block-rm", "audit"]
    assert complete(desk, monkeypatch, "tenterhook test bl") == ["block-rm"]
    assert complete(desk, monkeypatch, "tenterhook test coding-code") == ["coding-code:block-rm", "coding-code:audit"]


def test_hooks_of_the_project_that_was_typed_are_offered(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.hooks(hook_file(entry("there")), of=desk.home)
    assert complete(desk, monkeypatch, f"tenterhook test --project {desk.home} ") == ["there"]


@pytest.mark.parametrize("content", ["hooks: [", "- x", "\x00"])
def test_a_broken_hook_file_breaks_no_completion(desk: Desk, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    desk.hooks(content)
    assert complete(desk, monkeypatch, "tenterhook test ") == []


def test_a_project_that_is_not_there_breaks_no_completion(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert complete(desk, monkeypatch, "tenterhook test --project none ") == []


@pytest.mark.parametrize("command", ["check", "list", "explain", "test", "emit"])
def test_options_are_offered(desk: Desk, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    assert "--home" in complete(desk, monkeypatch, f"tenterhook {command} --h")
