"""Sealing what is in use: begun where the record is sealed first, checked, renewed and ended by its
owner alone.

A home that seals puts nothing in use without its key. Where the key can't be had, what is sealed
stays in use, a person's decision is refused with what to do, and what comes in waits. The key of a
home that is gone is never made again by itself, and what is in use is never sealed on its own word:
a home whose key is there, and whose store says that it doesn't seal, is asked about.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from lobes.access.facts import HOME, Resource
from lobes.domain.errors import Conflict, Unavailable
from lobes.domain.secrets import SECRET_BYTES, Answer, Secret
from lobes.services.authority import facts_for, record, require
from lobes.services.installation import Caller, Installation
from lobes.services.seal import account_of
from lobes.store import seals
from lobes.store.found_memories import memory_counts
from lobes.store.read_memories import memories
from lobes.store.seals import Sealing

ANEW = "Look at what is in use, lobes memory list, then lobes memory seal --anew."
_LOOKED_AT = 20_000
"""Memories whose seals a first decision looks at, in half a second."""
_BY_ITSELF = "automatic"
"""The answer of a look that nobody asked for: no right was needed for it."""
_HELD_BACK = ("locked", "refused")
"""States of a secret store that may have the key, and doesn't let it go."""
_EVENTS = {
    "begun": "home.seals_begun",
    "checked": "home.seals_checked",
    "renewed": "home.seals_renewed",
}


@dataclass(frozen=True, slots=True)
class Seals:
    """What was done; `sealed` are in use, `taken_out` had a seal that wasn't theirs and wait now,
    `waiting` are all that wait because they have none."""

    state: Literal["begun", "checked", "renewed"]
    sealed: int
    taken_out: tuple[str, ...]
    waiting: tuple[str, ...]


def prepare(lobes: Installation, *, patient: bool = False) -> bool:
    """Whether what is put in use from now on is in use: fetches the key where the home seals and
    this process has it not. Never inside a unit of work; `patient` as the secret store has it."""
    database = lobes.database()
    with lobes.reading() as store:
        mark = seals.mark_of(store)
    if Sealing(mark, database.key).is_able:
        return True
    database.key = _asked(lobes, patient=patient).secret
    return Sealing(mark, database.key).is_able


def prepare_leaving(lobes: Installation, ids: Iterable[str]) -> None:
    """`prepare` for taking these out of use, which goes without the key as well. What one had
    superseded comes back by it; the other side of a dispute is in use now and is sealed anew, so
    for that a person is given the time to unlock the store."""
    with lobes.reading() as store:
        is_contested = any(one.status == "disputed" for one in memories(store, ids).values())
    prepare(lobes, patient=is_contested)


def require_key(lobes: Installation, caller: Caller) -> None:
    """`prepare`, or `Unavailable` (`no_seal`): for what a person decides. With a key that was just
    fetched every seal is looked at, where they are few enough for nobody to wait."""
    known = lobes.database().key
    if not prepare(lobes, patient=True):
        raise _no_seal(_asked(lobes, patient=False))
    key = lobes.database().key
    if key is not None and key is not known:
        with lobes.reading() as store:
            is_short = sum(memory_counts(store).values()) <= _LOOKED_AT
            wrong = seals.misfits(store, key) if is_short else []
        if wrong:
            _checked(lobes, caller, key, wrong, _BY_ITSELF)


def seal(lobes: Installation, caller: Caller, *, anew: bool = False) -> Seals:
    """Begin to seal, or look at every seal: what has one that isn't its own goes back to review.

    With `anew` what is in use gets a seal of a new key, where the old one is gone. Raises
    `Unavailable` (`no_seal`) without the secret store or its key, `Conflict` (`seals_gone`) where
    the home sealed before and its store doesn't know.
    """
    answer = _owner(lobes, caller)
    with lobes.reading() as store:
        mark = seals.mark_of(store)
    said = _asked(lobes, patient=True)
    if said.state != "ready":
        raise _no_seal(said)
    if mark and Sealing(mark, said.secret).is_able:
        assert said.secret is not None
        with lobes.reading() as store:
            wrong = seals.misfits(store, said.secret)
        return _checked(lobes, caller, said.secret, wrong, answer)
    if mark and not anew:
        raise _no_seal(said)
    if said.secret is not None and not anew:
        raise Conflict(
            "This home sealed its memories before, and its store knows nothing of it.",
            hint=ANEW,
            reason="seals_gone",
        )
    return _begun(lobes, caller, answer, is_first=not (mark or said.secret))


def begin(lobes: Installation, caller: Caller) -> None:
    """Begin where there is something in use, nothing was ever sealed, and a key can be kept. For
    who has just been asked for the record's key; anything else is left to `seal`."""
    with lobes.reading() as store:
        if seals.mark_of(store) or not memory_counts(store):
            return
    said = _asked(lobes, patient=False)
    if said.state == "ready" and said.secret is None:
        _begun(lobes, caller, _owner(lobes, caller), is_first=True)


