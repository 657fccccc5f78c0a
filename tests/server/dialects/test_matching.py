"""Which tool names a matcher means."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from tenterhook.dialects.matching import MAX_PATTERN_BYTES, TIME_LIMIT, compile_matcher

TOOLS = ("Write", "TodoWrite", "mcp__some_server__list", "Bash", "read_file", "write_file")

MEANT: list[tuple[str, set[str]]] = [
    ("Write", {"Write"}),
    ("Writ", set()),
    ("write", set()),
    ("rit.", {"Write", "TodoWrite", "write_file"}),
    ("W(rit)e", {"Write", "TodoWrite"}),
    ("^Write$", {"Write"}),
    ("mcp__.*", {"mcp__some_server__list"}),
    ("mcp__some_server", set()),
    ("mcp__[^_]+__[^_]+", set()),
    ("Write|Bash", {"Write", "Bash"}),
    ("Write, Bash", {"Write", "Bash"}),
    (" Write |, Bash ,", {"Write", "Bash"}),
    ("Writ|e", set()),
    ("Writ.|Bash", {"Write", "TodoWrite", "Bash"}),
    ("(read|write)_file", {"read_file", "write_file"}),
    ("^(?!mcp__)", {"Write", "TodoWrite", "Bash", "read_file", "write_file"}),
    (r"\bWrite\b", {"Write"}),
    (".*", set(TOOLS)),
    (".", set(TOOLS)),
    ("|", set()),
    (" ", set()),
    ("*.py", set()),
]


@pytest.mark.parametrize(("text", "tools"), MEANT)
def test_plain_words_are_whole_names_and_patterns_match_anywhere(text: str, tools: set[str]) -> None:
    matcher = compile_matcher(text)
    assert {tool for tool in TOOLS if matcher.matches(tool)} == tools
    assert not matcher.matches(None)
    assert not matcher.everything


@pytest.mark.parametrize("text", [None, "", "*"])
def test_no_restriction_is_met_by_an_event_without_a_tool_too(text: str | None) -> None:
    matcher = compile_matcher(text)
    assert matcher.everything
    assert matcher.error is None
    assert matcher.matches(None)
    assert matcher.matches("")
    assert matcher.matches("Bash")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("*.py", "nothing to repeat"),
        ("a**", "nothing to repeat"),
        ("(a", "not closed"),
        ("a)", "closes nothing"),
        ("[a", "not closed"),
        ("[z-a]", "out of order"),
        ("a{3,2}", "out of order"),
        ("(?i)bash", "invalid group"),
        ("(?P<a>x)", "invalid group"),
        ("(?>a)", "invalid group"),
        ("a\\", "backslash"),
        ("(.)\\2", "names no group"),
        ("(?<a>.)\\k<b>", "names no group"),
        ("((a{1000}){1000}){1000}", "too large"),
        ("(?:" * 60 + "a+" + ")+" * 60, "too large"),
        ("(" * 200 + ")" * 200, "groups inside each other"),
        ("x" * (MAX_PATTERN_BYTES + 1), "longer than"),
        ("é" * (MAX_PATTERN_BYTES // 2 + 1), "longer than"),
    ],
)
def test_a_matcher_that_is_no_pattern_says_why_and_matches_nothing(text: str, words: str) -> None:
    matcher = compile_matcher(text)
    assert matcher.error is not None
    assert words in matcher.error
    assert not any(matcher.matches(tool) for tool in (*TOOLS, "", text, None))


@pytest.mark.parametrize(
    "text", ["x" * MAX_PATTERN_BYTES, "(a{100}){190}", "(" * 99 + ")" * 99, "." * MAX_PATTERN_BYTES]
)
def test_a_large_matcher_within_the_bounds_is_no_problem(text: str) -> None:
    assert compile_matcher(text).error is None


ENDLESS = "^(?:a|aa)+$"


def test_a_pattern_that_never_ends_is_out_of_time_and_not_just_not_met() -> None:
    matcher = compile_matcher(ENDLESS)
    assert matcher.judge("a" * 200 + "b") == "outOfTime"
    assert not matcher.matches("a" * 200 + "b")
    assert [matcher.judge(value) for value in ("aaa", "b", "", None)] == ["met", "notMet", "notMet", "notMet"]


class Searches:
    """Stands for a compiled pattern; keeps how long each search was allowed to take."""

    def __init__(self) -> None:
        self.limits: list[float] = []

    def search(self, value: str, timeout: float) -> bool:
        self.limits.append(timeout)
        if value.startswith("late"):
            raise TimeoutError
        return True


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> Iterator[Searches]:
    searches = Searches()

    def compiled(_pattern: str, _flags: int) -> Searches:
        return searches

    monkeypatch.setattr(regex, "compile", compiled)
    compile_matcher.cache_clear()
    yield searches
    compile_matcher.cache_clear()


def test_a_name_that_ran_out_of_time_is_not_tried_again(searches: Searches) -> None:
    matcher = compile_matcher("x.")
    assert [matcher.judge("late") for _ in range(10)] == ["outOfTime"] * 10
    assert searches.limits == [TIME_LIMIT]
    assert compile_matcher("x.").judge("late") == "outOfTime"
    assert searches.limits == [TIME_LIMIT]


def test_names_without_number_cost_little_time_and_memory_and_others_are_still_met(searches: Searches) -> None:
    matcher = compile_matcher("x.")
    assert {matcher.judge(f"late{index}") for index in range(1000)} == {"outOfTime"}
    assert sum(searches.limits) < 60 * TIME_LIMIT
    assert matcher.judge("other") == "met"
    long = "late" * 1000
    searches.limits.clear()
    assert {matcher.judge(long) for _ in range(10)} == {"outOfTime"}
    assert sum(searches.limits) < TIME_LIMIT


def test_a_list_never_means_the_empty_name() -> None:
    assert not any(compile_matcher(text).matches("") for text in ("|", ",", " ", "Write|", "a,,b"))


def test_a_matcher_is_compiled_once() -> None:
    assert compile_matcher("^mcp__") is compile_matcher("^mcp__")


@given(
    st.lists(st.from_regex(r"\A[A-Za-z0-9_-]{1,12}\Z"), min_size=1, max_size=5),
    st.sampled_from(["|", ",", ", ", " | "]),
)
def test_a_list_means_its_names_and_no_others(names: list[str], separator: str) -> None:
    matcher = compile_matcher(separator.join(names))
    assert matcher.error is None
    assert all(matcher.matches(name) for name in names)
    assert not any(matcher.matches(name + "x") for name in names if name + "x" not in names)


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_text_is_an_exception(text: str, value: str) -> None:
    matcher = compile_matcher(text)
    matched = matcher.matches(value)
    assert not (matched and matcher.error)


def test_plain_matchers_do_not_load_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "regex", None)
    assert compile_matcher("only_this_once|and_that").matches("and_that")
