"""Owns the events of this system that the engine raises by itself: which files they are about, and their payloads.

``FileChanged`` is raised for files that its matchers or answers name, ``ConfigChange`` for settings files
(reference 2.2, 4.3). Neither is raised for a plugin's files: they change when the host loads plugins again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Raw, Struct

from tenterhook.dialects.base import Edit, Raised
from tenterhook.dialects.claude_code.tool_names import watched_names
from tenterhook.model import Hook

__all__ = ["SESSION_ENDS", "event_of", "watched_files"]

SESSION_ENDS = frozenset({"SessionEnd"})

_SOURCES: Mapping[str, str] = {
    "managed": "policy_settings",
    "user": "user_settings",
    "project": "project_settings",
    "local": "local_settings",
}
"""By the kind of a layer: what ``ConfigChange`` calls its file."""


class _Base(Struct, omit_defaults=True):
    """What every event of a session says (reference 2.1), as far as the host has said it."""

    transcript_path: object = msgspec.UNSET
    cwd: object = msgspec.UNSET
    permission_mode: object = msgspec.UNSET


def watched_files(hooks: Sequence[Hook]) -> Sequence[str]:
    """What the matchers of ``FileChanged`` name, each once."""
    names = (name for hook in hooks if hook.point == "FileChanged" for name in watched_names(hook.matcher))
    return tuple(dict.fromkeys(names))


def event_of(edit: Edit, session: str, base: Raw | None) -> Raised | None:
    """The event that a change is to a session; None: its file is none that this system tells of."""
    keys: dict[str, object] = {"session_id": session, **_base_of(base)}
    if edit.layer is None:
        keys.update(hook_event_name="FileChanged", file_path=edit.path, event=edit.kind)
        return Raised("FileChanged", Raw(msgspec.json.encode(keys)))
    source = _SOURCES.get(edit.layer.partition(":")[0])
    if source is None:
        return None
    keys.update(hook_event_name="ConfigChange", source=source, file_path=edit.path)
    return Raised("ConfigChange", Raw(msgspec.json.encode(keys)))


def _base_of(base: Raw | None) -> dict[str, object]:
    if base is None:
        return {}
    try:
        read = msgspec.json.decode(base, type=_Base)
    except (msgspec.DecodeError, RecursionError):
        return {}
    return {key: value for key, value in msgspec.structs.asdict(read).items() if value is not msgspec.UNSET}
