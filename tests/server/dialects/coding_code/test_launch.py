"""How a hook is started."""

from __future__ import annotations

import pytest
from msgspec import Raw
from server.dialects.coding_code.parts import CODING_CODE, event, hook
from tenterhook.dialects.base import LaunchContext
from tenterhook.model import CommandSpec, ProcessLaunch

CONTEXT = LaunchContext(
    run_id="r1",
    environment={"PATH": "/bin", "HOME": "/home/u", "KEEP": "1"},
    home="/home/u",
    version="9.9",
    scratch="/tmp/x",
)
TOLD = {
    "TENTERHOOK_POINT": "tool.approval.pre",
    "TENTERHOOK_EVENT_ID": "e1",
    "TENTERHOOK_RUN_ID": "r1",
    "TENTERHOOK_PROJECT_DIR": "/a/p",
    "TENTERHOOK_VERSION": "9.9",
}


def launch(spec: CommandSpec, traceparent: str | None = None, project: str = "/a/p") -> ProcessLaunch:
    made = CODING_CODE.launch(hook(spec=spec), event(project=project, traceparent=traceparent), CONTEXT)
    assert isinstance(made, ProcessLaunch)
    return made


def test_command_and_args_are_the_program_as_written_without_a_shell() -> None:
    made = launch(CommandSpec("./x y", ("a b", "${HOME}", "", "*", "~")))
    assert made.argv == ("./x y", "a b", "${HOME}", "", "*", "~")
    assert (made.timeout, made.run_id) == (30.0, "r1")


def test_the_payload_goes_to_stdin_byte_for_byte() -> None:
    payload = b'{ "b":1.10,\n "a" : 1e999, "b": 2}'
    made = CODING_CODE.launch(hook(), event(payload=payload), CONTEXT)
    assert isinstance(made, ProcessLaunch)
    assert isinstance(made.stdin, Raw)
    assert bytes(made.stdin) == payload


def test_the_environment_is_the_engine_s_then_the_hook_s_then_what_the_run_is() -> None:
    made = launch(
        CommandSpec(
            "x", env=(("A", "1"), ("PATH", "/mine"), ("KEEP", None), ("GONE", None), ("TENTERHOOK_RUN_ID", "fake"))
        )
    )
    assert made.env == {"PATH": "/mine", "HOME": "/home/u", "A": "1", **TOLD}
    assert CONTEXT.environment["KEEP"] == "1"


def test_an_event_s_trace_context_is_told_and_its_absence_is_not() -> None:
    assert launch(CommandSpec("x"), "00-1-2-01").env["TRACEPARENT"] == "00-1-2-01"
    assert "TRACEPARENT" not in launch(CommandSpec("x")).env


@pytest.mark.parametrize(
    ("project", "cwd", "folders"),
    [
        ("/a/p", None, ("/a/p", "/a", "/")),
        ("/", None, ("/",)),
        ("/a/p", "sub/dir", ("/a/p/sub/dir", "/a/p/sub", "/a/p", "/a", "/")),
        ("/a/p", ".", ("/a/p", "/a", "/")),
        ("/a/p", "../q/", ("/a/q", "/a", "/")),
        ("/a/p", "/b/c", ("/b/c", "/b", "/")),
        ("/a/p", "~/x", ("/a/p/~/x", "/a/p/~", "/a/p", "/a", "/")),
    ],
)
def test_the_folder_is_the_project_or_cwd_and_every_parent_stands_in_for_it(
    project: str, cwd: str | None, folders: tuple[str, ...]
) -> None:
    assert launch(CommandSpec("x", cwd=cwd), project=project).cwd == folders
