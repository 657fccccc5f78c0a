"""Owns where the package ECC is: a folder that the user names, or one that npm fills; runs no hook."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping

from tenterhook.cli.inputs import folder
from tenterhook.errors import BadParams, RequestFailed

__all__ = ["VERSION", "find_package"]

VERSION = "2.0.0"
"""The version that the demo is a recording of."""

_NAME = "ecc-universal"
_PATIENCE = 300
"""Seconds for npm."""


def find_package(root: str | None, environment: Mapping[str, str], tell: Callable[[str], None]) -> str:
    """The package's folder.

    Args:
        root: the folder that the user names; None: the cache, where npm installs it at the first time.
        environment: where the cache is, and what npm runs in.
        tell: called with one line before something is installed.

    Raises:
        BadParams: the folder that was named is not the package's.
        RequestFailed: it is not there and cannot be installed.
    """
    if root is not None:
        named = folder(root, "--root")
        if not _is_package(named):
            raise BadParams(f"--root {root}: no hooks/hooks.json is in it; name the folder of the package {_NAME}")
        return named
    place = _cache(environment)
    found = os.path.join(place, "node_modules", _NAME)
    if not _is_package(found):
        tell(f"{_NAME} {VERSION} is installed by npm into {place}")
        _install(place, environment)
    if not _is_package(found):
        raise RequestFailed(f"npm has left no {_NAME} in {place}; remove that folder and try again")
    return found


def _is_package(path: str) -> bool:
    return os.path.isfile(os.path.join(path, "hooks", "hooks.json"))


def _cache(environment: Mapping[str, str]) -> str:
    base = environment.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "tenterhook", f"{_NAME}-{VERSION}")


def _install(place: str, environment: Mapping[str, str]) -> None:
    npm = shutil.which("npm", path=environment.get("PATH"))
    if npm is None:
        raise RequestFailed(
            f"npm was not found on PATH: install Node.js 20 or newer, or name the folder of {_NAME} with --root"
        )
    os.makedirs(place, exist_ok=True)
    words = [npm, "install", "--prefix", place, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    try:
        done = subprocess.run(
            [*words, f"{_NAME}@{VERSION}"],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise RequestFailed(f"npm has not installed {_NAME} within {_PATIENCE} seconds; is there a network?") from None
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or ["it said nothing"]
        raise RequestFailed(f"npm could not install {_NAME}@{VERSION}: {said[0]}")
