"""One row of the case file, acted out: by ECC's own launcher, and by the engine's rooms with a real runner."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Raw, Struct, structs
from tenterhook.dialects.base import Counters, LaunchContext, Layer
from tenterhook.dialects.claude_code.dialect import CLAUDE_CODE
from tenterhook.dialects.claude_code.sources import FileRole
from tenterhook.dialects.claude_code.specs import PluginRef
from tenterhook.dialects.ecc.dialect import ECC
from tenterhook.dialects.table import DIALECTS
from tenterhook.model import Event, Hook, Judged, Outcome, StopReason
from tenterhook.policy import apply, settle
from tenterhook.runners import RUNNERS
from tenterhook.runners.contract import Limits
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.lifecycle import InitializationOptions
from tenterhook_protocol.runs import HookDecision

__all__ = ["ROWS", "Acted", "Stage", "act", "act_upstream", "matches_stdout"]

ROWS: Sequence[Mapping[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "ecc" / "cases.jsonl").read_text().splitlines() if line
]

_WRAPPER = "scripts/hooks/run-with-flags.js"


class Acted(Struct, frozen=True):
    """What a row came to. ``decision`` None: no opinion."""

    decision: HookDecision | None
    outcomes: tuple[Outcome, ...]
    """Of every process; none where nothing was started."""

    @property
    def kind(self) -> str | None:
        if self.decision is None or self.decision.decision is UNSET:
            return None
        return self.decision.decision

    @property
    def context(self) -> str | None:
        return None if self.decision is None or self.decision.injection is UNSET else self.decision.injection

    @property
    def reason(self) -> str:
        return "" if self.decision is None or self.decision.reason is UNSET else self.decision.reason

    @property
    def stderr(self) -> str:
        return "".join(outcome.stderr.decode() for outcome in self.outcomes)


class Stage:
    """The folders of a row, laid out anew for each actor: what one leaves behind would change what the other does."""

    def __init__(self, row: Mapping[str, Any], folder: Path, package: Path) -> None:
        self.row = row
        self.folder = folder
        self.package = package

    def lay_out(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        for name in ("proj", "home", "gg", "tmp"):
            (self.folder / name).mkdir(parents=True)
        setup = self.row.get("setup", {})
        self._write(setup.get("files", {}))
        for name, target in setup.get("symlinks", {}).items():
            (self.folder / name).symlink_to(self.fill(target))
        if "git" in setup:
            for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "x"]):
                identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
                place = self.folder / setup["git"]
                subprocess.run(["git", *identity, *words], cwd=place, env=self.environment(), check=True)
        self._write(setup.get("then", {}))

    def _write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def fill(self, text: str) -> str:
        return text.replace("${TMP}", str(self.folder)).replace("${ROOT}", str(self.package))

    def environment(self) -> dict[str, str]:
        fixed = {"HOME": "home", "GATEGUARD_STATE_DIR": "gg", "TMPDIR": "tmp"}
        paths = {name: str(self.folder / place) for name, place in fixed.items()}
        more = {name: self.fill(value) for name, value in self.row["env"].items()}
        path = os.environ["PATH"]
        if "no tmux" in self.row.get("note", ""):
            path = os.pathsep.join(place for place in path.split(os.pathsep) if not (Path(place) / "tmux").exists())
        return {"PATH": path, **paths, **more}

    @property
    def root(self) -> str:
        return self.fill(self.row.get("plugin_root", "${ROOT}"))

    @property
    def stdin(self) -> bytes:
        given = self.row["stdin"]
        if isinstance(given, str):
            return self.fill(given).encode()
        return _generated({key: self.fill(v) if isinstance(v, str) else v for key, v in given.items()})

    def event(self, stdin: bytes) -> Event:
        point = self.row["event"]
        tool = self.row.get("matcher_tool")
        return Event(
            id="e",
            system="claude-code",
            point=point,
            mode="decide",
            payload=Raw(stdin),
            project=str(self.folder / "proj"),
            session="s",
            subject=tool,
        )


def _generated(given: Mapping[str, Any]) -> bytes:
    if given["gen"] == "repeat":
        return (given["ch"] * given["n"]).encode()
    pad = "x" * given["pad"]
    documents: dict[str, dict[str, Any]] = {
        "json-write": {"tool_name": "Write", "tool_input": {"file_path": given.get("file_path"), "content": pad}},
        "json-mcp": {"tool_name": "mcp__srv__t", "tool_input": {"content": pad}},
        "json-bash": {"tool_name": "Bash", "tool_input": {"command": given.get("command"), "description": pad}},
    }
    return json.dumps(documents[given["gen"]], separators=(",", ":")).encode()


def _earlier(row: Mapping[str, Any]) -> Sequence[str]:
    told = row.get("pre_stdin", [])
    return [told] if isinstance(told, str) else told


def _registered(package: Path) -> Sequence[tuple[str, Mapping[str, Any]]]:
    registry = json.loads((package / "hooks" / "hooks.json").read_text())["hooks"]
    return [(event, group) for event, groups in registry.items() for group in groups]


def _command(stage: Stage) -> str:
    """The shell line of a row."""
    row, entry = stage.row, stage.row["entry"]
    argv = [stage.fill(word) for word in row["argv"]]
    if entry == "wrapper":
        words = "".join(f' "{word}"' for word in argv)
        return f'node "{stage.package}/{_WRAPPER}"{words}'
    if entry == "script":
        return f'node "{stage.package}/{argv[0]}"'
    if entry == "bootstrap":
        return f'node "{stage.package}/scripts/hooks/plugin-hook-bootstrap.js"'
    if entry == "readme":
        text = (stage.package / "hooks" / "README.md").read_text()
        lines = re.findall(r'"command": ("node -e .*")', text)
        return str(json.loads(lines[int(argv[0])]))
    wanted = argv[0].split("|")
    return next(g["hooks"][0]["command"] for _, g in _registered(stage.package) if g["id"] in wanted)


def act_upstream(stage: Stage) -> Acted:
    """As the host would: ECC's own launcher through a shell, judged by Claude Code's rules."""
    stage.lay_out()
    root = {} if stage.row.get("unset_root") else {"CLAUDE_PLUGIN_ROOT": stage.root}

    def start(stdin: bytes) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["sh", "-c", _command(stage)],
            input=stdin,
            cwd=stage.folder / "proj",
            env={**stage.environment(), **root},
            capture_output=True,
            timeout=60,
            check=False,
        )

    for text in _earlier(stage.row):
        start(stage.fill(text).encode())
    done = start(stage.stdin)
    status = "ok" if done.returncode == 0 else "failed"
    outcome = Outcome(status=status, exit_code=done.returncode, stdout=done.stdout, stderr=done.stderr, error="x")
    hook = _plain(stage)
    event = stage.event(stage.stdin)
    answer = CLAUDE_CODE.read(hook, event, outcome, _context(stage))
    return Acted(CLAUDE_CODE.join(event.point, "decide", [Judged(hook, answer)], Counters()).decision, (outcome,))


def _plain(stage: Stage) -> Hook:
    return _loaded(stage, [(stage.row["event"], {"hooks": [{"type": "command", "command": _command(stage)}]})])[0]


def _context(stage: Stage) -> LaunchContext:
    home = str(stage.folder / "home")
    scratch = str(stage.folder / "tmp" / "scratch")
    return LaunchContext(run_id="r", environment=stage.environment(), home=home, version="0", scratch=scratch)


def _loaded(stage: Stage, groups: Sequence[tuple[str, Mapping[str, Any]]]) -> Sequence[Hook]:
    events: dict[str, list[Mapping[str, Any]]] = {}
    for event, group in groups:
        events.setdefault(event, []).append(group)
    plugin = PluginRef("ecc", stage.root, str(stage.folder / "data"))
    layer = Layer(
        layer="plugin:ecc",
        path=f"{stage.root}/hooks/hooks.json",
        content=json.dumps({"hooks": events}).encode(),
        carried=FileRole(kind="plugin", plugin=plugin),
    )
    return CLAUDE_CODE.load([layer], {}).hooks


def hooks_of(stage: Stage) -> Sequence[Hook]:
    """The hooks that a row is about, as a table of the engine would have them."""
    row = stage.row
    if row["entry"] == "hooks.json":
        wanted = set(row["argv"][0].split("|"))
        known = ECC.adopt(_loaded(stage, _registered(stage.package)))
        found = [hook for hook in known if wanted & {hook.name, *hook.aliases}]
    else:
        command = _command(stage)
        if row["entry"] == "wrapper" and row["argv"]:
            command = command.replace(str(stage.package), "${CLAUDE_PLUGIN_ROOT}")
        group = {"id": "row", "hooks": [{"type": "command", "command": command}]}
        found = list(ECC.adopt(_loaded(stage, [(row["event"], group)])))
    policy, _ = settle(InitializationOptions(), stage.environment())
    return [structs.replace(hook, background=False) for hook in apply(policy, found)]


async def act(stage: Stage, limits: Limits) -> Acted:
    """As the engine does it: launch, run, read and join."""
    stage.lay_out()
    hooks = [hook for hook in hooks_of(stage) if hook.left_out is None]
    context = _context(stage)
    acted = Acted(None, ())
    for stdin in [stage.fill(text).encode() for text in _earlier(stage.row)] + [stage.stdin]:
        event = stage.event(stdin)
        outcomes = await asyncio.gather(*(_run(hook, event, context, limits) for hook in hooks))
        answers = [
            Judged(hook, DIALECTS[hook.system].read(hook, event, outcome, context), rank)
            for rank, (hook, outcome) in enumerate(zip(hooks, outcomes, strict=True))
        ]
        acted = Acted(CLAUDE_CODE.join(event.point, "decide", answers, Counters()).decision, tuple(outcomes))
    return acted


async def _run(hook: Hook, event: Event, context: LaunchContext, limits: Limits) -> Outcome:
    launch = DIALECTS[hook.system].launch(hook, event, context)
    stop: asyncio.Future[StopReason] = asyncio.get_running_loop().create_future()
    return await RUNNERS[type(launch)](launch, limits, stop)


def matches_stdout(expected: Mapping[str, Any], stdout: bytes, stdin: bytes) -> bool:
    """Whether stdout is what the row says of it."""
    kind, told = expected["stdout_kind"], expected["stdout_json_or_prefix"]
    if kind == "equals_stdin":
        return stdout == stdin
    if kind == "equals_stdin_plus_newline":
        return stdout == stdin + b"\n"
    if kind == "empty":
        return stdout == b""
    if kind == "exact":
        return stdout == told.encode()
    if kind == "json_subset":
        return _within(told, json.loads(stdout))
    if kind == "prefix_length_varies":
        return stdout.startswith(told.encode())
    return len(stdout) < len(stdin) and stdin.startswith(stdout[: max(len(stdout) - 3, 0)])


def _within(told: Any, found: Any) -> bool:
    if isinstance(told, dict):
        return isinstance(found, dict) and all(
            key in found and _within(value, found[key])
            for key, value in told.items()  # pyright: ignore[reportUnknownVariableType] - JSON
        )
    if isinstance(told, str) and told.startswith("~"):
        return told[1:] in found
    if isinstance(told, str) and isinstance(found, str):
        return found == told or found.startswith(told)
    return bool(told == found)
