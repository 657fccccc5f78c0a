"""Which single commands a PowerShell command runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenterhook.dialects.claude_code.powershell_commands import cmdlet, read_powershell
from tenterhook.dialects.claude_code.shell_commands import LONGEST_COMMAND, UNKNOWN


@pytest.mark.parametrize(
    ("command", "texts"),
    [
        ("", set[str]()),
        ("GCI -Force", {"gci -force", "get-childitem -force"}),
        ("a; b | c && d || e\nf", set("abcdef")),
        ("a\r\nb", set("ab")),
        ("$x = git log", {"git log"}),
        ("[string]$x = gci", {"gci", "get-childitem"}),
        ("git commit -m '$x = 1; rm a'", {"git commit -m '$x = 1; rm a'"}),
        ('git commit -m "$x = 1"', {'git commit -m "$x = 1"'}),
        ("if ($x) { rm a }", {"if ($x) { rm a }", "rm a", "remove-item a"}),
        ('"it\'s"; git push', {'"it\'s"', "git push"}),
        ("'it''s; rm a'", {"'it''s; rm a'"}),
        ('write-output "$(git log)"', {'write-output "$(git log)"', "git log"}),
        ('& "git" push', {"git push"}),
        (". ./x.ps1", {"./x.ps1"}),
        ("# git push\na <# b #>", {"a"}),
        ("@'\ngit push\n'@", {"@'\ngit push\n'@", "@' git push '@"}),
        ("g`it push", {"git push"}),
        ("$files.Count", set[str]()),
    ],
)
def test_every_command_is_found_in_small_letters(command: str, texts: set[str]) -> None:
    read = read_powershell(command)
    assert read.known
    assert set(read.texts) == texts


@pytest.mark.parametrize("command", ["& $tool push", ". $tool", "& (gcm git) x", '& "$x/git"', "'a", '"a', "(a", "a)"])
def test_what_cannot_be_read_is_unknown(command: str) -> None:
    assert read_powershell(command) == UNKNOWN


@pytest.mark.parametrize(
    ("text", "canonical"),
    [("ls -Force", "get-childitem -force"), ("DIR", "get-childitem"), ("git ls", "git ls"), ("* x", "* x"), ("", "")],
)
def test_an_alias_is_its_cmdlet(text: str, canonical: str) -> None:
    assert cmdlet(text) == canonical


@pytest.mark.parametrize("piece", ["(", "$(", '"', "@'\n", "<#", '"$(', "{", "`", "a;", "'"])
def test_no_command_is_too_much(piece: str) -> None:
    assert read_powershell(piece * 1_000_000) == UNKNOWN
    read_powershell((piece * LONGEST_COMMAND)[:LONGEST_COMMAND])


def test_deep_nesting_is_unknown() -> None:
    assert read_powershell("(" * 400 + "a" + ")" * 400) == UNKNOWN


@given(
    st.one_of(st.text(max_size=60), st.lists(st.sampled_from([*"a ;|&(){}$\"'`@#<>\n=."]), max_size=30).map("".join))
)
def test_no_command_breaks_anything(command: str) -> None:
    read = read_powershell(command)
    assert read.known or not read.texts
