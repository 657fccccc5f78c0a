"""What a URL says, and which patterns allow it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenterhook.runners.web.target import Target, is_allowed, read_url

GOOD = [
    ("http://localhost", "http://localhost", "/"),
    ("HTTP://LocalHost.:8080/Hook?A=b#frag", "http://localhost:8080", "/Hook?A=b"),
    ("https://a.example:443/x", "https://a.example", "/x"),
    ("https://a.example:8443?q", "https://a.example:8443", "/?q"),
    ("http://[::1]:80/x", "http://[::1]", "/x"),
    ("http://a.example/a/./b/../c", "http://a.example", "/a/c"),
    ("http://a.example/a/%2e%2E/%2e/b/..", "http://a.example", "/"),
    ("http://a.example/../../x/..//y/.", "http://a.example", "//y/"),
    ("http://münchen.example/ü?ü", "http://xn--mnchen-3ya.example", "/%C3%BC?%C3%BC"),
    ("http://a_b.example/100%25", "http://a_b.example", "/100%25"),
]


@pytest.mark.parametrize(("url", "origin", "path"), GOOD)
def test_a_url_is_read_once_into_what_is_sent(url: str, origin: str, path: str) -> None:
    target = read_url(url)
    assert isinstance(target, Target)
    assert (target.origin, target.path) == (origin, path)


BAD = [
    ("", "no scheme"),
    ("a.example/x", "no scheme"),
    ("//a.example/x", "no scheme"),
    ("file:///etc/passwd", "'file'"),
    ("ftp://a.example/", "'ftp'"),
    ("gopher://a.example/", "'gopher'"),
    ("http://", "names no host"),
    ("http:///x", "names no host"),
    ("http://:80/", "names no host"),
    ("http://a..b/", "names no host"),
    ("http://a../", "names no host"),
    ("http://./", "names no host"),
    ("http://a%2eb/", "names no host"),
    ("http://[fe80::1%25eth0]/", "names no host"),
    ("http://[::1/", "cannot be read"),
    ("http://a.example:99999/", "cannot be read"),
    ("http://a.example:x/", "cannot be read"),
    ("http://a.example:0/", "port 0"),
    ("http://user:secret@a.example/", "user name or password"),
    ("http://a.example\\@b.example/", "backslash"),
    ("http://a.example/x\r\nHost: b", "control character"),
    ("http://a.example/a b", "space"),
    ("http://a.example/\x00", "control character"),
    ("http://a.example/\ud800", "cannot be read"),
]


@pytest.mark.parametrize(("url", "why"), BAD)
def test_a_url_that_nothing_can_be_sent_to_is_named_and_its_secrets_are_not(url: str, why: str) -> None:
    said = read_url(url)
    assert isinstance(said, str)
    assert why in said
    assert "secret" not in said


@given(st.text() | st.from_regex(r"https?://[a-z%.:@\[\]/\\?#*\x00-\x20]*", fullmatch=True))
def test_no_url_is_an_exception(url: str) -> None:
    target = read_url(url)
    if isinstance(target, Target):
        assert read_url(target.origin + target.path) == target


PATTERNS = [
    ("*", "https://any.example:9/x", True),
    ("**", "http://a.example/", True),
    ("", "http://a.example/", False),
    ("https://hooks.example.com/*", "https://HOOKS.example.COM./x/y?z", True),
    ("https://Hooks.Example.com./*", "https://hooks.example.com/x", True),
    ("https://hooks.example.com/*", "http://hooks.example.com/x", False),
    ("https://hooks.example.com/*", "https://hooks.example.com:8443/x", False),
    ("https://hooks.example.com:443/*", "https://hooks.example.com/x", True),
    ("https://hooks.example.com/a", "https://hooks.example.com/A", False),
    ("https://hooks.example.com/a", "https://hooks.example.com/a?x", False),
    ("https://hooks.example.com", "https://hooks.example.com/", True),
    ("https://hooks.example.com", "https://hooks.example.com/x", False),
    ("https://hooks.example.com/*", "https://evil.example/hooks.example.com/", False),
    ("https://*.example.com/*", "https://evil.test/x.example.com/y", False),
    ("https://*.example.com/*", "https://a.b.example.com/y", True),
    ("https://*.example.com/*", "https://example.com/y", False),
    ("https://*.example.com/*", "https://evil.test?.example.com/", False),
    ("https://*.example.com/*", "https://evil.test#.example.com/", False),
    ("https://a.example/ok/*", "https://a.example/ok/../secret", False),
    ("https://a.example/ok/*", "https://a.example/ok/%2e%2e/secret", False),
    ("http://localhost:*", "http://localhost:8080/any?q", True),
    ("http://localhost:*", "http://localhost.evil.test/", False),
    ("http://localhost:*/hook", "http://localhost:8080/hook", True),
    ("http://localhost:*/hook", "http://localhost:8080/other", False),
    ("http://localhost*", "http://localhost:8080/x", True),
    ("http*://a.example/*", "https://a.example/x", True),
    ("http://[::1]:*/*", "http://[::1]:8080/x", True),
    ("http://[::1]:*/*", "http://[::2]:8080/x", False),
    ("https://a.example/*/end", "https://a.example/x/y/end", True),
    ("https://a.example/*a*b", "https://a.example/bab", True),
    ("https://a.example/ab*ba", "https://a.example/aba", False),
    ("a.example/*", "https://a.example/x", False),
    ("https://[/*", "https://a.example/x", False),
]


@pytest.mark.parametrize(("pattern", "url", "allowed"), PATTERNS)
def test_a_pattern_allows_what_it_says_and_a_star_stays_in_its_part(pattern: str, url: str, *, allowed: bool) -> None:
    target = read_url(url)
    assert isinstance(target, Target)
    assert is_allowed(target, [pattern]) is allowed


def test_no_list_allows_all_and_an_empty_one_nothing() -> None:
    target = Target("https", "a.example", 443, "/")
    assert is_allowed(target, None)
    assert not is_allowed(target, [])
    assert is_allowed(target, ["http://b.example/*", "https://a.example/*"])


def test_a_pattern_of_many_stars_takes_no_time() -> None:
    target = Target("http", "a.example", 80, "/" + "a" * 20_000)
    assert not is_allowed(target, ["http://a.example/" + "*a" * 500 + "*b*c"])


@given(st.text())
def test_no_pattern_is_an_exception(pattern: str) -> None:
    is_allowed(Target("http", "a.example", 80, "/x"), [pattern])


@pytest.mark.parametrize(
    ("here", "there", "same"),
    [
        ("http://a.example/", "http://a.example/x", True),
        ("http://a.example/", "https://a.example/", True),
        ("http://a.example/", "http://A.example.:80/", True),
        ("https://a.example/", "http://a.example/", False),
        ("http://a.example:8080/", "http://a.example:22/", False),
        ("http://a.example:8080/", "https://a.example:8443/", False),
        ("http://a.example/", "http://b.example/", False),
        ("http://a.example/", "http://a.example.b.example/", False),
    ],
)
def test_a_redirect_stays_with_its_host_and_never_leaves_encryption(here: str, there: str, *, same: bool) -> None:
    one, other = read_url(here), read_url(there)
    assert isinstance(one, Target)
    assert isinstance(other, Target)
    assert one.may_redirect_to(other) is same
