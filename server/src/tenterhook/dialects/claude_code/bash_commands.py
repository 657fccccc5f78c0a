"""Owns which single commands a Bash command runs, by a real parser of the language; knows no rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from time import thread_time
from typing import TYPE_CHECKING

from tenterhook.dialects.claude_code.bash_words import Word, plain_word, unwrapped
from tenterhook.dialects.claude_code.shell_commands import LONGEST_COMMAND, UNKNOWN, Commands

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree

__all__ = ["read_bash"]

_TIME_LIMIT = 0.05
"""Seconds of the engine's own processor time for one parse."""

_MOST_BARS = 2000
"""The parser's one bad case: it tries to mend a broken pipe from every of its ends."""

_MOST_TEXT = 1_000_000
"""Characters of all spellings together. Deep nesting alone can reach it: every level holds all levels below."""

_MOST_SOURCES = 200
"""Pieces in backticks that the parser leaves as text and that are read on their own."""

_LETTERS_FOR_THE_REST = bytes(byte if byte < 128 else ord("x") for byte in range(256))
"""The parser dies of some characters beyond ASCII (tree-sitter/tree-sitter-bash#337), so that it is given none.

All of them are letters to the shell. Every byte is one letter: places in the text stay what they are.
"""

_WITH_A_TEXT = frozenset({"declaration_command", "unset_command", "test_command"})
_ENDS_IN_A_COMMAND = frozenset({"pipeline", "list", "negated_command"})
_SUBSTITUTIONS = frozenset({"command_substitution", "simple_expansion", "expansion"})
_BETWEEN_BACKTICKS = re.compile(r"`((?:[^`\\]|\\.)*)`", re.DOTALL)
_BACKTICK_ESCAPE = re.compile(r"\\([\\`$])")
_ESCAPED = re.compile(r"\\.", re.DOTALL)


def read_bash(command: str) -> Commands:
    """Every command that would run: in lists, pipes, loops, functions, subshells, substitutions.

    The body of a here-document is no command, but what it substitutes is, where its delimiter is not quoted.
    """
    if len(command) > LONGEST_COMMAND or "\0" in command or command.count("|") > _MOST_BARS:
        return UNKNOWN
    reading = _Reading()
    reading.sources.append(command)
    for source in reading.sources:  # it grows while it is read
        if len(reading.sources) > _MOST_SOURCES or not reading.read(source):
            return UNKNOWN
    return Commands(frozenset(reading.texts), substitutes=reading.substitutes)


class _Reading:
    """One command while it is being read."""

    def __init__(self) -> None:
        self.sources: list[str] = []
        self.texts: set[str] = set()
        self.substitutes = False
        self._size = 0

    def read(self, source: str) -> bool:
        """Take in one text; False: it cannot be understood."""
        encoded = source.encode("utf-8", "replace")
        tree = _parse(encoded.translate(_LETTERS_FOR_THE_REST))
        if tree is None or tree.root_node.has_error:
            return False
        nodes = [tree.root_node]
        while nodes:
            node = nodes.pop()
            if not self._take(node, encoded):
                return False
            nodes.extend(node.children)
        return True

    def _take(self, node: Node, source: bytes) -> bool:
        kind = node.type
        if kind == "command":
            return self._command(node, source)
        if kind == "redirected_statement":
            return self._redirected(node, source)
        if kind in _WITH_A_TEXT:
            return self._add(_text(source, node))
        if kind in _SUBSTITUTIONS:
            self.substitutes = True
            return kind != "command_substitution" or self._nested(_text(source, node))
        if kind == "heredoc_redirect":
            return self._document(node, source)
        return True

    def _redirected(self, node: Node, source: bytes) -> bool:
        # The command is read on its own turn too. Here it gets back the words that stand behind a redirection,
        # which the parser counts as further targets of it, and its text with all redirections.
        command = node.child_by_field_name("body")
        while command is not None and command.type in _ENDS_IN_A_COMMAND:
            command = command.named_children[-1] if command.named_children else None
        if command is None or command.type != "command":
            return True
        more: list[Node] = []
        end = command.end_byte
        for redirection in node.children_by_field_name("redirect"):
            if redirection.type == "heredoc_redirect":
                more += redirection.children_by_field_name("argument")
                break
            more += redirection.children_by_field_name("destination")[1:]
            end = redirection.end_byte
        return self._command(command, source, more, end)

    def _command(self, node: Node, source: bytes, more: Sequence[Node] = (), end: int = 0) -> bool:
        name = node.child_by_field_name("name")
        if name is None:
            return True
        nodes = [*name.children, *node.children_by_field_name("argument"), *more]
        words = [Word(_text(source, word), plain_word(word, source), word.start_byte) for word in nodes]
        for command in unwrapped(words):
            if command[0].value is None:
                return False
            joined = " ".join(word.raw if word.value is None else word.value for word in command)
            as_written = source[command[0].start : max(end, node.end_byte)].decode("utf-8", "replace")
            if not (self._add(joined) and self._add(as_written)):
                return False
        return True

    def _nested(self, text: str) -> bool:
        # Backticks inside backticks are escaped, and the parser takes them for letters.
        if text.startswith("`") and "\\`" in text:
            self.sources.append(_BACKTICK_ESCAPE.sub(r"\1", text[1:-1]))
        return True

    def _document(self, node: Node, source: bytes) -> bool:
        # The parser finds $(...) in the body, but takes backticks there for letters.
        start = next((child for child in node.children if child.type == "heredoc_start"), None)
        body = next((child for child in node.children if child.type == "heredoc_body"), None)
        if start is None or body is None or set(_text(source, start)) & set("'\"\\"):
            return True
        text = _text(source, body)
        if "`" not in text:
            return True
        self.substitutes = True
        without_escapes = _ESCAPED.sub(lambda found: "  " if found[0] == "\\`" else found[0], text)
        if without_escapes.count("`") % 2:
            return False
        pieces = [found[1] for found in _BETWEEN_BACKTICKS.finditer(without_escapes)]
        self.sources.extend(_BACKTICK_ESCAPE.sub(r"\1", piece) for piece in pieces)
        return True

    def _add(self, text: str) -> bool:
        if text not in self.texts:
            self.texts.add(text)
            self._size += len(text)
        return self._size <= _MOST_TEXT


def _text(source: bytes, node: Node) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _parse(source: bytes) -> Tree | None:
    """The tree of a text; None: it takes too long, as repairing some broken texts does."""
    parser = _parser()
    latest = thread_time() + _TIME_LIMIT

    def piece(offset: int, _point: object) -> bytes:
        return source[offset:]

    def too_late(_offset: int, _broken: bool) -> bool:  # noqa: FBT001  (the parser calls it so)
        return thread_time() > latest

    try:
        return parser.parse(piece, progress_callback=too_late)
    except ValueError:
        parser.reset()  # else it would go on with this text the next time
        return None


@cache
def _parser() -> Parser:
    # Only rules with a specifier for Bash need it, and an engine without any never pays for the import.
    import tree_sitter_bash  # noqa: PLC0415
    from tree_sitter import Language, Parser  # noqa: PLC0415

    return Parser(Language(tree_sitter_bash.language()))
