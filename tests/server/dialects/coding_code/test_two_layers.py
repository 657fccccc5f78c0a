"""How the global file and a project's become one list of hooks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server.dialects.coding_code.parts import CODING_CODE, GLOBAL_PATH, PROJECT_PATH, codes, hooks_file, load, one
from tenterhook.dialects.base import Ground, Layer, Source
from tenterhook.model import Origin, Problem

A = "{name: a, description: d, point: tool.approval.pre, type: decision, command: node, args: [x, y]}"
B = "{name: b, point: agent.turn.end, type: observer, command: b}"
C = "{name: c, point: agent.turn.end, type: observer, command: c}"


def test_the_minimal_patch_disables_a_global_hook() -> None:
    loaded = load(hooks_file(A, B), hooks_file("{name: a, enabled: false}"))
    assert loaded.problems == ()
    a, b = loaded.hooks
    assert a.left_out is not None
    assert a.left_out.code == "disabled"
    assert f"{PROJECT_PATH}, line 2" in a.left_out.message
    assert (a.spec.command, b.left_out) == ("node", None)


def test_a_patch_can_enable_what_is_disabled_globally() -> None:
    user = hooks_file(B.replace("}", ", enabled: false}"))
    assert one(load(user, hooks_file("{name: b, enabled: true}"))).left_out is None


def test_a_patch_replaces_what_it_declares_and_inherits_the_rest() -> None:
    loaded = load(hooks_file(A), hooks_file("{name: a, args: [z], env: {M: u}, priority: 7, timeout: 5, cwd: sub}"))
    hook = one(loaded)
    assert hook.spec.args == ("z",)
    assert hook.spec.env == (("M", "u"),)
    assert (hook.priority, hook.timeout, hook.spec.cwd) == (7, 5, "sub")
    assert (hook.description, hook.point, hook.type, hook.spec.command) == (
        "d",
        "tool.approval.pre",
        "decision",
        "node",
    )


def test_every_field_of_a_patched_hook_remembers_its_origin() -> None:
    hook = one(load(hooks_file(A), hooks_file("{name: a, args: [z], priority: 7}")))
    layers = {field: origin.layer for field, origin in hook.fields.items()}
    assert layers == {
        "name": "global",
        "description": "global",
        "point": "global",
        "type": "global",
        "command": "global",
        "args": "project",
        "priority": "project",
    }
    assert hook.origin == Origin(layer="global", path=GLOBAL_PATH, line=2, column=5)
    assert hook.fields["args"] == Origin(layer="project", path=PROJECT_PATH, line=2, column=15)


def test_global_entries_come_first_and_patched_ones_keep_their_place() -> None:
    own = "{name: own, point: agent.turn.end, type: observer, command: o}"
    loaded = load(hooks_file(A, B, C), hooks_file(own, "{name: c, priority: 1}", "{name: a, priority: 1}"))
    assert [hook.name for hook in loaded.hooks] == ["a", "b", "c", "own"]
    assert loaded.hooks[3].origin.layer == "project"


def test_null_is_as_if_the_field_were_not_declared() -> None:
    loaded = load(hooks_file(A), hooks_file("{name: a, args: ~, command: null, priority: 1}"))
    assert codes(loaded.problems) == [("warning", "field-null", "a"), ("warning", "field-null", "a")]
    assert one(loaded).spec.args == ("x", "y")
    assert one(loaded).spec.command == "node"


def sole(problems: tuple[Problem, ...]) -> Problem:
    assert len(problems) == 1
    return problems[0]


def test_a_locked_hook_cannot_be_patched() -> None:
    loaded = load(
        hooks_file(A.replace("}", ", locked: true}")),
        hooks_file("{name: a, enabled: false}"),
    )
    problem = sole(loaded.problems)
    assert (problem.severity, problem.code, problem.path, problem.line) == ("error", "locked", PROJECT_PATH, 2)
    assert f"{GLOBAL_PATH}, line 2" in problem.message
    assert one(loaded).left_out is None


@pytest.mark.parametrize(
    ("locked", "stands"), [("true", True), ("false", False), ("yes", True), ("~", False), ("1", True)]
)
def test_only_false_and_nothing_leave_a_hook_unlocked(locked: str, *, stands: bool) -> None:
    user = hooks_file(f"{{name: a, locked: {locked}, point: agent.turn.end, type: observer, command: c}}")
    assert one(load(user, hooks_file("{name: a, command: other}"))).spec.command == ("c" if stands else "other")


@pytest.mark.parametrize(
    "entry", ["{name: b, locked: true, priority: 1}", B.replace("b,", "own,", 1).replace("}", ", locked: true}")]
)
def test_a_project_can_lock_nothing(entry: str) -> None:
    loaded = load(hooks_file(B), hooks_file(entry))
    assert [(problem.severity, problem.code) for problem in loaded.problems] == [("warning", "locked-in-project")]
    assert all("locked" not in hook.fields for hook in loaded.hooks)


@pytest.mark.parametrize(
    ("patch", "hint"),
    [
        ("{name: guradian, enabled: false}", "did you mean 'guardian'?"),
        ("{name: other, priority: 3}", "add point, type and command"),
        ("{name: other}", "add point, type and command"),
    ],
)
def test_a_patch_that_finds_no_hook_is_told_and_kept_as_left_out(patch: str, hint: str) -> None:
    loaded = load(hooks_file("{name: guardian, point: agent.turn.end, type: observer, command: c}"), hooks_file(patch))
    problem = sole(loaded.problems)
    assert (problem.severity, problem.code, problem.path) == ("error", "patch-without-target", PROJECT_PATH)
    assert hint in str(problem.hint)
    assert loaded.hooks[0].left_out is None
    left_out = loaded.hooks[1].left_out
    assert left_out is not None
    assert left_out.code == "invalid"


def test_a_patch_that_declares_nothing_is_told() -> None:
    loaded = load(hooks_file(B), hooks_file("{name: b}"))
    assert codes(loaded.problems) == [("warning", "patch-empty", "b")]
    assert one(loaded).left_out is None


@pytest.mark.parametrize(
    "field",
    ["args: --x", "env: [a]", "point: nowhere", "type: judge", "command: [x]", "matcher: '('", "profiles: strict"],
)
def test_a_patch_that_cannot_be_used_takes_down_no_global_hook(field: str) -> None:
    alone = load(hooks_file(B))
    loaded = load(hooks_file(B), hooks_file(f"{{name: b, priority: 5, {field}}}"))
    assert loaded.hooks == alone.hooks
    assert sole(loaded.problems).path == PROJECT_PATH


def test_a_patch_can_mend_a_global_hook() -> None:
    broken = hooks_file("{name: a, point: agent.turn.end, type: observer, command: c, args: --x}")
    loaded = load(broken, hooks_file("{name: a, args: ['--x']}"))
    assert one(loaded).left_out is None
    assert one(loaded).spec.args == ("--x",)
    assert sole(loaded.problems).path == GLOBAL_PATH


def test_a_patch_can_complete_a_global_hook() -> None:
    loaded = load(hooks_file("{name: a, type: observer, command: c}"), hooks_file("{name: a, point: agent.turn.end}"))
    assert loaded.problems == ()
    assert one(loaded).left_out is None


def test_a_patch_that_counts_as_something_else_counts_as_that() -> None:
    user = hooks_file("{name: a, point: agent.turn.end, type: observer, command: c, priority: 5, enabled: false}")
    hook = one(load(user, hooks_file("{name: a, priority: high, enabled: no}")))
    assert (hook.priority, hook.enabled) == (0, True)
    assert one(load(user, hooks_file("{name: a, timeout: soon, enabled: true}"))).timeout == 30


def test_a_warning_about_the_merged_hook_stands_at_the_field_that_causes_it() -> None:
    loaded = load(hooks_file(B), hooks_file("{name: b, type: decision}"))
    problem = sole(loaded.problems)
    assert (problem.code, problem.path, problem.column) == ("type-not-suited", PROJECT_PATH, 15)


def test_the_global_layer_comes_first_and_only_the_project_s_asks_for_trust() -> None:
    assert CODING_CODE.sources("/p", Ground(home="/home/u")) == (
        Source("global", GLOBAL_PATH, "/home/u/.codingcode/hooks.yml"),
        Source("project", PROJECT_PATH, "/p/.codingcode/hooks.yml", from_project=True),
    )


@pytest.mark.parametrize("folder", ["/home/u", "/"])
def test_a_home_that_is_the_project_is_one_layer(folder: str) -> None:
    (source,) = CODING_CODE.sources(folder, Ground(home=folder))
    assert source.layer == "global"
    assert source.path == folder.rstrip("/") + "/.codingcode/hooks.yaml"


def test_two_layers_that_are_one_file_count_once() -> None:
    content = hooks_file(B).encode()
    layers = [
        Layer(layer="global", path=GLOBAL_PATH, content=content, real_path="/dotfiles/hooks.yaml"),
        Layer(layer="project", path=PROJECT_PATH, content=content, real_path="/dotfiles/hooks.yaml"),
    ]
    loaded = CODING_CODE.load(layers, CODING_CODE.points)
    assert one(loaded).origin.layer == "global"
    assert loaded.problems == ()


def test_problems_of_the_way_to_the_bytes_are_passed_on() -> None:
    problem = Problem(
        severity="error",
        code="file-unreadable",
        message="m",
        path=PROJECT_PATH,
        line=1,
        column=1,
        end_line=1,
        end_column=1,
    )
    layer = Layer(layer="project", path=PROJECT_PATH, content=None, problems=(problem,), failed=True)
    loaded = CODING_CODE.load([Layer(layer="global", path=GLOBAL_PATH, content=hooks_file(B).encode()), layer], {})
    assert problem in loaded.problems


FIELDS = {
    "point": ["agent.turn.end", "tool.execute.before", "tool.approval.post"],
    "type": ["observer", "decision"],
    "description": ["one", "two"],
    "command": ["node", "sh"],
    "args": ["[]", "[a]", "[b, c]"],
    "env": ["{}", "{A: b}", "{B: ~}"],
    "cwd": ["x", "y"],
    "matcher": ["read_file", "'^mcp'"],
    "priority": ["1", "-2.5"],
    "enabled": ["true", "false"],
    "timeout": ["1", "2.5"],
    "onFailure": ["ignore", "deny", "ask"],
    "profiles": ["[strict]", "[minimal, standard]"],
    "worker": ["true", "false"],
}
DECLARED = st.fixed_dictionaries({}, optional={key: st.sampled_from(words) for key, words in FIELDS.items()})


def entry(fields: dict[str, str]) -> str:
    return f"{{name: a{''.join(f', {key}: {word}' for key, word in fields.items())}}}"


@given(DECLARED, DECLARED)
def test_the_merge_is_the_global_entry_with_the_project_s_fields_put_over_it(
    user: dict[str, str], project: dict[str, str]
) -> None:
    two = one(load(hooks_file(entry(user)), hooks_file(entry(project))))
    written_at_once = one(load(hooks_file(entry({**user, **project}))))
    for field in ("id", "name", "point", "type", "spec", "timeout", "description", "matcher", "priority"):
        assert getattr(two, field) == getattr(written_at_once, field)
    for field in ("on_failure", "enabled", "profiles"):
        assert getattr(two, field) == getattr(written_at_once, field)
    assert (two.left_out is None) == (written_at_once.left_out is None)
    layers = {field: origin.layer for field, origin in two.fields.items()}
    assert layers == {"name": "global", **dict.fromkeys(user, "global"), **dict.fromkeys(project, "project")}
