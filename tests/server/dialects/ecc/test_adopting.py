from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from tenterhook.dialects.base import Layer
from tenterhook.dialects.claude_code.dialect import CLAUDE_CODE
from tenterhook.dialects.claude_code.sources import FileRole, LayerKind
from tenterhook.dialects.claude_code.specs import PluginRef
from tenterhook.dialects.ecc.dialect import ECC
from tenterhook.dialects.ecc.specs import EccSpec
from tenterhook.model import Hook

RUN = 'node "${CLAUDE_PLUGIN_ROOT}/scripts/hooks/run-with-flags.js" '
DISPATCH = 'node "${CLAUDE_PLUGIN_ROOT}/scripts/hooks/pre-bash-dispatcher.js"'


def adopted(*groups: Any, kind: LayerKind = "plugin", **handler: Any) -> Sequence[Hook]:
    layer = Layer(
        layer="plugin:ecc" if kind == "plugin" else kind,
        path="/plugin/hooks/hooks.json",
        content=json.dumps({"hooks": {"PreToolUse": [_group(*group, **handler) for group in groups]}}).encode(),
        carried=FileRole(kind=kind, plugin=PluginRef("ecc", "/plugin/", "/data") if kind == "plugin" else None),
    )
    return ECC.adopt(CLAUDE_CODE.load([layer], {}).hooks)


def _group(identity: str | None, command: str, **handler: Any) -> Any:
    named = {} if identity is None else {"id": identity}
    return {**named, "matcher": "Bash", "hooks": [{"type": "command", "command": command, **handler}]}


def test_a_hook_is_known_by_its_registry_id_and_its_runtime_id() -> None:
    (hook,) = adopted(("pre:observe:learning", f"{RUN} pre:observe s/x.js strict"), timeout=7)
    assert (hook.id, hook.name, hook.system) == ("ecc:pre:observe:learning", "pre:observe:learning", "ecc")
    assert hook.aliases == ("pre:observe:learning", "pre:observe")
    assert (hook.profiles, hook.timeout, hook.matcher) == (("strict",), 7, "Bash")
    spec = cast("EccSpec", hook.spec)
    assert (spec.root, spec.script, spec.hook_id) == ("/plugin", "s/x.js", "pre:observe")
    assert spec.words() == ("node", "s/x.js")


def test_a_hook_without_an_id_has_no_alias_but_its_runtime_id() -> None:
    (hook,) = adopted((None, f"{RUN} pre:observe s/x.js"))
    assert hook.aliases == ("pre:observe",)


def test_a_dispatcher_becomes_what_it_calls_in_its_order() -> None:
    hooks = adopted(("pre:bash:dispatcher", DISPATCH))
    assert [hook.id.removeprefix("ecc:pre:bash:") for hook in hooks] == [
        *("block-no-verify", "auto-tmux-dev", "tmux-reminder", "git-push-reminder", "commit-quality"),
        "gateguard-fact-force",
    ]
    assert [hook.profiles for hook in hooks][:3] == [
        ("minimal", "standard", "strict"),
        ("standard", "strict"),
        ("strict",),
    ]
    assert hooks[0].aliases == ("pre:bash:block-no-verify", "ecc:pre:bash:dispatcher", "pre:bash:dispatcher")


def test_the_parts_of_a_second_dispatcher_have_ids_of_their_own() -> None:
    hooks = adopted(("pre:bash:dispatcher", DISPATCH), ("second", DISPATCH))
    assert len({hook.id for hook in hooks}) == 12


def test_only_a_plugin_s_shell_commands_are_taken_over() -> None:
    command = f"{RUN} pre:observe s/x.js"
    assert [hook.system for hook in adopted(("a", command), ("b", "echo hello"))] == ["ecc", "claude-code"]
    assert [hook.system for hook in adopted(("a", command), kind="user")] == ["claude-code"]
    assert [hook.system for hook in adopted(("a", command), args=[])] == ["claude-code"]
    assert [hook.system for hook in adopted(("a", command), shell="powershell")] == ["claude-code"]
