"""Owns which ECC hooks must not let a call pass that they could not see whole; runs nothing.

A safety hook that gets a cut payload cannot tell what it forbids: it fails closed (contract, 7.4).
Everything else that goes wrong, a script that is missing or throws, decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from tenterhook.dialects.ecc.specs import EccSpec

__all__ = ["closes", "is_safety"]

_GATEGUARD = "gateguard-fact-force.js"
_MCP_HEALTH = "mcp-health-check.js"
_SAFETY = frozenset({"config-protection.js", "block-no-verify.js", _GATEGUARD, _MCP_HEALTH})

_GATEGUARD_OFF = frozenset({"0", "false", "off", "disabled", "disable"})
_MCP_OPEN = frozenset({"1", "true", "yes"})


def is_safety(spec: EccSpec) -> bool:
    """Whether it guards something: the Bash dispatcher's guards are its first and its last hook."""
    return _name(spec) in _SAFETY


def closes(spec: EccSpec, subject: str | None, environment: Mapping[str, str]) -> bool:
    """Whether it denies a call whose payload is cut. One that its own variable switches off denies nothing."""
    name = _name(spec)
    if name == _GATEGUARD:
        off = environment.get("ECC_GATEGUARD", "").strip().lower() in _GATEGUARD_OFF
        return not off and environment.get("GATEGUARD_DISABLED") != "1"
    if name == _MCP_HEALTH:
        is_open = environment.get("ECC_MCP_HEALTH_FAIL_OPEN", "").strip().lower() in _MCP_OPEN
        return not is_open and (subject or "").startswith("mcp__")
    return name in _SAFETY


def _name(spec: EccSpec) -> str:
    return spec.script.rpartition("/")[2]
