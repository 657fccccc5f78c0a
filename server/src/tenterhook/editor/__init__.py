"""Owns the editor half: language features for hook files; loads pygls only when the first of them is asked for.

Importing this package costs nothing. ``open_editor`` is what loads pygls and its types, which takes a quarter second:
the wire calls it at the first message of a text document, and a host that sends none never pays.
Nothing here knows framing. ``places`` knows no pygls either, and ``language_server`` alone its inner ways.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tenterhook.service import Service

__all__ = ["EditorPort", "open_editor"]


class EditorPort(Protocol):
    """What the wire hands text-document messages to."""

    def handle(self, body: bytes) -> None:
        """Take one complete JSON-RPC message, already known to be well-formed.

        A request is answered exactly once, now or later; a notification never is.
        ``$/cancelRequest`` may be handed over as well: one that is not for a request of the editor is ignored.
        It never raises. Called on the event loop.
        """
        ...


def open_editor(service: Service, send: Callable[[bytes], None], initialize_body: bytes) -> EditorPort:
    """Load the editor half.

    Args:
        service: the engine whose hook files are edited.
        send: takes one complete JSON-RPC message without framing.
        initialize_body: the client's ``initialize`` message. It was answered long ago; here it only sets up pygls.
    """
    from tenterhook.editor.bridge import Bridge  # noqa: PLC0415 - the one place that may load pygls, and late

    return Bridge(service, send, initialize_body)
