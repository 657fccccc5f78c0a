"""In what order matching hooks run, and which of them are one hook: contract 4.5, 4.6."""

from __future__ import annotations

import pytest
from msgspec import structs
from server.dialects.claude_code.judging import ASK, HTTP, PLUGIN, TOOL, answer, hook
from tenterhook.dialects.claude_code.specs import HttpSpec, ShellSpec
from tenterhook.dialects.claude_code.stages import arrange_hooks
from tenterhook.model import Hook, Origin
from tenterhook_protocol.claude_events import CLAUDE_EVENTS

USER = Origin(layer="user", path="/home/u/.claude/settings.json", line=9, column=1)
X = ShellSpec(command="x")


@pytest.mark.parametrize("point", CLAUDE_EVENTS)
def test_all_run_at_once_and_only_before_a_model_switch_one_after_another(point: str) -> None:
    """anthropics/claude-code#57800, Synaptic-Labs-AI/PACT-Plugin#461: nobody's denial ends the others."""
    hooks = (hook("b", point), hook("a", point))
    (stage,) = arrange_hooks(hooks, point).stages
    assert stage.hooks == hooks
    assert stage.together == ("sequence" if point == "PreModelSwitch" else "parallel")
    assert not stage.stops(answer("deny"))


def test_without_hooks_there_is_nothing_to_run() -> None:
    assert arrange_hooks((), "Stop").stages == ()


SAME = [
    (hook("a", spec=X), hook("b", spec=X, origin=USER)),
    (hook("a", spec=X, matcher="Bash"), hook("b", spec=X, matcher="*")),
    (hook("a", spec=X), hook("b", spec=structs.replace(X, status_message="checking"))),
    (hook("a", spec=HTTP), hook("b", spec=HttpSpec(url=HTTP.url))),
    (hook("a", spec=X, rule="Bash(git *)"), hook("b", spec=X, rule="Bash(git *)", origin=USER)),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_a_hook_that_two_files_define_runs_once_and_the_other_names_its_twin(first: Hook, second: Hook) -> None:
    """microsoft/vscode#303926, code-yeongyu/oh-my-openagent#1297."""
    arranged = arrange_hooks((first, second), "PreToolUse")
    assert [stage.hooks for stage in arranged.stages] == [(first,)]
    ((left_out, reason),) = arranged.left_out
    assert (left_out, reason.code) == (second, "duplicate")
    assert "claude-code:a in /p/.claude/settings.json, line 1" in reason.message


OTHER = [
    hook(spec=ShellSpec(command="y")),
    hook(spec=ShellSpec(command="x", args=())),
    hook(spec=ShellSpec(command="x", shell="bash")),
    hook(spec=ShellSpec(command="x", plugin=PLUGIN)),
    hook(spec=ShellSpec(command="x", plugin=structs.replace(PLUGIN, id="q@m", root="/plugins/q"))),
    hook(spec=ShellSpec(command="x", blocks_on_failure=True)),
    hook(spec=X, rule="Bash(git *)"),
    hook(spec=X, rule="Edit(/src/**)"),
    hook(spec=X, rule="Edit(/src/**)", origin=USER),
    hook(spec=X, background=True),
    hook(spec=X, once=True),
    hook(spec=X, timeout=5.0),
    hook(spec=HTTP),
    hook(spec=TOOL),
    hook(spec=ASK),
    hook(spec=structs.replace(ASK, kind="agent")),
]


def test_hooks_that_differ_in_what_they_do_all_run() -> None:
    """anthropics/claude-code#29724, Yeachan-Heo/oh-my-claudecode#3640."""
    hooks = (hook(spec=X), *OTHER)
    arranged = arrange_hooks(hooks, "PreToolUse")
    assert arranged.stages[0].hooks == hooks
    assert arranged.left_out == ()
