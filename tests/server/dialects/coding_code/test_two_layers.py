"""How the global file and a project's become one list of hooks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server.dialects.coding_code.parts import (
    CODING_CODE,
    GLOBAL_PATH,
    PROJECT_PATH,
    codes,
    hooks_file,
    load,
    one,
    spec_of,
)
from tenterhook.dialects.base import Ground, Layer, Source
from tenterhook.dialects.coding_code.fields import JUDGES
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
    assert (spec_of(a).command, b.left_out) == ("node", None)


def test_a_patch_can_enable_what_is_disabled_globally() -> None:
    user = hooks_file(B.replace("}", ", enabled: false}"))
    assert one(load(user, hooks_file("{name: b, enabled: true}"))).left_out is None


def test_a_patch_replaces_what_it_declares_and_inherits_the_rest() -> None:
    loaded = load(hooks_file(A), hooks_file("{name: a, args: [z], env: {M: u}, priority: 7, timeout: 5, cwd: sub}"))
    hook = one(loaded)
    assert spec_of(hook).args == ("z",)
    assert spec_of(hook).env == (("M", "u"),)
    assert (hook.priority, hook.timeout, spec_of(hook).cwd) == (7, 5, "sub")
    assert (hook.description, hook.point, hook.type, spec_of(hook).command) == (
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
    assert spec_of(one(loaded)).args == ("x", "y")
    assert spec_of(one(loaded)).command == "node"


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
    assert spec_of(one(load(user, hooks_file("{name: a, command: other}")))).command == ("c" if stands else "other")


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
    assert spec_of(one(loaded)).args == ("--x",)
    assert sole(loaded.problems).path == GLOBAL_PATH


def test_a_patch_can_complete_a_global_hook() -> None:
    loaded = load(hooks_file("{name: a, type: observer, command: c}"), hooks_file("{name: a, point: agent.turn.end}"))
    assert loaded.problems == ()
    assert one(loaded).left_out is None


ODD = (
    *("no", "off", "yes", "0", "1", "-1", "high", "30s", "''", "' '", "'false'", "true", "false", ".nan", ".inf"),
    *("[]", "{}", "[~]", "[[a]]", "[{a: b}]", "[stict]", "[a, strict]", "{a: []}", "{'': a}", "'('", '"\\0"', "block"),
    *("tool.approval.pre", "agent.turn.end", "observer", "decision", "deny", "[strict]", "~", "0x" + "f" * 300),
)


@pytest.mark.parametrize("key", [*JUDGES, "odd"])
def test_what_is_wrong_in_a_patch_changes_nothing_of_the_global_hook(key: str) -> None:
    full = (
        "{name: b, description: d, point: agent.turn.end, type: observer, command: c, args: [x], env: {A: b}, cwd: w, "
        "matcher: m, priority: 5, enabled: false, timeout: 7, onFailure: ask, profiles: [strict], worker: false}"
    )
    for user in (hooks_file(B), hooks_file(full)):
        own, alone = load(user).problems, one(load(user))
        for word in ODD:
            loaded = load(user, hooks_file(f"{{name: b, {key}: {word}}}"))
            wrong = [problem for problem in loaded.problems if problem not in own and problem.severity == "error"]
            assert all(problem.path == PROJECT_PATH for problem in wrong)
            if wrong:
                assert one(loaded) == alone, word
                assert "not declared" in wrong[0].message or "this entry is left out" in wrong[0].message


@pytest.mark.parametrize(
    ("declared", "patch", "attribute", "value"),
    [
        ("enabled: false", "enabled: no", "enabled", False),
        ("enabled: false", "enabled: 'true'", "enabled", False),
        ("enabled: true", "enabled: 0", "enabled", True),
        ("priority: 5", "priority: high", "priority", 5),
        ("timeout: 7", "timeout: 30s", "timeout", 7),
        ("onFailure: ask", "onFailure: block", "on_failure", "ask"),
        ("onFailure: ignore", "onFailure: block", "on_failure", None),
        ("description: d", "description: [x]", "description", "d"),
        ("profiles: [strict]", "profiles: [stict]", "profiles", ("strict",)),
        ("matcher: m", "matcher: '('", "matcher", "m"),
    ],
)
def test_a_value_that_cannot_be_used_counts_in_a_patch_as_not_declared(
    declared: str, patch: str, attribute: str, value: object
) -> None:
    user = hooks_file(f"{{name: a, point: tool.approval.pre, type: decision, command: c, {declared}}}")
    loaded = load(user, hooks_file(f"{{name: a, {patch}}}"))
    hook = one(loaded)
    assert getattr(hook, attribute) == value
    assert {origin.layer for origin in hook.fields.values()} == {"global"}
    assert sole(loaded.problems).path == PROJECT_PATH
    beside = one(load(user, hooks_file(f"{{name: a, {patch}, command: other}}")))
    assert getattr(beside, attribute) == value
    assert spec_of(beside).command == ("c" if attribute == "matcher" else "other")


def test_an_entry_of_the_project_s_own_is_no_patch() -> None:
    own = "{name: own, point: tool.approval.pre, type: decision, command: c"
    hook = load(hooks_file(B), hooks_file(f"{own}, priority: high, enabled: no, onFailure: block}}")).hooks[1]
    assert (hook.priority, hook.enabled, hook.on_failure, hook.left_out) == (0, True, "deny", None)


def test_a_patch_that_is_told_of_is_not_told_to_be_empty_too() -> None:
    for field in ("timeout: soon", "enabled: no", "enable: false", "args: ~"):
        assert sole(load(hooks_file(B), hooks_file(f"{{name: b, {field}}}")).problems).code != "patch-empty"


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


GUARD = "{name: guard, point: tool.approval.pre, type: decision, command: g, locked: true, priority: 5}"
FREE = "{name: free, point: tool.approval.pre, type: decision, command: f, priority: 9}"
OWN = "name: own, point: tool.approval.pre, type: decision, command: o"


@pytest.mark.parametrize(
    ("entry", "column"),
    [
        (f"{{{OWN}}}", 6),
        (f"{{priority: 4.5, {OWN}}}", 6),
        ("{name: free, priority: -1}", 18),
    ],
)
def test_a_project_hook_that_is_asked_before_a_locked_one_is_told(entry: str, column: int) -> None:
    (problem,) = load(hooks_file(GUARD, FREE), hooks_file(entry)).problems
    assert (problem.severity, problem.code, problem.path) == ("warning", "before-locked", PROJECT_PATH)
    assert (problem.line, problem.column) == (2, column)
    assert "runs before the locked hook 'guard' of the global file" in problem.message
    assert problem.hint == "write priority: 5 or more, so that it is asked after the locked ones"


@pytest.mark.parametrize(
    "entry",
    [
        f"{{{OWN}, priority: 5}}",
        f"{{{OWN}, enabled: false}}",
        "{name: own, point: agent.turn.stop, type: decision, command: o}",
        "{name: own, point: tool.approval.post, type: observer, command: o}",
        "{name: free, timeout: 3}",
        "{name: free, priority: 8}",
    ],
)
def test_a_project_hook_that_bypasses_no_locked_one_is_no_problem(entry: str) -> None:
    assert load(hooks_file(GUARD, FREE), hooks_file(entry)).problems == ()


def test_a_global_hook_before_a_locked_one_is_its_users_own_choice() -> None:
    assert load(hooks_file(GUARD, FREE.replace("9", "1"))).problems == ()


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ("command: ./a.sh", ["./a.sh"]),
        ("command: bin/a", ["bin/a"]),
        ("command: node, args: [--x, ../a.js]", ["../a.js"]),
        ("command: ./a, args: [./b]", ["./a", "./b"]),
        ("command: /a/b.sh", []),
        ("command: node, args: [a/b, /c]", []),
        ("command: ./a.sh, cwd: /opt", []),
    ],
)
def test_a_relative_path_in_the_global_file_is_told(fields: str, told: list[str]) -> None:
    text = hooks_file(f"{{name: a, point: agent.turn.end, type: observer, {fields}}}")
    problems = load(text).problems
    assert [problem.message.split("'")[1] for problem in problems] == told
    assert {(problem.severity, problem.code) for problem in problems} <= {("warning", "relative-in-global")}
    assert load(None, text).problems == ()


def test_a_relative_path_that_the_project_patches_in_is_its_own() -> None:
    user = hooks_file("{name: a, point: agent.turn.end, type: observer, command: node}")
    assert load(user, hooks_file("{name: a, args: [./a.js]}")).problems == ()
