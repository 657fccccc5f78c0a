"""Owns the marks in an open hook file: the engine's problems, as LSP's diagnostics; judges nothing itself."""

from __future__ import annotations

from lsprotocol import types
from msgspec import UNSET

from tenterhook.editor.desk import Desk
from tenterhook.editor.places import Lines
from tenterhook.editor.texts import OpenText
from tenterhook.model import Problem
from tenterhook.uris import path_of

__all__ = ["changed", "closed", "diagnostic", "opened", "others_changed"]

_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
}


def opened(desk: Desk, params: types.DidOpenTextDocumentParams) -> None:
    """A document was opened."""
    _judge(desk, params.text_document.uri)


def changed(desk: Desk, params: types.DidChangeTextDocumentParams) -> None:
    """An open document was edited, and the edits are already in its text."""
    _judge(desk, params.text_document.uri)


def closed(desk: Desk, params: types.DidCloseTextDocumentParams) -> None:
    """A document was closed: what was marked in it was about its unsaved text."""
    desk.unmark(params.text_document.uri)


def others_changed(desk: Desk, _params: types.DidChangeWatchedFilesParams | types.DidSaveTextDocumentParams) -> None:
    """Files on the disk were written, by the editor or by others: every open text is judged anew.

    An open hook file is judged together with the files of its project's other layers.
    """
    for text in tuple(desk.texts.text_documents.values()):
        _judge(desk, text.uri)


def diagnostic(problem: Problem, places: Lines) -> types.Diagnostic:
    """A problem as LSP shows it, in the text that it was found in."""
    start = places.position(problem.line, problem.column)
    end = places.position(problem.end_line, problem.end_column)
    return types.Diagnostic(
        range=types.Range(start=types.Position(*start), end=types.Position(*max(start, end))),
        message=problem.message if problem.hint is UNSET else f"{problem.message}\nHint: {problem.hint}",
        severity=_SEVERITY[problem.severity],
        code=problem.code,
        source="tenterhook",
    )


def _judge(desk: Desk, uri: str) -> None:
    text = desk.texts.find(uri)
    if text is None:
        return
    path = path_of(text.uri)
    problems = None if path is None else desk.registry.check(path, _bytes_of(text))
    if problems is None:
        # It may have been a hook file until its project went away.
        desk.unmark(text.uri)
    else:
        desk.mark(text, [diagnostic(problem, text.places) for problem in problems])


def _bytes_of(text: OpenText) -> bytes:
    # JSON can carry half a surrogate pair, and the file's reader then says where it stands.
    return text.source.encode("utf-8", errors="surrogatepass")
