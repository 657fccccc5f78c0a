"""Owns what the engine reads of a payload, and the one key that it adds; knows no hooks.

It runs for every event of every host, so that a payload in which nothing is odd is one decoding into one flat struct.
A tool is named as the host names it: former names are made new where matchers are tested.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import cast

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from tenterhook_protocol.claude_controls import MatchForm
from tenterhook_protocol.claude_events import CLAUDE_EVENTS

from tenterhook.dialects.base import Head
from tenterhook.errors import BadParams

__all__ = ["canonical_model", "read_head"]


def read_head(point: str, payload: Raw) -> Head:
    """Session, folder, project and subject of a payload; and the payload as hooks get it where it names no event.

    Null counts as absent, but not for the event's name. A subject that is no text counts as absent too.
    Of a point that is none of this system's events, session and folder count as absent where they are no texts.

    Raises:
        BadParams: the payload is no object, it names another event,
            or its ``session_id``, ``cwd`` or ``projectPath`` is no text.
    """
    reader = _READERS[point]
    try:
        keys = reader.decode(payload)
    except (msgspec.DecodeError, RecursionError):
        return _read_with_care(point, reader, payload)
    if keys.event == point and reader.form is None:
        return keys
    if point not in CLAUDE_EVENTS:
        return keys
    return _head(point, reader, payload, keys)


def canonical_model(name: str) -> str:
    """A model's name without variant and date: ``claude-opus-4-5`` for ``claude-opus-4-5-20251101[1m]``."""
    return name[:-_LONGEST_SUFFIX] + _MODEL_SUFFIX.sub("", name[-_LONGEST_SUFFIX:]) or name


def _basename(path: str) -> str:
    return path.rpartition("/")[2]


_FORMS: Mapping[MatchForm, Callable[[str], str]] = {"model": canonical_model, "basename": _basename}
_LONGEST_SUFFIX = 32
_MODEL_SUFFIX = re.compile(r"([-@]20\d{6})?(\[\w{1,16}\])?\Z")


class _Keys(Head, frozen=True):
    """A payload in which every key is as it should be. It is a head itself: nothing has to be built anew."""

    event: str | UnsetType = UNSET


class _Reader(Struct, frozen=True):
    """How the payloads of one event are read."""

    decode: Callable[[Raw], _Keys]
    subject: str | None
    """The key that names the subject."""
    form: Callable[[str], str] | None
    """What of its value is the subject; None: all of it."""


class _Readers(dict[str, _Reader]):
    """Each event's reader, made when the first payload of the event comes."""

    def __missing__(self, point: str) -> _Reader:
        event = CLAUDE_EVENTS.get(point)
        if event is None:
            # One for all: a host's points have no end.
            return self[""] if point else self.setdefault("", _reader(None, None))
        return self.setdefault(point, _reader(event.matches, _FORMS.get(event.match_form)))


def _reader(subject: str | None, form: Callable[[str], str] | None) -> _Reader:
    # Every field is declared again, for msgspec's `rename` does not reach inherited ones.
    # A field that no key stands for gets a name that no host would use; one who does is read with care.
    text = str | None
    keys = msgspec.defstruct(
        "_Keys",
        [
            ("project", text, None),
            ("session", text, None),
            ("subject", None if subject is None else text, None),
            ("cwd", text, None),
            ("payload", None, None),
            ("event", str | UnsetType, UNSET),
        ],
        bases=(_Keys,),
        rename={
            "project": "projectPath",
            "session": "session_id",
            "subject": subject or "(no subject)",
            "payload": "(no payload)",
            "event": "hook_event_name",
        },
        frozen=True,
    )
    decode = msgspec.json.Decoder(cast("type[_Keys]", keys)).decode
    return _Reader(decode, subject, form)


_READERS = _Readers()


def _head(point: str, reader: _Reader, payload: Raw, keys: _Keys) -> Head:
    if keys.event is UNSET:
        payload_for_hooks = _with_event(point, payload)
    elif keys.event == point:
        payload_for_hooks = None
    else:
        raise BadParams(f"payload.hook_event_name must be {point!r} as the point is, not {keys.event!r}")
    subject = keys.subject
    if subject is not None and reader.form is not None:
        subject = reader.form(subject)
    return Head(keys.project, keys.session, subject, keys.cwd, payload_for_hooks)


def _with_event(point: str, payload: Raw) -> Raw:
    """The payload with one key more at its end, and every other byte as it was."""
    view = memoryview(payload)
    end = _last_visible(view, len(view))
    alone = view[_last_visible(view, end)] == ord("{")
    key = f'{"" if alone else ","}"hook_event_name":"{point}"'
    return Raw(b"".join((view[:end], key.encode(), view[end:])))


def _last_visible(view: memoryview, end: int) -> int:
    at = end - 1
    while view[at] in b" \t\r\n":
        at -= 1
    return at


def _read_with_care(point: str, reader: _Reader, payload: Raw) -> Head:
    try:
        values = _decode_object(payload)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadParams(f"payload must be a JSON object ({error})") from None
    known = point in CLAUDE_EVENTS
    name = values.get("hook_event_name")
    keys = _Keys(
        project=_text(values, "projectPath", strict=True),
        session=_text(values, "session_id", strict=known),
        subject=None if reader.subject is None else _text(values, reader.subject, strict=False),
        cwd=_text(values, "cwd", strict=known),
        event=UNSET if name is None else _name(name),
    )
    return _head(point, reader, payload, keys) if known else keys


_decode_object = msgspec.json.Decoder(dict[str, Raw]).decode


def _text(values: Mapping[str, Raw], key: str, *, strict: bool) -> str | None:
    try:
        return msgspec.json.decode(values.get(key, b"null"), type=str | None)
    except msgspec.DecodeError:
        if strict:
            raise BadParams(f"payload.{key} must be a string") from None
        return None


def _name(value: Raw) -> str:
    """The event that a payload names, or the JSON of what stands in its place, which is no event's name."""
    try:
        return msgspec.json.decode(value, type=str)
    except msgspec.DecodeError:
        return bytes(value)[:40].decode(errors="replace")
