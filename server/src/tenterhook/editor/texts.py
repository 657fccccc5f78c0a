"""Owns the texts that are open in the editor, kept in step with its edits; knows no hooks.

pygls keeps them in its ``Workspace``. Three things of it are done anew here, through its public methods alone:
lines end only where LSP says so, a position past a line's end means that end, and the unit is always UTF-16.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from tenterhook.editor.places import Lines
from tenterhook.errors import BadParams

__all__ = ["OpenText", "Texts"]


class OpenText(TextDocument):
    """One open document: its text as the editor has it, saved or not."""

    def __init__(self, item: types.TextDocumentItem) -> None:
        super().__init__(item.uri, version=item.version, language_id=item.language_id)
        self._text = item.text
        self.places = Lines(item.text)
        """Its lines, for the way between LSP's positions and others."""

    @property
    def source(self) -> str:
        """The whole text. Never that of the disk."""
        return self._text

    @property
    def lines(self) -> Sequence[str]:
        """Its lines with their ends."""
        return self.places.with_ends

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Take over one edit of the editor's: of a range, or of the whole text."""
        if isinstance(change, types.TextDocumentContentChangePartial):
            start, end = change.range.start, change.range.end
            head = self.places.offset(start.line, start.character)
            tail = self.places.offset(end.line, end.character)
            self._text = self._text[:head] + change.text + self._text[max(head, tail) :]
        else:
            self._text = change.text
        self.places = Lines(self._text)


class Texts(Workspace):
    """All open documents, found by their URI."""

    def put_text_document(self, text_document: types.TextDocumentItem, notebook_uri: str | None = None) -> None:
        """Keep a document that was opened; one that is opened anew replaces the old."""
        super().put_text_document(text_document, notebook_uri)
        self.text_documents[_key(text_document.uri)] = OpenText(text_document)

    def update_text_document(
        self, text_doc: types.VersionedTextDocumentIdentifier, change: types.TextDocumentContentChangeEvent
    ) -> None:
        """Take over one edit. Edits count in the order they come in; their version is only remembered.

        Raises:
            BadParams: the document is not open.
        """
        if self.find(text_doc.uri) is None:
            raise BadParams(f"textDocument/didChange: {text_doc.uri} is not open")
        super().update_text_document(text_doc, change)

    def find(self, uri: str) -> OpenText | None:
        """The open document of that URI; None where it is not open."""
        text = self.text_documents.get(_key(uri))
        return text if isinstance(text, OpenText) else None


def _key(uri: str) -> str:
    # As pygls keys its documents.
    return unquote(uri)
