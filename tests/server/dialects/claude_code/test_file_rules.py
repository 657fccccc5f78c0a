"""Which paths a rule's pattern means."""

from __future__ import annotations

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenterhook.dialects.claude_code.file_rules import PathPattern, path_pattern, paths_of, pattern_at_home


def judged(specifier: str, path: str, folder: str = "/p") -> str:
    """What a valid pattern says of a path."""
    pattern = path_pattern(specifier)
    assert isinstance(pattern, PathPattern), pattern
    return pattern.judge(path, folder)


@pytest.mark.parametrize(
    ("specifier", "path", "met"),
    [
        ("src/**", "/p/src/a.ts", True),
        ("src/**", "/p/src/a/b.ts", True),
        ("src/**", "/p/pkg/src/a.ts", False),
        ("./src/**", "/p/src/a.ts", True),
        ("src/components/**", "/p/pkg/src/components/a", False),
        ("**/src/**", "/p/pkg/src/a.ts", True),
        ("**/src/**", "/p/src/a.ts", True),
        ("**/src/**", "/q/src/a.ts", False),
        ("*.ts", "/p/a.ts", True),
        ("*.ts", "/p/deep/a.ts", True),
        ("*.ts", "/p/a.tsx", False),
        ("*.ts", "/p/A.TS", False),
        (".env", "/p/deep/.env", True),
        ("./.env", "/p/.env", True),
        (".env", "/q/.env", False),
        ("src/*.ts", "/p/src/deep/a.ts", False),
        ("src/**/*.ts", "/p/src/a.ts", True),
        ("src/**/*.ts", "/p/src/deep/a.ts", True),
        ("docs", "/p/docs/a.md", True),
        ("docs", "/p/docs2/a.md", False),
        ("**", "/p/a", True),
        ("**", "/q/a", False),
        ("../q/**", "/q/a", True),
        ("../q/**", "/p/q/a", False),
        ("../../x", "/x", True),
        ("#a", "/p/#a", True),
        ("a?c", "/p/abc", True),
        ("[ab]c", "/p/bc", True),
        ("[!ab]c", "/p/bc", False),
        ("\\*.ts", "/p/a.ts", False),
        ("\\*.ts", "/p/*.ts", True),
        ("a.ts", "/p/a.ts\n", False),
        ("a.ts", "/p2/a.ts", False),
        ("a", "/p", False),
        ("**", "/p/a\nb", True),
    ],
)
def test_a_pattern_is_read_as_gitignore_reads_it(specifier: str, path: str, *, met: bool) -> None:
    assert judged(specifier, path) == ("met" if met else "notMet")


@pytest.mark.parametrize(
    ("specifier", "anchor", "folder", "path", "met"),
    [
        ("//tmp/x.txt", "root", "/", "/tmp/x.txt", True),
        ("//tmp/x.txt", "root", "/", "/p/tmp/x.txt", False),
        ("//**/.env", "root", "/", "/a/b/.env", True),
        ("~/.zshrc", "home", "/home/u", "/home/u/.zshrc", True),
        ("~/.zshrc", "home", "/home/u", "/home/u/x/.zshrc", False),
        ("~/docs/*.pdf", "home", "/home/u", "/home/u/docs/a.pdf", True),
        ("~", "home", "/home/u", "/home/u/a", True),
        ("/docs/**", "source", "/p", "/p/docs/a", True),
        ("/docs/**", "source", "/p", "/docs/a", False),
        ("/docs/**", "source", "/p", "/p/x/docs/a", False),
        ("~x/a", "cwd", "/p", "/p/~x/a", True),
    ],
)
def test_a_pattern_starts_where_its_first_characters_say(
    specifier: str, anchor: str, folder: str, path: str, *, met: bool
) -> None:
    pattern = path_pattern(specifier)
    assert isinstance(pattern, PathPattern)
    assert pattern.anchor == anchor
    assert (pattern.judge(path, folder) == "met") is met


