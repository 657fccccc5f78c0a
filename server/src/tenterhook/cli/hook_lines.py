"""Owns how one hook looks in a list: its name, its command, where it comes from; knows no command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from tenterhook_protocol.base import UNSET
from tenterhook_protocol.hooks import HookInfo, LeftOut

from tenterhook.cli.render import Page, Part, Style, command_line, near, where
from tenterhook.cli.visible import visible

__all__ = ["Columns", "hook_lines"]

_WIDEST_NAME = 28


class Columns:
    """How wide the first columns of a list of hooks are."""

    def __init__(self, hooks: Iterable[HookInfo]) -> None:
        hooks = list(hooks)
        names = [cell_len(visible(hook.name)) for hook in hooks]
        self.name = min(max(names, default=0), _WIDEST_NAME)
        self.type = max((len(visible(hook.type)) for hook in hooks), default=0)


def hook_lines(page: Page, hook: HookInfo, number: int | None, widths: Columns, why: LeftOut | None) -> None:
    """Two lines or more for one hook: what it is, and where it comes from.

    A command that does not fit beside the name has a line of its own.

    Args:
        page: where to write.
        hook: the hook.
        number: its place in the order; None: it does not run.
        widths: the columns of the whole list.
        why: why it does not run.
    """
    runs = why is None
    place = "-" if number is None else str(number)
    name_style: Style = "bold" if runs else "dim"
    start = f"{place:>4}  "
    kind = f"  {visible(hook.type):<{widths.type}}"
    margin = len(start)
    name = visible(hook.name)
    padding = " " * max(widths.name - cell_len(name), 0)
    command = _command(hook)
    head: Sequence[Part] = ((start, "dim"), (hook.name, name_style), padding)
    if page.width is None or cell_len(f"{start}{name}{padding}{kind}  {visible(command)}") <= page.width:
        page.line(*head, (f"{kind}  ", "dim"), command)
    else:
        page.line(*head, (kind.rstrip(), "dim"), hang=margin)
        page.line(command, indent=margin, hang=2)
    if why is not None:
        page.line(("left out: ", "yellow"), why.message, indent=margin, hang=2)
    for part in _more(hook, runs=runs):
        page.line(part, indent=margin, hang=2)


def _command(hook: HookInfo) -> str:
    """As its author wrote it: one word of a hook that a shell runs is a whole line."""
    words = hook.command
    return words[0] if hook.type == "command" and len(words) == 1 else command_line(words)


def _more(hook: HookInfo, *, runs: bool) -> Sequence[Part]:
    facts = [f"from {where(hook.origin)}"]
    if runs and hook.type in {"observer", "decision"}:  # handlers of other systems have none
        facts.append(f"priority {hook.priority:g}")
    if hook.worker is not UNSET and hook.type != "worker":
        facts.append("by a worker")
    if hook.matcher is not UNSET:
        facts.append(f"only for {hook.matcher}")
    if hook.rule is not UNSET:
        facts.append(f"if {hook.rule}")
    if hook.profiles is not UNSET:
        facts.append(f"profiles {', '.join(hook.profiles)}")
    if hook.aliases is not UNSET and (others := [name for name in hook.aliases if name != hook.name]):
        facts.append(f"also {', '.join(others)}")
    parts: list[Part] = []
    if hook.description is not UNSET:
        parts.append(hook.description)
    parts.append((", ".join(facts), "dim"))
    parts.extend((text, "dim") for text in _patches(hook))
    return parts


def _patches(hook: HookInfo) -> Sequence[str]:
    """One text for each other layer that has declared fields of this hook."""
    by_file: dict[tuple[str, str], list[str]] = {}
    for field, origin in hook.fields.items():
        if field != "name" and (origin.layer, origin.path) != (hook.origin.layer, hook.origin.path):
            by_file.setdefault((origin.layer, origin.path), []).append(f"{field} (line {origin.line})")
    return [f"patched by {layer} {near(path)}: {', '.join(fields)}" for (layer, path), fields in by_file.items()]
