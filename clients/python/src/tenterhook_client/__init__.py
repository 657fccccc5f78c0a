"""The Python client of tenterhook: spawn an engine, tell it what happens, ask it what may happen.

Owns the list of public names. It speaks the protocol and knows nothing of the engine's inside.
"""

from __future__ import annotations

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
