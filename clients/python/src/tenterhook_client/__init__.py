"""The Python client of tenterhook: spawn an engine, tell it what happens, ask it what may happen.

Owns the list of public names. It speaks the protocol and knows nothing of the engine's inside.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # in place of that of `typing`, whose import would double the start of a hook
if TYPE_CHECKING:
    from tenterhook_client.answers import Answers
    from tenterhook_client.blocking import BlockingClient
    from tenterhook_client.client import DEFAULT_COMMAND, Client
    from tenterhook_client.errors import (
        AnswerNotUnderstood,
        BadPayload,
        ClientClosed,
        ClientError,
        EngineDied,
        EngineNotFound,
        NoEngine,
        ResponseFailed,
    )
    from tenterhook_client.listeners import Listeners, Unsubscribe
    from tenterhook_client.payloads import Payload

__all__ = [
    "DEFAULT_COMMAND",
    "AnswerNotUnderstood",
    "Answers",
    "BadPayload",
    "BlockingClient",
    "Client",
    "ClientClosed",
    "ClientError",
    "EngineDied",
    "EngineNotFound",
    "Listeners",
    "NoEngine",
    "Payload",
    "ResponseFailed",
    "Unsubscribe",
]

_HOMES = {
    "AnswerNotUnderstood": "errors",
    "Answers": "answers",
    "BadPayload": "errors",
    "BlockingClient": "blocking",
    "Client": "client",
    "ClientClosed": "errors",
    "ClientError": "errors",
    "DEFAULT_COMMAND": "client",
    "EngineDied": "errors",
    "EngineNotFound": "errors",
    "Listeners": "listeners",
    "NoEngine": "errors",
    "Payload": "payloads",
    "ResponseFailed": "errors",
    "Unsubscribe": "listeners",
}


def __getattr__(name: str) -> object:
    """Load a public name where it is used first: a hook that only needs ``worker`` must not pay for a client."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
