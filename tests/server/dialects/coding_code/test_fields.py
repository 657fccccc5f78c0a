"""What each single field of an entry means: right, wrong, and not quite right."""

from __future__ import annotations

import sys

import pytest
from server.dialects.coding_code.parts import GLOBAL_PATH, codes, hooks_file, load, one
from tenterhook.dialects.coding_code.fields import MAX_TIMEOUT
from tenterhook.model import CommandSpec, Hook, Problem
from tenterhook_protocol.base import UNSET

BASE = "name: a, point: tool.approval.pre, type: decision, command: node"


def with_field(field: str) -> tuple[Hook, tuple[Problem, ...]]:
    """The one hook of a file whose entry has this field beside the required ones."""
    loaded = load(hooks_file(f"{{{BASE}, {field}}}"))
    return one(loaded), loaded.problems


@pytest.mark.parametrize(
    ("field", "attribute", "value"),
    [
        ("priority: -1.5", "priority", -1.5),
        ("priority: 0o14", "priority", 12),
        ("priority: 1e3", "priority", 1000),
        ("priority: .inf", "priority", sys.float_info.max),
        ("priority: -.inf", "priority", -sys.float_info.max),
        ("enabled: true", "enabled", True),
        ("timeout: 0.5", "timeout", 0.5),
        ("timeout: 3600", "timeout", 3600),
        ("matcher: read_file|write_file", "matcher", "read_file|write_file"),
        ("matcher: '^mcp__'", "matcher", "^mcp__"),
        ("matcher: '*'", "matcher", "*"),
        ("matcher: ''", "matcher", ""),
        ("onFailure: deny", "on_failure", "deny"),
        ("onFailure: ask", "on_failure", "ask"),
        ("onFailure: ignore", "on_failure", None),
        ("profiles: [Strict, minimal]", "profiles", ("strict", "minimal")),
        ("description: ''", "description", ""),
        ("locked: true", "enabled", True),
        ("worker: false", "enabled", True),
        ("cwd: scripts", "spec", CommandSpec("node", cwd="scripts")),
        ("args: []", "spec", CommandSpec("node")),
        (
            "args: [1.10, 012, 0x1F, true, no, 12:30, 2024-01-01, '', \"q\", 1e3]",
            "spec",
            CommandSpec("node", ("1.10", "012", "0x1F", "true", "no", "12:30", "2024-01-01", "", "q", "1e3")),
        ),
        (
            "env: {A: 1.10, B: on, C: ~, D: '', E: , 8: x8}",
            "spec",
            CommandSpec("node", env=(("A", "1.10"), ("B", "on"), ("C", None), ("D", ""), ("E", None), ("8", "x8"))),
        ),
        ("args: ['${HOME}', '$HOME', '~']", "spec", CommandSpec("node", ("${HOME}", "$HOME", "~"))),
    ],
)
def test_a_field_is_taken_as_it_is_written(field: str, attribute: str, value: object) -> None:
    hook, problems = with_field(field)
    assert getattr(hook, attribute) == value
    assert hook.left_out is None
    assert [problem.code for problem in problems if problem.code != "yaml-key"] == []


TAKEN: list[tuple[str, str, str, str, object, str]] = [
    ("priority: '10'", "warning", "field-numeric-text", "priority", 10, "without quotes"),
    ("priority: ' 1e1 '", "warning", "field-numeric-text", "priority", 10, "without quotes"),
    ("priority: high", "error", "field-type", "priority", 0, "smaller numbers run first"),
    ("priority: ''", "error", "field-type", "priority", 0, "smaller"),
    ("priority: true", "error", "field-type", "priority", 0, "smaller"),
    ("priority: .nan", "error", "field-type", "priority", 0, "smaller"),
    ("priority: [1]", "error", "field-type", "priority", 0, "smaller"),
    ("priority: {a: 1}", "error", "field-type", "priority", 0, "smaller"),
    *[
        (f"enabled: {word}", "error", "field-type", "enabled", True, "write enabled: false")
        for word in ("no", "off", "n", "'false'", "'no'", "0", "1", "yes", "''", "[]", "{}")
    ],
    ("timeout: '5'", "warning", "field-numeric-text", "timeout", 5, "without quotes"),
    ("timeout: 0", "error", "field-type", "timeout", 30, "seconds"),
    ("timeout: -1", "error", "field-type", "timeout", 30, "seconds"),
    ("timeout: .nan", "error", "field-type", "timeout", 30, "seconds"),
    ("timeout: true", "error", "field-type", "timeout", 30, "seconds"),
    ("timeout: 30s", "error", "field-type", "timeout", 30, "seconds"),
    ("timeout: 30000", "warning", "timeout-too-long", "timeout", MAX_TIMEOUT, "did you mean 30?"),
    ("timeout: .inf", "warning", "timeout-too-long", "timeout", MAX_TIMEOUT, "lower it"),
    ("description: 12", "warning", "field-type", "description", "12", 'description: "12"'),
    ("description: [a]", "warning", "field-type", "description", None, "some text"),
    ("profiles: [stict, minimal]", "warning", "profile-unknown", "profiles", ("stict", "minimal"), "'strict'?"),
    ("profiles: [stict]", "warning", "profile-unknown", "profiles", ("stict",), "did you mean 'strict'?"),
    ("profiles: [mine]", "warning", "profile-unknown", "profiles", ("mine",), "minimal, standard, strict"),
    ("profiles: [strict, STRICT, zzz]", "warning", "profile-unknown", "profiles", ("strict", "zzz"), "are minimal"),
    ("onFailure: block", "error", "on-failure-unknown", "on_failure", "deny", "ignore, deny, ask"),
    ("onFailure: Ask", "error", "on-failure-unknown", "on_failure", "deny", "did you mean 'ask'?"),
    ("onFailure: false", "error", "field-type", "on_failure", "deny", "ignore, deny, ask"),
    ("locked: yes", "error", "field-type", "enabled", True, "locked: true"),
    ("worker: 3", "error", "field-type", "enabled", True, "worker: true"),
    ("args: [~]", "warning", "field-null", "spec", CommandSpec("node", ("~",)), 'write ""'),
    ("priorty: 3", "warning", "unknown-key", "priority", 0, "did you mean 'priority'?"),
    ("Timeout: 3", "warning", "unknown-key", "timeout", 30, "did you mean 'timeout'?"),
    ("onfailure: deny", "warning", "unknown-key", "on_failure", None, "did you mean 'onFailure'?"),
    ("zzz: 3", "warning", "unknown-key", "priority", 0, "the keys are name, point"),
    ("<<: {priority: 3}", "warning", "unknown-key", "priority", 0, "no merge key"),
    *[
        (f"{key}: ~", "warning", "field-null", "left_out", None, f"give {key} a value")
        for key in (
            *("description", "args", "env", "cwd", "matcher", "priority", "enabled", "timeout", "onFailure"),
            *("locked", "profiles", "worker"),
        )
    ],
]


