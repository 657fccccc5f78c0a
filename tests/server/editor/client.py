"""An editor for tests, in memory: what it sends goes straight into ``open_editor``, what comes back is recorded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tenterhook.editor import EditorPort, open_editor
from tenterhook.editor.bridge import Bridge
from tenterhook.editor.features import FEATURES, Feature
from tenterhook.service import Service

__all__ = ["ABSENT", "Client", "Message", "item"]

ABSENT: Any = object()
"""Params that are left out."""

Message = dict[str, Any]


class Client:
    """One editor."""

    def __init__(
        self, service: Service, *, features: Sequence[Feature] = FEATURES, params: Message | None = None
    ) -> None:
        self.sent: list[Message] = []
        """What came back and was not taken yet."""
        initialize = json.dumps(
            {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"capabilities": {}} | (params or {})}
        ).encode()
        self.port: EditorPort = (
            open_editor(service, self._record, initialize)
            if features is FEATURES
            else Bridge(service, self._record, initialize, features)
        )

    def _record(self, body: bytes) -> None:
        self.sent.append(json.loads(body))

    def take(self) -> list[Message]:
        """What has come back since the last time."""
        sent, self.sent = self.sent, []
        return sent

    def send(self, message: Message) -> list[Message]:
        """Send a message and take what came back at once."""
        self.port.handle(json.dumps({"jsonrpc": "2.0"} | message).encode())
        return self.take()

    def notify(self, method: str, params: Any = ABSENT) -> list[Message]:
        return self.send({"method": method} | ({} if params is ABSENT else {"params": params}))

    def request(self, ident: int | str, method: str, params: Any = ABSENT) -> list[Message]:
        return self.send({"id": ident, "method": method} | ({} if params is ABSENT else {"params": params}))

    def open(self, document: Path | str, text: str, version: int = 1) -> list[Message]:
        return self.notify("textDocument/didOpen", {"textDocument": item(document, text, version)})

    def change(self, document: Path | str, *changes: Message | str, version: Any = 2) -> list[Message]:
        """Edit a document. A string is its whole new text."""
        edits = [{"text": change} if isinstance(change, str) else change for change in changes]
        identifier = {"uri": uri_of(document)} | ({} if version is ABSENT else {"version": version})
        return self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": edits})

    def close(self, document: Path | str) -> list[Message]:
        return self.notify("textDocument/didClose", {"textDocument": {"uri": uri_of(document)}})


def item(document: Path | str, text: str, version: int = 1) -> Message:
    return {"uri": uri_of(document), "languageId": "yaml", "version": version, "text": text}


def uri_of(document: Path | str) -> str:
    return document.as_uri() if isinstance(document, Path) else document
