"""Owns the way from a hook file's path to its bytes; knows neither formats nor systems.

This is the one place of ``config`` that touches the disk.
It never waits for anything but a regular file, and whatever it meets is a ``Layer``, not an exception.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Sequence

from msgspec import UNSET, structs
from tenterhook_protocol.problems import Problem, Severity

from tenterhook.config.layers import Layer, Source

__all__ = ["MAX_FILE_BYTES", "MAX_FOLDER_FILES", "Reader", "read_layer", "read_layers"]

Reader = Callable[[Source], Layer]

MAX_FILE_BYTES = 8 * 1024 * 1024
"""A hook file of more bytes is not read."""

MAX_FOLDER_FILES = 100
"""A folder with more files is not read."""

_ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR})

_HINTS = {
    errno.EACCES: "give yourself permission to read it, for example with `chmod u+r`",
    errno.EPERM: "give yourself permission to read it, for example with `chmod u+r`",
    errno.ELOOP: "the symbolic links lead in a circle: replace one of them by the file",
    errno.ENAMETOOLONG: "move the project to a shorter path",
}


def read_layers(sources: Sequence[Source], read: Reader) -> list[tuple[Source, Layer]]:
    """Reads every source, and behind each the files of its folder and those that its content names.

    Args:
        sources: what a system wants read.
        read: reads one of them: ``read_layer``, or what puts an editor's unsaved text in its place.
    """
    found: list[tuple[Source, Layer]] = []
    for source in sources:
        layer = read(source)
        found.append((source, layer))
        more: list[Source] = []
        try:
            more = _of_folder(source)
        except _NotReadable as reason:
            path = source.folder or source.path
            name = f"{source.layer}:{os.path.basename(path)}"
            failed = _failed(name, path, reason.message, reason.hint)
            found.append((Source(name, path, from_project=source.from_project), failed))
        if source.follow is not None and layer.content is not None:
            more = [*more, *source.follow(layer.content)]
        found.extend((each, read(each)) for each in more)
    return found


def _of_folder(source: Source) -> list[Source]:
    if source.folder is None:
        return []
    try:
        names = sorted(name for name in os.listdir(source.folder) if name.endswith(".json") and name[0] != ".")
    except OSError as error:
        if error.errno in _ABSENT:
            return []
        reason, hint = error.strerror or str(error), _HINTS.get(error.errno or 0)
        raise _NotReadable(reason, hint) from None
    if len(names) > MAX_FOLDER_FILES:
        reason = f"it holds more than {MAX_FOLDER_FILES} files"
        raise _NotReadable(reason, "put what they say into fewer files")
    return [
        Source(
            layer=f"{source.layer}:{name}",
            path=f"{source.folder}/{name}",
            from_project=source.from_project,
            carried=source.carried,
        )
        for name in names
    ]


def read_layer(source: Source) -> Layer:
    """Reads the file of a source, or its fallback where the preferred one is absent.

    A fallback beside the preferred file is not read, and a warning says so.
    A directory, a pipe, a device, a dangling link, a file of over ``MAX_FILE_BYTES`` and whatever the system refuses
    is an error, and the layer has then ``failed``. A source that brings its content along needs no file.
    """
    if source.content is not None:
        return Layer(layer=source.layer, path=source.path, content=source.content, carried=source.carried)
    layer = _read(source.layer, source.path)
    if source.fallback is not None:
        if layer is None:
            layer = _read(source.layer, source.fallback)
        elif _exists(source.fallback):
            layer = _with(layer, _both_spellings(source.path, source.fallback))
    layer = layer or Layer(layer=source.layer, path=source.path, content=None)
    return layer if source.carried is None else structs.replace(layer, carried=source.carried)


def _read(name: str, path: str) -> Layer | None:
    """One path as a layer; None where nothing is there."""
    try:
        content = _content(path)
    except _NotReadable as reason:
        return _failed(name, path, reason.message, reason.hint)
    except OSError as error:
        if error.errno in _ABSENT:
            if not _exists(path):
                return None
            return _failed(name, path, "the symbolic link leads nowhere", "remove the link or restore its target")
        return _failed(name, path, error.strerror or str(error), _HINTS.get(error.errno or 0))
    except ValueError as error:
        # A path with a NUL character, or one that the file system's encoding cannot say.
        return _failed(name, path, str(error), None)
    return Layer(layer=name, path=path, content=content, real_path=os.path.realpath(path))


class _NotReadable(Exception):
    """Something is there, and it is no hook file."""

    def __init__(self, message: str, hint: str | None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def _content(path: str) -> bytes:
    # Without O_NONBLOCK the open of a pipe that nobody writes to never returns.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise _NotReadable(f"it is a {_kind(mode)}, not a file", "put a regular file there, or nothing")
    with open(descriptor, "rb") as file:
        # One byte more than allowed: the file may have grown since its size was known.
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise _NotReadable(f"it has more than {MAX_FILE_BYTES} bytes", "a hook file is short: is this the right file?")
    return content


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "directory"
    return "named pipe" if stat.S_ISFIFO(mode) else "device"


def _exists(path: str) -> bool:
    """Whether there is anything at all, a dangling link included."""
    try:
        os.lstat(path)
    except (OSError, ValueError):
        return False
    return True


def _failed(name: str, path: str, reason: str, hint: str | None) -> Layer:
    message = f"The hook file could not be read: {reason}. None of its hooks is loaded"
    problem = _problem("error", "file-unreadable", path, message, hint)
    return Layer(layer=name, path=path, content=None, failed=True, problems=(problem,))


def _both_spellings(path: str, fallback: str) -> Problem:
    message = f"This file is not read, because {path} exists"
    return _problem("warning", "file-shadowed", fallback, message, "keep one of the two files")


def _with(layer: Layer, problem: Problem) -> Layer:
    return structs.replace(layer, problems=(*layer.problems, problem))


def _problem(severity: Severity, code: str, path: str, message: str, hint: str | None) -> Problem:
    return Problem(
        severity=severity,
        code=code,
        message=message,
        path=path,
        line=1,
        column=1,
        end_line=1,
        end_column=1,
        hint=UNSET if hint is None else hint,
    )
