"""A write names what it replaces: the file as it was shown, or nothing at all."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass

from lobes.domain.errors import Conflict, Invalid
from lobes.store.found import SKIP_REASONS, Skipped
from lobes.store.names import collision_key
from lobes.store.reading import raw_at


@dataclass(frozen=True, slots=True)
class Expectation:
    """What must be at `path` for a write to go on; without a hash, nothing may be."""

    path: str
    content_hash: str | None
    device: int
    limit: int


def matching(folder: int, leaf: str, expected: Expectation) -> tuple[bytes, os.stat_result] | None:
    """The current file when it is the expected one, `None` when none is expected nor there.

    `Conflict` (`changed_on_disk`, `already_exists`, `name_collision`) otherwise, and `Invalid`
    with the skip reason for what is no plain text file.
    """
    found = raw_at(folder, leaf, path=expected.path, device=expected.device, limit=expected.limit)
    if isinstance(found, Skipped):
        if found.reason != "gone":
            raise Invalid(f"This file is not written. {found.sentence}", reason=found.reason)
        if expected.content_hash is not None:
            raise _changed()
        refuse_twin(folder, leaf)
        return None
    if expected.content_hash is None:
        raise Conflict(
            "A file with this name exists already.",
            hint="Change that file, or choose another name.",
            reason="already_exists",
        )
    if hashlib.sha256(found[0]).hexdigest() != expected.content_hash:
        raise _changed()
    return found


def refuse_twin(folder: int, leaf: str) -> None:
    """`Conflict` when another entry would be the same name on a system that ignores case."""
    key = collision_key(leaf)
    with os.scandir(folder) as entries:
        twin = any(entry.name != leaf and collision_key(entry.name) == key for entry in entries)
    if twin:
        raise Conflict(SKIP_REASONS["name_collision"], reason="name_collision")


def _changed() -> Conflict:
    return Conflict(
        "The file changed on disk since it was shown.",
        hint="Look at it again, then repeat the change.",
        reason="changed_on_disk",
    )
