"""``tenterhook trust``: what a project's own files would run, and a yes to exactly that."""

from __future__ import annotations

import json
from typing import Any

from server.cli.desk import Desk, entry, hook_file

SHOWN = """\
project {project}

.codingcode/hooks.yaml  not approved
  tool.approval.pre  sh -c cat
    mine, line 2

approved until 1 file above says something else
"""


def settings(desk: Desk, command: str, **more: Any) -> None:
    folder = desk.project / ".claude"
    folder.mkdir(exist_ok=True)
    hooks = {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}
    (folder / "settings.json").write_text(json.dumps({"hooks": hooks, **more}), encoding="utf-8")


def test_what_would_run_is_shown_and_approved(desk: Desk) -> None:
    desk.hooks(hook_file(entry("mine")))
    ended = desk.run("trust", "--yes")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == SHOWN.format(project=desk.project)
    again = desk.run("trust")
    assert again.code == 0
    assert ".codingcode/hooks.yaml  approved on 20" in again.out


def test_without_a_terminal_nothing_is_approved(desk: Desk) -> None:
    desk.hooks(hook_file(entry("mine")))
    ended = desk.run("trust", stdin="y\n")
    assert ended.code == 2
    assert "give --yes" in ended.err
    assert desk.run("trust", "--show").code == 1


def test_a_change_is_named_and_an_approval_can_be_taken_back(desk: Desk) -> None:
    settings(desk, "echo one")
    assert desk.run("trust", "--yes").code == 0
    settings(desk, "echo two")
    changed = desk.run("trust", "--show")
    assert (changed.code, "changed since it was approved on 20" in changed.out) == (1, True)
    assert desk.run("trust", "--yes").code == 0
    assert desk.run("trust", "--revoke").code == 0
    assert "not approved" in desk.run("trust", "--show").out


def test_a_project_without_files_of_its_own_has_nothing_to_approve(desk: Desk) -> None:
    desk.hooks(hook_file(entry("mine")), of=desk.home)
    ended = desk.run("trust")
    assert (ended.code, "nothing to approve" in ended.out) == (0, True)


def test_a_settings_file_that_only_switches_is_shown_too(desk: Desk) -> None:
    folder = desk.project / ".claude"
    folder.mkdir()
    (folder / "settings.json").write_text('{"disableAllHooks": true}', encoding="utf-8")
    assert "its switches count" in desk.run("trust", "--show").out


def test_a_command_cannot_steer_the_terminal_that_shows_it(desk: Desk) -> None:
    settings(desk, "rm -rf ~ \x1b[2K\r echo harmless")
    ended = desk.run("trust", "--show")
    assert "\x1b" not in ended.out
    assert "rm -rf" in ended.out


def test_programs_get_the_same_as_json(desk: Desk) -> None:
    desk.hooks(hook_file(entry("mine")))
    before = desk.run("trust", "--format", "json")
    assert (before.code, before.json["layers"][0]["state"]) == (1, "never")
    after = desk.run("trust", "--yes", "--format", "json")
    layer = after.json["layers"][0]
    assert (after.code, layer["state"], layer["hooks"][0]["name"]) == (0, "approved", "mine")
    assert layer["digest"].startswith("sha256:")
