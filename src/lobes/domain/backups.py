"""What a backup of a home says of itself: which files, how long, with which bytes.

A member that isn't listed, or is listed and isn't there, makes the whole of it refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from lobes.domain.errors import Invalid
from lobes.domain.strict_json import loads_strict

MANIFEST = "manifest.json"
STORE = "lobes.db"
AUDIT = "audit.db"
AUDIT_HEAD = "audit.head"
CONFIG = "config/"
SPACES = "spaces/"
FORMAT = "lobes backup"
VERSION = 1
LONGEST_MANIFEST = 64 << 20
"""Bytes."""

_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Member:
    """One file in it; `sha256` of its bytes."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class BackupManifest:
    """`made` is ISO 8601; `spaces` is the folder in which the home's own packs lay, so that the
    Spaces find them again where they come out; `skipped` are files that weren't taken, and why."""

    lobes: str
    schema: int
    made: str
    owner: str
    epoch: int
    spaces: str
    files: tuple[Member, ...]
    skipped: tuple[tuple[str, str], ...] = ()


def dump_manifest(manifest: BackupManifest) -> str:
    return json.dumps({"format": FORMAT, "version": VERSION, **asdict(manifest)}, indent=1)


def parse_manifest(data: bytes) -> BackupManifest:
    """The manifest, or `Invalid` (`not_a_backup`, `newer_backup`)."""
    try:
        read: object = loads_strict(data.decode("utf-8"))
        if not isinstance(read, dict):
            raise refused("it says nothing of itself")
        found = cast("dict[str, Any]", read)
        if found.get("format") != FORMAT:
            raise refused("it says that it is something else")
        if found.get("version") != VERSION:
            raise Invalid(
                "This backup is of another Lobes.",
                hint="Upgrade this Lobes.",
                reason="newer_backup",
            )
        files = tuple(_member(one) for one in _list(found["files"]))
        skipped = tuple((str(path), str(why)) for path, why in _list(found["skipped"]))
        return BackupManifest(
            lobes=str(found["lobes"]),
            schema=_number(found["schema"]),
            made=str(found["made"]),
            owner=str(found["owner"]),
            epoch=_number(found["epoch"]),
            spaces=str(found["spaces"]),
            files=files,
            skipped=skipped,
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise refused("what it says of itself can't be read") from error


def refused(why: str) -> Invalid:
    return Invalid(
        f"This backup isn't taken: {why}. Nothing was written.",
        hint="Take another backup: this one is damaged, or isn't one.",
        reason="not_a_backup",
    )


def refused_for(reasons: Sequence[str]) -> Invalid:
    """One refusal for all that was found, the first few said."""
    more = f" and {len(reasons) - 5:,} more" if len(reasons) > 5 else ""
    return refused("; ".join(reasons[:5]) + more)


def _member(data: object) -> Member:
    one = cast("dict[str, Any]", data)
    digest = one["sha256"]
    if not isinstance(digest, str) or not _HASH.fullmatch(digest):
        raise ValueError("no hash")
    return Member(str(one["path"]), _number(one["bytes"]), digest)


def _list(data: object) -> list[Any]:
    if not isinstance(data, list):
        raise TypeError("no list")
    return cast("list[Any]", data)


def _number(data: object) -> int:
    if not isinstance(data, int) or isinstance(data, bool) or data < 0:
        raise TypeError("no number")
    return data
