"""Which script a command plainly names."""

from __future__ import annotations

import pytest
from tenterhook.dialects.claude_code.scripts import Script, script_of
from tenterhook.dialects.claude_code.specs import HttpSpec, PluginRef, ShellSpec

PLUGIN = PluginRef("p", "/My Plugins/p", "/data/p")

LINES: list[tuple[str, str | None]] = [
    ("/x/guard.sh", "/x/guard.sh"),
    ("/x/guard.sh --all 3", "/x/guard.sh"),
    ("python3 /missing/x.py", "/missing/x.py"),
    ('python3 "$CLAUDE_PROJECT_DIR"/.claude/hooks/x.py', ".claude/hooks/x.py"),
    ('node "${CLAUDE_PROJECT_DIR}/x.js" a b', "x.js"),
    ("bash ${CLAUDE_PLUGIN_ROOT}/h.sh", "/My Plugins/p/h.sh"),
    ('"/with blank/x"', "/with blank/x"),
    ("~/.claude/x.sh", "/home/u/.claude/x.sh"),
    ("sh ~/x", "/home/u/x"),
    # Nobody can say.
    ("python3", None),
    ("python3 -m tool", None),
    ("bash -c /x/guard.sh", None),
    ("./guard.sh", None),
    ("python3 hooks/x.py", None),
    ("guard", None),
    ("env /x/guard.sh", None),
    ("X=1 /x/guard.sh", None),
    ("A=/b c", None),
    ("/x/guard.sh || true", None),
    ("test -f /x && /x", None),
    ("/x/guard.sh > /dev/null", None),
    ("/x/*.sh", None),
    ("cat <<E\n/x\nE", None),
    ("$HOME/x.sh", None),
    ("/x/$NAME.sh", None),
    ("$CLAUDE_PLUGIN_DATA/made-later.sh", None),
    ("'/x/guard.sh'", None),
    (r"C:\hooks\x.sh", None),
    ('"~/x"', None),
    ("~other/x", None),
    ("$(which node) /x.js", None),
    ('"/x', None),
    ("", None),
]


@pytest.mark.parametrize(("line", "path"), LINES)
def test_a_line_names_a_script_where_nothing_is_left_to_chance(line: str, path: str | None) -> None:
    script = script_of(ShellSpec(command=line, plugin=PLUGIN), "/home/u")
    assert (None if script is None else script.path) == path


WORDS: list[tuple[tuple[str, ...], Script | None]] = [
    (("/x/guard;sh",), Script("/x/guard;sh", itself=True)),
    (("python3", "${CLAUDE_PROJECT_DIR}/a b.py"), Script("a b.py", itself=False)),
    (("python3", "$CLAUDE_PROJECT_DIR/a.py"), None),
    (("~/x",), None),
    (("node", "${CLAUDE_PLUGIN_ROOT}/x.js"), Script("/My Plugins/p/x.js", itself=False)),
]


@pytest.mark.parametrize(("words", "script"), WORDS)
def test_words_are_taken_as_they_are(words: tuple[str, ...], script: Script | None) -> None:
    assert script_of(ShellSpec(command=words[0], args=words[1:], plugin=PLUGIN), "/home/u") == script


def test_other_places_have_no_meaning() -> None:
    assert script_of(ShellSpec(command="$CLAUDE_PLUGIN_ROOT/x"), "/home/u") is None
    assert script_of(ShellSpec(command="~/x"), None) is None
    assert script_of(ShellSpec(command="/x", shell="powershell"), "/home/u") is None
    assert script_of(HttpSpec(url="http://h/x"), "/home/u") is None