@pytest.mark.parametrize("specifier", ["!src/**", "a[b-a]", "[a", "x" * 5000, "\\"])
def test_a_pattern_that_can_never_match_is_none(specifier: str) -> None:
    assert isinstance(path_pattern(specifier), str)


def test_a_pattern_that_takes_too_long_is_undecided() -> None:
    assert judged("*a" * 8 + "*[bc]", "/p/" + "a" * 2000) == "outOfTime"
    assert judged("src/**", "/p/" + "a" * 5000) == "outOfTime"


@pytest.mark.parametrize(
    ("specifier", "settled"),
    [
        ("~/a/**", "//home/u/a/**"),
        ("~", "//home/u/"),
        ("src/**", "src/**"),
        ("//a", "//a"),
        ("~x", "~x"),
    ],
)
def test_the_home_folder_is_filled_in(specifier: str, settled: str) -> None:
    assert pattern_at_home(specifier, "/home/u") == settled


def test_a_home_folder_is_no_pattern() -> None:
    assert judged(pattern_at_home("~/a", "/home/[u] *"), "/home/[u] */a", "/") == "met"
    assert judged(pattern_at_home("~/a", "/home/[u] *"), "/home/u x/a", "/") == "notMet"
    assert judged(pattern_at_home("~/a", "/"), "/a", "/") == "met"


@pytest.mark.parametrize(
    ("tool", "given", "paths"),
    [
        ("Edit", {"file_path": "/p/a"}, ("/p/a",)),
        ("Write", {"file_path": "/p/x/../a"}, ("/p/a",)),
        ("Write", {"file_path": "//p/./a/"}, ("/p/a",)),
        ("Read", {"file_path": "a"}, ("/p/a",)),
        ("Read", {"file_path": "../../../a"}, ("/a",)),
        ("NotebookEdit", {"notebook_path": "/p/a.ipynb"}, ("/p/a.ipynb",)),
        ("LSP", {"filePath": "a"}, ("/p/a",)),
        ("Glob", {"pattern": "src/*.ts"}, ("/p", "/p/src/*.ts")),
        ("Glob", {"pattern": "*.ts", "path": "src"}, ("/p/src", "/p/src/*.ts")),
        ("Grep", {"pattern": "x", "path": "/q", "glob": "*.env"}, ("/q", "/q/*.env")),
        ("Edit", {}, None),
        ("Edit", {"file_path": 1}, None),
        ("Edit", {"file_path": ""}, None),
        ("Glob", {"pattern": 1}, None),
    ],
)
def test_a_call_names_its_paths(tool: str, given: dict[str, object], paths: tuple[str, ...] | None) -> None:
    assert paths_of(tool, given, "/p") == paths


def test_a_search_of_a_folder_names_what_lies_in_it() -> None:
    paths = paths_of("Grep", {"pattern": "x", "path": "src"}, "/p")
    assert paths is not None
    assert paths[0] == "/p/src"
    assert any(judged("src/**", path) == "met" for path in paths)
    assert all(judged("test/**", path) == "notMet" for path in paths)
    assert all(judged("*.ts", path) == "notMet" for path in paths)


_SEGMENT = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/*?[]\\!# "), min_size=1, max_size=6
)
_PATH = st.lists(_SEGMENT.filter(lambda name: name not in {".", ".."}), min_size=2, max_size=4).map("/".join)


@given(_PATH, _PATH)
def test_a_literal_pattern_means_itself_and_what_lies_below(pattern: str, path: str) -> None:
    if pattern.startswith("~"):
        return
    assert judged(pattern, posixpath.join("/p", pattern)) == "met"
    below = path == pattern or path.startswith(f"{pattern}/")
    assert judged(pattern, posixpath.join("/p", path)) == ("met" if below else "notMet")


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_pattern_and_no_path_breaks_anything(specifier: str, path: str) -> None:
    pattern = path_pattern(specifier)
    paths = paths_of("Edit", {"file_path": path}, "/p") or ()
    if isinstance(pattern, PathPattern):
        assert all(pattern.judge(one, "/p") in {"met", "notMet", "outOfTime"} for one in paths)
