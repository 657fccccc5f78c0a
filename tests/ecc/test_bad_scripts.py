"""Scripts that misbehave, through the real host program."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from ecc_scripts import Scene
from tenterhook.runners.contract import Limits

BLOCKS = "({exitCode: 2, stderr: 'NO'})"


@pytest.fixture
def scene(limits: Limits, tmp_path: Path) -> Scene:
    return Scene(tmp_path.resolve(), limits)


ROWS: Mapping[str, tuple[str, tuple[str, str | None, str]]] = {
    "it throws at load": ("throw new Error('boom');module.exports={run(){}}", ("failed", None, "boom")),
    "it does not parse": ("module.exports={run(){", ("failed", None, "Unexpected")),
    "it throws in run": ("module.exports={run(){throw new Error('boom')}}", ("failed", None, "boom")),
    "it throws no error": ("module.exports={run(){throw 'text'}}", ("failed", None, "text")),
    "it rejects": ("module.exports={async run(){throw new Error('boom')}}", ("failed", None, "boom")),
    "it rejects later": (
        "module.exports={run(){return new Promise(()=>setTimeout(()=>{throw new Error('late')},5))}}",
        ("failed", None, "late"),
    ),
    "its Promise blocks": (f"module.exports={{async run(){{return {BLOCKS}}}}}", ("ok", "deny", "NO")),
    "its Promise is never kept": ("module.exports={run:()=>new Promise(()=>{})}", ("failed", None, "never kept")),
    "its exit code is a text": ("module.exports={run:()=>({exitCode:'2',stderr:'NO'})}", ("failed", None, '"2"')),
    "its exit code is no whole number": ("module.exports={run:()=>({exitCode:1.5})}", ("failed", None, "1.5")),
    "its exit code is null": ("module.exports={run:()=>({exitCode:null})}", ("ok", None, "")),
    "it ends itself": ("module.exports={run(){process.exit(0)}}", ("ok", None, "")),
    "it ends itself and blocks": (
        "module.exports={run(){console.error('NO');process.exit(2)}}",
        ("ok", "deny", "NO"),
    ),
    "it ends itself within a try": (
        "module.exports={run(){try{process.exitCode=2;process.exit()}catch{};return ''}}",
        ("ok", "deny", ""),
    ),
    "it ends itself in a callback": (
        "module.exports={run:()=>new Promise(()=>setTimeout(()=>process.exit(2),5))}",
        ("ok", "deny", ""),
    ),
    "it ends itself at load": ("process.exit(2);module.exports={run(){}}", ("ok", "deny", "")),
    "it listens to stdin at load": (
        "process.stdin.on('end',()=>process.exit(2)).resume();module.exports={run:raw=>({exitCode:raw?0:2})}",
        ("ok", None, ""),
    ),
    "it reads stdin again": (
        "module.exports={run:()=>({exitCode:require('fs').readFileSync(0,'utf8')===''?0:2})}",
        ("ok", None, ""),
    ),
    "it chatters on stdout": (
        "console.log('loading');module.exports={run(){console.log('running');return ''}}",
        ("ok", None, ""),
    ),
    "it answers by console.log": (
        "module.exports={run(){console.log(JSON.stringify({decision:'block',reason:'NO'}))}}",
        ("ok", "deny", ""),
    ),
    "it answers through the descriptor": (
        "module.exports={run(){require('fs').writeSync(1,JSON.stringify({decision:'block',reason:'NO'}))}}",
        ("ok", "deny", ""),
    ),
    "it mentions both words only": ("// run: module.exports\nprocess.exit(2)", ("ok", "deny", "")),
    "it exports no run": ("module.exports={};console.error('run');process.exitCode=2", ("ok", "deny", "run")),
    "it gives back a number": ("module.exports={run:()=>7}", ("ok", None, "")),
    "it is a program": ("process.stdin.on('data',()=>{console.error('NO');process.exit(2)})", ("ok", "deny", "NO")),
    "it kills its process": ("module.exports={run(){process.kill(process.pid,'SIGKILL')}}", ("signalled", None, "")),
    "its exit code is too large": ("module.exports={run:()=>({exitCode:258})}", ("ok", "deny", "")),
}


@pytest.mark.parametrize("name", ROWS)
async def test_what_a_script_that_misbehaves_comes_to(scene: Scene, name: str) -> None:
    script, (status, kind, words) = ROWS[name]
    told = await scene.run(script)
    assert (told.status, told.kind) == (status, kind)
    assert words in told.stderr


@pytest.mark.parametrize("code", ["'2'", "true", "NaN", "{}"])
async def test_a_guard_whose_exit_code_says_nothing_blocks(scene: Scene, code: str) -> None:
    told = await scene.run(f"module.exports={{run:()=>({{exitCode:{code}}})}}", name="config-protection.js")
    assert told.kind == "deny"


@pytest.mark.parametrize(
    ("name", "words"),
    [("gone.js", "there is no script"), ("folder.js", "is no file"), ("link.js", "leads out of"), ("up/x.js", "leads")],
)
async def test_a_script_that_is_not_in_the_plugin_is_not_run_and_decides_nothing(
    scene: Scene, name: str, words: str
) -> None:
    outside = scene.root.parent / "outside"
    outside.mkdir()
    (outside / "x.js").write_text("process.exit(2)")
    (scene.hooks / "folder.js").mkdir()
    (scene.hooks / "link.js").symlink_to(outside / "x.js")
    (scene.hooks / "up").symlink_to(outside)
    told = await scene.call(name)
    assert (told.status, told.kind, words in told.stderr) == ("failed", None, True)


async def test_a_link_within_the_plugin_is_followed(scene: Scene) -> None:
    (scene.hooks / "real.js").write_text(f"module.exports={{run:()=>{BLOCKS}}}")
    (scene.hooks / "link.js").symlink_to("real.js")
    assert (await scene.call("link.js")).kind == "deny"


@pytest.mark.parametrize("payload", [b"", b"{broken", b"\xff\xfe", "é".encode() * 10])
async def test_run_is_given_the_payload_whatever_it_is(scene: Scene, payload: bytes) -> None:
    script = "module.exports={run:raw=>({exitCode:2,stderr:JSON.stringify(raw)})}"
    told = await scene.run(script, payload=payload)
    text = payload.decode("utf-8", "replace")
    assert told.stderr.strip() == scene.as_json(text)


async def test_nothing_of_a_large_answer_is_lost(scene: Scene) -> None:
    context = "x" * 300_000
    told = await scene.run(f"module.exports={{run:()=>({{additionalContext:'x'.repeat({len(context)})}})}}")
    assert context in told.stdout


async def test_a_context_is_given_for_the_event_it_is_of(scene: Scene) -> None:
    script = "module.exports={run:()=>({additionalContext:[' a ','',null,'b']})}"
    told = await scene.run(script, point="PostToolUse")
    assert told.context == "a\nb"


async def test_calls_at_once_see_their_own_surroundings(scene: Scene) -> None:
    script = (
        "module.exports={async run(raw){const [cwd,id]=[process.cwd(),process.env.ECC_HOOK_ID];"
        "await new Promise(r=>setTimeout(r,10));"
        "return {exitCode:2,stderr:[raw,cwd===process.cwd(),id===process.env.ECC_HOOK_ID].join()}}}"
    )
    scene.write(script)
    told = await asyncio.gather(*(scene.call(payload=str(number).encode()) for number in range(6)))
    assert [one.stderr.strip() for one in told] == [f"{number},true,true" for number in range(6)]


async def test_no_call_sees_what_another_has_left_behind_in_the_process(scene: Scene) -> None:
    script = (
        "module.exports={run(){const seen=[process.env.LEFT,process.exitCode,typeof left].join();"
        "globalThis.left=1;"
        "process.env.LEFT='x';process.exitCode=3;process.chdir('/');process.on('SIGUSR2',()=>{});"
        "return {exitCode:2,stderr:seen+','+process.listenerCount('SIGUSR2')+','+(process.cwd()==='/')}}}"
    )
    scene.write(script)
    told: list[Any] = [(await scene.call()).stderr.strip() for _ in range(3)]
    assert told == [",,undefined,1,true"] * 3


async def test_a_module_is_loaded_anew_when_its_file_or_its_surroundings_have_changed(scene: Scene) -> None:
    script = "let n=0;const mode=process.env.MODE;module.exports={run(){n+=1;return {exitCode:2,stderr:`${mode} %s`}}}"
    told: list[str] = []
    for text, mode in (("a", "x"), ("a", "y"), ("b", "y")):
        scene.write(script % text)
        told.append((await scene.call(MODE=mode)).stderr.strip())
    assert told == ["x a", "y a", "y b"]


async def test_variables_take_effect_on_each_call(scene: Scene) -> None:
    scene.write("const v=process.env.ECC_SOMETHING;module.exports={run:()=>({exitCode:2,stderr:String(v)})}")
    told = [(await scene.call(ECC_SOMETHING=value)).stderr.strip() for value in ("a", "b")]
    assert [*told, (await scene.call()).stderr.strip()] == ["a", "b", "undefined"]


async def test_a_script_that_never_ends_is_stopped_and_the_next_call_is_served(scene: Scene) -> None:
    scene.write("module.exports={run(raw){while(raw==='loop');return {exitCode:2}}}")
    assert (await scene.call(payload=b"loop", limit=0.5)).status == "timedOut"
    assert (await scene.call(payload=b"go")).kind == "deny"


async def test_what_a_script_leaves_open_is_not_there_for_the_next_call(scene: Scene) -> None:
    scene.write(
        "module.exports={run(){setInterval(()=>{process.exit(2)},1);"
        "require('child_process').spawn('sleep',['30'],{stdio:'ignore'});"
        "return {exitCode:2,stderr:String(process.pid)}}}"
    )
    told = [await scene.call() for _ in range(3)]
    assert len({one.stderr for one in told}) == 3
    assert {one.kind for one in told} == {"deny"}
