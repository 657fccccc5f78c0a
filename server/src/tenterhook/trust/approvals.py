"""Owns the file in which a user's approvals are kept; knows neither layers nor what their digests are over.

A file that somebody else could have written, or that is no such file, approves nothing.
It is never overwritten: whoever approves something gets a new one, and the old one stays beside it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from types import MappingProxyType

import msgspec
from msgspec import Struct

from tenterhook.errors import RequestFailed

__all__ = ["NOTHING", "Approval", "Approvals", "Store", "default_place"]

_MAX_BYTES = 8 * 1024 * 1024
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class Approval(Struct, frozen=True):
    """What a user has approved of one layer."""

    digest: str
    """``sha256:`` and 64 hex digits."""
    at: str = ""
    """When, in UTC, ISO 8601 to the second."""


class Approvals(Struct, frozen=True):
    """The content of the file: by a project's real path and ``system:layer``, what was approved."""

    version: int = 1
    projects: dict[str, dict[str, Approval]] = {}

    def of(self, project: str) -> Mapping[str, Approval]:
        """The approvals of one project."""
        return MappingProxyType(self.projects.get(project, {}))


NOTHING = Approvals()
"""Nothing is approved."""


def default_place(home: str, environment: Mapping[str, str], *, own_home: bool) -> str:
    """Where a user's approvals lie, by the XDG Base Directory Specification.

    Args:
        home: real path of the home folder that counts.
        environment: asked for ``XDG_STATE_HOME``.
        own_home: it is the user's own home; the variable speaks of no other one.
    """
    state = environment.get("XDG_STATE_HOME", "") if own_home else ""
    folder = state if os.path.isabs(state) else f"{home.rstrip('/')}/.local/state"
    return f"{folder}/tenterhook/trust.json"


class Store(Struct, frozen=True):
    """The file at one place."""

    path: str

    def read(self) -> tuple[Approvals, Sequence[str]]:
        """What is approved, and what is wrong with the file, in words. An absent file is well: nothing is approved."""
        try:
            return self._read(), ()
        except _Unusable as reason:
            return NOTHING, (f"the approvals in {self.path} do not count: {reason}",)

    def approve(self, project: str, digests: Mapping[str, str]) -> Sequence[str]:
        """Approve layers of a project as of now: by ``system:layer``, their digests. Otherwise as ``change``."""
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return self.change(project, {key: Approval(digest, now) for key, digest in digests.items()})

    def change(self, project: str, approved: Mapping[str, Approval] | None) -> Sequence[str]:
        """Approve layers of a project, or with None take back all that was approved of it.

        Two engines that approve at the same time lose nothing of each other.

        Returns:
            What happened beside it, in words.

        Raises:
            RequestFailed: the file cannot be written.
        """
        try:
            with self._locked():
                told: list[str] = []
                try:
                    before = self._read()
                except _Unusable as reason:
                    before = NOTHING
                    aside = self._put_aside()
                    told.append(f"{reason}; it was kept as {aside}, and a new one begun")
                projects = dict(before.projects)
                if approved is None:
                    projects.pop(project, None)
                else:
                    projects[project] = {**projects.get(project, {}), **approved}
                self._write(Approvals(projects=projects))
                return told
        except OSError as error:
            raise RequestFailed(f"the approval cannot be kept in {self.path}: {error.strerror or error}") from None

    def _read(self) -> Approvals:
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            if error.errno in {errno.ENOENT, errno.ENOTDIR}:
                return NOTHING
            raise _Unusable(f"it cannot be read ({error.strerror})") from None
        try:
            _check(os.fstat(descriptor), self.path)
            with open(descriptor, "rb", closefd=False) as file:
                content = file.read(_MAX_BYTES + 1)
        finally:
            os.close(descriptor)
        if len(content) > _MAX_BYTES:
            raise _Unusable(f"it has more than {_MAX_BYTES} bytes")
        try:
            read = msgspec.json.decode(content, type=Approvals)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise _Unusable(f"it is broken ({error})") from None
        if read.version != 1:
            raise _Unusable(f"it has version {read.version}, and this version of tenterhook knows 1")
        return read

    def _write(self, approvals: Approvals) -> None:
        import tempfile  # noqa: PLC0415 - start-up is a feature, and few engines approve anything

        folder = os.path.dirname(self.path)
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=".trust-")  # mode 0600
        try:
            with open(descriptor, "wb") as file:
                file.write(msgspec.json.format(msgspec.json.encode(approvals)) + b"\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, self.path)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise

    def _put_aside(self) -> str:
        number = 1
        while os.path.lexists(aside := f"{self.path}.unusable-{number}"):
            number += 1
        os.rename(self.path, aside)
        return aside

    @contextmanager
    def _locked(self) -> Generator[None]:
        folder = os.path.dirname(self.path)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(f"{folder}/trust.lock", flags, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)  # let go with the descriptor
            yield
        finally:
            os.close(descriptor)


def _check(state: os.stat_result, path: str) -> None:
    if not stat.S_ISREG(state.st_mode):
        raise _Unusable("it is no regular file")
    if state.st_uid not in {os.geteuid(), 0}:
        raise _Unusable(f"it belongs to the user with id {state.st_uid}, not to you")
    if state.st_mode & _WRITABLE_BY_OTHERS:
        raise _Unusable(f"others may write it; if it is yours, run `chmod go-w {path}`")


class _Unusable(Exception):
    """The file is there, and does not count."""
