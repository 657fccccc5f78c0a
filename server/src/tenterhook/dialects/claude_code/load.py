"""Owns the way from the bytes of Claude Code's settings files to hooks; touches no disk, no environment.

Each step has its own room: ``settings`` reads the switches, ``groups`` the structure, ``handlers`` one handler.
Here files become hooks with ids, timeouts and reasons why they never run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, structs
from tenterhook_protocol.claude_events import CLAUDE_EVENTS
from tenterhook_protocol.points import HookType

from tenterhook.config.document import Document, Entry, Mapped, Node, excerpt
from tenterhook.config.json_reader import read_json
from tenterhook.config.layers import Layer
from tenterhook.dialects.base import Control, Loaded
from tenterhook.dialects.bounds import bounded, in_order
from tenterhook.dialects.claude_code.declared import Scope
from tenterhook.dialects.claude_code.events import NAME, default_timeout
from tenterhook.dialects.claude_code.fields import MAX_TIMEOUT
from tenterhook.dialects.claude_code.groups import Placed, read_groups
from tenterhook.dialects.claude_code.handlers import Handler, read_handler
from tenterhook.dialects.claude_code.plugin_manifest import inline_hooks, tell_of_manifest
from tenterhook.dialects.claude_code.plugin_options import read_plugin_options, with_options
from tenterhook.dialects.claude_code.rule_syntax import at_home
from tenterhook.dialects.claude_code.scripts import script_of
from tenterhook.dialects.claude_code.settings import Switches, read_switches
from tenterhook.dialects.claude_code.shared_time import share_time
from tenterhook.dialects.claude_code.sources import CONFIG_FOLDER, FileRole, LayerKind, role_of
from tenterhook.dialects.claude_code.telling import Teller, described, start_of
from tenterhook.dialects.control_section import SECTION, not_the_users, read_control
from tenterhook.model import Hook, LeftOut, Problem

__all__ = ["load"]

_LATE: frozenset[LayerKind] = frozenset({"local", "project"})
"""Whose ids yield: what came with a project must not take the name of a hook of the user's own."""

_FIRST: Mapping[LayerKind, int] = {
    kind: rank for rank, kind in enumerate(("managed", "command-line", "user", "local", "project", "plugin"))
}
"""Which of two layers that are the same file counts."""


class _File(Struct, frozen=True):
    role: FileRole
    document: Document


class _Found(Struct, frozen=True):
    """A handler with all that its hook is made of."""

    file: _File
    placed: Placed
    handler: Handler


def load(layers: Sequence[Layer], points: Mapping[str, HookType]) -> Loaded:
    """Reads and judges the layers, which come in the order in which answers are joined.

    Args:
        layers: as found; what each is, its source carries.
        points: not asked: which events there are is the system's own.
    """
    del points
    problems: list[Problem] = []
    broken: set[str] = set()
    files: list[_File] = []
    for layer in _distinct(layers):
        problems.extend(layer.problems)
        role = role_of(layer)
        if role.instead_of is not None:
            problems.append(_tell_of_folder(layer, role.instead_of))
        if layer.content is None:
            continue
        document = read_json(layer.content, layer.path, layer.layer, _both_count)
        problems.extend(document.problems)
        if document.broken:
            broken.add(layer.layer)
        else:
            files.append(_File(role, document))
    missing = {layer.path for layer in layers if layer.content is None and not layer.failed}
    read = [(file.role, file.document) for file in files]
    simple = any(role_of(layer).simple for layer in layers)
    switches = structs.replace(read_switches(read, problems), simple=simple)
    options = read_plugin_options(read, problems)
    files = [_File(structs.replace(f.role, plugin=with_options(f.role.plugin, options)), f.document) for f in files]
    found = [each for file in files for each in _handlers_of(file, switches, missing, problems)]
    ids = _ids(found, problems)
    hooks = [_hook(each, name, switches) for each, name in zip(found, ids, strict=True)]
    budgets = [role.session_end_ms for role in map(role_of, layers) if role.session_end_ms is not None]
    shared = share_time(hooks, [each.file.role.kind for each in found], budgets[0] if budgets else None, problems)
    control = _control(files, problems)
    return Loaded(hooks=shared, problems=bounded(in_order(problems)), broken=frozenset(broken), control=control)


def _control(files: Sequence[_File], problems: list[Problem]) -> Control | None:
    """What the user's own settings say of the control plane."""
    found: Control | None = None
    for file in files:
        section = file.document.root.get(SECTION) if isinstance(file.document.root, Mapped) else None
        if section is not None and file.role.kind == "user":
            found = read_control(file.document, section, problems)
        elif section is not None and file.role.kind != "plugin":
            problems.append(not_the_users(file.document, section))
    return found


def _tell_of_folder(layer: Layer, named: str) -> Problem:
    return Problem(
        severity="warning",
        code="config-dir-relative",
        message=f"{CONFIG_FOLDER} is {excerpt(named)!r}, which is no absolute path; this file counts instead",
        path=layer.path,
        line=1,
        column=1,
        end_line=1,
        end_column=1,
        hint="write the whole path",
    )


def _both_count(path: tuple[str, ...]) -> bool:
    """``hooks`` itself, and the events in it: settings are often joined by pasting one file into another."""
    return path[0] == "hooks" and (len(path) <= 2 or (path[1] == "hooks" and len(path) == 3))


