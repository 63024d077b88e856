"""Taking a store that lacks the last writes as it is: a person's word, noted in the record.

It can't be opened before, so no screen can show a code: it takes a word typed at a terminal.
"""

from __future__ import annotations

from lobes.access.facts import HOME
from lobes.config.folders import Folders
from lobes.domain.errors import Conflict
from lobes.engine.endpoint import EnginePlace
from lobes.engine.forgetting import forget_lobes
from lobes.services.authority import record
from lobes.services.installation import Installation
from lobes.store import sequence

WORD = "older"


def accept_older(folders: Folders) -> tuple[int, int]:
    """How many writes it lacks, and its epoch from now on. `Conflict` where it lacks none."""
    missing, epoch = sequence.accept(folders.store)
    if not missing:
        raise Conflict(
            "The store lacks nothing that was noted.",
            hint="There is nothing to accept: lobes doctor.",
            reason="not_older",
        )
    return missing, epoch


def note_accepted(lobes: Installation, *, missing: int, epoch: int) -> None:
    """The row of it; and the index compares every lobe with the store."""
    owner = lobes.owner_at("cli", is_present=False)
    counts = {"missing": missing, "epoch": epoch}
    record(lobes, owner, "home.older_accepted", "write_meta", HOME, answer="owner", counts=counts)
    lobes.engine.stop()
    forget_lobes(EnginePlace(lobes.folders.index, lobes.folders.store), ())
