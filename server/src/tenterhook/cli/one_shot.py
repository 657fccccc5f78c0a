"""Owns ``tenterhook emit``: one event, one answer; loads neither typer nor rich, because it must feel instant."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from tenterhook_protocol.hooks import EmitDecisionParams, EmitParams

from tenterhook.cli.ending import WELL
from tenterhook.cli.help_texts import EMIT, EMIT_EXAMPLES, plain
from tenterhook.cli.inputs import read_payload
from tenterhook.cli.opening import open_engine
from tenterhook.cli.output import write_json
from tenterhook.cli.running import finish
from tenterhook.later import Later

__all__ = ["Request", "emit", "parse"]


class Request(Struct, frozen=True, kw_only=True):
    """What was asked for on the command line."""

    point: str
    payload: str
    project: str | None = None
    home: str | None = None
    trace: bool = False


def emit(request: Request) -> int:
    """Emit the event and print what came of it.

    Raises:
        TenterhookError: what was asked for does not fit.
    """
    payload = read_payload(request.payload)
    opened = open_engine(project=request.project, home=request.home, payload=payload)
    service = opened.service
    point, project = request.point, opened.project
    if service.points.get(point) == "decision":
        answer = service.decide(
            EmitDecisionParams(point=point, payload=payload, project_path=project, trace=request.trace)
        )
        write_json(finish(service, answer) if isinstance(answer, Later) else answer)
    else:
        result = service.emit(EmitParams(point=point, payload=payload, project_path=project))
        write_json(finish(service, result) if isinstance(result, Later) else result)
    opened.tell_of_no_file()
    return WELL


def parse(arguments: Sequence[str]) -> Request:
    """Read the command line by hand of the standard library; ``--help`` and mistakes end the process."""
    import argparse  # noqa: PLC0415 - the fast path pays for it only here

    parser = argparse.ArgumentParser(
        prog="tenterhook emit",
        description=EMIT,
        epilog=plain(EMIT_EXAMPLES),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("point", metavar="POINT", help="the point, for example tool.approval.pre")
    parser.add_argument(
        "--payload", metavar="FILE", required=True, help="the event's data: a JSON file, or - for stdin"
    )
    parser.add_argument("--project", metavar="DIR", help="the project (default: the payload's, else the current one)")
    parser.add_argument("--home", metavar="DIR", help="where the global hook file lies (default: your home folder)")
    parser.add_argument("--trace", action="store_true", help="for a decision point: print every run and notice too")
    return Request(**vars(parser.parse_args(arguments)))
