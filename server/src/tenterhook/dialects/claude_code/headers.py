"""Owns the request that an ``http`` handler sends; sends nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from tenterhook.dialects.base import LaunchContext
from tenterhook.dialects.claude_code.specs import HttpSpec
from tenterhook.dialects.claude_code.surroundings import plugin_variables
from tenterhook.model import Event, Hook, HttpLaunch

__all__ = ["http_launch"]

_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))", re.ASCII)
_BREAKS = str.maketrans("", "", "\r\n\0")
_OF_THE_SENDER = frozenset({"content-length", "transfer-encoding"})


def http_launch(hook: Hook, spec: HttpSpec, event: Event, context: LaunchContext) -> HttpLaunch:
    """The payload as the body of a POST, with the handler's own headers.

    A variable that is not allowed or not set becomes empty, and a warning names it, never its value.
    CR, LF and NUL are taken out of every value: they would begin a header of somebody else's.
    """
    values = {**context.environment, **plugin_variables(spec.plugin)}
    headers: dict[str, tuple[str, str]] = {"content-type": ("Content-Type", "application/json")}
    warnings: list[str] = []
    for name, written in spec.headers:
        if name.lower() in _OF_THE_SENDER:
            warnings.append(f"the header {name} is not sent: it follows from the body")
            continue
        value = _filled(name, written, spec.variables, values, warnings)
        clean = value.translate(_BREAKS)
        if clean != value:
            warnings.append(f"line breaks or NUL were taken out of the header {name}")
        headers[name.lower()] = (name.translate(_BREAKS), clean)
    return HttpLaunch(
        url=spec.url,
        headers=tuple(headers.values()),
        body=event.payload,
        allowed_urls=spec.allowed_urls,
        timeout=hook.timeout,
        run_id=context.run_id,
        warnings=tuple(warnings),
    )


def _filled(header: str, written: str, allowed: Collection[str], values: Mapping[str, str], warnings: list[str]) -> str:
    def value_of(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        if name not in allowed:
            warnings.append(f"${name} in the header {header} is empty: allowedEnvVars does not allow it")
            return ""
        if name not in values:
            warnings.append(f"${name} in the header {header} is empty: it is not set")
            return ""
        return values[name]

    return _VARIABLE.sub(value_of, written)
