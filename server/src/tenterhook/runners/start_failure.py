"""Owns saying why a process could not be started and what to do about it; starts nothing.

The system names most of these failures badly: a missing interpreter is reported as a missing script.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

__all__ = ["explain_start_failure", "is_exhaustion"]

_EXHAUSTION = frozenset({errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM})


def is_exhaustion(failure: Exception) -> bool:
    """Whether the system had too little left of something, which the end of another run may give back."""
    return isinstance(failure, OSError) and failure.errno in _EXHAUSTION


def explain_start_failure(failure: Exception, argv: Sequence[str], env: Mapping[str, str], cwd: str) -> str:
    """Say what could not be started, where, what the system said, and what to do.

    Args:
        failure: What starting it raised.
        argv: The program and its arguments.
        env: The environment it should have had.
        cwd: The folder it should have started in.

    Returns:
        One line for the hook's author.
    """
    if not isinstance(failure, OSError) or failure.errno is None:
        return f"{_shown(argv[0])} was not started: {_unfit(argv, env) or failure}"
    said = f"{os.strerror(failure.errno)} ({errno.errorcode.get(failure.errno, failure.errno)})"
    if failure.filename is None or is_exhaustion(failure):
        return f"{_shown(argv[0])} was not started: {said}. {_exhausted(failure.errno)}"
    if failure.filename == cwd and (cwd != argv[0] or not os.path.isdir(cwd)):
        return (
            f"{_shown(argv[0])} was not started: its folder {_shown(cwd)} cannot be entered: {said}. "
            "Make sure that the folder exists and may be entered"
        )
    advise = _ADVICE.get(failure.errno)
    advice = "" if advise is None else f". {advise(_Attempt(argv[0], env, cwd))}"
    return f"{_shown(argv[0])} was not started in {_shown(cwd)}: {said}{advice}"


class _Attempt(NamedTuple):
    """A start that the system refused."""

    program: str
    env: Mapping[str, str]
    cwd: str

    def path(self) -> str:
        """Where it was meant to be, for reading."""
        return _shown(_joined(self.cwd, self.program))

    def found(self) -> str | None:
        """The file that was meant, as ``execvpe`` looks for it."""
        if "/" in self.program:
            folders = [""]
        else:
            folders = self.env.get("PATH", os.defpath).split(os.pathsep) if self.program else []
        candidates = (_joined(self.cwd, folder, self.program) for folder in folders)
        return next((path for path in candidates if os.path.exists(path)), None)


def _joined(*parts: str) -> str:
    """The path without steps that lead nowhere. One that leads upwards stays: it may lead through a link."""
    return os.path.join(*parts).replace("/./", "/")


def _shown(text: str) -> str:
    return "`" + text.encode(errors="backslashreplace").decode().replace("\0", "\\0") + "`"


def _unfit(argv: Sequence[str], env: Mapping[str, str]) -> str | None:
    """Which argument or variable no program can be given."""
    words = [(f"argument {index}" if index else "its name", text) for index, text in enumerate(argv)]
    for name, value in env.items():
        if not name:
            return "a variable has no name. Remove it"
        if "=" in name:
            return f"the variable {_shown(name)} has an equals sign in its name. Remove it"
        words += [("the name of a variable", name), (f"the variable {_shown(name)}", value)]
    for what, text in words:
        if "\0" in text:
            return f"{what} contains a NUL character, which no program can be given. Remove it"
        try:
            os.fsencode(text)
        except UnicodeEncodeError:
            return f"{what} contains half of a surrogate pair, which is no character. Remove it"
    return None


def _exhausted(number: int) -> str:
    if number in (errno.EMFILE, errno.ENFILE):
        return "No file descriptors are left: raise the limit (`ulimit -n`) or run fewer hooks at once"
    return "The system allows no more processes or memory: raise the limit (`ulimit -u`) or run fewer hooks at once"


def _missing(attempt: _Attempt) -> str:
    path = attempt.found()
    if path is None:
        advice = (
            f"There is no file {attempt.path()}: correct the path (a relative one starts at that folder)"
            if "/" in attempt.program
            else "No folder on its PATH has such a program: install it, or give its full path"
        )
        return advice + (
            ". Arguments do not belong into the program's name: list them" if " " in attempt.program else ""
        )
    interpreter = _interpreter(path)
    if interpreter is None:
        return f"{_shown(path)} is there, but the loader or library that it needs is not: install it for this system"
    if interpreter.endswith("\r"):
        return (
            f"The first line of {_shown(path)} ends with a carriage return, so its interpreter is not found: "
            "save the file with LF line ends"
        )
    return (
        f"The first line of {_shown(path)} names the interpreter {_shown(interpreter)}, which is missing: "
        "install it, or correct the line"
    )


def _denied(attempt: _Attempt) -> str:
    path = attempt.found()
    if path is None:
        return "A folder on the way to it may not be entered: check the permissions"
    if os.path.isdir(path):
        return f"{_shown(path)} is a folder: name a program in it"
    if not os.access(path, os.X_OK):
        return f"It lacks the execute permission: `chmod +x {path}`"
    interpreter = _interpreter(path)
    if interpreter is not None and not os.access(interpreter, os.X_OK):
        return (
            f"Its first line names the interpreter {_shown(interpreter)}, which may not be executed: correct the line"
        )
    return "It may be on a file system that is mounted `noexec`, or a security policy forbids it"


def _no_format(attempt: _Attempt) -> str:
    path = attempt.found()
    start = b"" if path is None else _start_of(path)
    if start.startswith(b"\xef\xbb\xbf#!"):
        return "A byte order mark stands before its `#!`: save the file without BOM"
    if start.startswith((b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")):
        return "It was built for another kind of machine: install the build for this one"
    return "If it is a script, begin it with a line such as `#!/bin/sh`, or name its interpreter as the program"


def _too_big(_: _Attempt) -> str:
    return "Its arguments or its environment are too large: hand large values over in stdin or a file"


def _not_a_folder(attempt: _Attempt) -> str:
    return f"A part of the path {attempt.path()} is a file and no folder: correct the path"


def _busy(_: _Attempt) -> str:
    return "Somebody is still writing to the file: close it first"


_ADVICE: dict[int, Callable[[_Attempt], str]] = {
    errno.ENOENT: _missing,
    errno.EACCES: _denied,
    errno.ENOEXEC: _no_format,
    errno.E2BIG: _too_big,
    errno.ENOTDIR: _not_a_folder,
    errno.ETXTBSY: _busy,
}


def _interpreter(path: str) -> str | None:
    """What the first line of a script names, a carriage return included; None where it is no script."""
    start = _start_of(path)
    if not start.startswith(b"#!"):
        return None
    words = start[2:].split(b"\n", 1)[0].strip(b" \t").split(b" ", 1)[0].split(b"\t", 1)[0]
    return os.fsdecode(words)


def _start_of(path: str) -> bytes:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b""
        with open(path, "rb") as file:
            return file.read(256)
    except OSError:
        return b""
