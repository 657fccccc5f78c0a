"""The client library of VS Code and many others, in a real node, with a real engine."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
DEADLINE = 60
"""Seconds; a session takes one."""

HOOKS = """\
hooks:
- name: guard
  point: tool.approval.pre
  type: decision
  command: sh
  args: [-c, 'cat >/dev/null; printf %s "$ANSWER"']
  env: {{ANSWER: '{answer}'}}
- name: endless
  point: agent.turn.stop
  type: decision
  command: sleep
  args: ['600']
"""


def test_a_session_of_an_editors_client_library_goes_as_lsp_says(tmp_path: Path) -> None:
    assert (HERE.parent / "node_modules").is_dir(), "run `npm install --no-package-lock` in tests/clients"
    home, project = tmp_path / "home", tmp_path / "my project 漢字"
    home.mkdir()
    (project / ".codingcode").mkdir(parents=True)
    answer = json.dumps({"decision": "deny", "reason": "not here"})
    (project / ".codingcode" / "hooks.yaml").write_text(HOOKS.format(answer=answer), encoding="utf-8")
    engine = [Path(sys.executable).with_name("tenterhook"), "serve"]
    done = subprocess.run(
        ["node", HERE / "session.mjs", home, project, *engine],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
