"""Taking a store that lacks the last writes as it is: a person's word, noted in the record.

It can't be opened before, so no screen can show a code and no rule be asked: it takes the home's
owner and a word, at a terminal. That is the one act of a person for which a terminal alone will do.
"""

from __future__ import annotations

from contextlib import closing

from lobes.access.facts import HOME
from lobes.config.folders import Folders
from lobes.domain.errors import Conflict, Forbidden, NoPresence
from lobes.domain.reasons import remedy, sentence
from lobes.engine.endpoint import EnginePlace
from lobes.engine.forgetting import forget_lobes
from lobes.services.authority import facts_for, record, require
from lobes.services.installation import Caller, Installation
from lobes.store import read, sequence
from lobes.store.faults import in_our_words

WORD = "older"


def is_older(folders: Folders) -> bool:
    return sequence.missing_in(folders.store) > 0


def nothing_to_accept(lobes: Installation, caller: Caller) -> Conflict:
    """The answer to who may change the home; raises as `require` for anybody else."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
    require(lobes, caller, "write_meta", HOME, facts=facts, human_only=True)
    return _lacks_nothing()


def refuse_others(
    folders: Folders, *, acting_as: str | None, is_agent: bool, is_at_terminal: bool
) -> None:
    """Raises `Forbidden` or `NoPresence` for whoever isn't the home's owner at a terminal, or in a
    home without presence the owner."""
    with in_our_words(), closing(read.connect(folders.store)) as store:
        owner, presence, _ = read.home_row(store)
    if acting_as is not None and acting_as != f"user:{owner}":
        raise Forbidden(sentence("owner_only"), hint=remedy("owner_only"), reason="owner_only")
    if presence == "off":
        return
    if is_agent:
        raise Forbidden(sentence("ai_bar"), hint=remedy("ai_bar"), reason="ai_bar")
    if not is_at_terminal:
        text = sentence("no_presence")
        raise NoPresence(text, hint="Run it in a terminal of your own.", reason="no_presence")


def accept_older(folders: Folders) -> tuple[int, int]:
    """How many writes it lacks, and its epoch from now on. `Conflict` where it lacks none."""
    missing, epoch = sequence.accept(folders.store)
    if not missing:
        raise _lacks_nothing()
    return missing, epoch


def _lacks_nothing() -> Conflict:
    return Conflict(
        "The store lacks nothing that was noted.",
        hint="There is nothing to accept: lobes doctor.",
        reason="not_older",
    )


def note_accepted(lobes: Installation, *, missing: int, epoch: int) -> None:
    """The row of it; and the index compares every lobe with the store."""
    owner = lobes.owner_at("cli", is_present=False)
    counts = {"missing": missing, "epoch": epoch}
    record(lobes, owner, "home.older_accepted", "write_meta", HOME, answer="owner", counts=counts)
    lobes.engine.stop()
    forget_lobes(EnginePlace(lobes.folders.index, lobes.folders.store), ())
