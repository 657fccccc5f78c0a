"""Owns what an engine stands on: where files lie, what is trusted, what is switched off; reads no hook file.

It is settled once, out of the host's options and the engine's environment.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from tenterhook_protocol.base import UNSET
from tenterhook_protocol.lifecycle import InitializationOptions

from tenterhook.dialects.base import Ground
from tenterhook.policy import is_off, settle
from tenterhook.runners.contract import Limits
from tenterhook.runners.readiness import readiness
from tenterhook.served import Served
from tenterhook.tables import Recipe
from tenterhook.trust import Store, Trust, default_place

__all__ = ["limits_of", "recipe_of"]


def recipe_of(
    options: InitializationOptions, environment: Mapping[str, str], served: Served
) -> tuple[Recipe, Sequence[str]]:
    """What every table of the engine is built by, and what is wrong with what was asked for, in words."""
    policy, complaints = settle(options, environment)
    home = os.path.realpath(_home(environment) if options.user_home is UNSET else options.user_home)
    ground = Ground(
        home=home,
        environment=environment,
        plugins=tuple(options.plugins),
        settings=None if options.settings is UNSET else bytes(options.settings),
        managed=None if options.managed_settings is UNSET else options.managed_settings,
    )
    store = Store(default_place(home, environment, own_home=options.user_home is UNSET))
    trust = Trust(options.trust, store if options.trust == "pinned" else None)
    dialects = tuple(served.dialects.values())
    recipe = Recipe(dialects=dialects, points=served.points, ground=ground, policy=policy, trust=trust)
    return recipe, complaints


def limits_of(options: InitializationOptions, environment: Mapping[str, str]) -> Limits:
    """What the runs of the engine may use. ``TENTERHOOK_WORKERS=off`` keeps processes from living on."""
    return Limits(
        max_output=options.max_output_bytes,
        grace=options.kill_grace_ms / 1000,
        workers=options.workers and not is_off(environment.get("TENTERHOOK_WORKERS", "")),
        readiness=readiness(keeps=True),
    )


def _home(environment: Mapping[str, str]) -> str:
    return environment.get("HOME") or os.path.expanduser("~")
