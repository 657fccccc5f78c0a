"""Owns whether a layer counts: by the mode that is in force, its digest, and what was approved; asks nobody.

The digest is taken over the very bytes that are loaded, so nothing can change between the look and the use.
It is over what a file says and not over how it is written; what the programs that it names do, it does not cover.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from tenterhook_protocol.lifecycle import TrustMode

from tenterhook.trust.approvals import NOTHING, Approval, Store

__all__ = ["ALL", "Judge", "Standing", "Trust", "digest_of", "digest_of_all", "key_of"]


class Standing(Struct, frozen=True, kw_only=True):
    """How a layer of a project stands with its user."""

    counts: bool
    digest: str = ""
    """Of what it says; empty where nobody looked."""
    approved: Approval | None = None
    """What was approved of this layer, now or formerly."""
    state: Literal["trusted", "approved", "never", "changed", "userOnly"] = "trusted"


_TRUSTED = Standing(counts=True)
_USER_ONLY = Standing(counts=False, state="userOnly")

Judge = Callable[[str, str, bytes | None], Standing]
"""``judge(system, layer, definitions)`` of one project."""


class Trust(Struct, frozen=True):
    """What is trusted in an engine."""

    mode: TrustMode = "all"
    store: Store | None = None
    """Where approvals are kept; asked under ``pinned`` alone."""

    def judge(self, project: str) -> tuple[Judge, Sequence[str]]:
        """Who judges the layers of a project, by the approvals of this moment; and what is wrong with them, in words.

        Args:
            project: real path of the project.
        """
        if self.mode == "all":
            return lambda _system, _layer, _definitions: _TRUSTED, ()
        if self.mode == "user":
            return lambda _system, _layer, _definitions: _USER_ONLY, ()
        approvals, complaints = (NOTHING, ()) if self.store is None else self.store.read()
        mine = approvals.of(project)
        return lambda system, layer, definitions: _pinned(mine, system, layer, definitions), complaints


ALL = Trust()
"""The host vouches for every project."""


def key_of(system: str, layer: str) -> str:
    """By what the approvals of a project know a layer."""
    return f"{system}:{layer}"


def digest_of(system: str, layer: str, definitions: bytes) -> str:
    """The digest of a layer: the same definitions elsewhere are another approval."""
    from hashlib import sha256  # noqa: PLC0415 - only pinned trust needs it, and start-up is a feature

    hashed = sha256()
    for part in (system.encode(), layer.encode("utf-8", "surrogatepass"), definitions):
        hashed.update(len(part).to_bytes(8, "big") + part)
    return f"sha256:{hashed.hexdigest()}"


def digest_of_all(digests: Iterable[str]) -> str:
    """One digest for several layers, in whatever order they come."""
    from hashlib import sha256  # noqa: PLC0415 - as above

    return f"sha256:{sha256(' '.join(sorted(digests)).encode()).hexdigest()}"


def _pinned(mine: Mapping[str, Approval], system: str, layer: str, definitions: bytes | None) -> Standing:
    if definitions is None:  # it says nothing that could run
        return _TRUSTED
    digest = digest_of(system, layer, definitions)
    approved = mine.get(key_of(system, layer))
    if approved is None:
        return Standing(counts=False, digest=digest, state="never")
    same = approved.digest == digest
    return Standing(counts=same, digest=digest, approved=approved, state="approved" if same else "changed")
