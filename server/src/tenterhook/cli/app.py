"""Owns the command line's grammar and help for people; every command's work is in a module of its own.

``serve`` and ``emit`` are here for help and completion alone: ``tenterhook.cli`` runs them without this module.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

import typer

from tenterhook import __version__
from tenterhook.cli import help_texts
from tenterhook.cli.completing import complete_hook, complete_point
from tenterhook.cli.ending import settle

__all__ = ["app"]


class Format(StrEnum):
    """How a command tells what it found."""

    text = "text"
    json = "json"


AsFormat = Annotated[Format, typer.Option("--format", help="For people, or for programs.")]
Home = Annotated[
    str | None,
    typer.Option("--home", metavar="DIR", help="Where the global hook file lies. [default: your home folder]"),
]
Project = Annotated[
    str | None,
    typer.Option("--project", metavar="DIR", help="The project. [default: the payload's, else the current one]"),
]
ListedProject = Annotated[
    str | None,
    typer.Option("--project", metavar="DIR", help="The project. [default: the one around the current folder]"),
]
Plugins = Annotated[
    list[str] | None,
    typer.Option("--plugin", metavar="ID=DIR", help="A plugin whose hooks/hooks.json counts. [may be repeated]"),
]
APoint = Annotated[
    str,
    typer.Argument(metavar="POINT", help="The point, for example tool.approval.pre.", autocompletion=complete_point),
]
AHook = Annotated[str, typer.Argument(metavar="HOOK", help="Name or id of the hook.", autocompletion=complete_hook)]
Payload = Annotated[
    str, typer.Option("--payload", metavar="FILE", help="The event's data: a JSON file, or - for stdin.")
]
SomePayload = Annotated[
    str | None,
    typer.Option("--payload", metavar="FILE", help="The event's data: a JSON file, or - for stdin. [default: {}]"),
]

app = typer.Typer(
    name="tenterhook",
    help=help_texts.TENTERHOOK,
    epilog=help_texts.TENTERHOOK_EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _end(command: Callable[[], int]) -> None:
    raise typer.Exit(settle(command))


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tenterhook {__version__}")
        raise typer.Exit


@app.callback()
def tenterhook(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Nothing of its own: the commands do the work."""


@app.command("check", help=help_texts.CHECK, epilog=help_texts.CHECK_EXAMPLES)
def run_check(
    paths: Annotated[list[str] | None, typer.Argument(metavar="PATH", help="Hook files or project folders.")] = None,
    home: Home = None,
    form: AsFormat = Format.text,
) -> None:
    """Show what is wrong with hook files."""
    from tenterhook.cli.check import check  # noqa: PLC0415 - each command loads what it alone needs

    _end(lambda: check(paths or (), home=home, as_json=form is Format.json))


@app.command(
    "list",
    short_help="Show every hook of a project, and where it comes from.",
    help=help_texts.LIST,
    epilog=help_texts.LIST_EXAMPLES,
)
def run_list(
    project: ListedProject = None, home: Home = None, plugin: Plugins = None, form: AsFormat = Format.text
) -> None:
    """Show every hook of a project."""
    from tenterhook.cli.listing import list_hooks  # noqa: PLC0415 - as above

    _end(lambda: list_hooks(project=project, home=home, as_json=form is Format.json, plugins=plugin or ()))


@app.command("explain", help=help_texts.EXPLAIN, epilog=help_texts.EXPLAIN_EXAMPLES)
def run_explain(
    point: APoint,
    payload: SomePayload = None,
    project: Project = None,
    home: Home = None,
    plugin: Plugins = None,
    form: AsFormat = Format.text,
) -> None:
    """Show what an event would do."""
    from tenterhook.cli.explaining import explain  # noqa: PLC0415 - as above

    as_json = form is Format.json
    _end(lambda: explain(point, payload, project=project, home=home, as_json=as_json, plugins=plugin or ()))


@app.command(
    "test",
    short_help="Run one hook once, and show everything it did.",
    help=help_texts.TEST,
    epilog=help_texts.TEST_EXAMPLES,
)
def run_test(
    hook: AHook,
    payload: Payload,
    project: Project = None,
    home: Home = None,
    plugin: Plugins = None,
    form: AsFormat = Format.text,
) -> None:
    """Run one hook once."""
    from tenterhook.cli.testing import try_hook  # noqa: PLC0415 - as above

    as_json = form is Format.json
    _end(lambda: try_hook(hook, payload, project=project, home=home, as_json=as_json, plugins=plugin or ()))


@app.command("emit", help=help_texts.EMIT, epilog=help_texts.EMIT_EXAMPLES)
def run_emit(
    point: APoint,
    payload: Payload,
    project: Project = None,
    home: Home = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="For a decision point: print every run and notice too.")
    ] = False,
) -> None:
    """Run the hooks of one event."""
    from tenterhook.cli.one_shot import Request, emit  # noqa: PLC0415 - as above

    _end(lambda: emit(Request(point=point, payload=payload, project=project, home=home, trace=trace)))


@app.command(
    "serve", short_help="Serve a host over stdin and stdout.", help=help_texts.SERVE, epilog=help_texts.SERVE_EXAMPLES
)
def run_serve() -> None:
    """Serve a host over stdin and stdout."""
    from tenterhook.rpc.serve import main  # noqa: PLC0415 - as above

    main()


@app.command(
    "trust",
    short_help="Approve what a project's own hook files run.",
    help=help_texts.TRUST,
    epilog=help_texts.TRUST_EXAMPLES,
)
def run_trust(
    project: Annotated[
        str | None,
        typer.Argument(metavar="PROJECT", help="The project. [default: the one around the current folder]"),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Approve what is shown, without asking.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Only show it.")] = False,
    revoke: Annotated[bool, typer.Option("--revoke", help="Take back all approvals of the project.")] = False,
    home: Home = None,
    form: AsFormat = Format.text,
) -> None:
    """Approve a project's own hook files."""
    from tenterhook.cli.trusting import Wanted, trust  # noqa: PLC0415 - as above

    wanted = Wanted(yes=yes, revoke=revoke, show=show, as_json=form is Format.json)
    _end(lambda: trust(project, home=home, wanted=wanted))


class Show(StrEnum):
    """What there is to see."""

    session = "session"
    ecc = "ecc"


@app.command("demo", short_help="Show the engine at work.", help=help_texts.DEMO)
def run_demo(
    what: Annotated[Show, typer.Argument(help="A recorded session, or one over the package ECC.")] = Show.session,
    root: Annotated[str | None, typer.Option("--root", metavar="DIR", help="For ecc: the package's folder.")] = None,
) -> None:
    """Show the engine at work."""
    if what is Show.ecc:
        from tenterhook.cli.demo import ecc  # noqa: PLC0415 - as above

        _end(lambda: ecc.run(root))
    from tenterhook.cli.demo import run  # noqa: PLC0415 - as above

    _end(run)
