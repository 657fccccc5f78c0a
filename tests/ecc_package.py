"""The real package, installed by npm into a folder of the tests' own; every test of a session shares it."""

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
from pathlib import Path

__all__ = ["VERSION", "install"]

VERSION = "2.0.0"
_NAME = "ecc-universal"
_FOLDER = Path(__file__).parent.parent / ".cache" / "ecc"


def install() -> Path:
    """The package's folder. It is installed where it is not there yet."""
    root = _FOLDER / "node_modules" / _NAME
    _FOLDER.mkdir(parents=True, exist_ok=True)
    with (_FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two test runs may begin at once
        if not _is_there(root):
            npm = shutil.which("npm")
            assert npm is not None, f"the tests of ECC need npm and Node.js 20, to install {_NAME}@{VERSION}"
            command = [npm, "install", "--prefix", str(_FOLDER), "--no-package-lock", "--no-audit", "--no-fund"]
            wanted = [*command, "--ignore-scripts", "--loglevel=error", f"{_NAME}@{VERSION}"]
            done = subprocess.run(wanted, capture_output=True, text=True, timeout=300, check=False)
            assert done.returncode == 0, f"npm could not install {_NAME}@{VERSION}:\n{done.stderr}"
    assert _is_there(root), f"{root} is not {_NAME} {VERSION}"
    return root


def _is_there(root: Path) -> bool:
    manifest = root / "package.json"
    return manifest.is_file() and json.loads(manifest.read_text())["version"] == VERSION
