"""Patterns are read as JavaScript reads them. What each row says was compared with Node."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from tenterhook.dialects.javascript_regex import NotAPattern, translate


def found(pattern: str, value: str) -> bool:
    return regex.search(translate(pattern), value, regex.ASCII) is not None


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        (r"a$", ["a"], ["a\n"]),
        (r"^b", ["b"], ["a\nb"]),
        (r"^.$", ["a", "\x85"], ["\n", "\r", "\u2028"]),
        (r"^\d$", ["7"], ["٣"]),
        (r"^\D$", ["٣", "a"], ["7"]),
        (r"^\w$", ["a", "_"], ["é", "-"]),
        (r"^\W$", ["é", "-"], ["a", "_"]),
        (r"^\s$", [" ", "\u00a0", "\ufeff", "\u2028"], ["\x85", "a"]),
        (r"^\S$", ["\x85", "a"], [" ", "\u00a0"]),
        (r"^[\S]$", ["\x85"], ["\u00a0"]),
        (r"\bé", ["aé"], ["é"]),
        (r"[^]", ["a", "\n"], [""]),
        (r"a[]", [], ["a", "a[]"]),
        (r"^[]]$", [], ["]"]),
        (r"^[\]]$", ["]"], ["a"]),
        (r"^[a-]$", ["a", "-"], ["b"]),
        (r"^[-a]$", ["a", "-"], ["b"]),
        (r"^[\w-z]$", ["-", "z", "a"], ["."]),
        (r"^[a-\d]$", ["-", "a", "5"], ["b"]),
        (r"^[[a]$", ["[", "a"], ["]"]),
        (r"^[a&&b]$", ["a", "b", "&"], ["c"]),
        (r"^[\b]$", ["\b"], ["b"]),
        (r"^[^a]$", ["b", "\n"], ["a"]),
        (r"^a{,2}$", ["a{,2}"], ["a", "aa"]),
        (r"^a{$", ["a{"], ["a"]),
        (r"^a{2}$", ["aa"], ["a", "aaa"]),
        (r"^a{1,}?$", ["a", "aa"], [""]),
        (r"^a]}$", ["a]}"], []),
        (r"^\A\Z\z$", ["AZz"], [""]),
        (r"^\-\/\.\_\q$", ["-/._q"], []),
        (r"^\x61\u0062\cA\0$", ["ab\x01\0"], []),
        (r"^\x6\u00$", ["x6u00"], []),
        (r"^\t\n\v\f\r$", ["\t\n\x0b\f\r"], []),
        (r"^(a)\1$", ["aa"], ["a"]),
        (r"^(?:(a)|b)\1$", ["aa", "b"], ["a"]),
        (r"^(?<n>a)\k<n>$", ["aa"], ["a"]),
        (r"^\k$", ["k"], []),
        (r"(?<=a)b", ["ab"], ["b"]),
        (r"(?<!a)b", ["b"], ["ab"]),
        (r"^(?=a)*b", ["b"], []),
        (r"a#b", ["a#b"], ["a"]),
        (r"^a b$", ["a b"], ["ab"]),
        (r"a|", ["", "b"], []),
        (r"()", [""], []),
        (r"^é$", ["é"], ["e"]),
    ],
)
def test_a_pattern_means_what_javascript_means_by_it(pattern: str, yes: list[str], no: list[str]) -> None:
    assert [value for value in yes if not found(pattern, value)] == []
    assert [value for value in no if found(pattern, value)] == []


@pytest.mark.parametrize(
    "pattern",
    [
        "*",
        "+a",
        "a|*",
        "(*)",
        "^*",
        "a{2}{3}",
        "{2}",
        "(?<=a)*",
        "(?",
        "(?:",
        "(?<1>a)",
        "[b-a]",
        r"[\d-",
        r"\01",
        r"[\1]",
        "[(]\\1",
        "[a-",
        "\\",
    ],
)
def test_what_javascript_refuses_is_refused(pattern: str) -> None:
    with pytest.raises(NotAPattern):
        translate(pattern)


@given(st.text(alphabet="ab-\\[](){}?*+|^$.,:=!<>1dDwWsSbBkux0& ", max_size=12))
def test_whatever_is_not_refused_is_a_pattern_of_the_library(pattern: str) -> None:
    try:
        translated = translate(pattern)
    except NotAPattern:
        return
    regex.compile(translated, regex.ASCII)
