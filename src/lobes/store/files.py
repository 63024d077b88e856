"""The one file gate: no pack is read, listed or written but through a `SafeRoot`.

A root is an open descriptor with its device and inode. Every verb takes a validated name relative
to it and walks there component by component, so neither a link nor a race leads outside. Needs
`openat`: on a system without it (Windows) roots are refused instead of opened less safely.
"""

from __future__ import annotations

import codecs
import errno
import hashlib
import os
import stat
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from lobes.domain.errors import Conflict, Invalid, Unavailable
from lobes.store.current import Expectation, matching, refuse_twin
from lobes.store.descend import name_on_disk, open_folder, parts_on_disk
from lobes.store.found import (
    MAX_FILE_BYTES,
    SKIP_REASONS,
    FoundFile,
    Limits,
    Listing,
    ReadFile,
    RootId,
    Skipped,
    SkipReason,
    Written,
    reason_of,
)
from lobes.store.ignore import IGNORE_FILE, ignores, is_noise
from lobes.store.names import is_markdown, parse_name, valid_name
from lobes.store.reading import read_at, refusal_of
from lobes.store.roots import (
    Overlap,
    RootCheck,
    check_place,
    check_root,
    root_failed,
    root_replaced,
    synced_or_network,
)
from lobes.store.walk import Walk
from lobes.store.writing import replace_at, write_atomic, writing_errors

__all__ = [
    "SKIP_REASONS",
    "FoundFile",
    "Limits",
    "Listing",
    "Overlap",
    "ReadFile",
    "RootCheck",
    "RootId",
    "SafeRoot",
    "SkipReason",
    "Skipped",
    "Written",
    "check_place",
    "check_root",
    "parse_name",
    "synced_or_network",
    "valid_name",
    "write_atomic",
]


