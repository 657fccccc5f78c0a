"""Owns what a body must be before it is looked at as JSON: UTF-8, not nested too deep; knows no message.

msgspec checks the grammar of everything, skipped parts included, but neither the UTF-8 of parts it only slices
nor any depth of our own choice, and it refuses escapes of lone surrogates, which JSON allows.
"""

from __future__ import annotations

import re
import sys
from itertools import accumulate

__all__ = ["MAX_DEPTH", "allow_deep_bodies", "is_too_deep", "is_utf8", "mend_surrogates"]

MAX_DEPTH = 1000

_strings = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_other_than_brackets = bytes(sorted(set(range(256)) - set(b"[]{}")))
_step = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}

_escapes = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a pair: good
    rb"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"  # half a pair
    rb"|\\.",  # any other escape, so that an escaped backslash begins nothing
    re.DOTALL,
)


def allow_deep_bodies() -> None:
    """Let the decoder reach ``MAX_DEPTH``: it stops at Python's recursion limit, which is no deeper by default."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 4 * MAX_DEPTH))


def is_utf8(body: bytes) -> bool:
    """Whether all of it is UTF-8."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def is_too_deep(body: bytes) -> bool:
    """Whether arrays and objects are nested deeper than ``MAX_DEPTH``. Cheap unless there are that many of them."""
    if body.count(b"[") + body.count(b"{") <= MAX_DEPTH:
        return False
    brackets = _strings.sub(b"", body).translate(None, _other_than_brackets)
    return max(accumulate(map(_step.__getitem__, brackets)), default=0) > MAX_DEPTH


def mend_surrogates(body: bytes) -> bytes:
    r"""Replace each escape of a lone surrogate by ``\ufffd``; the very same object where there is none."""
    if b"\\u" not in body:
        return body
    mended = _escapes.sub(lambda match: rb"\ufffd" if match[1] else match[0], body)
    return body if mended == body else mended
