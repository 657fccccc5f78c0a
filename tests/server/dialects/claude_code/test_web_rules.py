"""Which hosts a rule for a web tool means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenterhook.dialects.claude_code.web_rules import HostPattern, host_of, host_pattern


@pytest.mark.parametrize(
    ("text", "host", "met"),
    [
        ("example.com", "example.com", True),
        ("Example.COM.", "example.com", True),
        ("example.com", "api.example.com", False),
        ("*.example.com", "api.example.com", True),
        ("*.example.com", "a.b.example.com", True),
        ("*.example.com", "example.com", False),
        ("*.example.com", "evilexample.com", False),
        ("*", "anything.at.all", True),
        ("example.*", "example.org", True),
        ("example.*", "example.evil.com", False),
        ("a*.example.com", "api.example.com", True),
        ("a*.example.com", "b.example.com", False),
    ],
)
def test_a_star_stands_for_one_label_or_in_front_for_any_depth(text: str, host: str, *, met: bool) -> None:
    pattern = host_pattern(text)
    assert isinstance(pattern, HostPattern)
    assert pattern.matches(host) is met


@pytest.mark.parametrize("text", ["", " ", ".", "a..b", "https://a.b", "a.b/c", "u@a.b"])
def test_what_is_no_host_is_no_pattern(text: str) -> None:
    assert isinstance(host_pattern(text), str)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Example.com/x", "example.com"),
        ("http://example.com.:80?q", "example.com"),
        ("HTTPS://u:p@example.com:443/#x", "example.com"),
        ("https://example.com\\@evil.com/", "example.com"),
        ("https:/\\example.com", "example.com"),
        ("https://exa\tmple.com", "example.com"),
        (" https://%65xample.com", "example.com"),
        ("https://[::1]:80/", "[::1]"),
        ("ftp://example.com", None),
        ("example.com", None),
        ("https://", None),
        (None, None),
        (7, None),
    ],
)
def test_a_host_is_what_a_browser_would_ask(url: object, host: str | None) -> None:
    assert host_of(url) == host


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_text_breaks_anything(text: str, url: str) -> None:
    pattern = host_pattern(text)
    host = host_of(f"https://{url}")
    if isinstance(pattern, HostPattern) and host is not None:
        pattern.matches(host)
