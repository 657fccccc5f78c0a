"""``tenterhook list``: every hook, where it comes from and whether it can run."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from server.cli.desk import Desk, entry, hook_file

TWO_LAYERS = """\
project {project}

tool.approval.pre
   1  guard  decision  sh -c 'echo {{}}'
      stops what is dangerous
      from global ../home/.codingcode/hooks.yaml:2, priority -1
      patched by project .codingcode/hooks.yaml: priority (line 8)
   -  old    decision  sh -c cat
      left out: enabled is false in {project}/.codingcode/hooks.yaml, line 10
      from global ../home/.codingcode/hooks.yaml:8
      patched by project .codingcode/hooks.yaml: enabled (line 10)

agent.turn.end
   1  audit  observer  sh -c cat
      from project .codingcode/hooks.yaml:2, priority 0

3 hooks, 2 can run, 1 left out
"""


def test_hooks_are_shown_by_point_with_origin_patches_and_reasons(desk: Desk) -> None:
    desk.hooks(
        hook_file(entry("guard", "echo {}", more=["description: stops what is dangerous"]), entry("old")), of=desk.home
    )
    desk.hooks(
        hook_file(entry("audit", kind="observer", point="agent.turn.end"))
        + "  - name: guard\n    priority: -1\n  - name: old\n    enabled: false\n"
    )
    ended = desk.run("list")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == TWO_LAYERS.format(project=desk.project)


def test_a_hook_that_a_worker_may_serve_says_so(desk: Desk) -> None:
    desk.hooks(hook_file(entry("warm", more=["worker: true"]), entry("cold")))
    assert ["by a worker" in line for line in desk.run("list").lines if "from project" in line] == [True, False]


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("name", ["a", "n" * 28, "name-" * 20, "名" * 40])
def test_a_long_command_has_a_line_of_its_own_where_it_does_not_fit_beside_the_name(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, columns: int, name: str
) -> None:
    for variable, value in (("FORCE_COLOR", "1"), ("NO_COLOR", "1"), ("COLUMNS", str(columns))):
        monkeypatch.setenv(variable, value)
    command = "check-every-command --strict --and-more"
    desk.hooks(
        "hooks:\n"
        f"- {{name: {name}, point: agent.turn.end, type: observer, command: check-every-command,"
        " args: [--strict, --and-more]}\n"
    )
    lines = desk.run("list").lines
    assert max(map(cell_len, lines)) <= columns
    assert len([line for line in lines if command in line]) == 1