@pytest.mark.parametrize(("field", "severity", "code", "attribute", "value", "hint"), TAKEN)
def test_what_can_be_taken_otherwise_runs_and_is_told(
    field: str, severity: str, code: str, attribute: str, value: object, hint: str
) -> None:
    hook, problems = with_field(field)
    assert codes(problems) == [(severity, code, "a")]
    assert hint in str(problems[0].hint)
    assert (problems[0].path, problems[0].line) == (GLOBAL_PATH, 2)
    assert getattr(hook, attribute) == value
    assert hook.left_out is None


UNUSABLE: list[tuple[str, str, str]] = [
    ("args: --all", "field-type", "write a list"),
    ("args: 3", "field-type", "write a list"),
    ("args: {a: b}", "field-type", "write a list"),
    ("args: [[a]]", "field-type", "quote it"),
    ("args: [{a: b}]", "field-type", "quote it"),
    ('args: ["a\\0b"]', "field-character", "delete it"),
    ("env: A=b", "field-type", "env: {NAME: value}"),
    ("env: [A=b]", "field-type", "env: {NAME: value}"),
    ("env: {A: [b]}", "field-type", "in quotes"),
    ("env: {A=B: c}", "env-name", "NAME: value"),
    ("env: {'': c}", "env-name", "NAME: value"),
    ('env: {"A\\0": c}', "env-name", "NAME: value"),
    ('env: {A: "c\\0"}', "field-character", "delete it"),
    ("cwd: 3", "field-type", 'cwd: "3"'),
    ("cwd: ''", "field-empty", "give cwd a value"),
    ("cwd: [a]", "field-type", "some text"),
    ("matcher: 3", "field-type", "in quotes"),
    ("matcher: [a, b]", "field-type", "join names"),
    ("matcher: {a: b}", "field-type", "in quotes"),
    ("matcher: '*.py'", "matcher-invalid", ".* stands for anything"),
    ("matcher: '(?i)bash'", "matcher-invalid", "JavaScript"),
    ("matcher: 'a('", "matcher-invalid", "JavaScript"),
    ("profiles: strict", "field-type", "profiles: [strict]"),
    ("profiles: []", "field-type", "profiles: [strict]"),
    ("profiles: [3]", "field-type", 'profiles[0]: "3"'),
    ("profiles: {a: b}", "field-type", "profiles: [strict]"),
]


@pytest.mark.parametrize(("field", "code", "hint"), UNUSABLE)
def test_what_cannot_be_taken_at_all_leaves_the_entry_out(field: str, code: str, hint: str) -> None:
    hook, problems = with_field(field)
    assert codes(problems) == [("error", code, "a")]
    assert "this entry is left out" in problems[0].message
    assert hint in str(problems[0].hint)
    assert hook.left_out is not None
    assert hook.left_out.code == "invalid"
    assert field.split(":", maxsplit=1)[0] in hook.left_out.message


def test_a_disabled_hook_is_kept_and_says_where_it_was_disabled() -> None:
    hook, problems = with_field("enabled: false")
    assert problems == ()
    assert hook.left_out is not None
    assert (hook.left_out.code, hook.enabled) == ("disabled", False)
    assert f"{GLOBAL_PATH}, line 2" in hook.left_out.message


def test_every_problem_says_where_what_and_what_to_do() -> None:
    fields = [*(row[0] for row in TAKEN), *(row[0] for row in UNUSABLE)]
    loaded = load(
        hooks_file(*(f"{{{BASE.replace('a,', f'n{index},', 1)}, {field}}}" for index, field in enumerate(fields)))
    )
    assert len(loaded.hooks) == len(fields)
    assert [problem.line for problem in loaded.problems] == list(range(2, len(fields) + 2))
    for problem in loaded.problems:
        assert problem.message
        assert problem.hint is not UNSET
        assert problem.end_column >= problem.column >= 5
