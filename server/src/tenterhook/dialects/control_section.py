"""Owns the section ``tenterhook`` of a user's own file: profile, disabled ids, master switch; decides nothing by it."""

from __future__ import annotations

from tenterhook_protocol.lifecycle import PROFILES

from tenterhook.config.document import Document, Entry, Listing, Mapped, Node, Scalar, Span, excerpt
from tenterhook.dialects.base import Control
from tenterhook.model import Problem
from tenterhook.nearest import nearest

__all__ = ["SECTION", "not_the_users", "read_control"]

SECTION = "tenterhook"
"""The key at the top of ``~/.codingcode/hooks.yaml`` and of the user's ``settings.json``."""

_KEYS = ("profile", "disabledHooks", "enabled")


def read_control(document: Document, entry: Entry, problems: list[Problem]) -> Control:
    """What the section says. A value of no use counts as not there, and a problem says so."""
    tell = _Teller(document, problems)
    if not isinstance(entry.value, Mapped):
        tell(entry.key_span, "field-type", f"{SECTION} has no keys; it is ignored", f"its keys are {', '.join(_KEYS)}")
        return Control(path=document.path)
    profile: str | None = None
    enabled: bool | None = None
    disabled: dict[str, Problem] = {}
    for each in entry.value.entries:
        if each.key == "profile":
            profile = _profile(each.value, tell)
        elif each.key == "enabled":
            enabled = _flag(each.value, tell)
        elif each.key == "disabledHooks":
            disabled = _ids(each.value, document, tell)
        else:
            near = nearest(each.key, _KEYS)
            hint = f"did you mean {near!r}?" if near else f"the keys are {', '.join(_KEYS)}"
            tell(each.key_span, "unknown-key", f"There is no key {excerpt(each.key)!r} in {SECTION}", hint)
    return Control(profile=profile, disabled=disabled, enabled=enabled, path=document.path)


def not_the_users(document: Document, entry: Entry) -> Problem:
    """What is told of such a section in any other file: whoever writes a project must not switch hooks off."""
    message = f"{SECTION} counts only in the user's own file; it is ignored here"
    hint = "delete it, or move it into your own file"
    return document.problem("warning", "control-not-users", message, entry.key_span, entry=SECTION, hint=hint)


class _Teller:
    def __init__(self, document: Document, problems: list[Problem]) -> None:
        self._document = document
        self._problems = problems

    def __call__(self, span: Span, code: str, message: str, hint: str) -> None:
        self._problems.append(self._document.problem("warning", code, message, span, entry=SECTION, hint=hint))


def _profile(node: Node, tell: _Teller) -> str | None:
    text = node.text if isinstance(node, Scalar) else ""
    name = text.strip().lower()
    if name in PROFILES:
        return name
    near = nearest(name, PROFILES) if name else None
    hint = f"did you mean {near!r}?" if near else f"the profiles are {', '.join(PROFILES)}"
    tell(node.span, "profile-unknown", f"There is no profile {excerpt(text)!r}; 'standard' is in force", hint)
    return "standard"


def _flag(node: Node, tell: _Teller) -> bool | None:
    if isinstance(node, Scalar) and isinstance(node.value, bool):
        return node.value
    tell(node.span, "field-type", "enabled is neither true nor false; it counts as not there", "write true or false")
    return None


def _ids(node: Node, document: Document, tell: _Teller) -> dict[str, Problem]:
    """The ids of a list, or of a text with commas as the environment has it."""
    found: dict[str, Problem] = {}
    for item in node.items if isinstance(node, Listing) else (node,):
        if not isinstance(item, Scalar) or not isinstance(item.value, str):
            hint = "write a list of ids, as `tenterhook list --format json` shows them"
            tell(item.span, "field-type", "disabledHooks holds something that is no text; it is passed over", hint)
            continue
        for written in item.value.split(","):
            if name := written.strip().lower():
                message = f"The disabled id {excerpt(written.strip())!r} names no hook of this project"
                hint = "`tenterhook list --format json` shows the ids and their aliases"
                found[name] = document.problem(
                    "information", "disabled-unknown", message, item.span, entry=SECTION, hint=hint
                )
    return found
