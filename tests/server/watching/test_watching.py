"""Files that change under an engine: events of its own, vetoes, reloads."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from engine import Engine, RecordingSink, hook_file, now, present, raw
from msgspec import Raw
from tenterhook.model import LogLevel
from tenterhook.watching import Rounds
from tenterhook_protocol.hooks import EmitParams, EmitResult, ReloadParams


class WaitingSink(RecordingSink):
    """A sink that can be waited at."""

    def __init__(self) -> None:
        super().__init__()
        self.events: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()

    def event_raised(self, point: str, payload: Raw, session: str | None, result: EmitResult) -> None:
        super().event_raised(point, payload, session, result)
        told = json.loads(bytes(payload))
        self.events.put_nowait((point, {**told, "session": session, "hooks": [run.name for run in result.runs]}))

    def reloaded(self, project: str, hooks: int, problems: int) -> None:
        super().reloaded(project, hooks, problems)
        self.events.put_nowait(("reloaded", hooks))

    def log(self, level: LogLevel, message: str) -> None:
        super().log(level, message)
        self.events.put_nowait(("log", message))

    async def next(self, kind: str) -> Any:
        while True:
            found, value = await self.events.get()
            if found == kind:
                return value

    async def next_after(self, number: int) -> Any:
        """The first event beyond so many that were raised."""
        while len(self.raised) <= number:
            await self.events.get()
        return json.loads(bytes(self.raised[number][1]))


class Watched:
    """An engine that watches, with a project and sessions."""

    def __init__(self, root: Path, **options: Any) -> None:
        self.engine = Engine(root, **options)
        self.sink = WaitingSink()
        self.engine.sink = self.sink
        self.rounds = Rounds(self.engine.service, self.sink, hook_files=bool(options.get("watch")))

    @property
    def project(self) -> Path:
        return self.engine.project

    async def emit(self, point: str, session: str = "s", **keys: Any) -> EmitResult:
        payload = {"session_id": session, "cwd": str(self.project), "projectPath": str(self.project), **keys}
        return await now(self.engine.service.emit(EmitParams(point=point, payload=raw(payload))))

    async def start(self, session: str = "s", **keys: Any) -> None:
        """Begin a session, and wait until what it wants is watched."""
        await self.emit("SessionStart", session, source="startup", **keys)
        await self.watched()

    async def watched(self) -> None:
        """The round that was due has been gone."""
        while (due := self.rounds.under_way) is not None:
            await asyncio.wait({due})

    def write(self, name: str, text: str = "x") -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    async def look(self) -> None:
        """Have a round gone now, whether or not the system has told of anything."""
        self.rounds.attention()
        await self.watched()

    def names(self) -> list[str]:
        table = present(self.engine.service.registry.find(str(self.project)))
        return sorted(hook.spec.words()[0] for hooks in table.runnable.values() for hook in hooks)


def handler(command: str, matcher: str | None = None) -> list[dict[str, Any]]:
    group: dict[str, Any] = {"hooks": [{"type": "command", "command": command}]}
    return [group if matcher is None else {"matcher": matcher, **group}]


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[Watched]:
    async with asyncio.timeout(60):
        made = Watched(tmp_path)
        yield made
        await made.engine.service.close()


@pytest.fixture
async def reloading(tmp_path: Path) -> AsyncIterator[Watched]:
    async with asyncio.timeout(60):
        made = Watched(tmp_path, watch=True)
        yield made
        await made.engine.service.close()


async def test_a_file_that_a_matcher_names_raises_an_event_for_its_session(watched: Watched) -> None:
    watched.engine.settings({"FileChanged": handler("seen", ".env|other")})
    watched.engine.load()
    await watched.start(transcript_path="/t", permission_mode="plan")
    path = watched.write(".env")
    told = await watched.sink.next("FileChanged")
    assert told == {
        "session_id": "s",
        "transcript_path": "/t",
        "cwd": str(watched.project),
        "permission_mode": "plan",
        "hook_event_name": "FileChanged",
        "file_path": str(path),
        "event": "add",
        "session": "s",
        "hooks": ["FileChanged[0].hooks[0]"],
    }
    assert "seen" in watched.engine.runner.launches[-1].argv


def replace(path: Path) -> None:
    beside = path.with_name("beside")
    beside.write_text("y", encoding="utf-8")
    beside.replace(path)


WAYS: list[tuple[str, Callable[[Path], object], str]] = [
    ("written", lambda path: path.write_text("more", encoding="utf-8"), "change"),
    ("replaced", replace, "change"),
    ("removed", lambda path: path.unlink(), "unlink"),
]


@pytest.mark.parametrize(("name", "way", "kind"), WAYS, ids=[row[0] for row in WAYS])
async def test_whatever_way_a_file_changes_it_is_told_of_once(
    watched: Watched, name: str, way: Callable[[Path], object], kind: str
) -> None:
    path = watched.write(".env")
    watched.engine.settings({"FileChanged": handler("seen", ".env")})
    watched.engine.load()
    await watched.start()
    way(path)
    assert (await watched.sink.next("FileChanged"))["event"] == kind, name
    await watched.watched()
    assert [point for point, *_ in watched.sink.raised] == ["FileChanged"]


async def test_a_file_is_noticed_in_a_folder_that_is_made_later_removed_and_made_again(watched: Watched) -> None:
    watched.engine.settings({"FileChanged": handler("seen", "deep/er/file")})
    watched.engine.load()
    await watched.start()
    for _ in range(2):
        watched.write("deep/er/file")
        assert (await watched.sink.next("FileChanged"))["event"] == "add"
        await watched.watched()
        shutil.rmtree(watched.project / "deep")
        assert (await watched.sink.next("FileChanged"))["event"] == "unlink"
        await watched.watched()


async def test_answers_replace_the_list_of_watched_files_and_matchers_stay(watched: Watched) -> None:
    watched.engine.settings(
        {"SessionStart": handler("list"), "CwdChanged": handler("clear"), "FileChanged": handler("seen", "fixed")}
    )
    extra = watched.project / "extra.toml"
    say = watched.engine.runner.answers
    say("list", {"hookSpecificOutput": {"hookEventName": "SessionStart", "watchPaths": [str(extra)]}})
    say("clear", {"hookSpecificOutput": {"hookEventName": "CwdChanged", "watchPaths": []}})
    watched.engine.runner.by_last_word = True
    watched.engine.load()
    await watched.start()
    watched.write("extra.toml")
    assert (await watched.sink.next("FileChanged"))["file_path"] == str(extra)
    await watched.emit("CwdChanged")
    await watched.watched()
    watched.write("extra.toml", "again")
    watched.write("fixed")
    assert (await watched.sink.next("FileChanged"))["file_path"] == str(watched.project / "fixed")


async def test_a_session_that_is_over_is_told_of_nothing_more(watched: Watched) -> None:
    watched.engine.settings({"FileChanged": handler("seen", ".env")})
    watched.engine.load()
    await watched.start("s")
    await watched.start("t")
    await watched.emit("SessionEnd", "s", reason="exit")
    await watched.watched()
    watched.write(".env")
    assert (await watched.sink.next("FileChanged"))["session"] == "t"
    await watched.watched()
    assert [session for _, _, session, _ in watched.sink.raised] == ["t"]


async def test_what_changes_while_its_hooks_run_is_told_of_once_more(watched: Watched) -> None:
    watched.engine.settings({"FileChanged": handler("slow", ".env")})
    watched.engine.load()
    watched.engine.runner.by_last_word = True
    held = watched.engine.runner.hold("slow")
    await watched.start()
    path = watched.write(".env", "1")
    await watched.engine.runner.begun.get()
    path.write_text("22", encoding="utf-8")
    await watched.look()
    path.write_text("333", encoding="utf-8")
    await watched.look()
    held.set_result(None)
    first, second = await watched.sink.next("FileChanged"), await watched.sink.next("FileChanged")
    assert [first["event"], second["event"]] == ["add", "change"]
    await watched.watched()
    assert len(watched.sink.raised) == 2


async def test_an_engine_without_anything_to_watch_starts_no_watch(watched: Watched) -> None:
    watched.engine.settings({"PreToolUse": handler("guard")})
    watched.engine.load()
    await watched.start()
    assert watched.rounds.folders == []


async def test_a_changed_hook_file_is_loaded_again_and_told_of(reloading: Watched) -> None:
    path = reloading.engine.hooks(hook_file("old"))
    reloading.engine.load()
    await reloading.watched()
    path.write_text(hook_file("new", "more"), encoding="utf-8")
    assert await reloading.sink.next("reloaded") == 2
    assert reloading.names() == ["more", "new"]


async def test_a_hook_file_that_comes_later_is_noticed(reloading: Watched) -> None:
    reloading.engine.load()
    await reloading.watched()
    reloading.engine.settings({"Stop": handler("late")})
    assert await reloading.sink.next("reloaded") == 1


async def test_a_hook_file_that_breaks_keeps_its_last_good_content_in_force(reloading: Watched) -> None:
    path = reloading.engine.settings({"Stop": handler("good")})
    reloading.engine.load()
    await reloading.watched()
    path.write_text("{", encoding="utf-8")
    assert await reloading.sink.next("reloaded") == 1
    assert reloading.sink.problems[-1][1] != []


SOURCES = [("settings.json", "project_settings"), ("settings.local.json", "local_settings")]


@pytest.mark.parametrize(("name", "source"), SOURCES)
async def test_a_changed_settings_file_is_told_to_the_sessions_before_it_counts(
    reloading: Watched, name: str, source: str
) -> None:
    reloading.engine.settings({"ConfigChange": handler("audit")}, name=name)
    reloading.engine.load()
    await reloading.start("s")
    await reloading.start("t")
    path = reloading.engine.settings({"ConfigChange": handler("audit"), "Stop": handler("new")}, name=name)
    told = [await reloading.sink.next("ConfigChange") for _ in "st"]
    assert sorted(one["session"] for one in told) == ["s", "t"]
    assert {(one["source"], one["file_path"]) for one in told} == {(source, str(path))}
    assert await reloading.sink.next("reloaded") == 2


async def test_a_veto_keeps_the_old_hooks_until_the_next_change_or_the_host_s_reload(reloading: Watched) -> None:
    def guarded(*more: str) -> Path:
        return reloading.engine.settings({"ConfigChange": handler("veto"), **{event: handler("new") for event in more}})

    reloading.engine.runner.answers("veto", {"decision": "block", "reason": "no"})
    reloading.engine.runner.by_last_word = True
    guarded()
    service = reloading.engine.load()
    await reloading.start()
    guarded("Stop")
    assert "ConfigChange" in await reloading.sink.next("log")
    assert (len(reloading.names()), reloading.sink.reloads) == (1, [])
    guarded("Stop", "SubagentStop")
    assert "ConfigChange" in await reloading.sink.next("log")
    service.reload(ReloadParams())
    assert len(reloading.names()) == 3


async def test_nobody_can_veto_what_an_administrator_has_set(tmp_path: Path) -> None:
    managed = tmp_path / "managed-settings.json"
    managed.write_text("{}", encoding="utf-8")
    async with asyncio.timeout(60):
        made = Watched(tmp_path, watch=True, managed_settings=str(managed))
        made.engine.settings({"ConfigChange": handler("veto")})
        made.engine.runner.answers("veto", {"decision": "block", "reason": "no"})
        made.engine.runner.by_last_word = True
        made.engine.load()
        await made.start()
        managed.write_text(json.dumps({"hooks": {"Stop": handler("audit")}}), encoding="utf-8")
        assert (await made.sink.next("ConfigChange"))["source"] == "policy_settings"
        assert await made.sink.next("reloaded") == 2
        await made.engine.service.close()


async def test_without_the_option_no_hook_file_is_watched(watched: Watched) -> None:
    watched.engine.hooks(hook_file("old"))
    watched.engine.load()
    await watched.watched()
    assert watched.rounds.folders == []


async def test_hooks_that_write_the_file_they_are_told_of_are_left_alone_with_it_after_a_while(tmp_path: Path) -> None:
    async with asyncio.timeout(60):
        made = Watched(tmp_path)
        path = made.project / "loop"
        made.engine.settings({"FileChanged": handler("writes", "loop")})
        made.engine.runner.by_last_word = True
        made.engine.runner.does["writes"] = lambda: path.write_text(f"{len(made.sink.raised)}", encoding="utf-8")
        made.engine.load()
        await made.start()
        made.write("loop", "by somebody else")
        assert "in a row by the hooks" in await made.sink.next("log")
        told = len(made.sink.raised)
        os.utime(path, (1, 1))
        assert (await made.sink.next_after(told))["file_path"] == str(path)
        await made.engine.service.close()
