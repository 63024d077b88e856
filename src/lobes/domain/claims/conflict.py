"""Whether two clauses can't both hold: the same thing, turned round or with another value.

The words that both have in common say whether it is the same thing. Where each has a word that the
other lacks, they speak of two things: `staging` and `production` don't contradict each other. Where
one only says more than the other, they may. A word in the place of a value counts where there can
be but one: what is called so, written in that, kept there, owned by her.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from lobes.domain.claims.claim import Cause
from lobes.domain.claims.clauses import Clause
from lobes.domain.claims.forms import stem
from lobes.domain.claims.lexicon import CHOICES, OLD, PERSONS, wordset
from lobes.domain.claims.values import Value

LEAST = 2
"""Words of content in common, unless all are."""
SHARE = 0.3
"""Least part of the longer clause that is in common."""
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_REST = 0.75
"""Least part of what is ruled out that is said of the same thing."""
_PREFIX = 4
"""Least letters in common of two forms of one word, where the stems differ."""
_ENDINGS = wordset(
    "ion ation ment al ally ly y ing ed er or able ance ence ant ent ive ic ical"
) | {""}

_CAUSES: dict[str, Cause] = {
    "number": "other_number",
    "version": "other_version",
    "date": "other_date",
    "time": "other_time",
}
_ONE_ONLY = frozenset(
    map(
        stem,
        wordset(
            "called named main default written stored kept live hosted owns leads maintains manages"
            " served formatted region comes resolved"
        ),
    )
)
"""Words of which there is but one at a time."""
_OWNS = frozenset(map(stem, ("owns", "leads", "manages", "maintains")))
_BE = wordset("is are was were be")
_PREPOSITIONS = wordset("by via through under")
_ADDS = wordset("too also additionally well besides another auch también aussi également")
_PAST = re.compile(r"(?:ed|was|were|did|took|went)$")
_NAMERS = wordset("called named prefer prefers using")
_DEFINITE = wordset("the our my")


class Conflict(NamedTuple):
    """What decided, and the places among the words of the new and the old clause."""

    cause: Cause
    new: tuple[int, ...]
    old: tuple[int, ...]


class _Pair(NamedTuple):
    new: Clause
    old: Clause
    mine: frozenset[str]
    theirs: frozenset[str]
    is_told: bool


def conflict(
    new: Clause, old: Clause, *, is_told: bool = False, about: frozenset[str] = frozenset()
) -> Conflict | None:
    """Why they can't both hold; None where they can, or where it can't be told.

    `about` are words of a subject that both were given. `is_told`: the
    text or the period says that something has changed, so that any word in the place of another is
    a change.
    """
    if _is_elsewhere(new, old):
        return None
    shared = new.poles.keys() & old.poles.keys()
    pair = _Pair(new, old, _words(new, old) | about, _words(old, new) | about, is_told)
    if (pair.mine ^ pair.theirs) & OLD:
        return _renewed(pair) if is_told else None
    opposed = _rejection(pair) or _opposed(pair, shared)
    if opposed or new.sign != old.sign or any(one.norm in _ADDS for one in new.words):
        return opposed
    return _other_value(pair) or _other_word(pair)


def _is_elsewhere(new: Clause, old: Clause) -> bool:
    """Under another condition, or of another one by number, date or version."""
    if new.condition and old.condition and not _is_within(new.condition, old.condition):
        return True
    for name in new.poles.keys() & old.poles.keys():
        (mine, at), (theirs, place) = new.poles[name], old.poles[name]
        if mine != theirs and at < new.verb and place < old.verb:
            return True
    if _is_definite(new) and _is_definite(old):
        return False
    firsts, others = _ordinals(new.subject), _ordinals(old.subject)
    if firsts and others and firsts.isdisjoint(others):
        return True
    mine, theirs = _identity(new), _identity(old)
    return any(mine[key].isdisjoint(theirs[key]) for key in mine.keys() & theirs.keys())


def _ordinals(stems: frozenset[str]) -> frozenset[str]:
    return frozenset(one for one in stems if one == "last" or _ORDINAL.fullmatch(one))


def _identity(clause: Clause) -> dict[str, set[str]]:
    """The values before the verb that tell which one: key → values."""
    return _keyed(one for one in clause.values if one.names and one.first < clause.verb)


def _keyed(found: Iterable[Value]) -> dict[str, set[str]]:
    keyed: dict[str, set[str]] = {}
    for one in found:
        keyed.setdefault(one.key, set()).add(one.value)
    return keyed


def _words(clause: Clause, other: Clause) -> frozenset[str]:
    """What it is about. A pole is a word like others, unless the two clauses name its two ends."""
    poles = {
        clause.words[place].stem
        for name, (end, place) in clause.poles.items()
        if name not in other.poles or other.poles[name][0] == end
    }
    return clause.rest | clause.heir | clause.condition | poles


def _fits(mine: frozenset[str], theirs: frozenset[str], *, least: int = LEAST) -> bool:
    """Whether one says at most more than the other, of the same thing."""
    common = mine & theirs
    a, b = mine - common, theirs - common
    if a and b:
        alike = _alike(a, b)
        a, b = a - alike, b - alike
        common |= alike & mine
    if a and b:
        return False
    longest = max(len(mine), len(theirs))
    said = len(common - PERSONS) if a or b else len(common)
    if said < least and len(common) < longest:
        return False
    return said > 0 and len(common) >= SHARE * longest


def _alike(a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
    """The words of both that differ in an ending alone."""
    found: set[str] = set()
    for one in a:
        for other in b:
            if one[:_PREFIX] == other[:_PREFIX] and _differ_in_ending(one, other):
                found.update((one, other))
    return frozenset(found)


def _differ_in_ending(one: str, other: str) -> bool:
    ends = (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    common = next(ends, min(len(one), len(other)))
    return common >= _PREFIX and one[common:] in _ENDINGS and other[common:] in _ENDINGS


def _is_within(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or other <= one


def _rejection(pair: _Pair) -> Conflict | None:
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


def _opposed(pair: _Pair, shared: Iterable[str]) -> Conflict | None:
    new, old = pair.new, pair.old
    ends = [p for p in sorted(shared) if new.poles[p][0] * new.sign != old.poles[p][0] * old.sign]
    if not ends and (new.sign == old.sign or shared):
        return None
    mine, theirs = _keyed(new.values), _keyed(old.values)
    if any(mine[key].isdisjoint(theirs[key]) for key in mine.keys() & theirs.keys()):
        return None
    if not _fits(pair.mine, pair.theirs):
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


def _other_value(pair: _Pair) -> Conflict | None:
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
    if not differing or not _fits(pair.mine, pair.theirs):
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


def _other_word(pair: _Pair) -> Conflict | None:
    """One word in the place of another, where there can be but one."""
    new, old = pair.new, pair.old
    if _values_differ(new, old):
        return None
    for choice in (*CHOICES, _ordinals(pair.mine | pair.theirs)):
        mine, theirs = pair.mine & choice, pair.theirs & choice
        if mine and theirs and mine.isdisjoint(theirs):
            if not _fits(pair.mine - mine, pair.theirs - theirs):
                return None
            return _replaced(pair, mine, theirs, "other_choice")
    mine, theirs = pair.mine - pair.theirs, pair.theirs - pair.mine
    if not mine or not theirs or not pair.mine & pair.theirs:
        return None
    told = pair.is_told
    mine, theirs = _names(new, mine, is_told=told), _names(old, theirs, is_told=told)
    if not mine or not theirs or not _fits(pair.mine - mine, pair.theirs - theirs, least=1):
        return None
    if _is_single(pair, mine, theirs):
        return _replaced(pair, mine, theirs, "other_name")
    return None


def _values_differ(new: Clause, old: Clause) -> bool:
    mine, theirs = _keyed(new.values), _keyed(old.values)
    return mine != theirs and bool(mine) and bool(theirs)


def _names(clause: Clause, differing: frozenset[str], *, is_told: bool) -> frozenset[str]:
    """Those of the words that stand in the place of a name: a name, what is called so, what the
    clause prefers or tells to use."""
    found: set[str] = set()
    for n, one in enumerate(clause.words):
        is_complement = is_told and _is_complement(clause, n)
        if one.stem in differing and (one.is_name or is_complement or _is_in_place(clause, n)):
            found.add(one.stem)
    return frozenset(found)


def _is_complement(clause: Clause, at: int) -> bool:
    spoken, verb = clause.words, clause.verb
    return at > verb and spoken[verb].norm in _BE and all(w.is_filler for w in spoken[verb:at])


def _is_in_place(clause: Clause, at: int) -> bool:
    spoken = clause.words
    if at == 0:
        return spoken[clause.verb].stem in _OWNS or _is_definite(clause)
    before = next((spoken[n].norm for n in range(at - 1, -1, -1) if not spoken[n].is_filler), "")
    if spoken[at - 1].norm == "as":
        return True
    return before in _NAMERS or (spoken[0].norm == before == "use")


def _is_definite(clause: Clause) -> bool:
    """`… is the X`."""
    spoken, verb = clause.words, clause.verb
    return (
        spoken[verb].norm in _BE and verb + 1 < len(spoken) and spoken[verb + 1].norm in _DEFINITE
    )


def _is_single(pair: _Pair, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether both clauses have room for one only."""
    new, old = pair.new, pair.old
    common = {one.stem for one in new.words} & {one.stem for one in old.words}
    if pair.is_told or common & _ONE_ONLY:
        return True
    if len(mine) > 2 or len(theirs) > 2:
        return False
    told = new.words[0].norm == "use" or "prefer" in common
    if told and len(new.rest & old.rest) >= LEAST:
        return True
    if _is_what_it_is(new, mine) and _is_what_it_is(old, theirs):
        return True
    frames = _frame(new, mine) & _frame(old, theirs)
    return bool(frames) and len(new.rest & old.rest) >= LEAST


