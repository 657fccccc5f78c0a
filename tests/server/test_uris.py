"""URIs as editors send them."""

from __future__ import annotations

import os

import pytest
from tenterhook.uris import path_of


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///p/hooks.yaml", "/p/hooks.yaml"),
        ("FILE:///p/hooks.yaml", "/p/hooks.yaml"),
        ("file:/p/hooks.yaml", "/p/hooks.yaml"),
        ("file://localhost/p/hooks.yaml", "/p/hooks.yaml"),
        ("file:///my%20work/h.yaml", "/my work/h.yaml"),
        ("file:///my work/h.yaml", "/my work/h.yaml"),
        ("file:///%E6%BC%A2%E5%AD%97/h.yaml", "/漢字/h.yaml"),
        ("file:///漢字/h.yaml", "/漢字/h.yaml"),
        ("file:///%F0%9F%8E%A3", "/🎣"),
        ("file:///a%23b%3Fc%25d%3B/h.yaml", "/a#b?c%d;/h.yaml"),
        ("file:///a;b/h.yaml;c", "/a;b/h.yaml;c"),
        ("file:///%70", "/p"),
        ("file:///raw%FFbyte", os.fsdecode(b"/raw\xffbyte")),
        ("file:///p/hooks.yaml#L3", None),
        ("file://server/share/hooks.yaml", None),
        ("file:////server/share", None),
        ("file:///a%00b", None),
        ("file:hooks.yaml", None),
        ("untitled:Untitled-1", None),
        ("untitled:/p/.codingcode/hooks.yaml", None),
        ("git:/p/.codingcode/hooks.yaml?%7B%7D", None),
        ("vscode-remote://host/p/.codingcode/hooks.yaml", None),
        ("/p/.codingcode/hooks.yaml", None),
        ("", None),
    ],
)
def test_only_a_file_of_this_machine_has_a_path(uri: str, path: str | None) -> None:
    assert path_of(uri) == path
