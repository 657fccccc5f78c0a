"""Owns what the engine inherited in signals, and their names; sends none."""

from __future__ import annotations

import signal

__all__ = ["restore_inherited", "signal_name"]


def restore_inherited() -> None:
    """Undo what a host may have left behind. Called once, at the start of the engine, in its main thread.

    A blocked signal stays blocked in every hook, which then cannot be ended politely.
    With SIGCHLD ignored, the exit statuses of all hooks are lost.
    """
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def signal_name(number: int) -> str:
    """``SIGTERM`` for 15; ``SIGRTMIN+1`` for those without a name of their own."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIGRTMIN+{number - signal.SIGRTMIN}" if number > signal.SIGRTMIN else f"signal {number}"
