"""Owns what a command reads before the engine is asked: payloads and folders; knows no command and no hook."""

from __future__ import annotations

import os
import sys

import msgspec
from msgspec import Raw

from tenterhook.errors import BadParams

__all__ = ["folder", "here", "read_payload"]

_BOM = b"\xef\xbb\xbf"


def here() -> str:
    """The current folder.

    Raises:
        BadParams: it was deleted under our feet.
    """
    try:
        return os.getcwd()
    except OSError as failure:
        raise BadParams(f"the current folder cannot be used: {failure.strerror}; go to one that exists") from None


def folder(path: str, option: str) -> str:
    """The absolute path of a folder that a user named.

    Raises:
        BadParams: there is no such folder.
    """
    full = os.path.join(here(), os.path.expanduser(path))
    if not os.path.isdir(full):
        why = "is not a folder" if os.path.exists(full) else "does not exist"
        raise BadParams(f"{option}: {path} {why}")
    return os.path.normpath(full)


def read_payload(source: str) -> Raw:
    """One JSON object out of a file, or out of stdin for ``-``, in its own bytes.

    Raises:
        BadParams: it cannot be read, or it is not one JSON object; says where.
    """
    name = "stdin" if source == "-" else source
    content = _bytes_of(source).removeprefix(_BOM)
    try:
        value = _DECODER.decode(content)
    except msgspec.DecodeError as fault:
        raise BadParams(_told(name, content, str(fault))) from None
    except RecursionError:
        raise BadParams(f"{name}: the payload is nested too deeply") from None
    kind = _KINDS.get(type(value))
    if kind is not None:
        raise BadParams(f"{name}: the payload must be a JSON object like {{}}, and this is {kind}")
    return Raw(content)


_DECODER: msgspec.json.Decoder[object] = msgspec.json.Decoder(float_hook=float)
"""Numbers of any size are right: they reach the hook as they are written."""

_KINDS: dict[type, str] = {
    list: "an array",
    str: "a string",
    int: "a number",
    float: "a number",
    bool: "a boolean",
    type(None): "null",
}


def _bytes_of(source: str) -> bytes:
    if source == "-":
        if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison] - None where fd 0 is closed
            raise BadParams("stdin: it is closed; name a file with --payload")
        if sys.stdin.isatty():
            sys.stderr.write("Type the payload as JSON; end with Ctrl-D.\n")
        return sys.stdin.buffer.read()
    try:
        with open(source, "rb") as file:
            return file.read()
    except (OSError, ValueError) as failure:
        why = failure.strerror if isinstance(failure, OSError) else str(failure)
        raise BadParams(f"the payload {source} cannot be read: {why}") from None


def _told(name: str, content: bytes, fault: str) -> str:
    """The decoder's words with a line and a column in place of its byte."""
    if not content.strip():
        return f"{name}: it is empty; the payload must be a JSON object, at least {{}}"
    if fault == "Input data was truncated":
        return f"{name}: the JSON ends too early: a bracket or a quote is missing at its end"
    words, _, byte = fault.removeprefix("JSON is malformed: ").rpartition(" (byte ")
    if not words or not byte.rstrip(")").isdigit():
        return f"{name}: it is not JSON: {fault}"
    before = content[: int(byte.rstrip(")"))].decode("utf-8", "replace")
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return f"{name}:{line}:{column}: it is not JSON: {words}"
