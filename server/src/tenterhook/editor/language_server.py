"""Owns pygls' language server as it is used here: its registry, types, document store and way out; dispatches nothing.

pygls reads no stream and answers no request here: its reader loses messages, its dispatch tells clients of tracebacks
and keeps a future of every notification for ever. ``bridge`` asks for a method's function and does the rest.
No name of pygls with an underscore is touched; what is leaned on beyond its documented interface has a test each.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, cast

from cattrs import BaseValidationError, Converter, transform_error
from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter

from tenterhook import __version__
from tenterhook.editor.desk import Desk
from tenterhook.editor.features import Feature
from tenterhook.editor.texts import Texts
from tenterhook.errors import BadParams
from tenterhook.registry import Registry

__all__ = ["LogLevel", "Pygls"]

LogLevel = Literal["error", "warning"]

_LEVELS = {"error": types.MessageType.Error, "warning": types.MessageType.Warning}

_BUILT_IN = frozenset(
    {
        types.TEXT_DOCUMENT_DID_OPEN,
        types.TEXT_DOCUMENT_DID_CHANGE,
        types.TEXT_DOCUMENT_DID_CLOSE,
        types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
    }
)
"""What pygls itself does with documents and folders, before a feature sees it. Its ``exit`` and the like stay away."""

_TYPES = cast("Mapping[str, tuple[type, type | None, type | None, type | None]]", types.METHOD_TO_TYPES)
"""By method: message, response, params, options. lsprotocol's own annotation forgets that some are None."""

_Steps = Generator[tuple[Callable[..., object], Sequence[Any], dict[str, Any] | None], object, object]
"""How pygls writes its own handlers: each call that it wants made is yielded, and gets its result sent in."""


class Pygls:
    """One client's language server.

    Args:
        registry: the engine's projects.
        send: takes one JSON-RPC message.
        initialize_params: the client's, as decoded JSON.
        features: what is served.
    """

    def __init__(
        self,
        registry: Registry,
        send: Callable[[bytes], None],
        initialize_params: object,
        features: Sequence[Feature],
    ) -> None:
        self._converter = default_converter()
        # pygls hands its arguments on as ``*args``, which have no types.
        make = cast("Callable[..., _Server]", _Server)
        self._server = make("tenterhook", __version__, protocol_cls=_Protocol, converter_factory=self._same_converter)
        self._protocol = cast("_Protocol", self._server.protocol)
        self._protocol.set_writer(_Writer(send), include_headers=False)
        params = self._read_initialize(initialize_params)
        texts = Texts(params.root_uri, workspace_folders=params.workspace_folders)
        self._protocol.keep(texts)
        self.desk = Desk(registry, texts, self._server)
        for feature in features:
            self._server.feature(feature.method, feature.options)(partial(feature.handle, self.desk))
        # pygls has to see the ``initialize`` that was answered without it. Its own answer goes nowhere.
        _walk(self._protocol.lsp_initialize(params))

    def function(self, method: str) -> Callable[[object], object] | None:
        """What serves a method; None: nothing does. It takes lsprotocol's params and returns lsprotocol's result."""
        if method in _BUILT_IN:
            built_in = cast("Mapping[str, Callable[[object], _Steps]]", self._protocol.fm.builtin_features)[method]
            return lambda params: _walk(built_in(params))
        return cast("Mapping[str, Callable[[object], object]]", self._protocol.fm.features).get(method)

    def is_request(self, method: str) -> bool:
        """Whether LSP makes this method a request."""
        return _TYPES[method][1] is not None

    def read(self, method: str, params: object) -> object:
        """A method's params in lsprotocol's type.

        Raises:
            BadParams: they do not fit.
        """
        declared = _TYPES[method][2]
        if declared is None:
            return None
        given: object = {} if params is None else params
        if not isinstance(given, dict):
            raise BadParams(f"{method}: expected an object - at `params`")
        try:
            return cast("object", self._converter.structure(given, declared))
        except BaseValidationError as error:
            raise BadParams(f"{method}: {'; '.join(map(_in_params, transform_error(error)))}") from None

    def plain(self, result: object) -> object:
        """A result as plain values that JSON knows."""
        return self._converter.unstructure(result)

    def log(self, level: LogLevel, message: str) -> None:
        """One line for the client's log."""
        self._server.window_log_message(types.LogMessageParams(type=_LEVELS[level], message=message))

    def _same_converter(self) -> Converter:
        return self._converter

    def _read_initialize(self, params: object) -> types.InitializeParams:
        try:
            read = self._converter.structure(params, types.InitializeParams)
        except BaseValidationError:
            # What the wire could take is a client like any other; pygls is then told of none of its abilities.
            read = types.InitializeParams(capabilities=types.ClientCapabilities())
        if read.capabilities.general is not None:
            # UTF-16 was announced, whatever else the client would have liked.
            read.capabilities.general.position_encodings = [types.PositionEncodingKind.Utf16]
        return read


class _Protocol(LanguageServerProtocol):
    """pygls' protocol with our own document store."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        self.keep(Texts(None))
        super().__init__(server, converter)

    @property
    def workspace(self) -> Texts:
        return self._kept

    def keep(self, texts: Texts) -> None:
        self._kept = texts


class _Server(LanguageServer):
    """pygls' server, which never runs: it registers features and knows how to say what a client understands."""

    def report_server_error(self, error: Exception, source: object) -> None:  # noqa: ARG002 - pygls' signature
        """What pygls could not send. A pop-up in the client, pygls' own way, would help nobody."""
        traceback.print_exception(error, file=sys.stderr)


class _Writer:
    """Where pygls writes."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send

    def write(self, data: bytes) -> None:
        """Send one message."""
        self._send(data)

    def close(self) -> None:
        """The wire is closed by its owner."""


def _walk(steps: _Steps) -> object:
    """Run one of pygls' own handlers."""
    value: object = None
    while True:
        try:
            function, args, kwargs = steps.send(value)
        except StopIteration as end:
            return end.value
        value = function(*args, **(kwargs or {}))


_PLACE = re.compile(r" @ \$(?P<path>.*)")


def _in_params(complaint: str) -> str:
    """What cattrs says, with the path as the client knows it: ``params.textDocument``, not ``$.text_document``."""

    def spelt(found: re.Match[str]) -> str:
        return " - at `params" + re.sub("_([a-z])", lambda letter: letter[1].upper(), found["path"]) + "`"

    return _PLACE.sub(spelt, complaint)
