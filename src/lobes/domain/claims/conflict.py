"""Whether two clauses can't both hold: the same thing, turned round or with another value.

Before anything else it is asked whether they speak of one thing, at one time, under one condition.
"""

from __future__ import annotations

from collections.abc import Iterable

from lobes.domain.claims.claim import Cause
from lobes.domain.claims.clauses import Clause
from lobes.domain.claims.lexicon import OLD
from lobes.domain.claims.pairing import Conflict, Pair, about, fits
from lobes.domain.claims.slots import other_word, renewed
from lobes.domain.claims.traits import Keyed, ordinals
from lobes.domain.claims.values import Value

_REST = 0.75
"""Least part of what is ruled out that is said of the same thing."""
_CAUSES: dict[str, Cause] = {
    "number": "other_number",
    "version": "other_version",
    "date": "other_date",
    "time": "other_time",
}


def conflict(
    new: Clause, old: Clause, *, is_told: bool = False, subject: frozenset[str] = frozenset()
) -> Conflict | None:
    """Why they can't both hold; None where they can, or where it can't be told.

    `subject` are words of a key that both were given. `is_told`: the text or the period says that
    something has changed, so that any word in the place of another is a change.
    """
    if _is_elsewhere(new, old):
        return None
    shared = new.poles.keys() & old.poles.keys()
    mine, theirs = about(new, old), about(old, new)
    ranks = new.traits.ranks | old.traits.ranks
    if subject:
        mine, theirs, ranks = mine | subject, theirs | subject, ranks | ordinals(subject)
    pair = Pair(new, old, mine, theirs, ranks, is_told)
    if (pair.mine ^ pair.theirs) & OLD:
        return renewed(pair) if is_told else None
    opposed = _rejection(pair) or _opposed(pair, shared)
    if opposed or new.sign != old.sign or new.traits.adds:
        return opposed
    return _other_value(pair) or other_word(pair)


def _is_elsewhere(new: Clause, old: Clause) -> bool:
    """Under another condition, or of another one by number, date or version."""
    if new.condition and old.condition and not _is_within(new.condition, old.condition):
        return True
    for name in (new.poles.keys() & old.poles.keys()) if new.poles and old.poles else ():
        (mine, at), (theirs, place) = new.poles[name], old.poles[name]
        if mine != theirs and at < new.verb and place < old.verb:
            return True
    one, other = new.traits, old.traits
    if one.is_definite and other.is_definite:
        return False
    if one.ordinals and other.ordinals and one.ordinals.isdisjoint(other.ordinals):
        return True
    return _is_apart(one.identity, other.identity)


def _is_apart(mine: Keyed, theirs: Keyed) -> bool:
    """Whether a key of both has no value in common."""
    if not mine or not theirs:
        return False
    return any(mine[key].isdisjoint(theirs[key]) for key in mine.keys() & theirs.keys())


def _is_within(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or other <= one


def _rejection(pair: Pair) -> Conflict | None:
    """One rules out by name what the other says."""
    new, old = pair.new, pair.old
    if new.sign < 0 or old.sign < 0:
        return None
    for one, other in ((new, old), (old, new)):
        named = one.rejected & other.rest
        others = other.rest - named
        common = len(others & one.rest)
        if named and others and common >= max(1, _REST * len(others)):
            places = [tuple(side.place(word) for word in sorted(named)) for side in (new, old)]
            return Conflict("opposed", places[0], places[1])
    return None


def _opposed(pair: Pair, shared: Iterable[str]) -> Conflict | None:
    new, old = pair.new, pair.old
    ends = [p for p in sorted(shared) if new.poles[p][0] * new.sign != old.poles[p][0] * old.sign]
    if not ends and (new.sign == old.sign or shared):
        return None
    if _is_apart(new.traits.counted, old.traits.counted):
        return None
    if not fits(pair.mine, pair.theirs):
        return None
    if not ends and _is_turned_by_pole(new, old):
        return None
    if ends:
        return Conflict(
            "opposed",
            (*new.turns, *(new.poles[p][1] for p in ends)),
            (*old.turns, *(old.poles[p][1] for p in ends)),
        )
    return Conflict("opposed", new.turns, old.turns)


def _is_turned_by_pole(new: Clause, old: Clause) -> bool:
    """Whether the one without a negator may say the same by a word such as `closed`."""
    plain, other = (new, old) if new.sign > 0 else (old, new)
    return any(end < 0 and name not in other.poles for name, (end, _) in plain.poles.items())


def _other_value(pair: Pair) -> Conflict | None:
    """One value that differs; a date that differs with another value is another event."""
    new, old = pair.new, pair.old
    if not new.values or not old.values:
        return None
    differing = [
        (one, other)
        for one in new.values
        for other in old.values
        if _comparable(one, other) and _differs(one, other, new, old)
    ]
    if not differing or not fits(pair.mine, pair.theirs):
        return None
    told = {one.form for one, _ in differing}
    if "date" in told and len(told) > 1:
        return None
    one, other = differing[0]
    return Conflict(
        _CAUSES[one.form],
        tuple(range(one.first, one.last + 1)),
        tuple(range(other.first, other.last + 1)),
    )


def _comparable(one: Value, other: Value) -> bool:
    if one.key == other.key:
        return True
    if "" not in (one.key, other.key):
        return False
    return one.form == other.form or "version" in (one.form, other.form)


def _differs(one: Value, other: Value, new: Clause, old: Clause) -> bool:
    """Whether neither side has the other's value under this key as well."""
    mine = {value.value for value in new.values if _comparable(value, other)}
    theirs = {value.value for value in old.values if _comparable(value, one)}
    if one.form == "date" and one.key == "date":
        return not any(_same_day(a, b) for a in mine for b in theirs)
    return mine.isdisjoint(theirs)


def _same_day(one: str, other: str) -> bool:
    """A date without a year may be of any."""
    a, b = one.split("/"), other.split("/")
    return a[:2] == b[:2] and (len(a) < 3 or len(b) < 3 or a[2] == b[2])
