"""Owns what every language feature works with: the engine, the open texts, and the way to the client; is no feature.

A feature is a plain function ``feature(desk, params)``. It finds here all that it may use.
"""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from tenterhook.editor.texts import OpenText, Texts
from tenterhook.registry import Registry

__all__ = ["Desk"]


class Desk:
    """One client's editor half."""

    def __init__(self, registry: Registry, texts: Texts, server: LanguageServer) -> None:
        self.registry = registry
        """The engine's projects and their hook files."""
        self.texts = texts
        """What is open in the editor, saved or not."""
        self.server = server
        """pygls' own, for what a client can do and for the messages of LSP that have no short cut here."""
        self._marked: set[str] = set()

    def mark(self, text: OpenText, diagnostics: list[types.Diagnostic]) -> None:
        """Show these diagnostics in an open document in place of the former ones."""
        self._marked.add(text.uri)
        self.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=text.uri, version=text.version, diagnostics=diagnostics)
        )

    def unmark(self, uri: str) -> None:
        """Take back a document's diagnostics, where it ever had any published."""
        if uri in self._marked:
            self._marked.discard(uri)
            self.server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=[]))

    def forget(self, uri: str) -> None:
        """Drop a document whose text is no longer known: nothing true can be said about it."""
        self.texts.remove_text_document(uri)
        self.unmark(uri)
