"""Owns building our tree out of a YAML parser's events; knows no bytes and no hooks.

It works on events, not on the parser's own tree: nothing is built twice, nothing recurses,
and a file that its aliases would blow up is given up before it grows.
Importing this module imports PyYAML: only the reader does so, when there is a file to read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tenterhook_protocol.problems import Problem
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    ScalarEvent,
)

from tenterhook.config.document import Document, Entry, Listing, Mapped, Node, Scalar, Span, excerpt
from tenterhook.config.yaml_scalars import CORE_TAGS, resolve_plain, resolve_tagged
from tenterhook.config.yaml_text import Text

__all__ = ["MAX_DEPTH", "MAX_SIZE", "GivenUp", "TreeBuilder"]

MAX_DEPTH = 200
"""Lists and mappings inside each other, aliases followed."""

MAX_SIZE = 250_000
"""Values in a file, aliases followed. Every 100 characters of a text count as one more."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class GivenUp(Exception):
    """The rest of the file cannot be used; ``problem`` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class TreeBuilder:
    """Builds the tree of one file's first document. ``problems`` grows on the way."""

    def __init__(self, document: Document, text: Text) -> None:
        self.problems: list[Problem] = []
        self._document = document
        self._text = text
        self._size = 0
        self._open: list[_Frame] = []
        self._root: Node | None = None
        self._anchors: dict[str, _Anchored | None] = {}

    def build(self, events: Iterable[Event]) -> Node | None:
        """The root; None where the file holds no value at all.

        Raises:
            GivenUp: nesting or size pass all bounds, or an alias makes no sense.
            yaml.YAMLError: the text is no YAML.
        """
        documents = 0
        for event in events:
            if isinstance(event, ScalarEvent):
                self._scalar(event)
            elif isinstance(event, CollectionStartEvent):
                self._start(event)
            elif isinstance(event, CollectionEndEvent):
                self._end(event)
            elif isinstance(event, AliasEvent):
                self._alias(event)
            elif isinstance(event, DocumentStartEvent):
                documents += 1
                if documents == 2:
                    self._tell_of_second_document(_span(event))
                    break
        root = self._root
        return None if isinstance(root, Scalar) and root.value is None and not root.text else root

    def _scalar(self, event: ScalarEvent) -> None:
        text = self._text.restore(event.value)
        span = _span(event)
        if not text.isascii() and _SURROGATE.search(text) is not None:
            # PyYAML's C parser refuses it by itself; the other one would let it through to break every encoder.
            hint = "write the character itself, or its whole number after \\U"
            raise self._given_up("yaml-syntax", "The text holds half of a surrogate pair", span, hint)
        if event.tag is None:
            value = resolve_plain(text) if event.implicit[0] else text
        elif event.tag == "!":
            value = text
        else:
            value = self._tagged(event.tag, text, span)
        node = Scalar(value, text, span)
        size = 1 + len(text) // 100
        if event.anchor is not None:
            self._anchors[event.anchor] = _Anchored(node, size, 0)
        self._place(node, size, 0, span)

    def _start(self, event: CollectionStartEvent) -> None:
        span = _span(event)
        if len(self._open) >= MAX_DEPTH:
            raise self._too_deep(span)
        mapping = isinstance(event, MappingStartEvent)
        if event.tag is not None and event.tag != "!" and CORE_TAGS.get(event.tag) is not (dict if mapping else list):
            self._tell_of_tag(event.tag, span)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        self._open.append(_Frame(mapping, bool(event.flow_style), event.anchor, span))

    def _end(self, event: CollectionEndEvent) -> None:
        frame = self._open.pop()
        # A block has no closing mark of its own: the parser puts its end where the next thing begins.
        end = _span(event) if frame.flow else frame.last
        span = Span(frame.start.line, frame.start.column, end.end_line, end.end_column)
        node = Mapped(tuple(frame.entries.values()), span) if frame.mapping else Listing(tuple(frame.items), span)
        if frame.anchor is not None:
            self._anchors[frame.anchor] = _Anchored(node, frame.size, frame.height)
        self._place(node, frame.size, frame.height, span, counted=True)

    def _alias(self, event: AliasEvent) -> None:
        span, name = _span(event), event.anchor or ""
        if name not in self._anchors:
            hint = f"define it before with &{excerpt(name)}, or put the text in quotes"
            raise self._given_up("yaml-alias", f"The alias *{excerpt(name)} names nothing", span, hint)
        anchored = self._anchors[name]
        if anchored is None:
            hint = "an alias may not stand inside what it names"
            raise self._given_up("yaml-alias", f"The alias *{excerpt(name)} contains itself", span, hint)
        if len(self._open) + anchored.height > MAX_DEPTH:
            raise self._too_deep(span)
        self._place(anchored.node, anchored.size, anchored.height, span)

    def _place(self, node: Node, size: int, height: int, span: Span, *, counted: bool = False) -> None:
        """Puts a finished value where it belongs. ``span`` is where it is used, which an alias tells apart."""
        if not counted:
            self._size += size
            if self._size > MAX_SIZE:
                hint = "a hook file is short: look at its aliases, if it has any"
                raise self._given_up("yaml-too-large", f"The file holds more than {MAX_SIZE} values", span, hint)
        if not self._open:
            self._root = node
            return
        frame = self._open[-1]
        frame.size += size
        frame.height = max(frame.height, height + 1)
        frame.last = span
        if not frame.mapping:
            frame.items.append(node)
        elif not frame.at_value:
            frame.at_value = True
            frame.key = self._key(node, span)
        else:
            frame.at_value = False
            if frame.key is not None:
                self._enter(frame, frame.key, node)

    def _key(self, node: Node, span: Span) -> Scalar | None:
        if not isinstance(node, Scalar):
            message = "A list or mapping cannot be a key; this key and its value are left out"
            self._tell("yaml-key", message, span, "write a word before the ':'")
            return None
        if not isinstance(node.value, str):
            message = f"The key {excerpt(node.text)!r} is no text; it was read as the text it is written as"
            problem = self._document.problem("warning", "yaml-key", message, span, hint="put it in quotes")
            self.problems.append(problem)
        return Scalar(node.text, node.text, span)

    def _enter(self, frame: _Frame, key: Scalar, value: Node) -> None:
        before = frame.entries.get(key.text)
        if before is not None:
            at = before.key_span
            message = (
                f"The key {excerpt(key.text)!r} stands here and in line {at.line}, column {at.column}; "
                "only this last one counts"
            )
            self._tell("yaml-duplicate-key", message, key.span, "keep one of the two")
        frame.entries[key.text] = Entry(key.text, key.span, value)

    def _tagged(self, tag: str, text: str, span: Span) -> str | int | float | bool | None:
        kind = CORE_TAGS.get(tag)
        if kind is None or kind in {list, dict}:
            self._tell_of_tag(tag, span)
            return text
        try:
            return resolve_tagged(text, kind)
        except ValueError:
            self._tell(
                "yaml-tag", f"{excerpt(text)!r} is no {_short(tag)}; it was read as text", span, "leave the tag out"
            )
            return text

    def _tell_of_tag(self, tag: str, span: Span) -> None:
        message = f"The tag {_short(tag)} means nothing here; the value was read without it"
        self._tell("yaml-tag", message, span, "leave the tag out; put the value in quotes if it is a text")

    def _tell_of_second_document(self, span: Span) -> None:
        message = "A second document begins here; only the first one counts"
        self._tell("yaml-documents", message, span, "put everything in one document and delete the '---'")

    def _tell(self, code: str, message: str, span: Span, hint: str) -> None:
        self.problems.append(self._document.problem("error", code, message, span, hint=hint))

    def _too_deep(self, span: Span) -> GivenUp:
        hint = "a hook file needs no more than four levels"
        return self._given_up("yaml-too-deep", f"More than {MAX_DEPTH} lists or mappings inside each other", span, hint)

    def _given_up(self, code: str, message: str, span: Span, hint: str) -> GivenUp:
        message = f"{message}; nothing of this file is loaded"
        return GivenUp(self._document.problem("error", code, message, span, hint=hint))


class _Frame:
    """A list or mapping that is not finished yet."""

    __slots__ = ("anchor", "at_value", "entries", "flow", "height", "items", "key", "last", "mapping", "size", "start")

    def __init__(self, mapping: bool, flow: bool, anchor: str | None, start: Span) -> None:  # noqa: FBT001 - one caller
        self.mapping = mapping
        self.flow = flow
        self.anchor = anchor
        self.start = start
        self.last = start
        self.items: list[Node] = []
        self.entries: dict[str, Entry] = {}
        self.at_value = False
        self.key: Scalar | None = None
        self.size = 1
        self.height = 1


class _Anchored:
    """A value that aliases may name, with what each of them adds to the tree."""

    __slots__ = ("height", "node", "size")

    def __init__(self, node: Node, size: int, height: int) -> None:
        self.node = node
        self.size = size
        self.height = height


def _span(event: Event) -> Span:
    start, end = event.start_mark, event.end_mark
    if start is None or end is None:  # never so for events of a parser
        return Span(1, 1, 1, 1)
    return Span(start.line + 1, start.column + 1, end.line + 1, end.column + 1)


def _short(tag: str) -> str:
    return excerpt(tag.replace("tag:yaml.org,2002:", "!!"))
