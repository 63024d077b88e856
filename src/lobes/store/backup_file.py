"""A backup as one file: a zip whose members are stored as they are, so that nothing can swell.

Written beside its place, flushed, then renamed, for its owner alone. Read twice: once to judge all
of it, without writing a byte, and once to take it.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import zipfile
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from lobes.domain.backups import (
    AUDIT,
    AUDIT_HEAD,
    CONFIG,
    LONGEST_MANIFEST,
    MANIFEST,
    SPACES,
    STORE,
    BackupManifest,
    Member,
    dump_manifest,
    parse_manifest,
    refused,
    refused_for,
)
from lobes.domain.errors import Conflict, Unavailable
from lobes.store.names import collision_key, shown_name, valid_name
from lobes.store.pragmas import make_private_file
from lobes.store.writing import sync_folder, writing_errors

_BLOCK = 1 << 20
_MOST_MEMBERS = 500_000
_FIXED = frozenset({STORE, AUDIT, AUDIT_HEAD})

Source = tuple[str, Path]
"""Name in the backup, and the file whose bytes it gets."""


def write_backup(
    target: Path,
    sources: Iterable[Source],
    manifest: Callable[[tuple[Member, ...]], BackupManifest],
) -> BackupManifest:
    """All of it at `target`, or nothing. `Conflict` (`exists`) where something is there already,
    `Unavailable` where it can't be written."""
    if os.path.lexists(target):
        raise Conflict(
            "There is a file with that name already.", hint="Name another one.", reason="exists"
        )
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    with writing_errors():
        draft.unlink(missing_ok=True)
        try:
            make_private_file(draft)
            with zipfile.ZipFile(draft, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
                members = tuple(_add(archive, name, path) for name, path in sources)
                made = manifest(members)
                archive.writestr(MANIFEST, dump_manifest(made))
            with open(draft, "rb") as written:
                os.fsync(written.fileno())
            os.rename(draft, target)
            sync_folder(target.parent)
        finally:
            draft.unlink(missing_ok=True)
    return made


def _add(archive: zipfile.ZipFile, name: str, path: Path) -> Member:
    digest, size = hashlib.sha256(), 0
    # No time of the file: it would tell what was changed when, and zip knows none before 1980.
    info = zipfile.ZipInfo(name)
    info.external_attr = 0o100600 << 16
    with open(path, "rb") as file, archive.open(info, "w", force_zip64=True) as member:
        while block := file.read(_BLOCK):
            digest.update(block)
            size += len(block)
            member.write(block)
    return Member(name, size, digest.hexdigest())


class OpenBackup:
    """A backup of which every byte was judged."""

    def __init__(self, archive: zipfile.ZipFile, manifest: BackupManifest) -> None:
        self._archive = archive
        self.manifest = manifest

    def take(self, member: Member, target: Path) -> None:
        """Write this member to a new file for its owner alone, hashed once more: there whole, or
        not at all. Its folder is the caller's to flush."""
        draft = target.with_name(f".lobes-{secrets.token_hex(8)}.tmp")
        with writing_errors():
            if os.path.lexists(target):
                raise FileExistsError(target)
            make_private_file(draft)
            try:
                with self._archive.open(member.path) as source, open(draft, "wb") as file:
                    if _digest(source, member.bytes, file) != member.sha256:
                        raise refused("it changed while it was read")
                    file.flush()
                    os.fsync(file.fileno())
                os.rename(draft, target)
            finally:
                draft.unlink(missing_ok=True)


@contextmanager
def read_backup(path: Path) -> Generator[OpenBackup]:
    """The backup, judged as a whole. `Invalid` with the reasons; nothing is written for it."""
    with _opened(path) as file:
        try:
            archive = zipfile.ZipFile(file)
            manifest = _judged(archive, os.fstat(file.fileno()).st_size)
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OverflowError, EOFError) as e:
            raise refused("it is damaged, or no backup") from e
        except OSError as error:
            raise refused("it can't be read to its end") from error
        with archive:
            yield OpenBackup(archive, manifest)


@contextmanager
def _opened(path: Path) -> Generator[IO[bytes]]:
    """A regular file alone: a pipe would never end."""
    try:
        is_file = path.is_file()
        stream = path.open("rb") if is_file else None
    except OSError:
        stream = None
    if stream is None:
        raise Unavailable(
            "The backup can't be read.", hint="Check its name and its rights.", reason="unreadable"
        )
    with stream:
        yield stream


def has_bytes(path: Path, member: Member) -> bool:
    """Whether this file is what the member is."""
    try:
        if path.is_symlink() or not path.is_file():
            return False
        with open(path, "rb") as file:
            return _digest(file, member.bytes) == member.sha256
    except OSError:
        return False


def _judged(archive: zipfile.ZipFile, size: int) -> BackupManifest:
    infos = archive.infolist()
    if len(infos) > _MOST_MEMBERS:
        raise refused("it has too many members")
    reasons = [one for info in infos if (one := _fault(info, size))]
    if sum(info.file_size for info in infos) > size:
        reasons.append("its members are longer than it is")
    keys = [collision_key(info.filename) for info in infos]
    if len(set(keys)) != len(keys):
        reasons.append("two members have one name")
    if reasons:
        raise refused_for(reasons)
    named = {info.filename: info for info in infos}
    if MANIFEST not in named or named[MANIFEST].file_size > LONGEST_MANIFEST:
        raise refused("it says nothing of itself")
    manifest = parse_manifest(archive.read(MANIFEST))
    listed = {one.path: one for one in manifest.files}
    if listed.keys() != named.keys() - {MANIFEST} or len(listed) != len(manifest.files):
        raise refused("its list and its members differ")
    if STORE not in listed:
        raise refused("there is no store in it")
    wrong = [one for one in manifest.files if not _is_whole(archive, named[one.path], one)]
    if wrong:
        raise refused_for([f"{shown_name(one.path)} isn't as it was written" for one in wrong])
    return manifest


def _fault(info: zipfile.ZipInfo, size: int) -> str:
    name, shown = info.orig_filename, shown_name(info.orig_filename)[:200]
    known = name == MANIFEST or name in _FIXED or name.startswith((CONFIG, SPACES))
    if not known or not valid_name(name) or name != info.filename:
        return f"{shown} is no name in a backup"
    if info.is_dir() or (info.external_attr >> 16) & 0o170000 not in (0, 0o100000):
        return f"{shown} is no file"
    if info.flag_bits & 0x1 or info.compress_type != zipfile.ZIP_STORED:
        return f"{shown} isn't stored as it is"
    if info.file_size != info.compress_size or info.file_size > size:
        return f"{shown} lies about its length"
    return ""


def _is_whole(archive: zipfile.ZipFile, info: zipfile.ZipInfo, member: Member) -> bool:
    if info.file_size != member.bytes:
        return False
    with archive.open(info) as source:
        return _digest(source, member.bytes) == member.sha256


def _digest(source: IO[bytes], most: int, target: IO[bytes] | None = None) -> str:
    """SHA-256 of what comes out; "" where more comes than was said."""
    digest, size = hashlib.sha256(), 0
    while block := source.read(_BLOCK):
        size += len(block)
        if size > most:
            return ""
        digest.update(block)
        if target is not None:
            target.write(block)
    return digest.hexdigest()