def _frame(clause: Clause, names: frozenset[str]) -> set[str]:
    """The preposition before the names of a claim in the present, and an `as` behind them."""
    spoken = clause.words
    places = [n for n, one in enumerate(spoken) if one.stem in names]
    if not places or _PAST.search(spoken[clause.verb].norm):
        return set()
    before = {spoken[n].norm for n in (places[0] - 1,) if n >= 0}
    after = {spoken[n].norm for n in (places[-1] + 1,) if n < len(spoken)}
    return (before & _PREPOSITIONS) | (after & {"as"})


def _is_what_it_is(clause: Clause, names: frozenset[str]) -> bool:
    """`X is NAME`, or `NAME is the X`."""
    spoken = clause.words
    if spoken[clause.verb].norm not in _BE:
        return False
    place = next(n for n, one in enumerate(spoken) if one.stem in names)
    if place > clause.verb:
        return all(one.is_filler or one.stem in names for one in spoken[clause.verb : place])
    return _is_definite(clause)


def _renewed(pair: _Pair) -> Conflict | None:
    """The old thing and the new one, where it is told that one took the other's place."""
    mine, theirs = pair.mine & OLD, pair.theirs & OLD
    if not mine or not theirs or not _fits(pair.mine - OLD, pair.theirs - OLD):
        return None
    return _replaced(pair, mine, theirs, "other_choice")


def _replaced(pair: _Pair, mine: Iterable[str], theirs: Iterable[str], cause: Cause) -> Conflict:
    return Conflict(
        cause,
        tuple(sorted(pair.new.place(one) for one in mine)),
        tuple(sorted(pair.old.place(one) for one in theirs)),
    )
