"""Owns the one map from exceptions to error objects, for whoever answers a host; knows no method, sends nothing."""

from __future__ import annotations

import sys
import traceback
from contextlib import suppress

import msgspec
from msgspec import UNSET, Raw, ValidationError
from tenterhook_protocol.jsonrpc import ErrorCode, ResponseError

from tenterhook.errors import BadParams, RequestFailed, TenterhookError

__all__ = ["error_of", "print_trace"]


def error_of(error: Exception, method: str) -> ResponseError:
    """What the host is told of an exception. A fault of the engine itself gets a name, never a trace."""
    if isinstance(error, ValidationError):
        return ResponseError(code=ErrorCode.INVALID_PARAMS, message=f"{method}: {_in_params(str(error))}")
    if isinstance(error, BadParams):
        return _with_suggestion(ErrorCode.INVALID_PARAMS, error)
    if isinstance(error, RequestFailed):
        return _with_suggestion(ErrorCode.REQUEST_FAILED, error)
    print_trace(error)
    return ResponseError(
        code=ErrorCode.INTERNAL_ERROR,
        message=f"{method} failed inside the engine ({type(error).__name__}); its stderr has the details",
    )


def print_trace(error: BaseException) -> None:
    """Write an exception that nobody expected to stderr, for the engine's own authors."""
    with suppress(OSError, ValueError):
        traceback.print_exception(error, file=sys.stderr)


def _with_suggestion(code: ErrorCode, error: TenterhookError) -> ResponseError:
    data = UNSET if error.suggestion is None else Raw(msgspec.json.encode({"suggestion": error.suggestion}))
    return ResponseError(code=code, message=error.message, data=data)


def _in_params(text: str) -> str:
    """The decoder's words, with its path as the caller knows it: ``$.payload`` is ``params.payload``."""
    return text.replace("`$.", "`params.").replace("`$[", "`params[") if "`$" in text else f"{text} - at `params`"