def _distinct(layers: Sequence[Layer]) -> Sequence[Layer]:
    """Every file once, also where links lead two layers to the same one."""
    best: dict[str, Layer] = {}
    for layer in layers:
        if layer.real_path is not None:
            other = best.setdefault(layer.real_path, layer)
            if _FIRST[role_of(layer).kind] < _FIRST[role_of(other).kind]:
                best[layer.real_path] = layer
    return [layer for layer in layers if layer.real_path is None or best[layer.real_path] is layer]


def _handlers_of(file: _File, switches: Switches, missing: set[str], problems: list[Problem]) -> Iterator[_Found]:
    document, plugin = file.document, file.role.plugin
    tell = Teller(document, None, problems)
    root = document.root
    if not isinstance(root, Mapped):
        _tell_of_root(root, tell)
        return
    if file.role.manifest:
        tell_of_manifest(document, "" if plugin is None else plugin.root, missing, tell)
        blocks: Sequence[Mapped] = tuple(inline_hooks(document))
    else:
        blocks = tuple(_blocks(root, tell))
    scope = Scope(
        document=document,
        plugin=plugin,
        allowed_urls=switches.allowed_urls(file.role.kind),
        allowed_variables=switches.allowed_variables(file.role.kind),
    )
    for placed in read_groups(blocks, tell):
        handler = read_handler(placed.node, placed.group.event, scope, tell.of(placed.name))
        yield _Found(file, placed, handler)


def _tell_of_root(root: Node | None, tell: Teller) -> None:
    if root is not None:
        message = f"The file is {described(root)}, not an object; nothing of it is loaded"
        tell.error("root-type", start_of(root.span), message, 'write {"hooks": {...}}')


def _blocks(root: Mapped, tell: Teller) -> Iterator[Mapped]:
    """The objects of events in a file. There should be one."""
    for entry in (*root.earlier, *root.entries):
        if entry.key == "hooks":
            if isinstance(entry.value, Mapped):
                yield entry.value
            else:
                _tell_of_hooks(entry, tell)
        elif entry.key in CLAUDE_EVENTS:
            message = f"{entry.key} stands outside 'hooks'; nothing of it is loaded"
            tell.of(entry.key).error("event-outside-hooks", entry.key_span, message, "move it into 'hooks'")


def _tell_of_hooks(entry: Entry, tell: Teller) -> None:
    message = f"hooks is {described(entry.value)}, not an object of events; nothing of it is loaded"
    hint = 'write "hooks": {"PreToolUse": [...]}'
    tell.error("hooks-type", start_of(entry.value.span), message, hint)


def _ids(found: Sequence[_Found], problems: list[Problem]) -> Sequence[str]:
    """The id of each hook: its file's own for it where there is one and nobody else has it, else where it stands."""
    ids = [f"{NAME}:{each.file.document.layer}:{each.placed.name}" for each in found]
    seen: dict[str, _Found] = {}
    for index in sorted(range(len(found)), key=lambda index: found[index].file.role.kind in _LATE):
        each = found[index]
        own = _own_id(each)
        if own is None:
            continue
        plugin = each.file.role.plugin
        name = f"{NAME if plugin is None else plugin.id}:{own}"
        if name not in seen:
            seen[name] = each
            ids[index] = name
            continue
        other = seen[name]
        place = f"{other.file.document.path}, line {other.handler.span.line}"
        message = f"The id {excerpt(own)!r} is taken ({place}); this handler is called {ids[index]}"
        tell = Teller(each.file.document, each.placed.name, problems)
        tell.warning("id-twice", start_of(each.handler.span), message, "give each handler its own id")
    return ids


def _own_id(found: _Found) -> str | None:
    group = found.placed.group
    if found.handler.said.id is not None or group.id is None:
        return found.handler.said.id
    return group.id if found.placed.alone else f"{group.id}.{found.placed.name.rpartition('.')[2]}"


def _hook(found: _Found, identity: str, switches: Switches) -> Hook:
    document, role = found.file.document, found.file.role
    group, handler, said = found.placed.group, found.handler, found.handler.said
    places = {key: document.origin(span) for key, span in handler.places.items()}
    if group.matcher_span is not None:
        places["matcher"] = document.origin(group.matcher_span)
    left_out = handler.left_out or switches.why_off(role.kind, None if role.plugin is None else role.plugin.id)
    if group.wrong is not None:
        left_out = LeftOut(code="invalid", message=f"{group.wrong}; the problems of its file say more")
    script = script_of(handler.spec, role.home)
    usual = default_timeout(group.event, handler.type) if group.event in CLAUDE_EVENTS else MAX_TIMEOUT
    return Hook(
        id=identity,
        name=_own_id(found) or found.placed.name,
        system=NAME,
        point=group.event,
        type=handler.type,
        spec=handler.spec,
        timeout=usual if said.timeout is None else said.timeout,
        origin=document.origin(handler.span),
        fields=places,
        description=said.description or group.description,
        matcher=group.matcher,
        rule=said.rule if said.rule is None or role.home is None else at_home(said.rule, role.home),
        script=None if script is None else script.path,
        once=said.once,
        background=said.background,
        left_out=left_out,
    )
