from __future__ import annotations

import pytest
from tenterhook.dialects.ecc.launchers import ALL_PROFILES, USUAL_PROFILES, Launcher, profiles_of, recognise

BOOTSTRAP = "node -e \"const s=p.join(r,'scripts/hooks/plugin-hook-bootstrap.js');require(s)\" node "
INLINE = "node -e \"const rel='run-with-flags.js';spawnSync(process.execPath,[%s],{input:raw});\""
DIRECT = 'node "${CLAUDE_PLUGIN_ROOT}/scripts/hooks/run-with-flags.js" '


def launcher(shape: str, hook_id: str, script: str, profiles: tuple[str, ...] = USUAL_PROFILES) -> Launcher:
    return Launcher(hook_id=hook_id, script=script, profiles=profiles, shape=shape)  # pyright: ignore[reportArgumentType] - a word of the table


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (BOOTSTRAP + "scripts/hooks/run-with-flags.js a:b s/x.js strict", ("bootstrap", "a:b", "s/x.js", ("strict",))),
        (BOOTSTRAP + "scripts/hooks/run-with-flags.js a:b s/x.js", ("bootstrap", "a:b", "s/x.js")),
        (
            BOOTSTRAP + "scripts/hooks/session-start-bootstrap.js",
            ("bootstrap", "session:start", "scripts/hooks/session-start.js", ALL_PROFILES),
        ),
        (
            BOOTSTRAP + "scripts/hooks/pre-bash-dispatcher.js",
            ("dispatcher", "pre:bash:dispatcher", "scripts/hooks/pre-bash-dispatcher.js"),
        ),
        (INLINE % "script,'stop:x','s/y.js','minimal,strict'", ("inline", "stop:x", "s/y.js", ("minimal", "strict"))),
        (INLINE % "script,'stop:x','s/y.js'", ("inline", "stop:x", "s/y.js")),
        (DIRECT + '"a:b" "s/x.js" "strict"', ("direct", "a:b", "s/x.js", ("strict",))),
        (DIRECT + '"  A:B " ../out.js', ("direct", "A:B", "../out.js")),
    ],
)
def test_a_launcher_is_its_script_its_id_and_its_profiles(command: str, expected: tuple[str, str, str]) -> None:
    assert recognise(command) == launcher(*expected)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "node scripts/hooks/run-with-flags.js a b",
        "node /opt/ecc/scripts/hooks/run-with-flags.js a b",
        BOOTSTRAP + "scripts/hooks/other.js",
        BOOTSTRAP + "scripts/hooks/session-start-bootstrap.js more",
        BOOTSTRAP + "scripts/hooks/run-with-flags.js only-an-id",
        BOOTSTRAP + "scripts/hooks/run-with-flags.js a b c d",
        BOOTSTRAP + "scripts/hooks/run-with-flags.js a b; rm -rf x",
        BOOTSTRAP + "scripts/hooks/run-with-flags.js a $B",
        BOOTSTRAP.replace("node -e", "FOO=1 node -e") + "scripts/hooks/run-with-flags.js a b",
        BOOTSTRAP.replace("plugin-hook-bootstrap", "other") + "scripts/hooks/run-with-flags.js a b",
        BOOTSTRAP.rstrip().removesuffix("node") + "shell scripts/hooks/x.sh",
        INLINE % "script,'a'",
        INLINE % "script,'a','b'],[script,'c','d'",
        INLINE % "script,'a','b'" + " && true",
        DIRECT + '"a',
        DIRECT + "a b | tee log",
    ],
)
def test_any_other_command_stays_what_it_is(command: str) -> None:
    assert recognise(command) is None


@pytest.mark.parametrize(
    ("text", "profiles"),
    [
        ("strict", ("strict",)),
        (" Minimal , strict,minimal", ("minimal", "strict")),
        ("foo,strict", ("strict",)),
        ("foo", USUAL_PROFILES),
        ("", USUAL_PROFILES),
        (None, USUAL_PROFILES),
    ],
)
def test_profiles_that_do_not_exist_are_dropped(text: str | None, profiles: tuple[str, ...]) -> None:
    assert profiles_of(text) == profiles
