"""One word in the place of another, where there is room for one only.

What is called so, written in that, kept there, owned by her, is the default, is the lead. "We use
X" has room for many, so it says nothing.
"""

from __future__ import annotations

import re

from lobes.domain.claims.clauses import Clause
from lobes.domain.claims.forms import stem
from lobes.domain.claims.lexicon import CHOICES, OLD, wordset
from lobes.domain.claims.pairing import LEAST, Conflict, Pair, fits, keyed, ordinals, replaced

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
_PAST = re.compile(r"(?:ed|was|were|did|took|went)$")
_NAMERS = wordset("called named prefer prefers using")
_DEFINITE = wordset("the our my")


def other_word(pair: Pair) -> Conflict | None:
    """One word in the place of another, where there can be but one."""
    new, old = pair.new, pair.old
    if _values_differ(new, old):
        return None
    for choice in (*CHOICES, ordinals(pair.mine | pair.theirs)):
        mine, theirs = pair.mine & choice, pair.theirs & choice
        if mine and theirs and mine.isdisjoint(theirs):
            if not fits(pair.mine - mine, pair.theirs - theirs):
                return None
            return replaced(pair, mine, theirs, "other_choice")
    mine, theirs = pair.mine - pair.theirs, pair.theirs - pair.mine
    if not mine or not theirs or not pair.mine & pair.theirs:
        return None
    told = pair.is_told
    mine, theirs = _names(new, mine, is_told=told), _names(old, theirs, is_told=told)
    if not mine or not theirs or not fits(pair.mine - mine, pair.theirs - theirs, least=1):
        return None
    if _is_single(pair, mine, theirs):
        return replaced(pair, mine, theirs, "other_name")
    return None


def _values_differ(new: Clause, old: Clause) -> bool:
    mine, theirs = keyed(new.values), keyed(old.values)
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
        return spoken[clause.verb].stem in _OWNS or is_definite(clause)
    before = next((spoken[n].norm for n in range(at - 1, -1, -1) if not spoken[n].is_filler), "")
    if spoken[at - 1].norm == "as":
        return True
    return before in _NAMERS or (spoken[0].norm == before == "use")


def is_definite(clause: Clause) -> bool:
    """`… is the X`."""
    spoken, verb = clause.words, clause.verb
    return (
        spoken[verb].norm in _BE and verb + 1 < len(spoken) and spoken[verb + 1].norm in _DEFINITE
    )


def _is_single(pair: Pair, mine: frozenset[str], theirs: frozenset[str]) -> bool:
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
    return is_definite(clause)


def renewed(pair: Pair) -> Conflict | None:
    """The old thing and the new one, where it is told that one took the other's place."""
    mine, theirs = pair.mine & OLD, pair.theirs & OLD
    if not mine or not theirs or not fits(pair.mine - OLD, pair.theirs - OLD):
        return None
    return replaced(pair, mine, theirs, "other_choice")
