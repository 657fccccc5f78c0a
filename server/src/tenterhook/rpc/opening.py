"""Owns what ``initialize`` says and is answered; knows no connection and loads nothing."""

from __future__ import annotations

from msgspec import UNSET, Struct
from tenterhook_protocol.lifecycle import (
    HookCapabilities,
    InitializationOptions,
    InitializeParams,
    InitializeResult,
    ServerCapabilities,
    ServerExperimental,
    ServerInfo,
    TextDocumentSync,
)
from tenterhook_protocol.methods import PROTOCOL_VERSION

from tenterhook import __version__
from tenterhook.rpc.ports import ServicePort

__all__ = ["Wish", "answer", "read_wish"]


class Wish(Struct, frozen=True):
    """What a host asks for."""

    options: InitializationOptions
    project_paths: list[str]
    """Projects to load: those of the options, then the open folders; each once."""
    passed_over: list[str]
    """Folders that are no files, in the host's words."""
    process_id: int | None


def read_wish(params: InitializeParams) -> Wish:
    """Read the params of ``initialize``. ``rootUri`` counts only where there are no ``workspaceFolders``, as in LSP."""
    options = params.initialization_options or InitializationOptions()
    if params.workspace_folders is UNSET or params.workspace_folders is None:
        uris = [params.root_uri] if params.root_uri else []
    else:
        uris = [folder.uri for folder in params.workspace_folders]
    paths = list(options.project_paths)
    passed_over: list[str] = []
    for uri in uris:
        path = _path_of(uri)
        if path is None:
            passed_over.append(uri)
        else:
            paths.append(path)
    return Wish(
        options=options,
        project_paths=list(dict.fromkeys(paths)),
        passed_over=passed_over,
        process_id=params.process_id or None,
    )


def answer(service: ServicePort) -> InitializeResult:
    """The answer to ``initialize``. What the editor half can do is told here, though it is not loaded yet."""
    return InitializeResult(
        capabilities=ServerCapabilities(
            position_encoding="utf-16",
            text_document_sync=TextDocumentSync(open_close=True, change=2, save=True),
            experimental=ServerExperimental(
                tenterhook=HookCapabilities(
                    version=PROTOCOL_VERSION,
                    systems=list(service.systems),
                    points=list(service.points),
                )
            ),
        ),
        server_info=ServerInfo(name="tenterhook", version=__version__),
    )


def _path_of(uri: str) -> str | None:
    from tenterhook.uris import path_of  # noqa: PLC0415 - only editors send URIs

    return path_of(uri)
