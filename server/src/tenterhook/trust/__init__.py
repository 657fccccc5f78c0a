"""Owns which of a project's hook files a user has approved; runs nothing, and knows no hooks.

Whoever writes a project writes its hook files, and a hook is a program.
Under ``trust: pinned`` such a file counts only while it says what its user has approved.
"""

from __future__ import annotations

from tenterhook.trust.approvals import Approval, Approvals, Store, default_place
from tenterhook.trust.standing import ALL, Judge, Standing, Trust, digest_of, digest_of_all, key_of

__all__ = [
    "ALL",
    "Approval",
    "Approvals",
    "Judge",
    "Standing",
    "Store",
    "Trust",
    "default_place",
    "digest_of",
    "digest_of_all",
    "key_of",
]
