"""The bounded walk: breadth first over descriptors, links never followed, nothing guessed.

A folder that could not be listed to its end is named, never taken for empty: an unreadable
folder must not look like a thousand deleted files.
"""

from __future__ import annotations

import errno
import os
import unicodedata
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from lobes.store.descend import open_folder
from lobes.store.found import FoundFile, Limits, Listing, Skipped, SkipReason, reason_of
from lobes.store.ignore import Ignores, is_noise
from lobes.store.names import collision_key, is_markdown, shown_name, valid_name
from lobes.store.reading import refusal_of

_Entry = os.DirEntry[str]


@dataclass(slots=True)
class Walk:
    """One walk over one open root; `run` once."""

    root: int
    device: int
    limits: Limits
    ignored: Ignores
    stop: Callable[[], bool]
    file_bytes: int
    _files: list[FoundFile] = field(default_factory=list[FoundFile])
    _skipped: dict[str, Skipped] = field(default_factory=dict[str, Skipped])
    _unreadable: list[str] = field(default_factory=list[str])
    # Folders by the names that the disk has, which are not always NFC.
    _waiting: deque[tuple[str, ...]] = field(default_factory=lambda: deque([()]))
    _entries: int = 0

    def run(self, noted: tuple[Skipped, ...] = ()) -> Listing:
        """The listing, with `noted` among what was skipped."""
        for one in noted:
            self._skipped[one.path] = one
        stopped = False
        while self._waiting:
            stopped = self.stop()
            if stopped:
                break
            if self._is_full():
                self._skip(self._waiting[0], "too_many")
                break
            self._list(self._waiting.popleft())
        self._unreadable.extend(_name(parts) for parts in self._waiting)
        return Listing(
            files=tuple(sorted(self._files)),
            skipped=tuple(sorted(self._skipped.values())),
            unreadable=tuple(sorted(self._unreadable)),
            stopped=stopped,
        )

    def _is_full(self) -> bool:
        return self._entries >= self.limits.entries or len(self._files) >= self.limits.files

    def _list(self, parts: tuple[str, ...]) -> None:
        try:
            with self._opened(parts) as entries:
                kept = self._candidates(parts, entries)
                for entry in self._without_twins(parts, kept):
                    self._take(parts, entry)
        except OSError as error:
            self._failed(parts, error)

    @contextmanager
    def _opened(self, parts: tuple[str, ...]) -> Generator[Iterator[_Entry]]:
        folder = open_folder(self.root, parts, device=self.device)
        try:
            with os.scandir(folder) as entries:
                yield entries
        finally:
            os.close(folder)

    def _failed(self, parts: tuple[str, ...], error: OSError) -> None:
        if error.errno == errno.EXDEV:
            self._skip(parts, "other_mount")
        elif error.errno != errno.ENOENT:
            self._unreadable.append(_name(parts))
            self._skip(parts, "unreadable")

    def _candidates(self, parts: tuple[str, ...], entries: Iterator[_Entry]) -> list[_Entry]:
        kept: list[_Entry] = []
        for entry in entries:
            self._entries += 1
            if self._entries > self.limits.entries:
                self._cut(parts)
                break
            if not is_noise(entry.name) and self._may_matter(entry):
                kept.append(entry)
        return sorted(kept, key=lambda entry: entry.name)

    def _may_matter(self, entry: _Entry) -> bool:
        if is_markdown(entry.name.rstrip(". ")) or entry.is_dir(follow_symlinks=False):
            return True
        # What a link leads to is never looked up; without an extension it may be a folder.
        return entry.is_symlink() and "." not in entry.name

    def _without_twins(self, parts: tuple[str, ...], kept: list[_Entry]) -> Iterator[_Entry]:
        seen: dict[str, int] = {}
        for entry in kept:
            key = collision_key(entry.name)
            seen[key] = seen.get(key, 0) + 1
        for entry in kept:
            if seen[collision_key(entry.name)] > 1:
                self._skip((*parts, entry.name), "name_collision")
            else:
                yield entry

    def _take(self, parts: tuple[str, ...], entry: _Entry) -> None:
        own = (*parts, entry.name)
        is_folder = entry.is_dir(follow_symlinks=False)
        if not valid_name(entry.name):
            self._skip(own, "bad_name")
        elif self.ignored(_name(own), is_folder):
            return
        elif len(own) > self.limits.levels:
            self._skip(own, "too_deep")
        elif is_folder:
            self._waiting.append(own)
        else:
            self._take_file(own, entry)

    def _take_file(self, own: tuple[str, ...], entry: _Entry) -> None:
        try:
            found = entry.stat(follow_symlinks=False)
        except OSError as error:
            self._skip(own, reason_of(error))
            return
        refused = refusal_of(found, device=self.device)
        if refused:
            self._skip(own, refused)
        elif found.st_size > self.file_bytes:
            self._skip(own, "too_large")
        elif len(self._files) >= self.limits.files:
            self._cut(own[:-1])
        else:
            self._files.append(FoundFile(_name(own), found.st_size, found.st_mtime_ns))

    def _cut(self, parts: tuple[str, ...]) -> None:
        if _name(parts) not in self._unreadable:
            self._unreadable.append(_name(parts))
        self._skip(parts, "too_many")

    def _skip(self, parts: tuple[str, ...], reason: SkipReason) -> None:
        path = shown_name("/".join(parts)) or "."
        if len(self._skipped) < self.limits.skipped:
            self._skipped.setdefault(path, Skipped(path, reason))


def _name(parts: tuple[str, ...]) -> str:
    return unicodedata.normalize("NFC", "/".join(parts))
