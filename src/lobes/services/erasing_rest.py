"""What follows once the rows are gone: the file, the index, drafts and our own backups.

Every step may be repeated. As long as one is left, the note of the erasure stays, `doctor` names
it, and `doctor --fix`, or the next erasure, goes on with it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lobes.domain.erasing import Erasure
from lobes.domain.errors import LobesError, Unavailable
from lobes.engine.endpoint import EnginePlace
from lobes.engine.forgetting import forget_lobes
from lobes.services.installation import Installation
from lobes.store import erasures
from lobes.store.backup_scrub import scrub_backup
from lobes.store.read_backups import every
from lobes.store.wiping import compact, holds, scrub

_TRIES = 5


@dataclass(frozen=True, slots=True)
class Rest:
    """`rewritten` and `removed` are names of our own backups; `left` says what couldn't be done
    yet, in sentences; nothing is left where it is empty."""

    rewritten: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def finish(lobes: Installation) -> Rest:
    """Do what noted erasures have left to do. One whose rows are still there was never done: its
    note goes, and nothing else."""
    noted = erasures.unfinished(lobes.folders.data)
    if not noted:
        return Rest()
    left: list[str] = []
    rewritten: list[str] = []
    removed: list[str] = []
    try:
        pending = _committed(lobes, noted)
    except LobesError as error:
        return Rest(left=(_sentence(error),))
    if not pending:
        return Rest()
    for step in (_store, _index, _drafts):
        try:
            step(lobes, pending)
        except LobesError as error:
            left.append(_sentence(error))
    try:
        _backups(lobes.folders.backups, pending, rewritten, removed)
    except LobesError as error:
        left.append(_sentence(error))
    if not left:
        for one in pending:
            erasures.done(lobes.folders.data, one)
    return Rest(tuple(rewritten), tuple(removed), tuple(left))


def _committed(lobes: Installation, noted: Sequence[Erasure]) -> list[Erasure]:
    """Those whose rows are gone; the notes of the others go. Asked in one's own turn to write: who
    erases notes it in theirs, so that none of these is before its COMMIT still."""
    with lobes.database().begin() as unit:
        undone = [one for one in noted if holds(unit.reader, one)]
        for one in undone:
            erasures.done(lobes.folders.data, one)
    return [one for one in noted if one not in undone]


def _sentence(error: LobesError) -> str:
    return f"{error.message} {error.hint}".strip()


def _store(lobes: Installation, pending: Sequence[Erasure]) -> None:
    del pending
    compact(lobes.folders.store)


def _index(lobes: Installation, pending: Sequence[Erasure]) -> None:
    """The engine ends, so that neither its memory nor an open file holds any of it; the next
    search starts one, which makes the rest of the lobe anew."""
    place = EnginePlace(lobes.folders.index, lobes.folders.store)
    touched = sorted({one.lobe for one in pending})
    for _ in range(_TRIES):
        lobes.engine.stop()
        if forget_lobes(place, touched):
            return
    raise Unavailable(
        "The index is in use, so what was erased is still in it.",
        hint="Run lobes engine stop, then lobes doctor --fix.",
        reason="engine_runs",
    )


def _drafts(lobes: Installation, pending: Sequence[Erasure]) -> None:
    """Copies of pack files that somebody began to edit."""
    spaces = {one.space for one in pending if one.space}
    if not spaces:
        return
    folder = lobes.folders.state / "drafts"
    for draft in sorted({path.with_suffix("") for path in folder.glob("*")}):
        about = draft.with_suffix(".json")
        # One that doesn't say whose it is may be of any Space.
        if _space_of(about) in (*spaces, ""):
            shutil.rmtree(draft, ignore_errors=True)
            with suppress(OSError):
                about.unlink(missing_ok=True)


def _space_of(about: Path) -> str:
    try:
        return str(json.loads(about.read_text("utf-8"))["space"])
    except (OSError, ValueError, TypeError, KeyError):
        return ""


def _backups(
    folder: Path, pending: Sequence[Erasure], rewritten: list[str], removed: list[str]
) -> None:
    fates = {"rewritten": rewritten, "removed": removed}
    for path in every(folder):
        try:
            fate = (scrub if path.suffix == ".db" else scrub_backup)(path, pending)
        except OSError as error:
            raise Unavailable(
                f"The backup {path.name} can't be written anew.",
                hint="Free some space, then lobes doctor --fix.",
                reason="io_error",
            ) from error
        if fate in fates:
            fates[fate].append(path.name)
