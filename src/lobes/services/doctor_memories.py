"""What is wrong with what is remembered: by the store alone, and with the key of its seals.

Ids alone are named, of what the caller may know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lobes.services.authority import allowed_memories, facts_for
from lobes.services.findings import Finding
from lobes.services.installation import Caller, Installation
from lobes.services.memory_seals import ANEW, has_lost_seals, wrong_seals
from lobes.store import seals
from lobes.store.memory_faults import FAULTS, faulty

_NAMED = 5


def examine_memories(lobes: Installation, caller: Caller) -> Iterator[Finding]:
    """What the store itself tells; asks nobody for a key."""
    with lobes.reading() as store:
        found = {"unsealed": [id for id, _ in seals.unsealed(store)]}
        found |= {fault: faulty(store, fault) for fault in FAULTS}
        ids = {id for some in found.values() for id in some}
        facts = facts_for(store, caller)
        known = allowed_memories(store, caller, "read_meta", ids, facts)
    for fault, some in found.items():
        if seen := [id for id in some if id in known]:
            text, hint = _WORDS[fault]
            yield Finding("memory", "problem", _counted(text, seen), hint)


def examine_seals(lobes: Installation, caller: Caller) -> Iterator[Finding]:
    """Whether each memory in use has the seal that is its own; the secret store was just ready."""
    with lobes.reading() as store:
        is_sealing, since = bool(seals.mark_of(store)), seals.sealed_since(store)
    if has_lost_seals(lobes):
        text = "This home sealed what is remembered, and its store knows nothing of it."
        yield Finding("secrets", "problem", text, ANEW)
        return
    if not is_sealing:
        text = "What is remembered isn't sealed: a status written into the store isn't noticed."
        yield Finding("secrets", "note", text, "lobes memory seal begins it.")
        return
    wrong = wrong_seals(lobes)
    if wrong is not None:
        with lobes.reading() as store:
            facts = facts_for(store, caller)
            known = allowed_memories(store, caller, "read_meta", wrong, facts)
        wrong = [id for id in wrong if id in known]
    if wrong is None:
        text = "The key that seals what is remembered isn't in the secret store."
        yield Finding("secrets", "problem", text, ANEW)
    elif wrong:
        text, hint = _WORDS["misfit"]
        yield Finding("secrets", "problem", _counted(text, wrong), hint)
    else:
        day = f" since {since:%Y-%m-%d}" if since is not None else ""
        text = f"What is remembered and in use is sealed{day}, each as it is."
        yield Finding("secrets", "note", text)


_WORDS = {
    "unsealed": (
        "Put in use without a seal, so not used",
        "They wait: lobes review shows them, lobes memory accept ID takes and seals one.",
    ),
    "misfit": (
        "In use with a seal that isn't their own",
        "lobes memory seal takes them out of use and lets them wait in review.",
    ),
    "with_successor": (
        "In use, though another one in use supersedes it",
        "lobes memory supersede NEW OLD, or lobes memory delete ID.",
    ),
    "alone_in_dispute": (
        "In dispute with nothing, so nobody finds it",
        "lobes memory delete ID, and say it anew.",
    ),
    "other_words": (
        "Says something else than its last version, so it was changed past Lobes",
        "lobes memory history ID shows what it said; lobes memory edit ID says it anew.",
    ),
    "buried": (
        "In use or waiting, though it is noted as rejected or deleted",
        "lobes memory delete ID, and say it anew.",
    ),
}


def _counted(text: str, ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else ""
    return f"{text}: {', '.join(ids[:_NAMED])}{more}."
