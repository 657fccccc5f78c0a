"""Owns the connection of one request as two see it: a thread that works on it, and the loop that may end it."""

from __future__ import annotations

import os
import socket
import threading
from contextlib import suppress

__all__ = ["Line", "LineEnded"]


class LineEnded(Exception):
    """The loop has ended the request; nobody waits for an answer any more."""


class Line:
    """The socket in use, if there is one. Who ends the line takes the network away from the thread that waits on it.

    The socket's descriptor is closed by its thread alone, so that its number is never somebody else's by then.
    """

    __slots__ = ("_lock", "_socket", "ended")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self.ended = False
        """Nobody waits any more."""

    def hold(self, sock: socket.socket) -> None:
        """This socket is in use from now on.

        Raises:
            LineEnded: it is not to be used.
        """
        with self._lock:
            if self.ended:
                raise LineEnded
            self._socket = sock

    def let_go(self) -> None:
        """The socket is no longer in use: its thread may close it or keep it for another request."""
        with self._lock:
            self._socket = None

    def end(self) -> None:
        """End the request. Called by the loop; never waits for the network."""
        with self._lock:
            self.ended = True
            if self._socket is not None:
                with suppress(OSError):
                    # Wakes the thread. Not the method of a TLS socket, which would take its state away meanwhile.
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
                with suppress(OSError):
                    _replace_by_nothing(self._socket.fileno())


def _replace_by_nothing(fd: int) -> None:
    """Let a descriptor lead nowhere: a socket that was shut down would go on handing out what a server still sends."""
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        os.dup2(nothing, fd, inheritable=False)
    finally:
        os.close(nothing)
