"""Owns the command line of the generator; knows no format.

Usage::

    python -m tenterhook_protocol.generate           write every derived file
    python -m tenterhook_protocol.generate --check   write nothing; exit 1 and print a diff where one is stale
"""

from __future__ import annotations

import argparse
import sys

from tenterhook_protocol.generate import COMMAND, REPOSITORY, generate
from tenterhook_protocol.generate.staleness import diff_of, stale

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Write or check the derived files of this checkout; the value is the exit status."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Derive schemas, TypeScript and tables from the types.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where a file is stale")
    check = bool(parser.parse_args(arguments).check)
    try:
        wanted = generate(REPOSITORY)
    except OSError as error:
        print(f"not a checkout of tenterhook: {error}", file=sys.stderr)
        return 1
    behind = stale(wanted)
    if check:
        if behind:
            print(diff_of(behind, REPOSITORY), end="")
            print(f"{len(behind)} derived files are stale; run: {COMMAND}")
        return 1 if behind else 0
    for path in behind:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path], encoding="utf-8", newline="\n")
        print(f"wrote {path.relative_to(REPOSITORY)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
