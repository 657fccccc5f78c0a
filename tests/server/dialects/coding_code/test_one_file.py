"""What one ``hooks.yaml`` means as a whole: its shape, its entries, what their fields mean together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server.dialects.coding_code.parts import GLOBAL_PATH, PROJECT_PATH, codes, hooks_file, load, one, spec_of
from tenterhook.model import CommandSpec, Origin
from tenterhook_protocol.points import POINTS

BASE = "name: a, point: tool.approval.pre, type: decision, command: node"


FOUNDING_EXAMPLE = """\
hooks:
  - name: audit-log
    description: 记录每次审批结果
    point: tool.approval.post
    type: observer
    command: node
    args: ["./scripts/audit.js"]
    priority: 10

  - name: block-dangerous-commands
    description: 阻止危险命令
    point: tool.approval.pre
    type: decision
    command: node
    args: ["./scripts/check-command.js"]
    env:
      BLOCKED_COMMANDS: "rm,rmdir,format"
    priority: 100
"""


def test_the_founding_example_is_read_as_it_stands() -> None:
    loaded = load(None, FOUNDING_EXAMPLE)
    assert loaded.problems == ()
    audit, block = loaded.hooks
    assert (audit.id, audit.name, audit.system) == ("coding-code:audit-log", "audit-log", "coding-code")
    assert (audit.point, audit.type) == ("tool.approval.post", "observer")
    assert audit.description == "记录每次审批结果"
    assert audit.spec == CommandSpec("node", ("./scripts/audit.js",))
    assert (audit.priority, block.priority) == (10, 100)
    assert spec_of(block).env == (("BLOCKED_COMMANDS", "rm,rmdir,format"),)
    assert audit.origin == Origin(layer="project", path=PROJECT_PATH, line=2, column=5)
    assert block.fields["env"] == Origin(layer="project", path=PROJECT_PATH, line=16, column=5)
    assert list(audit.fields) == ["name", "description", "point", "type", "command", "args", "priority"]


def test_a_hook_without_optional_fields_has_the_defaults_of_the_founding_document() -> None:
    loaded = load(hooks_file(f"{{{BASE}}}"))
    hook = one(loaded)
    assert loaded.problems == ()
    assert (hook.priority, hook.enabled, hook.timeout) == (0, True, 30)
    assert (hook.description, hook.matcher, hook.on_failure, hook.profiles) == (None, None, None, ())
    assert hook.spec == CommandSpec("node", (), (), None)
    assert hook.left_out is None


@pytest.mark.parametrize("point", POINTS)
def test_every_point_of_the_protocol_is_known(point: str) -> None:
    loaded = load(hooks_file(f"{{name: a, point: {point}, type: {POINTS[point].type}, command: x}}"))
    assert loaded.problems == ()
    assert one(loaded).point == point


@pytest.mark.parametrize("content", ["", "# nothing yet\n", "---\n", "hooks: []\n", "{}\n", "\ufeffhooks: []\r\n"])
def test_a_file_without_hooks_is_no_problem(content: str) -> None:
    loaded = load(content, content)
    assert (loaded.hooks, loaded.problems, loaded.broken) == ((), (), frozenset())


@pytest.mark.parametrize(
    ("entry", "code", "column", "hint"),
    [
        ("{name: a, point: tool.aproval.pre, type: decision, command: x}", "point-unknown", 22, "'tool.approval.pre'"),
        (
            "{name: a, point: PreToolUse, type: decision, command: x}",
            "point-unknown",
            22,
            "write one of: tool.execute.",
        ),
        ("{name: a, point: 3, type: decision, command: x}", "field-type", 22, "write one of"),
        ("{name: a, point: [x], type: decision, command: x}", "field-type", 22, "write one of"),
        ("{name: a, type: Observer, point: agent.turn.end, command: x}", "type-unknown", 21, "'observer'"),
        ("{name: a, type: true, point: agent.turn.end, command: x}", "field-type", 21, "observer, decision"),
        ("{name: a, command: [x], point: agent.turn.end, type: observer}", "field-type", 24, "give the rest to args"),
        ("{name: a, command: 7, point: agent.turn.end, type: observer}", "field-type", 24, 'command: "7"'),
        ("{name: a, command: ' ', point: agent.turn.end, type: observer}", "field-empty", 24, "give command a value"),
        ('{name: a, command: "x\\0", point: agent.turn.end, type: observer}', "field-character", 24, "delete it"),
        ("{name: a, type: decision, command: x}", "field-missing", 6, "add `point:`"),
        ("{name: a, point: agent.turn.end, command: x}", "field-missing", 6, "add `type:`"),
        ("{name: a, point: agent.turn.end, type: observer}", "field-missing", 6, "add `command:`"),
        ("{name: a}", "field-missing", 6, "add `point:`, `type:`, `command:`"),
        ("{name: a, enabled: false}", "field-missing", 6, "add `point:`, `type:`, `command:`"),
    ],
)
def test_a_required_field_that_is_wrong_or_missing_leaves_the_hook_out(
    entry: str, code: str, column: int, hint: str
) -> None:
    loaded = load(hooks_file(entry))
    assert codes(loaded.problems) == [("error", code, "a")]
    assert (loaded.problems[0].line, loaded.problems[0].column) == (2, column)
    assert hint in str(loaded.problems[0].hint)
    left_out = one(loaded).left_out
    assert left_out is not None
    assert left_out.code == "invalid"


def test_a_required_field_of_null_is_missing() -> None:
    loaded = load(hooks_file("{name: a, point: ~, type: observer, command: x}"))
    assert codes(loaded.problems) == [("error", "field-missing", "a"), ("warning", "field-null", "a")]
    assert one(loaded).left_out is not None


@pytest.mark.parametrize(
    ("entry", "severity", "code", "label"),
    [
        ("12", "error", "entry-type", "hooks[0]"),
        ("text", "error", "entry-type", "hooks[0]"),
        ("[a]", "error", "entry-type", "hooks[0]"),
        ("~", "error", "entry-type", "hooks[0]"),
        ("{}", "error", "name-missing", "hooks[0]"),
        ("{point: agent.turn.end, type: observer, command: x}", "error", "name-missing", "hooks[0]"),
        ("{name: ~, command: x}", "error", "name-missing", "hooks[0]"),
        ("{name: '', command: x}", "error", "name-missing", "hooks[0]"),
        ("{name: ' ', command: x}", "error", "name-missing", "hooks[0]"),
        ("{name: [x], command: x}", "error", "field-type", "hooks[0]"),
        ("{name: {x: y}, command: x}", "error", "field-type", "hooks[0]"),
    ],
)
def test_an_entry_without_a_name_is_left_out_and_everything_else_stands(
    entry: str, severity: str, code: str, label: str
) -> None:
    loaded = load(hooks_file(entry, f"{{{BASE}}}"))
    assert codes(loaded.problems) == [(severity, code, label)]
    assert loaded.problems[0].line == 2
    assert one(loaded).name == "a"


def test_a_name_that_is_a_number_counts_as_text() -> None:
    loaded = load(hooks_file("{name: 007, point: agent.turn.end, type: observer, command: x}"))
    assert codes(loaded.problems) == [("warning", "field-type", "hooks[0]")]
    assert one(loaded).id == "coding-code:007"


@pytest.mark.parametrize(
    ("content", "severity", "code", "hint"),
    [
        ("- name: a\n", "error", "root-type", "under `hooks:`"),
        ("text\n", "error", "root-type", "begin the file with"),
        ("12\n", "error", "root-type", "begin the file with"),
        ("null\n", "error", "root-type", "begin the file with"),
        ("hooks: {a: b}\n", "error", "hooks-type", "- name:"),
        ("hooks: text\n", "error", "hooks-type", "- name:"),
        ("hooks:\n", "warning", "field-null", "hooks: []"),
        ("hook: []\n", "error", "unknown-key", "did you mean 'hooks'?"),
        ("Hooks: []\n", "error", "unknown-key", "did you mean 'hooks'?"),
        ("Hooks: 7\n", "warning", "unknown-key", "did you mean 'hooks'?"),
        ("hooks: []\nhook: []\n", "warning", "unknown-key", "did you mean 'hooks'?"),
        ("version: 1\nhooks: []\n", "warning", "unknown-key", "the one key 'hooks'"),
    ],
)
def test_a_file_of_another_shape_is_told_of_and_the_other_layer_stands(
    content: str, severity: str, code: str, hint: str
) -> None:
    loaded = load(hooks_file(f"{{{BASE}}}"), content)
    assert [(problem.severity, problem.code) for problem in loaded.problems] == [(severity, code)]
    assert loaded.problems[0].path == PROJECT_PATH
    assert hint in str(loaded.problems[0].hint)
    assert one(loaded).name == "a"
    assert loaded.broken == frozenset()


@pytest.mark.parametrize("content", ["hooks: [", "\thooks:\n", b"\xff", "a: *x"])
def test_a_file_that_is_no_yaml_breaks_its_layer_alone(content: str | bytes) -> None:
    loaded = load(hooks_file(f"{{{BASE}}}"), content)
    assert loaded.broken == {"project"}
    assert one(loaded).name == "a"
    assert [problem.path for problem in loaded.problems] == [PROJECT_PATH]
    assert load(content, hooks_file(f"{{{BASE}}}")).broken == {"global"}


def test_of_two_entries_of_one_name_the_later_counts_at_the_place_of_the_earlier() -> None:
    content = hooks_file(
        "{name: a, point: agent.turn.end, type: observer, command: one, priority: 5}",
        "{name: b, point: agent.turn.end, type: observer, command: b}",
        "{name: a, point: agent.turn.start, type: observer, command: two}",
    )
    for loaded, path in ((load(content), GLOBAL_PATH), (load(None, content), PROJECT_PATH)):
        assert codes(loaded.problems) == [("error", "duplicate-name", "a")]
        assert (loaded.problems[0].path, loaded.problems[0].line) == (path, 4)
        assert "line 2" in loaded.problems[0].message
        assert [(hook.name, spec_of(hook).command, hook.priority) for hook in loaded.hooks] == [
            ("a", "two", 0),
            ("b", "b", 0),
        ]


@pytest.mark.parametrize(
    ("point", "kind"),
    [(name, "decision" if point.type == "observer" else "observer") for name, point in POINTS.items()],
)
def test_a_type_that_does_not_suit_its_point_is_kept_with_a_warning(point: str, kind: str) -> None:
    loaded = load(hooks_file(f"{{name: a, point: {point}, type: {kind}, command: x}}"))
    assert codes(loaded.problems) == [("warning", "type-not-suited", "a")]
    assert loaded.problems[0].hint == f"write type: {POINTS[point].type}"
    assert one(loaded).left_out is None


def test_a_point_of_the_host_is_known_and_has_a_type() -> None:
    content = hooks_file("{name: a, point: review.done, type: observer, command: x, matcher: y}")
    assert load(content, points={"review.done": "observer"}).problems == ()
    assert codes(load(content, points={"review.done": "decision"}).problems) == [("warning", "type-not-suited", "a")]
    near = load(content, points={"review.don": "observer"}).problems
    assert codes(near) == [("error", "point-unknown", "a")]
    assert near[0].hint == "did you mean 'review.don'?"


TOOL_POINTS = {
    "tool.execute.before",
    "tool.execute.after",
    "tool.execute.error",
    "tool.approval.pre",
    "tool.approval.post",
}


@pytest.mark.parametrize("point", POINTS)
def test_a_matcher_where_no_tool_is_named_is_a_warning(point: str) -> None:
    entry = f"name: a, point: {point}, type: {POINTS[point].type}, command: x"
    expected = [] if point in TOOL_POINTS else [("warning", "matcher-never-met", "a")]
    assert codes(load(hooks_file(f"{{{entry}, matcher: read_file}}")).problems) == expected
    assert load(hooks_file(f"{{{entry}, matcher: '*'}}")).problems == ()


def test_on_failure_of_an_observer_is_a_warning() -> None:
    loaded = load(hooks_file("{name: a, point: agent.turn.end, type: observer, command: x, onFailure: deny}"))
    assert codes(loaded.problems) == [("warning", "on-failure-unused", "a")]


def test_problems_come_file_by_file_from_top_to_bottom() -> None:
    user = hooks_file("{name: a, point: tool.approval.pre, type: observer, command: x, x: 1}", "{name: b}", "3")
    project = hooks_file("{name: c}", "{name: a, zzz: 1, priority: 1}")
    problems = load(user, project).problems
    places = [(problem.path != GLOBAL_PATH, problem.line, problem.column) for problem in problems]
    assert places == sorted(places)
    assert len(places) == 6


KEYS = st.sampled_from(
    [
        "name",
        "point",
        "type",
        "description",
        "command",
        "args",
        "env",
        "priority",
        "enabled",
        "timeout",
        "cwd",
        "matcher",
        "onFailure",
        "locked",
        "profiles",
        "worker",
        "other",
    ]
)


WORDS = st.sampled_from(
    [
        "a",
        "b",
        "tool.approval.pre",
        "agent.turn.end",
        "observer",
        "decision",
        "true",
        "false",
        "~",
        "3",
        "-1",
        "'7'",
        "deny",
        "[a]",
        "[]",
        "[[]]",
        "{}",
        "{A: b}",
        "{A: [b]}",
        "'(?i)'",
        "''",
    ]
)


ENTRIES = st.lists(st.dictionaries(KEYS, WORDS, max_size=8), max_size=5)


@given(ENTRIES, ENTRIES)
def test_no_entry_with_a_name_disappears_and_none_that_runs_is_incomplete(
    user: list[dict[str, str]], project: list[dict[str, str]]
) -> None:
    def content(entries: list[dict[str, str]]) -> str:
        lines = [f"{{{', '.join(f'{key}: {word}' for key, word in entry.items())}}}" for entry in entries]
        return hooks_file(*lines) if lines else ""

    loaded = load(content(user), content(project))
    names = {
        entry["name"].strip("'")
        for entry in (*user, *project)
        if "name" in entry and entry["name"][0] not in "[{~" and entry["name"] != "''"
    }
    assert {hook.name for hook in loaded.hooks} == names
    assert len(loaded.hooks) == len(names)
    for hook in loaded.hooks:
        if hook.left_out is None:
            assert hook.point in POINTS
            assert hook.type in {"observer", "decision"}
            assert spec_of(hook).command
            assert hook.timeout > 0
            assert {"name", "point", "type", "command"} <= hook.fields.keys()
        elif hook.left_out.code == "invalid":
            assert any(problem.severity == "error" for problem in loaded.problems)
