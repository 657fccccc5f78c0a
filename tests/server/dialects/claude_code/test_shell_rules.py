"""When a rule's pattern means a shell command, and what a star stands for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenterhook.dialects.claude_code.shell_commands import UNKNOWN, Commands
from tenterhook.dialects.claude_code.shell_rules import shell_pattern
from tenterhook.dialects.claude_code.wildcards import wildcard


# The published table of wildcard patterns for permission rules.
@pytest.mark.parametrize(
    ("specifier", "text", "met"),
    [
        ("npm run build", "npm run build", True),
        ("npm run build", "npm run build --watch", False),
        ("npm run *", "npm run build", True),
        ("npm run *", "npm run", True),
        ("npm run *", "npm install", False),
        ("git log * main", "git log --oneline main", True),
        ("git log * main", "git log main", False),
        ("git * main", "git push origin main", True),
        ("git * main", "git log", False),
        ("* --version", "node --version", True),
        ("* --version", "node -v", False),
        ("ls *", "ls", True),
        ("ls *", "ls -la", True),
        ("ls *", "lsof", False),
        ("ls*", "lsof", True),
        ("ls:*", "ls -la", True),
        ("ls:*", "ls", True),
        ("ls:*", "lsof", False),
        ("git:* push", "git push", False),
        ("* --help *", "npm --help x", True),
        ("* --help *", "npm --help", False),
        (":*", "anything at all", True),
        ("a*b", "a\nb", True),
        ("ab*ba", "aba", False),
    ],
)
def test_a_star_stands_for_any_text(specifier: str, text: str, *, met: bool) -> None:
    assert shell_pattern(specifier, "Bash").means(Commands(frozenset({text}))) is met


@pytest.mark.parametrize("specifier", ["git *", "git", "x y", "*"])
def test_an_unknown_command_meets_every_pattern(specifier: str) -> None:
    assert shell_pattern(specifier, "Bash").could_mean(UNKNOWN)


@pytest.mark.parametrize(
    ("specifier", "met"),
    [
        ("git push *", True),
        ("git push:*", True),
        ("git commit*", True),
        ("* push", True),
        ("g*t *", True),
        ("git *", False),
        ("git:*", False),
        ("git*", False),
        ("git", False),
    ],
)
def test_what_is_filled_in_meets_patterns_that_say_more_than_the_program(specifier: str, *, met: bool) -> None:
    assert shell_pattern(specifier, "Bash").could_mean(Commands(frozenset({"echo"}), substitutes=True)) is met
    assert not shell_pattern(specifier, "Bash").could_mean(Commands(frozenset({"echo"})))


@pytest.mark.parametrize("specifier", ["Get-ChildItem *", "GCI *", "dir:*"])
def test_a_cmdlet_goes_by_all_its_names(specifier: str) -> None:
    assert shell_pattern(specifier, "PowerShell").means(Commands(frozenset({"get-childitem -force"})))
    assert not shell_pattern(specifier, "PowerShell").means(Commands(frozenset({"get-content x"})))


_LITERAL = st.text(st.characters(exclude_characters="*", exclude_categories=["Cs"]), max_size=12)


@given(_LITERAL, _LITERAL)
def test_a_literal_pattern_means_itself_only(pattern: str, text: str) -> None:
    assert wildcard(pattern).matches(pattern)
    assert wildcard(pattern).matches(text) is (pattern == text)


@given(st.lists(_LITERAL, min_size=1, max_size=4), st.lists(_LITERAL, min_size=4, max_size=4))
def test_a_pattern_means_every_text_with_its_stars_filled_in(pieces: list[str], fillings: list[str]) -> None:
    text = "".join(piece + filling for piece, filling in zip(pieces, [*fillings[: len(pieces) - 1], ""], strict=False))
    assert wildcard("*".join(pieces)).matches(text)
