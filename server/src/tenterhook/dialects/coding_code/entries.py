"""Owns going through one ``hooks.yaml`` entry by entry; knows nothing of other layers."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import UNSET, structs
from tenterhook_protocol.points import HookType
from tenterhook_protocol.problems import Severity

from tenterhook.config.document import Document, Listing, Mapped, Node, Scalar, Span, excerpt
from tenterhook.dialects.coding_code.fields import JUDGES
from tenterhook.dialects.coding_code.settings import FIELD_NAMES, HookEntry, Place, Settings
from tenterhook.dialects.coding_code.telling import Teller, described
from tenterhook.dialects.control_section import SECTION
from tenterhook.model import Problem
from tenterhook.nearest import Guesses

__all__ = ["read_entries"]


def read_entries(
    document: Document, points: Mapping[str, HookType], below: Collection[str] = (), *, may_lock: bool
) -> tuple[list[HookEntry], list[Problem]]:
    """The entries of a file that have a name, in its order, and everything that is wrong with the file.

    Of two entries of one name the later counts, at the earlier one's place.

    Args:
        document: the file.
        points: every point that a hook may hang on.
        below: names of the hooks of weaker layers: an entry of such a name is a patch.
        may_lock: whether ``locked`` counts in this layer.
    """
    problems: list[Problem] = []
    entries: dict[str, HookEntry] = {}
    guesses = Guesses()
    for index, node in enumerate(_hooks(document, guesses, problems)):
        tell = Teller(document, f"hooks[{index}]", points, guesses)
        entry = _entry(node, tell, below, may_lock=may_lock)
        if entry is not None:
            before = entries.get(entry.name)
            if before is not None:
                line = before.places["name"].span.line
                message = (
                    f"The name {excerpt(entry.name)!r} stands in line {line} already; only this later entry counts"
                )
                span = entry.places["name"].span
                tell.error("duplicate-name", span, message, "give each hook a name of its own, or delete one")
            entries[entry.name] = entry
        problems.extend(tell.problems)
    return list(entries.values()), problems


def _hooks(document: Document, guesses: Guesses, problems: list[Problem]) -> tuple[Node, ...]:
    """The items of ``hooks``; nothing, with a problem, where the file has another shape."""
    root = document.root
    if root is None:
        return ()
    tell = Teller(document, "hooks", {}, guesses)
    found: tuple[Node, ...] = ()
    if not isinstance(root, Mapped):
        hint = "put the list under `hooks:`" if isinstance(root, Listing) else "begin the file with `hooks:`"
        message = f"The file is {described(root)}, not a mapping; nothing of it is loaded"
        problems.append(document.problem("error", "root-type", message, root.span, hint=hint))
        return ()
    for entry in root.entries:
        if entry.key == SECTION:
            continue  # the control plane reads it
        if entry.key != "hooks":
            near = guesses.nearest(entry.key.lower(), ["hooks"]) is not None
            hint = "did you mean 'hooks'?" if near else "a hook file has the one key 'hooks'"
            lost = near and isinstance(entry.value, Listing) and root.get("hooks") is None
            message = f"There is no key {excerpt(entry.key)!r} in a hook file; " + (
                "none of its hooks is loaded" if lost else "it is ignored"
            )
            severity: Severity = "error" if lost else "warning"
            problems.append(document.problem(severity, "unknown-key", message, entry.key_span, hint=hint))
        elif isinstance(entry.value, Listing):
            found = entry.value.items
        elif isinstance(entry.value, Scalar) and entry.value.value is None:
            tell.warning("field-null", entry.key_span, "hooks has no value: there are no hooks", "write hooks: []")
        else:
            hint = "begin every hook with `- name:`"
            message = f"hooks is {described(entry.value)}, not a list; nothing of it is loaded"
            tell.error("hooks-type", entry.value.span, message, hint)
    problems.extend(tell.problems)
    return found


def _entry(node: Node, tell: Teller, below: Collection[str], *, may_lock: bool) -> HookEntry | None:
    if not isinstance(node, Mapped):
        message = f"{tell.entry} is {described(node)}, not a mapping; it is left out"
        tell.error("entry-type", node.span, message, "write the hook as `- name: ...` with its fields below")
        return None
    name = _name(node, tell)
    if name is None:
        return None
    tell.entry, tell.patch = name, name in below
    values: dict[str, object] = {}
    places: dict[str, Place] = {}
    unusable: set[str] = set()
    for entry in node.entries:
        key, place = entry.key, Place(tell.document, entry.key_span)
        if key == "name":
            places[key] = place
        elif key not in JUDGES:
            _tell_of_unknown(key, entry.key_span, tell)
        elif isinstance(entry.value, Scalar) and entry.value.value is None:
            message = f"{key} has no value; it counts as not declared"
            tell.warning("field-null", entry.key_span, message, f"give {key} a value, or delete the line")
        elif key == "locked" and not may_lock:
            message = "locked counts only in the global file; it is ignored here"
            tell.warning("locked-in-project", entry.key_span, message, "delete the line")
        else:
            value = JUDGES[key](entry.value, tell)
            if value is not UNSET:
                places[key] = place
            if value is None:
                unusable.add(key)
            else:
                values[FIELD_NAMES[key]] = value
    return HookEntry(
        name=name,
        place=Place(tell.document, node.span),
        settings=structs.replace(Settings(), **values),
        places=places,
        unusable=frozenset(unusable),
        told=bool(tell.problems),
    )


def _name(node: Mapped, tell: Teller) -> str | None:
    entry = node.get("name")
    if entry is None or (
        isinstance(entry.value, Scalar) and (entry.value.value is None or not entry.value.text.strip())
    ):
        span = _start(node.span) if entry is None else entry.key_span
        tell.error("name-missing", span, f"{tell.entry} has no name; it is left out", "give it a name: `name: my-hook`")
        return None
    value = entry.value
    if not isinstance(value, Scalar):
        message = f"The name of {tell.entry} is {described(value)}, not a text; the entry is left out"
        tell.error("field-type", value.span, message, "give it a name: `name: my-hook`")
        return None
    if not isinstance(value.value, str):
        message = f"The name is {described(value)}; it counts as the text {excerpt(value.text)!r}"
        tell.warning("field-type", value.span, message, f'write name: "{excerpt(value.text)}"')
    return value.text


def _start(span: Span) -> Span:
    """The first character of a span: a mark on a whole entry would hide every other."""
    return Span(span.line, span.column, span.line, span.column + 1)


def _tell_of_unknown(key: str, span: Span, tell: Teller) -> None:
    near = tell.guesses.nearest(key.lower(), ["name", *JUDGES])
    if key == "<<":
        hint = "YAML 1.2 has no merge key: write the fields out"
    elif near:
        hint = f"did you mean {near!r}?"
    else:
        hint = f"the keys are name, {', '.join(JUDGES)}"
    tell.warning("unknown-key", span, f"There is no key {excerpt(key)!r} in a hook; it is ignored", hint)