class SafeRoot:
    """A Space's folder, held open; close it, or use it in a `with`."""

    def __init__(self, *, path: Path, descriptor: int, identity: RootId, max_bytes: int) -> None:
        self.path = path
        self.identity = identity
        self._descriptor = descriptor
        self._max_bytes = max_bytes

    @classmethod
    def open(
        cls, path: Path, *, expect: RootId | None = None, max_bytes: int = MAX_FILE_BYTES
    ) -> Self:
        """The root at `path`; a link at `path` itself is the person's choice and followed.

        `Unavailable`: `root_missing`, `root_unreadable` (permission, or the disk fails), or
        `root_replaced` (another folder than `expect` is there).
        """
        if os.open not in os.supports_dir_fd:
            raise Unavailable(
                "Folders can't be opened safely here.",
                hint="Use Lobes on Linux or macOS.",
                reason="root_unsupported",
            )
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise root_failed(error) from error
        found = os.fstat(descriptor)
        identity = RootId(found.st_dev, found.st_ino)
        if expect is not None and identity != expect:
            os.close(descriptor)
            raise root_replaced()
        return cls(path=path, descriptor=descriptor, identity=identity, max_bytes=max_bytes)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def check(self) -> None:
        """`Unavailable` when the path leads here no longer (moved, replaced, unmounted)."""
        try:
            found = os.stat(self.path)
        except OSError as error:
            raise root_failed(error) from error
        if RootId(found.st_dev, found.st_ino) != self.identity:
            raise root_replaced()

    def list(
        self, *, limits: Limits | None = None, stop: Callable[[], bool] | None = None
    ) -> Listing:
        """Every Markdown file, what was skipped and why, and what could not be listed.

        `stop` is asked before each folder. `Unavailable` when the root went away meanwhile: a
        listing of a folder that is no longer the root is no ground for removing anything.
        """
        self.check()
        rules = self._ignore_rules()
        if isinstance(rules, Skipped):
            # Without its rules the folder might give away what the person keeps out.
            return Listing(files=(), skipped=(rules,), unreadable=("",))
        ignored, refused = ignores(rules)
        walk = Walk(
            root=self._descriptor,
            device=self.identity.device,
            limits=limits or Limits(),
            ignored=ignored,
            stop=stop or _never,
            file_bytes=self._max_bytes,
        )
        listing = walk.run((Skipped(IGNORE_FILE, "bad_pattern"),) if refused else ())
        self.check()
        return listing

    def takes(self, name: str) -> bool:
        """Whether a listing would hold this file now: present, Markdown, not ignored, no link."""
        return self.would_take(name) and self._is_takeable(parse_name(name))

    def would_take(self, name: str) -> bool:
        """The same by its name alone, whether it is there or not."""
        if not valid_name(name) or not is_markdown(name):
            return False
        path = parse_name(name)
        parts = path.split("/")
        rules = self._ignore_rules()
        if any(map(is_noise, parts)) or isinstance(rules, Skipped):
            return False
        ignored, _ = ignores(rules)
        if any(ignored("/".join(parts[:depth]), True) for depth in range(1, len(parts))):
            return False
        return not ignored(path, False)

    def _is_takeable(self, path: str) -> bool:
        try:
            with self._folder_of(path) as (folder, leaf):
                found = os.stat(leaf, dir_fd=folder, follow_symlinks=False)
                refuse_twin(folder, leaf)
        except (OSError, Conflict):
            return False
        refused = refusal_of(found, device=self.identity.device)
        return refused is None and found.st_size <= self._max_bytes

    def read(self, name: str) -> ReadFile | Skipped:
        """The text of one file of any kind, or why it is not taken; `Invalid` for a bad name."""
        path = parse_name(name)
        try:
            with self._folder_of(path) as (folder, leaf):
                return read_at(
                    folder,
                    leaf,
                    path=path,
                    device=self.identity.device,
                    limit=self._max_bytes,
                )
        except OSError as error:
            reason = "other_mount" if error.errno == errno.EXDEV else reason_of(error)
            return Skipped(path, self._link_or(path, reason))

    def write(
        self, name: str, text: str, *, expect_hash: str | None, for_a_program: bool = False
    ) -> Written:
        """`text` at `name`, byte for byte; an existing file's byte order mark and mode are kept.

        `expect_hash` is the hash of the file as it was shown; `None` means that it must not exist
        (folders on the way are made). `Conflict` (`changed_on_disk`, `already_exists`,
        `name_collision`), `Invalid` or `Unavailable`: then the old file is intact. A save by
        somebody else in the microseconds between the last look and the rename is lost: POSIX has
        no compare-and-rename. `for_a_program`: a person wants it in a program's own place.
        """
        path = parse_name(name)
        may_be_hidden = for_a_program or path == IGNORE_FILE
        if not may_be_hidden and any(map(is_noise, path.split("/"))):
            # Other programs act on what lies there: settings, hooks, plugins.
            raise Invalid(
                "Nothing is written into hidden folders and files.",
                hint="Choose a name that begins with no dot.",
                reason="bad_name",
            )
        data = self._encoded(text)
        expected = Expectation(path, expect_hash, self.identity.device, self._max_bytes)
        with (
            writing_errors(),
            self._made_folders(path, make=expect_hash is None),
            self._folder_of(path) as (folder, leaf),
        ):
            old = matching(folder, leaf, expected)
            mode = 0o600
            if old is not None:
                mode = old[1].st_mode & 0o777
                if old[0].startswith(codecs.BOM_UTF8) and not data.startswith(codecs.BOM_UTF8):
                    data = codecs.BOM_UTF8 + data

            def look_again() -> None:
                matching(folder, leaf, expected)

            replace_at(folder, leaf, data, mode=mode, before_rename=look_again)
        return Written(path, hashlib.sha256(data).hexdigest())

    def remove(self, name: str, *, expect_hash: str) -> None:
        """Take away a file that is still the one with this hash; `Conflict` (`changed_on_disk`)
        where it isn't. For taking back what Lobes itself made."""
        path = parse_name(name)
        expected = Expectation(path, expect_hash, self.identity.device, self._max_bytes)
        with writing_errors(), self._folder_of(path) as (folder, leaf):
            matching(folder, leaf, expected)
            os.unlink(leaf, dir_fd=folder)
            os.fsync(folder)

    def _encoded(self, text: str) -> bytes:
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise Invalid(
                "The text holds characters that can't be stored.",
                hint="Save it as UTF-8.",
                reason="bad_text",
            ) from error
        if len(data) > self._max_bytes:
            raise Invalid(
                SKIP_REASONS["too_large"], hint="Split it into several files.", reason="too_large"
            )
        return data

    def _ignore_rules(self) -> str | Skipped:
        found = self.read(IGNORE_FILE)
        if isinstance(found, ReadFile):
            return found.text
        return "" if found.reason == "gone" else found

    @contextmanager
    def _folder_of(self, path: str) -> Generator[tuple[int, str]]:
        *parts, leaf = path.split("/")
        device = self.identity.device
        spelled = parts_on_disk(self._descriptor, parts, device=device)
        folder = open_folder(self._descriptor, spelled, device=device)
        try:
            yield folder, name_on_disk(folder, leaf)
        finally:
            os.close(folder)

    @contextmanager
    def _made_folders(self, path: str, *, make: bool) -> Generator[None]:
        """The folders of `path` exist inside; those made here go again when the write fails."""
        made: deque[str] = deque()
        parts = path.split("/")[:-1] if make else []
        try:
            for depth in range(1, len(parts) + 1):
                own = "/".join(parts[:depth])
                with self._folder_of(own) as (parent, leaf), suppress(FileExistsError):
                    refuse_twin(parent, leaf)
                    os.mkdir(leaf, 0o700, dir_fd=parent)
                    made.appendleft(own)
                    os.fsync(parent)  # else a power loss takes the file with its folder
            yield
        except BaseException:
            for own in made:
                with suppress(OSError), self._folder_of(own) as (parent, leaf):
                    os.rmdir(leaf, dir_fd=parent)
            raise

    def _link_or(self, path: str, reason: SkipReason) -> SkipReason:
        """`link` when a folder on the way is one: the system says "no folder" for both."""
        if reason != "gone":
            return reason
        parts = path.split("/")
        for depth in range(1, len(parts)):
            try:
                with self._folder_of("/".join(parts[:depth])) as (folder, leaf):
                    found = os.stat(leaf, dir_fd=folder, follow_symlinks=False)
            except OSError:
                return reason
            if stat.S_ISLNK(found.st_mode):
                return "link"
        return reason


def _never() -> bool:
    return False
