"""Runs every measurement and prints the table of the README: ``python tests/bench/run.py``."""

from __future__ import annotations

import ecc_bench
import many_hooks_bench
import noop_bench
import plan_bench
import round_trip_bench
import scale_bench
import startup_bench
import worker_bench

_BENCHES = (
    noop_bench,
    startup_bench,
    round_trip_bench,
    many_hooks_bench,
    plan_bench,
    scale_bench,
    worker_bench,
    ecc_bench,
)


def main() -> None:
    """Measure and print."""
    print("| what | measured | target |")
    print("|---|---|---|")
    for bench in _BENCHES:
        for what, measured, target in bench.measure():
            print(f"| {what} | {measured} | {target} |", flush=True)


if __name__ == "__main__":
    main()
