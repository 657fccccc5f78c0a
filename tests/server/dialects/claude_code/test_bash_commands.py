"""Which single commands a Bash command runs."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tenterhook.dialects.claude_code.bash_commands import read_bash
from tenterhook.dialects.claude_code.shell_commands import LONGEST_COMMAND, UNKNOWN

READ: list[tuple[str, set[str]]] = [
    ("", set()),
    ("# git push", set()),
    ("A=1", set()),
    ("git push", {"git push"}),
    ("FOO=bar BAZ='a b' git push", {"git push"}),
    ("a && b || c; d | e |& f & g\nh", set("abcdefgh")),
    ("! git push", {"git push"}),
    ("(a; b) && { c; }", set("abc")),
    ("for f in x y; do a; done", {"a"}),
    ("while a; do b; done; until c; do d; done", set("abcd")),
    ("if a; then b; elif c; then d; else e; fi", set("abcde")),
    ("case x in y) a;; z) b;; esac", set("ab")),
    ("f() { git push; }; function g { a; }", {"git push", "a"}),
    ("echo '$(a)' \"\\$(b)\"", {"echo '$(a)' \"\\$(b)\"", "echo $(a) $(b)"}),
    ("a <(b) >(c)", {"a <(b) >(c)", "b", "c"}),
    ("A=$(git push)", {"git push"}),
    ("arr=($(a))", {"a"}),
    ("[[ $(a) ]]", {"[[ $(a) ]]", "a"}),
    ("[ -f x ]", {"[ -f x ]"}),
    ("export A=$(b)", {"export A=$(b)", "b"}),
    ("'git' \"push\"", {"'git' \"push\"", "git push"}),
    ("\\git push", {"\\git push", "git push"}),
    ("g'i't push", {"g'i't push", "git push"}),
    ("git \\\n  push", {"git \\\n  push", "git push"}),
    ("git\t push", {"git\t push", "git push"}),
    ("git push > out 2>&1", {"git push", "git push > out 2>&1"}),
    ("<in git push", {"git push"}),
    ("git >x push", {"git", "git push", "git >x push"}),
    ("a | git >x push", {"a", "git", "git push", "git >x push"}),
    ("cat <<EOF\ngit push\nEOF\n", {"cat"}),
    ("cat <<'EOF'\n$(git push) `git push`\nEOF\n", {"cat"}),
    ("cat <<EOF && b\ngit push\nEOF\nc", {"cat", "b", "c"}),
    ("cat <<EOF\n$(git push)\nEOF\n", {"cat", "git push"}),
    ("cat <<EOF\n`git push` and \\`date\\`\nEOF\n", {"cat", "git push"}),
    ("cat <<< $(a)", {"a", "cat", "cat <<< $(a)"}),
    ("timeout 5 git push", {"timeout 5 git push", "git push"}),
    ("timeout -k 1 --foreground 5 a", {"timeout -k 1 --foreground 5 a", "a"}),
    ("nohup nice -n 5 a b", {"nohup nice -n 5 a b", "nice -n 5 a b", "a b"}),
    ("time -p FOO=1 a", {"time -p FOO=1 a", "a"}),
    ("stdbuf -oL -e 0 a", {"stdbuf -oL -e 0 a", "a"}),
    ("command -p a", {"command -p a", "a"}),
    ("command -v git", {"command -v git"}),
    ("builtin cd x", {"builtin cd x", "cd x"}),
    ("noglob rm *", {"noglob rm *", "rm *"}),
    ("coproc git push", {"coproc git push", "git push"}),
    ("xargs grep x", {"xargs grep x", "grep x"}),
    ("xargs -n1 grep x", {"xargs -n1 grep x"}),
    ("npx git", {"npx git"}),
    ("bash -c 'git push'", {"bash -c 'git push'", "bash -c git push"}),
]


@pytest.mark.parametrize(("command", "texts"), READ)
def test_every_command_is_found_under_each_of_its_spellings(command: str, texts: set[str]) -> None:
    read = read_bash(command)
    assert read.known
    assert set(read.texts) == texts


def test_backticks_inside_backticks_are_read() -> None:
    assert {"date -u", "a `date -u`"} <= read_bash("echo `a \\`date -u\\``").texts


@pytest.mark.parametrize(
    "command",
    [
        "$TOOL push",
        "${TOOL} push",
        '"$TOOL" push',
        "$(which git) push",
        "`which git` push",
        "a && $TOOL",
        "timeout 5 $TOOL",
        "FOO=1 $TOOL",
        "$'git' push",
        "g{it,x} push",
        "/usr/bin/g?t push",
        "echo 'open",
        "if a; then",
        "echo $(",
        "a | | b",
        "cat <<EOF\n` open\nEOF\n",
        "a\0b",
    ],
)
def test_what_cannot_be_read_is_unknown(command: str) -> None:
    assert read_bash(command) == UNKNOWN


@pytest.mark.parametrize(
    ("command", "substitutes"),
    [
        ("echo $(date)", True),
        ("echo `date`", True),
        ('echo "$A"', True),
        ("echo ${A:-x}", True),
        ("for f in a; do echo $f; done", True),
        ("cat <<EOF\n`date`\nEOF\n", True),
        ("echo '$A $(date) `date`'", False),
        ("echo \\$A", False),
        ("cat <<'EOF'\n$A\nEOF\n", False),
        ("a <(b)", False),
        ("for f in a; do b; done", False),
    ],
)
def test_what_the_shell_fills_in_is_seen(command: str, *, substitutes: bool) -> None:
    assert read_bash(command).substitutes is substitutes


@pytest.mark.parametrize(
    "piece",
    ["a;", "(", "$(", '"', "<<A\n", "`", "[[", "a&&", "if ", "a|", "}|", "\\`", "${a:-", "<(a ", "{ ", "((", "\n"],
)
def test_no_command_is_too_much(piece: str) -> None:
    assert read_bash(piece * 1_000_000) == UNKNOWN
    read_bash((piece * LONGEST_COMMAND)[:LONGEST_COMMAND])


def test_deep_nesting_is_unknown_before_its_text_fills_the_memory() -> None:
    depth = LONGEST_COMMAND // 6
    assert sum(map(len, read_bash("a $(" * depth + "c" + ")" * depth).texts)) <= 1_000_000


@pytest.mark.parametrize("letter", ["\U00031860", "\U0010193b", "\U0010ffff", "\U0001f600", "\u4e2d"])
def test_no_letter_kills_the_parser(letter: str) -> None:
    """tree-sitter/tree-sitter-bash#337: in the end the process of whoever parses is gone."""
    assert read_bash(f"{{{letter}") == UNKNOWN
    assert read_bash(f"git {letter} 'é'").texts == {f"git {letter} é", f"git {letter} 'é'"}


def test_a_command_that_took_too_long_leaves_nothing_behind_for_the_next() -> None:
    read_bash(("<<A\n" * LONGEST_COMMAND)[:LONGEST_COMMAND])
    assert read_bash("git push").texts == {"git push"}


_SHELL = st.lists(
    st.sampled_from([*"abc \n;&|(){}[]<>$\"'`\\=!#*?~", "$(", "<<E\n", "if ", "then ", "fi ", "time ", "é", "\ud800"]),
    max_size=30,
).map("".join)


@given(st.one_of(st.text(max_size=60), _SHELL))
@example("\ud800")
def test_no_command_breaks_anything(command: str) -> None:
    read = read_bash(command)
    assert read.known or not read.texts


@given(st.lists(st.from_regex(r"[a-z]{1,6}( [a-z0-9./-]{1,6}){0,3}", fullmatch=True), min_size=1, max_size=6))
def test_a_list_of_plain_commands_is_taken_apart(commands: list[str]) -> None:
    keywords = {"if", "fi", "do", "done", "then", "else", "elif", "case", "esac", "in", "for", "while", "until"}
    plain = [f"x{command}" for command in commands if command not in keywords]
    assert set(plain) == set(read_bash("; ".join(plain)).texts)
