"""Archives from elsewhere: judged by their list of names first, then read member by member.

Nothing is ever unpacked to disk, so there is nothing to clean up after a kill. An archive with one
bad name, link or overlap is refused whole. What comes out is counted as it comes: what the entries
say of their size is not believed.
"""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import IO

from lobes.domain.imports import Skip, left_aside
from lobes.imports.limits import MIB, Limits
from lobes.imports.opening import Watch
from lobes.store.names import collision_key, shown_name, valid_name

_UNIX = 3
_HEADER = 30
"""Bytes of a member's own header without its name."""
_REASONS = 50
"""Reasons that are listed of one archive."""
_NESTED = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".zst")


_Take = Callable[[int], None]


class Spoilt(Exception):
    """The archive can't be read any further; `reason` is a code of `LEFT_ASIDE`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Archive:
    """An open archive that passed the judgement."""

    def __init__(self, file: zipfile.ZipFile, limits: Limits, watch: Watch) -> None:
        self._file = file
        self._limits = limits
        self._watch = watch
        self._budget = limits.unpacked_bytes
        self.names = tuple(sorted(one.filename for one in file.infolist() if not one.is_dir()))

    @contextmanager
    def reading(self, name: str) -> Generator[io.BufferedReader]:
        """One member, bounded; `Spoilt` from reading where it lies about itself or swells."""
        info = self._file.getinfo(name)
        with _sound(), self._file.open(info) as member:
            yield io.BufferedReader(_Member(member, info, self._limits, self._take), 256 * 1024)

    def _take(self, count: int) -> None:
        self._watch.advance(count)
        self._budget -= count
        if self._budget < 0:
            raise Spoilt("too_large")

    def size_of(self, names: Iterable[str]) -> int:
        """Bytes that these say they unpack to."""
        return sum(self._file.getinfo(name).file_size for name in names)

    def nested(self) -> tuple[str, ...]:
        return tuple(name for name in self.names if name.lower().endswith(_NESTED))


@contextmanager
def archive(
    stream: IO[bytes], *, limits: Limits, watch: Watch
) -> Generator[Archive | tuple[Skip, ...]]:
    """The archive, or why it is refused whole."""
    try:
        file = zipfile.ZipFile(_Guarded(stream, limits.directory_bytes))
    except Spoilt as error:
        yield (left_aside("", error.reason),)
        return
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OverflowError, OSError):
        yield (left_aside("", "bad_archive"),)
        return
    with file:
        infos = file.infolist()
        if len(infos) > limits.members:
            yield (left_aside("", "too_many"),)
            return
        refused = judged(infos, limits=limits)
        yield refused if refused else Archive(file, limits, watch)


def judged(infos: Iterable[zipfile.ZipInfo], *, limits: Limits) -> tuple[Skip, ...]:
    """Every reason against the archive; none where it may be read."""
    found: list[Skip] = []
    names: dict[str, str] = {}
    end = 0
    for info in sorted(infos, key=lambda one: (one.header_offset, one.orig_filename)):
        shown = shown_name(info.orig_filename)[:200]
        reasons = [_of_name(info.orig_filename), _of_kind(info), _of_size(info, limits)]
        key = collision_key(info.filename.rstrip("/"))
        if key in names:
            reasons.append("duplicate_member" if names[key] == info.filename else "case_twin")
        names.setdefault(key, info.filename)
        if info.header_offset < end:
            reasons.append("overlap")
        # Without the extra field, whose length only the member's own header knows.
        size = _HEADER + len(info.orig_filename.encode("utf-8", "replace")) + info.compress_size
        end = max(end, info.header_offset + size)
        found += [left_aside(shown, reason) for reason in reasons if reason]
    return tuple(found[:_REASONS])


def _of_name(name: str) -> str:
    if "\\" in name:
        return "backslash"
    if name.startswith("/"):
        return "absolute"
    if name[1:2] == ":" and name[:1].isalpha():
        return "drive"
    parts = name.rstrip("/").split("/")
    if ".." in parts:
        return "traversal"
    hidden = "/".join(part for part in parts if part not in ("__MACOSX", ".DS_Store"))
    return "" if not hidden or valid_name(hidden) or _is_only_odd(hidden) else "member_name"


def _is_only_odd(name: str) -> bool:
    """Names that chats give to attached files break rules of packs, and lead nowhere all the
    same: no part of them is empty, and all of it can be shown."""
    parts = name.split("/")
    return all(part not in ("", ".", "..") for part in parts) and shown_name(name) == name


def _of_kind(info: zipfile.ZipInfo) -> str:
    mode = info.external_attr >> 16
    if info.create_system == _UNIX and stat.S_IFMT(mode):
        if stat.S_ISLNK(mode):
            return "member_link"
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            return "device"
    return "encrypted" if info.flag_bits & 0x1 else ""


def _of_size(info: zipfile.ZipInfo, limits: Limits) -> str:
    swells = info.file_size > MIB and info.file_size > limits.ratio * max(1, info.compress_size)
    return "bomb" if swells else ""


@contextmanager
def _sound() -> Generator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError) as error:
        raise Spoilt("bad_archive") from error


class _Guarded(io.RawIOBase):
    """The file as `zipfile` sees it. It reads the whole list of names at once, by the length that
    the archive states; so one that is too long is never read."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream = stream
        self._most = most

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(min(size, self._most + 1) if size >= 0 else self._most + 1)
        if len(data) > self._most:
            raise Spoilt("too_many")
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True


class _Member(io.RawIOBase):
    """What comes out of a member, counted."""

    def __init__(
        self, member: IO[bytes], info: zipfile.ZipInfo, limits: Limits, take: _Take
    ) -> None:
        self._member = member
        self._packed = max(1, info.compress_size)
        self._ratio = limits.ratio
        self._take = take
        self._out = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        with _sound():
            data = self._member.read(len(buffer))
        self._out += len(data)
        if self._out > MIB and self._out > self._ratio * self._packed:
            raise Spoilt("bomb")
        self._take(len(data))
        buffer[: len(data)] = data
        return len(data)