def end(lobes: Installation, caller: Caller) -> None:
    """Seal no more: what is in use stays so, and what waits for want of a seal stays proposed.

    It ends without the secret store too. Where that has the key and keeps it, `Unavailable`
    (`key_kept`) says so once all else is done; again it takes the key that was left.
    """
    answer = _owner(lobes, caller)
    with lobes.reading() as store:
        is_sealing = bool(seals.mark_of(store))
    if not is_sealing:
        said = _asked(lobes, patient=True)
        if said.state in _HELD_BACK:
            raise _key_kept("Nothing is sealed. Whether there is a key can't be told.", said)
        if said.secret is None:
            raise Conflict("This home doesn't seal.", hint="lobes memory seal", reason="no_seals")
    with lobes.database().begin() as unit:
        if seals.mark_of(unit.reader):
            seals.end_sealing(unit.reader)
            unit.commit()
    record(lobes, caller, "home.seals_ended", "write_meta", HOME, answer=answer)
    # With the key the home would be taken for one that lost its seals.
    said = lobes.secrets().delete(account_of(lobes, "memory-seal"), patient=True)
    if said.state in _HELD_BACK:
        raise _key_kept("Nothing is sealed any more, but the key is still there.", said)


def has_lost_seals(lobes: Installation) -> bool:
    """Whether there is a key to seal with, and a store that says that nothing is sealed."""
    with lobes.reading() as store:
        mark = seals.mark_of(store)
    return not mark and _asked(lobes, patient=True).secret is not None


def wrong_seals(lobes: Installation) -> list[str] | None:
    """The memories in use whose seal isn't theirs, filtered by nothing; None where the key that
    tells isn't there."""
    with lobes.reading() as store:
        mark = seals.mark_of(store)
    if not mark:
        return []
    key = _asked(lobes, patient=True).secret  # a person may be asked: no snapshot is kept for that
    if key is None or not Sealing(mark, key).is_able:
        return None
    with lobes.reading() as store:
        return seals.misfits(store, key)


def _begun(lobes: Installation, caller: Caller, answer: str, *, is_first: bool) -> Seals:
    key = Secret(os.urandom(SECRET_BYTES))
    said = lobes.secrets().put(account_of(lobes, "memory-seal"), key)
    if said.secret != key:
        raise _no_seal(said)
    database = lobes.database()
    with database.begin() as unit:
        sealed = seals.seal_all(unit.reader, key, at=unit.now.isoformat())
        waiting = tuple(id for id, _ in seals.unsealed(unit.reader))
        unit.commit()
    database.key = key
    done = Seals("begun" if is_first else "renewed", sealed, (), waiting)
    _record(lobes, caller, done, answer)
    return done


def _checked(
    lobes: Installation, caller: Caller, key: Secret, found: Sequence[str], answer: str
) -> Seals:
    """Those that were `found` with a seal that isn't theirs, and have none now either."""
    database = lobes.database()
    database.key = key
    with database.begin() as unit:
        wrong = tuple(seals.misfits(unit.reader, key, among=found))
        seals.take_out(unit.reader, wrong)
        waiting = tuple(id for id, _ in seals.unsealed(unit.reader))
        sealed = sum(memory_counts(unit.reader).values())
        if wrong:
            unit.commit()
    done = Seals("checked", sealed, wrong, waiting)
    _record(lobes, caller, done, answer)
    if wrong:
        lobes.engine.notify()
    return done


def _record(lobes: Installation, caller: Caller, done: Seals, answer: str) -> None:
    counts = {"sealed": done.sealed, "taken_out": len(done.taken_out)}
    things: Sequence[Resource] = [Resource("memory", id) for id in done.taken_out] or [HOME]
    event = _EVENTS[done.state]
    record(lobes, caller, event, "write_meta", *things, answer=answer, counts=counts)


def _owner(lobes: Installation, caller: Caller) -> str:
    with lobes.reading() as store:
        facts = facts_for(store, caller)
    return require(lobes, caller, "write_meta", HOME, facts=facts, human_only=True).reason


def _asked(lobes: Installation, *, patient: bool) -> Answer:
    return lobes.secrets().get(account_of(lobes, "memory-seal"), patient=patient)


def _no_seal(said: Answer) -> Unavailable:
    if said.state == "ready":
        text = "The key that seals what is in use is gone from the secret store."
        return Unavailable(f"{text} Nothing was done.", hint=ANEW, reason="no_seal")
    hint = f"{said.hint} Or lobes memory seal --end: then nothing is sealed."
    text = f"{said.sentence} Without a seal nothing is put in use."
    return Unavailable(text, hint=hint, reason="no_seal")


def _key_kept(text: str, said: Answer) -> Unavailable:
    hint = f"{said.hint} Then lobes memory seal --end takes the key away."
    return Unavailable(f"{text} {said.sentence}", hint=hint, reason="key_kept")
